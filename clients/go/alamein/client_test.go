package alamein_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/alamein/alamein/clients/go/alamein"
	"github.com/alamein/alamein/clients/go/alameintest"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// deir is a squad in a deir.
func deir() *pb.Position {
	board := &pb.Map{Layers: []*pb.Layer{alamein.Layer("deir", alamein.Hexes("hexes", "P6", "P7", "Q7"))}}
	squad := &pb.Counter{Id: "sq", Class: pb.CounterClass_COUNTER_CLASS_SQUAD, Hex: "P6", Side: "axis"}
	return alamein.OnMap(board, squad)
}

// shot is a question that any position with that squad answers.
func shot(tag string) *pb.Question {
	question := alamein.LineOfFire(alamein.AtHex("P3"), alamein.AtCounter("sq"))
	question.Tag = tag
	return question
}

func TestRulings(t *testing.T) {
	ctx := context.Background()
	client := alameintest.Start(t).Client(t)
	infantry := &pb.Mover{Class: pb.CounterClass_COUNTER_CLASS_SQUAD}
	gun := &pb.SetUpQuestion{Hex: "P6", Piece: &pb.SetUpQuestion_Unit{
		Unit: &pb.SetUpUnit{Class: pb.CounterClass_COUNTER_CLASS_GUN},
	}}
	questions := []*pb.Question{
		shot("fire"),
		alamein.LineOfSight(alamein.AtHex("P3"), alamein.AtHex("P5")),
		alamein.FireLane(alamein.AtHex("P3"), "P6", "P5", pb.LaneMover_LANE_MOVER_INFANTRY),
		alamein.Step(infantry, "P5", "P6"),
		{Question: &pb.Question_SetUp{SetUp: gun}},
	}
	together, err := client.AdjudicateAll(ctx, alamein.On(deir()), questions, alamein.Ask{})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := client.CreatePosition(ctx, deir())
	if err != nil {
		t.Fatal(err)
	}
	for at, question := range questions {
		// The same ruling by every way in.
		alone, err := client.Adjudicate(ctx, alamein.OnKept(kept), question, alamein.Ask{})
		if err != nil || together[at].Err != nil {
			t.Fatal(err, together[at].Err)
		}
		if alone.RulingId == "" || alone.RulingId != together[at].Ruling.RulingId {
			t.Errorf("%v: %q alone, %q of several", question, alone.RulingId, together[at].Ruling.RulingId)
		}
	}
	fire := together[0].Ruling
	if tem := fire.Verdict.GetLineOfFire().Tem; tem == nil || *tem != 1 {
		t.Errorf("the TEM is %v", tem)
	}
	cites := func(finding *pb.Finding) bool { return finding.Rule.Number == "F4.5" && finding.Standing }
	if !slices.ContainsFunc(fire.Findings, cites) {
		t.Errorf("no finding by F4.5: %v", fire.Findings)
	}
}

func TestHowToAsk(t *testing.T) {
	ctx := context.Background()
	client := alameintest.Start(t).Client(t)
	hidden := deir()
	wreck := &pb.Counter{Id: "hip", Class: pb.CounterClass_COUNTER_CLASS_TANK, Hex: "P5", Side: "axis", KnownTo: []string{"axis"}}
	hidden.Counters = append(hidden.Counters, wreck)
	seen, err := client.Adjudicate(ctx, alamein.On(hidden), shot(""), alamein.Ask{AsSide: "allied", View: pb.View_VIEW_EXPLAIN})
	if err != nil {
		t.Fatal(err)
	}
	if !seen.HiddenMatters || strings.Contains(seen.String(), "hip") {
		t.Errorf("the allied side is told %v", seen)
	}
	if seen.View != pb.View_VIEW_EXPLAIN {
		t.Errorf("the view is %v", seen.View)
	}
	_, err = client.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{Ruleset: "no-such"})
	if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_RULESET_NOT_FOUND) {
		t.Error(err)
	}
	_, err = client.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{RulesFingerprint: strings.Repeat("0", 64)})
	if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_RULESET_NOT_AVAILABLE) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	client := alameintest.Start(t).Client(t)
	wrong := deir()
	wrong.Counters[0].Hex = "7P"
	_, err := client.Adjudicate(ctx, alamein.On(wrong), shot(""), alamein.Ask{})
	var it *alamein.Error
	if !errors.As(err, &it) {
		t.Fatalf("%T: %v", err, err)
	}
	if it.Code != codes.InvalidArgument || it.Reason != pb.ErrorReason_ERROR_REASON_UNKNOWN_HEX ||
		it.ReasonName != "UNKNOWN_HEX" || it.Metadata["value"] != "7P" {
		t.Errorf("%+v", it)
	}
	if len(it.Fields) != 1 || it.Fields[0].Path != "subject.position.counters[0].hex" || it.Fields[0].Description == "" {
		t.Errorf("%+v", it.Fields)
	}
	if it.IsTransient() || status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), "UNKNOWN_HEX") {
		t.Errorf("%v", err)
	}
	// So does a call of a stub fail, and one without a question.
	_, err = client.Games.GetGame(ctx, &pb.GetGameRequest{GameId: "none"})
	if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_GAME_NOT_FOUND) {
		t.Error(err)
	}
	_, err = client.Adjudicate(ctx, alamein.On(deir()), &pb.Question{}, alamein.Ask{})
	if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_MISSING_FIELD) {
		t.Error(err)
	}
}

