package alamein_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/alamein/alamein/clients/go/alamein"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// object is a JSON object. Numbers in it are float64.
type object = map[string]any

// caseFile is a case file, as far as it is read at once.
type caseFile struct {
	position  *pb.Position
	unowned   []string
	options   object
	questions []caseQuestion
}

// caseQuestion is a question of a case.
type caseQuestion struct {
	id        string
	asked     *pb.Question // nil if nothing answers such a question
	kind      string
	expect    object // nil if nothing is expected
	others    map[pb.GrazingPolicy]object
	contested bool
}

// reader reads a case file. What is wrong with it panics: the files are this repository's own.
type reader struct {
	known known
	ids   map[string]bool
}

func readCase(t *testing.T, path string, known known) caseFile {
	t.Helper()
	defer func() {
		if wrong := recover(); wrong != nil {
			t.Fatalf("%s: %v", path, wrong)
		}
	}()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var file object
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	r := reader{known: known, ids: map[string]bool{}}
	it := caseFile{position: r.position(file), options: object{}}
	for _, layer := range it.position.GetMap().GetLayers() {
		if _, owned := known.layers[layer.Name]; !owned {
			it.unowned = append(it.unowned, layer.Name)
		}
	}
	if settings, ok := file["alamein"].(object); ok {
		it.options, _ = settings["options"].(object)
	}
	for _, question := range list(file["questions"]) {
		it.questions = append(it.questions, r.question(question.(object), it.unowned))
	}
	return it
}

func (r *reader) position(file object) *pb.Position {
	position := &pb.Position{MapSource: &pb.Position_Map{Map: r.gameMap(file["map"].(object))}}
	for _, it := range list(file["counters"]) {
		counter := r.counter(it.(object))
		r.ids[counter.Id] = true
		position.Counters = append(position.Counters, counter)
	}
	if ec, ok := file["ec"].(string); ok {
		position.Environment = &pb.Environment{Ec: condition(ec)}
	}
	for _, it := range list(file["fire_lanes"]) {
		lane := it.(object)
		placed := &pb.PlacedFireLane{CounterId: text(lane, "mg"), Hex: text(lane, "hex")}
		position.FireLanes = append(position.FireLanes, placed)
	}
	return position
}

func (r *reader) gameMap(file object) *pb.Map {
	it := &pb.Map{BaseLevel: int32(number(file["base_level"]))}
	switch board := file["board"].(type) {
	case object:
		it.Board = &pb.Board{Columns: uint32(number(board["columns"])), Rows: uint32(number(board["rows"]))}
	case string:
		it.Board = &pb.Board{}
		if _, err := fmt.Sscanf(board, "%dx%d", &it.Board.Columns, &it.Board.Rows); err != nil {
			panic(err)
		}
	}
	if levels, ok := file["levels"].(object); ok {
		for hex, level := range levels {
			it.Levels = append(it.Levels, &pb.HexLevel{Hex: hex, Level: int32(number(level))})
		}
	}
	if layers, ok := file["layers"].(object); ok {
		for name, content := range layers {
			it.Layers = append(it.Layers, &pb.Layer{Name: name, Fields: r.fields(name, content)})
		}
	}
	return it
}

func (r *reader) fields(layer string, content any) []*pb.LayerField {
	schema := r.known.layers[layer]
	if _, isList := content.([]any); isList {
		name, kind := "hexes", looksLike(content)
		if kind == pb.LayerFieldKind_LAYER_FIELD_KIND_HEXSIDES {
			name = "hexsides"
		}
		if described := schema.GetFields(); len(described) > 0 {
			name, kind = described[0].Name, described[0].Kind
		}
		return []*pb.LayerField{field(name, kind, content)}
	}
	var fields []*pb.LayerField
	for name, value := range content.(object) {
		kind := looksLike(value)
		if typed, ok := value.(object); ok && typed["kind"] != nil && typed["values"] != nil {
			word := strings.ToUpper(typed["kind"].(string))
			kind = pb.LayerFieldKind(pb.LayerFieldKind_value["LAYER_FIELD_KIND_"+word])
			value = typed["values"]
		}
		for _, described := range schema.GetFields() {
			if described.Name == name {
				kind = described.Kind
			}
		}
		fields = append(fields, field(name, kind, value))
	}
	return fields
}

// looksLike is the kind of a field of which no plugin says it.
func looksLike(value any) pb.LayerFieldKind {
	hexside := func(name string) bool { return strings.Contains(name, "|") }
	if values, ok := value.(object); ok {
		for name := range values {
			if hexside(name) {
				return pb.LayerFieldKind_LAYER_FIELD_KIND_HEXSIDE_VALUES
			}
		}
		return pb.LayerFieldKind_LAYER_FIELD_KIND_HEX_VALUES
	}
	if items := texts(value); len(items) > 0 && hexside(items[0]) {
		return pb.LayerFieldKind_LAYER_FIELD_KIND_HEXSIDES
	}
	return pb.LayerFieldKind_LAYER_FIELD_KIND_HEXES
}

