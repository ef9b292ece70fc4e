package main

import (
	"fmt"
	"strings"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// told is a ruling on a shot, as a player is told it.
type told struct {
	// Says is the verdict in a line: `hindered +1; TEM +1; total DRM +2`.
	Says string `json:"says"`
	// HiddenMatters is whether something that the player may not know of makes it other than the reasons
	// say.
	HiddenMatters bool `json:"hidden_matters,omitempty"`
	// Reasons are what it rests on.
	Reasons []reason `json:"reasons"`
	// ID is the ruling's.
	ID string `json:"ruling_id"`
}

// reason is one thing that a ruling rests on.
type reason struct {
	Rule  string `json:"rule"`
	Where string `json:"where,omitempty"`
	Text  string `json:"text,omitempty"`
}

func isBlocked(verdict *pb.LineOfFireVerdict) bool {
	return verdict.GetLine().GetResult() == pb.LineOfSightResult_LINE_OF_SIGHT_RESULT_BLOCKED
}

func tell(ruling *pb.Ruling) *told {
	verdict := ruling.GetVerdict().GetLineOfFire()
	result := verdict.GetLine().GetResult().String()
	says := []string{strings.ToLower(strings.TrimPrefix(result, "LINE_OF_SIGHT_RESULT_"))}
	if hindrance := verdict.GetLine().GetHindrance(); hindrance != 0 {
		says[0] += fmt.Sprintf(" %+d", hindrance)
	}
	if verdict.Tem != nil {
		says = append(says, fmt.Sprintf("TEM %+d", verdict.GetTem()))
	}
	if verdict.TotalDrm != nil {
		says = append(says, fmt.Sprintf("total DRM %+d", verdict.GetTotalDrm()))
	}
	if verdict.GetHullDown() {
		says = append(says, "may claim Hull Down")
	}
	return &told{
		Says: strings.Join(says, "; "), HiddenMatters: ruling.GetHiddenMatters(),
		Reasons: reasons(ruling), ID: ruling.GetRulingId(),
	}
}

// blocking are the reasons by which a LOS is blocked. Where only something hidden blocks it there is no
// reason that the side could be told, but the rule's name, which is `hidden`.
func blocking(ruling *pb.Ruling, rules []string) []reason {
	var all []reason
	for _, rule := range rules {
		before := len(all)
		for _, it := range reasons(ruling) {
			if it.Rule == rule {
				all = append(all, it)
			}
		}
		if len(all) == before {
			all = append(all, reason{Rule: rule})
		}
	}
	return all
}

// reasons are the findings of a ruling that stand, and the Hindrances and costs that do.
func reasons(ruling *pb.Ruling) []reason {
	all := []reason{}
	for _, it := range ruling.GetFindings() {
		if it.Standing {
			all = append(all, reason{Rule: it.Rule.Number, Where: where(it.Where), Text: it.Message.GetText()})
		}
	}
	for _, it := range ruling.GetObservations() {
		counts := it.Kind == pb.ObservationKind_OBSERVATION_KIND_HINDRANCE ||
			it.Kind == pb.ObservationKind_OBSERVATION_KIND_COST
		if counts && it.Standing && !it.Hypothetical {
			all = append(all, reason{Rule: it.Rule.Number, Where: where(it.Where), Text: it.Message.GetText()})
		}
	}
	return all
}

func where(place *pb.Place) string {
	// One of the two is empty, or both are.
	return place.GetHex() + place.GetHexside()
}
