package main

import (
	"context"
	"strings"

	"github.com/alamein/alamein/clients/go/alamein"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// order is what a player wants done. Exactly one of the deeds is set.
type order struct {
	// ID is the player's own name for the order. Sent again with the same, it is carried out once.
	ID      string `json:"id"`
	Fire    *fire  `json:"fire"`
	Move    *move  `json:"move"`
	EndTurn bool   `json:"end_turn"`
}

// accepted is what became of an order that was carried out.
type accepted struct {
	// Number is that of the entry in the game's history.
	Number uint64 `json:"number"`
	// Ruling is what was ruled of a shot.
	Ruling *told `json:"ruling,omitempty"`
	// Cost is what a move costs, in MF or MP.
	Cost uint32 `json:"cost,omitempty"`
	// Owes are the checks that the move owes. The dice are the players'.
	Owes []string `json:"owes,omitempty"`
}

// carryOut asks Alamein whether an order may be carried out, and does so. Where the game has moved on
// meanwhile everything is looked at again: what was right of one position may be wrong of the next.
func (s *server) carryOut(ctx context.Context, gameID, side string, it order) (*accepted, error) {
	requestID := ""
	if it.ID != "" {
		requestID = side + " " + it.ID
	}
	for {
		now, err := s.now(ctx, gameID)
		if err != nil {
			return nil, err
		}
		if number, ok := now.done[requestID]; ok && requestID != "" {
			return &accepted{Number: number}, nil
		}
		if now.side != side {
			return nil, refuse("it is the turn of %s", now.side)
		}
		answer, err := s.once(ctx, now, side, requestID, it)
		if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_ETAG_STALE) {
			return answer, err
		}
	}
}

func (s *server) once(ctx context.Context, now *turn, side, requestID string, it order) (*accepted, error) {
	switch {
	case it.Fire != nil:
		return s.fire(ctx, now, side, requestID, *it.Fire)
	case it.Move != nil:
		return s.move(ctx, now, side, requestID, *it.Move)
	case it.EndTurn:
		game, err := s.advance(ctx, now, side, requestID, deed{EndTurn: true})
		return &accepted{Number: game.GetHead().GetNumber()}, err
	default:
		return nil, refuse("there is no order in it: fire, move or end_turn")
	}
}

// own finds a counter of a side's own.
func (s *server) own(ctx context.Context, now *turn, side, id string) (*pb.Counter, map[string]*pb.Counter, error) {
	known, err := s.counters(ctx, now.game.Head.PositionId, side)
	if err != nil {
		return nil, nil, err
	}
	counter := known[id]
	if counter == nil || counter.Side != side {
		return nil, nil, refuse("%s has no counter %s", side, id)
	}
	return counter, known, nil
}

// fire declares a shot: it is refused where there is no LOS.
func (s *server) fire(ctx context.Context, now *turn, side, requestID string, it fire) (*accepted, error) {
	firer, known, err := s.own(ctx, now, side, it.From)
	if err != nil {
		return nil, err
	}
	switch target := known[it.At]; {
	case target == nil:
		return nil, refuse("%s knows of no counter %s", side, it.At)
	case target.Side == side:
		return nil, refuse("%s is %s's own", it.At, side)
	case now.fired[it.From]:
		return nil, refuse("%s has fired in this turn", it.From)
	}
	ruling, err := s.shot(ctx, now.game.Head.PositionId, now.game.RulesFingerprint, side, it)
	if err != nil {
		return nil, err
	}
	if verdict := ruling.GetVerdict().GetLineOfFire(); isBlocked(verdict) {
		no := refuse("%s has no LOS to %s", it.From, it.At)
		no.Rules = blocking(ruling, verdict.GetLine().GetBlockedBy())
		return nil, no
	}
	game, err := s.advance(ctx, now, side, requestID, deed{Fire: &it}, revealed(firer)...)
	return &accepted{Number: game.GetHead().GetNumber(), Ruling: tell(ruling)}, err
}

// shot asks about a shot: the numbers of the verdict are the true ones, and its grounds are those that
// a side can know.
func (s *server) shot(ctx context.Context, positionID, rules, side string, it fire) (*pb.Ruling, error) {
	question := alamein.LineOfFire(alamein.AtCounter(it.From), alamein.AtCounter(it.At))
	ask := alamein.Ask{Ruleset: rules, AsSide: side}
	return s.alamein.Adjudicate(ctx, alamein.OnKept(positionID), question, ask)
}

// move makes a move: it is refused where a step is prohibited, costs more than is left, or has a cost
// that nobody knows.
func (s *server) move(ctx context.Context, now *turn, side, requestID string, it move) (*accepted, error) {
	mover, _, err := s.own(ctx, now, side, it.Counter)
	if err != nil {
		return nil, err
	}
	unit, ok := s.scenario.units[it.Counter]
	if !ok || len(it.Path) == 0 {
		return nil, refuse("%s does not move", it.Counter)
	}
	left := unit.allowance - min(unit.allowance, now.spent[it.Counter])
	asked := &pb.PathQuestion{Mover: unit.mover, Allowance: &left}
	at := mover.Hex
	for _, hex := range it.Path {
		entry := &pb.Entry{FromHex: at, ToHex: hex}
		asked.Steps = append(asked.Steps, &pb.PathStep{Step: &pb.PathStep_Entry{Entry: entry}})
		at = hex
	}
	answer, err := s.alamein.Adjudication.PricePath(ctx, &pb.PricePathRequest{
		Subject: alamein.OnKept(now.game.Head.PositionId), Question: asked,
		Ruleset: now.game.RulesFingerprint, AsSide: side,
	})
	if err != nil {
		return nil, err
	}
	path := answer.GetPath()
	if no := mayNot(path, it, left); no != nil {
		return nil, no
	}
	it.Cost = uint32(path.GetTotal())
	changes := append(revealed(mover), alamein.MoveTo(it.Counter, at))
	game, err := s.advance(ctx, now, side, requestID, deed{Move: &it}, changes...)
	made := &accepted{Number: game.GetHead().GetNumber(), Cost: it.Cost}
	for _, owed := range path.GetChecks() {
		made.Owes = append(made.Owes, owed.GetCheck().GetWhat()+" ("+owed.GetCheck().GetRule().GetNumber()+")")
	}
	return made, err
}

// mayNot says why a path may not be gone, if it may not.
func mayNot(path *pb.PricedPath, it move, left uint32) *refusal {
	if prohibited := path.GetProhibited(); len(prohibited) > 0 {
		no := refuse("%s may not enter %s", it.Counter, it.Path[prohibited[0].Step])
		for _, by := range prohibited[0].ProhibitedBy {
			no.Rules = append(no.Rules, reason{Rule: by.Rule.Number, Text: by.Rule.Title})
		}
		return no
	}
	for at, step := range path.GetSteps() {
		if missing := step.GetNotImplemented(); missing != nil {
			no := refuse("nobody here can say what it costs to enter %s", it.Path[at])
			no.Rules = []reason{{Rule: missing.Rule.Number, Text: missing.GetMessage().GetText()}}
			return no
		}
		if path.ExceedsAtStep != nil && uint32(at) == *path.ExceedsAtStep {
			unit := strings.TrimPrefix(path.Unit.String(), "MOVEMENT_UNIT_")
			no := refuse("%s has %d %s left, and to enter %s costs it %d so far",
				it.Counter, left, unit, it.Path[at], step.GetTotalAfter())
			no.Rules = reasons(step.GetRuling())
			return no
		}
	}
	if path.Total == nil {
		return refuse("nobody here can say what that path costs")
	}
	return nil
}