func field(name string, kind pb.LayerFieldKind, value any) *pb.LayerField {
	switch kind {
	case pb.LayerFieldKind_LAYER_FIELD_KIND_HEXES:
		return alamein.Hexes(name, texts(value)...)
	case pb.LayerFieldKind_LAYER_FIELD_KIND_HEXSIDES:
		return alamein.Hexsides(name, texts(value)...)
	case pb.LayerFieldKind_LAYER_FIELD_KIND_HEX_VALUES:
		values := &pb.HexValues{}
		for hex, it := range value.(object) {
			values.Values = append(values.Values, &pb.HexValue{Hex: hex, Value: int64(number(it))})
		}
		return &pb.LayerField{Name: name, Kind: &pb.LayerField_HexValues{HexValues: values}}
	default:
		values := &pb.HexsideValues{}
		for hexside, it := range value.(object) {
			values.Values = append(values.Values, &pb.HexsideValue{Hexside: hexside, Value: int64(number(it))})
		}
		return &pb.LayerField{Name: name, Kind: &pb.LayerField_HexsideValues{HexsideValues: values}}
	}
}

func (r *reader) counter(file object) *pb.Counter {
	it := &pb.Counter{
		Id: text(file, "id"), Class: class(text(file, "class")), Hex: text(file, "hex"),
		Side: text(file, "side"), Aboard: text(file, "aboard"),
		HeightHalfLevels: int32(number(file["height"])), KnownTo: texts(file["known_to"]),
	}
	for name, value := range pb.CounterFlag_value {
		name = strings.ToLower(strings.TrimPrefix(name, "COUNTER_FLAG_"))
		if set, ok := file[name].(bool); ok && set {
			it.Flags = append(it.Flags, pb.CounterFlag(value))
		}
	}
	if attributes, ok := file["attributes"].(object); ok {
		for name, value := range attributes {
			set := &pb.Attribute_IntValue{IntValue: int64(number(value))}
			it.Attributes = append(it.Attributes, &pb.Attribute{Name: name, Value: set})
		}
	}
	if facing, ok := file["facing"]; ok && facing != nil {
		it.Facing = proto.Uint32(uint32(number(facing)))
	}
	return it
}

func (r *reader) question(file object, unowned []string) caseQuestion {
	it := caseQuestion{id: text(file, "id"), kind: text(file, "kind"), others: map[pb.GrazingPolicy]object{}}
	it.expect, _ = file["expect"].(object)
	it.contested, _ = file["contested"].(bool)
	if others, ok := file["expect_other_policies"].(object); ok {
		for name, expect := range others {
			it.others[policy(name)] = expect.(object)
		}
	}
	options := &pb.QuestionOptions{IgnoreLayers: slices.Clone(unowned)}
	// A probe may be an end of the line.
	here := reader{known: r.known, ids: map[string]bool{}}
	for id := range r.ids {
		here.ids[id] = true
	}
	for _, probe := range list(file["probes"]) {
		counter := r.counter(probe.(object))
		here.ids[counter.Id] = true
		options.Probes = append(options.Probes, counter)
	}
	for _, layer := range texts(file["ignore_layers"]) {
		if _, owned := r.known.layers[layer]; !owned && !slices.Contains(options.IgnoreLayers, layer) {
			options.IgnoreLayers = append(options.IgnoreLayers, layer)
		}
	}
	if name := text(file, "policy"); name != "" {
		options.GrazingPolicy = policy(name)
	}
	if it.asked = here.ask(file, it.kind); it.asked != nil {
		it.asked.Tag, it.asked.Options = it.id, options
	}
	return it
}

