package alamein_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/alamein/alamein/clients/go/alamein"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// known is what a ruleset's plugins say of case files.
type known struct {
	layers  map[string]*pb.LayerSchema
	reports map[[2]string][]*pb.RuleReport
	// keys are those that some rule reports, items left out, and how the value comes about.
	keys    map[string][]pb.ReportValue
	options object
}

func knownOf(ruleset *pb.Ruleset) known {
	k := known{
		layers: map[string]*pb.LayerSchema{}, reports: map[[2]string][]*pb.RuleReport{},
		keys: map[string][]pb.ReportValue{}, options: object{},
	}
	for _, plugin := range ruleset.GetPlugins() {
		for _, layer := range plugin.Layers {
			k.layers[layer.Name] = layer
		}
		for _, rule := range plugin.Rules {
			k.reports[[2]string{plugin.PluginId, rule.RuleId}] = rule.Reports
			for _, report := range rule.Reports {
				if report.Value != pb.ReportValue_REPORT_VALUE_ITEM {
					k.keys[report.Key] = append(k.keys[report.Key], report.Value)
				}
			}
		}
		differing := object{}
		for _, option := range plugin.Options {
			value, usual := parsed(option.ValueJson), parsed(option.DefaultJson)
			if !reflect.DeepEqual(value, usual) {
				differing[option.Name] = value
			}
		}
		if len(differing) > 0 {
			k.options[plugin.PluginId] = differing
		}
	}
	return k
}

func parsed(text string) any {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return value
}

// outcome is what became of a question, as `alamein check --json` tells it.
type outcome struct{ outcome, why string }

func skipped(format string, what ...any) *outcome {
	return &outcome{"skipped", fmt.Sprintf(format, what...)}
}

// decided is what becomes of a question whatever is answered, if that is so.
func (q *caseQuestion) decided() *outcome {
	switch {
	case q.contested:
		return skipped("the rules leave it open")
	case q.asked == nil:
		return skipped("nothing answers questions of the kind `%s`", q.kind)
	case q.expect == nil:
		return skipped("the file expects nothing of it")
	default:
		return nil
	}
}

// judge compares an answer with what the file expects.
func (q *caseQuestion) judge(answer alamein.Answer, known known) *outcome {
	if answer.Err != nil {
		var it *alamein.Error
		if errors.As(answer.Err, &it) && it.Reason == pb.ErrorReason_ERROR_REASON_RULE_NOT_IMPLEMENTED {
			return skipped("plugin %s does not implement its rule %s", it.Metadata["plugin"], it.Metadata["rule"])
		}
		return &outcome{"failed", "there is no ruling: " + answer.Err.Error()}
	}
	ruling := answer.Ruling
	for _, layer := range ruling.IgnoredLayers {
		if layer.Met {
			return skipped("it meets the layer `%s`, which no loaded plugin owns", layer.Layer)
		}
	}
	rulings := []*pb.Ruling{ruling}
	if len(q.others) > 0 {
		for _, other := range ruling.OtherPolicies {
			rulings = append(rulings, other.Ruling)
		}
	}
	var differences []string
	var asked []pb.GrazingPolicy
	for _, it := range rulings {
		asked = append(asked, it.GrazingPolicy)
		expect, other := q.others[it.GrazingPolicy]
		if !other {
			expect = q.expect
		}
		differs, unreported := compare(expect, it, known)
		if unreported != "" {
			return skipped("no loaded plugin reports `%s`", unreported)
		}
		differences = append(differences, differs...)
	}
	// Of a line that does not graze there are no rulings by other policies: they are the same.
	for policy, expect := range q.others {
		if !slices.Contains(asked, policy) && !ruling.GetTrace().GetGrazing() {
			differs, _ := compare(expect, ruling, known)
			differences = append(differences, differs...)
		}
	}
	if len(differences) > 0 {
		return &outcome{"failed", fmt.Sprint(differences)}
	}
	return &outcome{"passed", ""}
}

// compare compares what is expected, and only that. It tells what differs, and the first key of which
// nothing that is loaded says anything.
func compare(expect object, ruling *pb.Ruling, known known) (differences []string, unreported string) {
	answer := answerOf(ruling, known)
	for _, key := range sortedKeys(expect) {
		expected := expect[key]
		if expected == nil && !blocked(ruling) {
			continue
		}
		ruled, said := ruledOf(key, expected, answer)
		if !said {
			if unreported == "" && !isNeutral(expected) {
				unreported = key
			}
			continue
		}
		if !agrees(key, expected, ruled) {
			differences = append(differences, fmt.Sprintf("%s: %v expected, %v ruled", key, expected, ruled))
		}
	}
	return differences, unreported
}

// ruledOf is what the ruling says of a key, unless nothing that is loaded ever would.
func ruledOf(key string, expected any, answer object) (any, bool) {
	switch key {
	case "result_in":
		value, said := answer["result"]
		return value, said
	case "hinders":
		hindering, said := answer["hindering"].([]any)
		hinders := object{}
		for counter := range expected.(object) {
			hinders[counter] = slices.Contains(hindering, any(counter))
		}
		return hinders, said
	case "items":
		items, said := answer[key].([]any)
		var alike []any
		for _, item := range items {
			alike = append(alike, like(item.(object), list(expected)))
		}
		return alike, said
	default:
		value, said := answer[key]
		return value, said
	}
}

// like is an item with only those fields that some expected item has.
func like(item object, expected []any) object {
	if len(expected) == 0 {
		return item
	}
	kept := object{}
	for field, value := range item {
		for _, wanted := range expected {
			if _, ok := wanted.(object)[field]; ok {
				kept[field] = value
			}
		}
	}
	return kept
}

func agrees(key string, expected, ruled any) bool {
	switch expected := expected.(type) {
	case []any:
		if key == "result_in" {
			return slices.Contains(expected, ruled)
		}
		items, _ := ruled.([]any)
		return slices.Equal(sortedTexts(expected), sortedTexts(items))
	case object:
		for field, value := range expected {
			fields, _ := ruled.(object)
			said, ok := fields[field]
			if !ok || !agrees(field, value, said) {
				return false
			}
		}
		return true
	default:
		return expected == ruled
	}
}

// isNeutral says whether a value says that there is nothing to say.
func isNeutral(value any) bool {
	switch value := value.(type) {
	case object:
		for _, field := range value {
			if !isNeutral(field) {
				return false
			}
		}
		return true
	case []any:
		return len(value) == 0
	default:
		return value == nil || value == false || value == 0.0
	}
}

func sortedTexts(items []any) []string {
	var all []string
	for _, item := range items {
		text, err := json.Marshal(item)
		if err != nil {
			panic(err)
		}
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

func sortedKeys(it object) []string {
	var keys []string
	for key := range it {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