func TestOneOfSeveral(t *testing.T) {
	ctx := context.Background()
	client := alameintest.Start(t).Client(t)
	off := alamein.LineOfSight(alamein.AtHex("P3"), alamein.AtHex("ZZ99"))
	answers, err := client.AdjudicateAll(ctx, alamein.On(deir()), []*pb.Question{shot("a"), off, shot("b")}, alamein.Ask{})
	if err != nil {
		t.Fatal(err)
	}
	if answers[0].Err != nil || answers[2].Err != nil || answers[1].Ruling != nil || answers[2].Tag != "b" {
		t.Errorf("%+v", answers)
	}
	var it *alamein.Error
	if !errors.As(answers[1].Err, &it) || it.Fields[0].Path != "line_of_sight.to.hex" {
		t.Errorf("%+v", answers[1].Err)
	}
}

func TestManyQuestions(t *testing.T) {
	ctx := context.Background()
	client := alameintest.Start(t).Client(t)
	subject := alamein.On(deir())
	questions := func(yield func(*pb.Question) bool) {
		for at := range 150 {
			if !yield(shot(fmt.Sprint(at))) {
				return
			}
		}
	}
	got := 0
	for answer, err := range client.AdjudicateEach(ctx, subject, questions, alamein.Ask{View: pb.View_VIEW_VERDICT}) {
		if err != nil || answer.Err != nil {
			t.Fatal(err, answer.Err)
		}
		if answer.Tag != fmt.Sprint(got) {
			t.Fatalf("%s came in the place of %d", answer.Tag, got)
		}
		got++
	}
	if got != 150 {
		t.Errorf("%d answers to 150 questions", got)
	}
	for range client.AdjudicateEach(ctx, subject, questions, alamein.Ask{}) {
		break // who wants no more gets no more
	}
	for _, err := range client.AdjudicateEach(ctx, alamein.OnKept(strings.Repeat("0", 64)), questions, alamein.Ask{}) {
		if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_POSITION_NOT_FOUND) {
			t.Error(err)
		}
	}
}

func TestKeeping(t *testing.T) {
	ctx := context.Background()
	client := alameintest.Start(t).Client(t)
	mapID, err := client.CreateMap(ctx, deir().GetMap())
	if err != nil {
		t.Fatal(err)
	}
	here, err := client.CreatePosition(ctx, alamein.OnKeptMap(mapID, deir().Counters...))
	if err != nil {
		t.Fatal(err)
	}
	carried, err := client.CreatePosition(ctx, deir())
	if err != nil || carried != here {
		t.Errorf("%q on a map by its id, %q on the map: %v", here, carried, err)
	}
	tank := &pb.Counter{Id: "t", Class: pb.CounterClass_COUNTER_CLASS_TANK, Hex: "P3", Side: "allied"}
	changed, err := client.ApplyChanges(ctx, alamein.OnKept(here),
		alamein.MoveTo("sq", "P7"), alamein.Place(tank), alamein.KnownTo("t", "allied"))
	if err != nil {
		t.Fatal(err)
	}
	if changed.PreviousPositionId != here || changed.PositionId == here || len(changed.Differences) != 2 {
		t.Errorf("%v", changed)
	}
	back, err := client.ApplyChanges(ctx, alamein.OnKept(changed.PositionId),
		alamein.MoveTo("sq", "P6"), alamein.Reveal("t"), alamein.Remove("t"))
	if err != nil || back.PositionId != here {
		t.Errorf("%v: %v", back, err)
	}
	position := alamein.OnMap(&pb.Map{Layers: []*pb.Layer{
		alamein.Layer("deir", alamein.Hexes("hexes", "P6", "P7"), alamein.Hexsides("lip_hexsides", "P5|P6")),
	}}, proto.CloneOf(tank))
	if _, err := client.CreatePosition(ctx, position); err != nil {
		t.Error(err)
	}
}

func TestVersion(t *testing.T) {
	manifest, err := os.ReadFile(repository + "/Cargo.toml")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^version = "(.+)"`).FindSubmatch(manifest)
	if found == nil || string(found[1]) != alamein.Version {
		t.Errorf("this client is %s, and Cargo.toml says %s", alamein.Version, found)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil || !strings.Contains(string(readme), "clients/go@v"+alamein.Version+"\n") {
		t.Errorf("the README requires another version: %v", err)
	}
}