func (r *reader) ask(file object, kind string) *pb.Question {
	switch kind {
	case "line_of_sight":
		return alamein.LineOfSight(r.end(file["from"]), r.end(file["to"]))
	case "line_of_fire":
		question := alamein.LineOfFire(r.end(file["from"]), r.end(file["to"]))
		asked := question.GetLineOfFire()
		attacks := map[string]pb.AttackKind{
			"": pb.AttackKind_ATTACK_KIND_DIRECT, "direct": pb.AttackKind_ATTACK_KIND_DIRECT,
			"indirect": pb.AttackKind_ATTACK_KIND_MORTAR, "mortar": pb.AttackKind_ATTACK_KIND_MORTAR,
			"oba": pb.AttackKind_ATTACK_KIND_OBA,
		}
		asked.Attack = attacks[text(file, "attack")]
		if munition := text(file, "munition"); munition != "other" {
			asked.Munition = pb.Munition(enum(pb.Munition_value, "MUNITION_", munition))
		}
		return question
	case "fire_lane":
		mover := pb.LaneMover(enum(pb.LaneMover_value, "LANE_MOVER_", text(file, "mover")))
		return alamein.FireLane(r.end(file["mg"]), text(file, "counter_hex"), text(file, "mover_hex"), mover)
	case "movement":
		question := alamein.Step(mover(file["mover"].(object)), text(file, "from"), text(file, "to"))
		asked := question.GetMovement()
		asked.GetEntry().Way, asked.Ec = way(file), condition(text(file, "ec"))
		return question
	case "vca_change":
		turn := &pb.VcaChange{
			Hex: text(file, "hex"), EnteredFrom: text(file, "entered_from"),
			Hexsides: uint32(number(file["hexsides"])), Way: way(file),
		}
		asked := &pb.MovementQuestion{
			Mover: mover(file["mover"].(object)), Ec: condition(text(file, "ec")),
			Step: &pb.MovementQuestion_VcaChange{VcaChange: turn},
		}
		return &pb.Question{Question: &pb.Question_Movement{Movement: asked}}
	case "setup":
		return &pb.Question{Question: &pb.Question_SetUp{SetUp: setUp(file)}}
	default:
		return nil
	}
}

// end is a counter's id, or else a hex; or an object that says which, and a corner.
func (r *reader) end(value any) *pb.End {
	if name, ok := value.(string); ok {
		if r.ids[name] {
			return alamein.AtCounter(name)
		}
		return alamein.AtHex(name)
	}
	file := value.(object)
	end := alamein.AtHex(text(file, "hex"))
	if counter := text(file, "counter"); counter != "" {
		end = alamein.AtCounter(counter)
	}
	if corner, ok := file["corner"]; ok && corner != nil {
		end.Corner = proto.Uint32(uint32(number(corner)))
	}
	return end
}

func mover(file object) *pb.Mover {
	it := &pb.Mover{Class: class(text(file, "class"))}
	it.GroundPressure = pb.GroundPressure(enum(pb.GroundPressure_value, "GROUND_PRESSURE_", text(file, "ground_pressure")))
	it.BritishBuilt, _ = file["british_built"].(bool)
	if weight, ok := file["weight_tons"]; ok && weight != nil {
		it.WeightTons = proto.Float64(number(weight))
	}
	return it
}

func setUp(file object) *pb.SetUpQuestion {
	asked := &pb.SetUpQuestion{Hex: text(file, "hex")}
	what := text(file, "what")
	if fortification, ok := pb.Fortification_value["FORTIFICATION_"+strings.ToUpper(what)]; ok {
		asked.Piece = &pb.SetUpQuestion_Fortification{Fortification: pb.Fortification(fortification)}
		return asked
	}
	unit := &pb.SetUpUnit{Class: class(what)}
	if concealment := text(file, "concealment"); concealment != "unconcealed" {
		unit.Concealment = pb.Concealment(enum(pb.Concealment_value, "CONCEALMENT_", concealment))
	}
	unit.Beneath = pb.Fortification(enum(pb.Fortification_value, "FORTIFICATION_", text(file, "beneath")))
	asked.Piece = &pb.SetUpQuestion_Unit{Unit: unit}
	return asked
}

func way(file object) pb.Way { return pb.Way(enum(pb.Way_value, "WAY_", text(file, "along"))) }

func class(word string) pb.CounterClass {
	if word == "infantry" {
		return pb.CounterClass_COUNTER_CLASS_SQUAD
	}
	return pb.CounterClass(enum(pb.CounterClass_value, "COUNTER_CLASS_", word))
}

func condition(word string) pb.EnvironmentCondition {
	return pb.EnvironmentCondition(enum(pb.EnvironmentCondition_value, "ENVIRONMENT_CONDITION_", word))
}

func policy(word string) pb.GrazingPolicy {
	return pb.GrazingPolicy(enum(pb.GrazingPolicy_value, "GRAZING_POLICY_", word))
}

// enum is the number of a word; 0 if there is no word.
func enum(values map[string]int32, prefix, word string) int32 {
	if word == "" {
		return 0
	}
	value, ok := values[prefix+strings.ToUpper(word)]
	if !ok {
		panic(prefix + ": there is no " + strconv.Quote(word))
	}
	return value
}

func text(file object, name string) string {
	it, _ := file[name].(string)
	return it
}

func number(value any) float64 {
	it, _ := value.(float64)
	return it
}

func list(value any) []any {
	it, _ := value.([]any)
	return it
}

func texts(value any) []string {
	var all []string
	for _, item := range list(value) {
		all = append(all, item.(string))
	}
	return all
}
