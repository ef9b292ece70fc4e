package alamein_test

import (
	"encoding/json"
	"slices"
	"strings"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// answerOf is what a ruling answers, in the words of case files.
func answerOf(ruling *pb.Ruling, known known) object {
	answer := object{}
	for key, hows := range known.keys {
		answer[key] = reported(key, hows, ruling, known)
	}
	// What a verdict says goes before what rules report under the same key.
	for key, value := range verdictOf(ruling.GetVerdict()) {
		answer[key] = value
	}
	// As it would be read from JSON, so that it compares with what a file expects.
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	return parsed(string(text)).(object)
}

func verdictOf(verdict *pb.Verdict) object {
	switch it := verdict.GetVerdict().(type) {
	case *pb.Verdict_LineOfSight:
		return los(it.LineOfSight)
	case *pb.Verdict_LineOfFire:
		answer := los(it.LineOfFire.Line)
		answer["hull_down"], answer["open_ground"] = it.LineOfFire.HullDown, it.LineOfFire.OpenGround
		answer["total_drm"], answer["halved"] = it.LineOfFire.TotalDrm, it.LineOfFire.Halved
		answer["morale_drm"] = it.LineOfFire.MoraleDrm
		return answer
	case *pb.Verdict_FireLane:
		answer := los(it.FireLane.Line)
		answer["on_lane"], answer["immune"] = it.FireLane.OnLane, it.FireLane.Immune
		answer["attacked"], answer["lane_hindering"] = it.FireLane.Attacked, answer["hindering"]
		return answer
	case *pb.Verdict_Movement:
		return movement(it.Movement)
	case *pb.Verdict_SetUp:
		words := map[pb.Emplacement]any{
			pb.Emplacement_EMPLACEMENT_NOT_EMPLACED:    "not_emplaced",
			pb.Emplacement_EMPLACEMENT_EMPLACED:        "emplaced",
			pb.Emplacement_EMPLACEMENT_UNLESS_RECORDED: "unless_recorded",
		}
		return object{
			"allowed": it.SetUp.Allowed, "prohibited_by": numbers(it.SetUp.ProhibitedBy),
			"emplacement": words[it.SetUp.Emplacement], "emplacement_by": numbers(it.SetUp.EmplacementBy),
		}
	default:
		panic("no verdict")
	}
}

func los(line *pb.LineOfSightVerdict) object {
	return object{
		"result":    strings.ToLower(strings.TrimPrefix(line.Result.String(), "LINE_OF_SIGHT_RESULT_")),
		"hindrance": line.Hindrance, "hindering": some(line.HinderingCounterIds),
		"blocked_by": some(line.BlockedBy), "grazing": line.Grazing, "range": line.Range,
	}
}

func movement(step *pb.MovementVerdict) object {
	items := []object{}
	for _, item := range step.Items {
		if item.Amount != 0 {
			items = append(items, object{"what": item.What, "amount": item.Amount, "spent_in": place(item.SpentIn)})
		}
	}
	unit := strings.TrimPrefix(step.Unit.String(), "MOVEMENT_UNIT_")
	return object{
		"total": step.Total, "unit": unit, "items": items, "prohibited_by": numbers(step.ProhibitedBy),
	}
}

func place(it *pb.Place) any {
	switch it := it.GetPlace().(type) {
	case *pb.Place_Hex:
		return it.Hex
	case *pb.Place_Hexside:
		return it.Hexside
	default:
		return nil
	}
}

// numbers are the numbers of rules, each once.
func numbers(rules []*pb.Citation) []string {
	all := []string{}
	for _, rule := range rules {
		if !slices.Contains(all, rule.Rule.Number) {
			all = append(all, rule.Rule.Number)
		}
	}
	return all
}

func some(items []string) []string { return append([]string{}, items...) }

func blocked(ruling *pb.Ruling) bool {
	verdict := ruling.GetVerdict()
	for _, line := range []*pb.LineOfSightVerdict{
		verdict.GetLineOfSight(), verdict.GetLineOfFire().GetLine(), verdict.GetFireLane().GetLine(),
	} {
		if line.GetResult() == pb.LineOfSightResult_LINE_OF_SIGHT_RESULT_BLOCKED {
			return true
		}
	}
	return false
}

// reported is the value of a key that rules report. There is none where the LOS is blocked.
func reported(key string, hows []pb.ReportValue, ruling *pb.Ruling, known known) any {
	if slices.Contains(hows, pb.ReportValue_REPORT_VALUE_CHECK) {
		return check(key, ruling, known)
	}
	if blocked(ruling) {
		return nil
	}
	found, best := false, int32(-1<<31)
	for _, finding := range ruling.Findings {
		if !finding.Standing {
			continue
		}
		for _, report := range known.reports[[2]string{finding.PluginId, finding.Rule.Id}] {
			switch {
			case report.Key != key:
			case report.Value == pb.ReportValue_REPORT_VALUE_UNKNOWN:
				return nil
			case report.Value == pb.ReportValue_REPORT_VALUE_FLAG:
				found = true
			case report.Value == pb.ReportValue_REPORT_VALUE_BEST && finding.Value != nil:
				best = max(best, *finding.Value)
			}
		}
	}
	if !slices.Contains(hows, pb.ReportValue_REPORT_VALUE_BEST) {
		return found
	}
	if best == -1<<31 {
		return 0
	}
	return best
}

// check is the check that a key holds, if the step owes one.
func check(key string, ruling *pb.Ruling, known known) any {
	step := ruling.GetVerdict().GetMovement()
	if step == nil {
		return nil
	}
	for _, owed := range step.Checks {
		holds := func(report *pb.RuleReport) bool {
			return report.Key == key && report.Value == pb.ReportValue_REPORT_VALUE_CHECK
		}
		if !slices.ContainsFunc(known.reports[[2]string{owed.PluginId, owed.Rule.Id}], holds) {
			continue
		}
		fields := object{"required": true, "drm": owed.Drm, "checks": owed.Times}
		if owed.Drm != nil {
			items := []object{}
			for _, modifier := range owed.Modifiers {
				items = append(items, object{"what": modifier.What, "drm": modifier.Drm})
			}
			fields["items"], fields["bogs_on_original_dr"] = items, owed.FailsAtOriginalDr
		}
		return fields
	}
	return object{"required": false, "drm": nil}
}
