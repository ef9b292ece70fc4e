package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/alamein/alamein/clients/go/alamein"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// deed is what a player has done. It stands as JSON in the note of an entry of the game, so that the
// game's history is all that this server needs to know: it keeps nothing of its own.
//
// Both sides may read notes. What is in one is known to both when it is done: who fires or moves is
// seen.
type deed struct {
	Fire    *fire `json:"fire,omitempty"`
	Move    *move `json:"move,omitempty"`
	EndTurn bool  `json:"end_turn,omitempty"`
}

// fire is a shot.
type fire struct {
	From string `json:"from"` // the firer's counter
	At   string `json:"at"`   // the target's
}

// move is a move, hex by hex.
type move struct {
	Counter string   `json:"counter"`
	Path    []string `json:"path"`
	Cost    uint32   `json:"cost"` // in MF or MP
}

func (d deed) note() string {
	text, err := json.Marshal(d)
	if err != nil {
		panic(err) // it holds nothing but strings and numbers
	}
	return string(text)
}

// deedOf is what an entry says that was done. The zero deed if it says nothing of the kind.
func deedOf(entry *pb.GameEntry) deed {
	var it deed
	// Another program may have written the entry: its note is then no deed.
	if json.Unmarshal([]byte(entry.GetNote()), &it) != nil {
		return deed{}
	}
	return it
}

// turn is how a game stands: its head, and what was done since the turn began.
type turn struct {
	game  *pb.Game
	side  string            // whose turn it is
	fired map[string]bool   // who has fired
	spent map[string]uint32 // what movers have spent
	done  map[string]uint64 // which orders of this turn were carried out, by the ids of their requests
}

// now finds out how a game stands.
func (s *server) now(ctx context.Context, gameID string) (*turn, error) {
	game, err := s.alamein.GetGame(ctx, gameID, "")
	if err != nil {
		return nil, err
	}
	it := &turn{
		game: game, side: s.scenario.sides[0],
		fired: map[string]bool{}, spent: map[string]uint32{}, done: map[string]uint64{},
	}
	request := &pb.ListEntriesRequest{GameId: gameID, NewestFirst: true}
	for {
		page, err := s.alamein.Games.ListEntries(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, entry := range page.Entries {
			// What came after is none of this turn's: who acts on it is told that its etag is stale.
			if entry.Number > game.Head.Number {
				continue
			}
			if entry.RequestId != "" {
				it.done[entry.RequestId] = entry.Number
			}
			did := deedOf(entry)
			switch {
			case did.EndTurn:
				it.side = s.scenario.other(entry.By)
				return it, nil
			case did.Fire != nil:
				it.fired[did.Fire.From] = true
			case did.Move != nil:
				it.spent[did.Move.Counter] += did.Move.Cost
			}
		}
		if page.NextPageToken == "" {
			return it, nil
		}
		request.PageToken = page.NextPageToken
	}
}

// counters are those that a side knows of, by their ids.
func (s *server) counters(ctx context.Context, positionID, side string) (map[string]*pb.Counter, error) {
	request := &pb.GetPositionRequest{PositionId: positionID, AsSide: side}
	answer, err := s.alamein.Positions.GetPosition(ctx, request)
	if err != nil {
		return nil, err
	}
	known := map[string]*pb.Counter{}
	for _, counter := range answer.GetPosition().GetCounters() {
		known[counter.Id] = counter
	}
	return known, nil
}

// advance adds a deed to a game's history, with what it changes.
func (s *server) advance(
	ctx context.Context, now *turn, side, requestID string, did deed, changes ...*pb.Change,
) (*pb.Game, error) {
	return s.alamein.Advance(ctx, &pb.AdvanceGameRequest{
		GameId: now.game.GameId, Etag: now.game.Etag, By: side, Note: did.note(), RequestId: requestID,
		Next: &pb.AdvanceGameRequest_Changes{Changes: &pb.ChangeList{Changes: changes}},
	})
}

// revealed are the changes by which everybody knows of a counter, if not everybody does.
func revealed(counter *pb.Counter) []*pb.Change {
	if len(counter.GetKnownTo()) == 0 {
		return nil
	}
	return []*pb.Change{alamein.Reveal(counter.Id)}
}

// refusal is why an order is not carried out. It is no failure: the rules, or the turn, do not allow it.
type refusal struct {
	Refused string   `json:"refused"`
	Rules   []reason `json:"rules,omitempty"`
}

func (r *refusal) Error() string { return r.Refused }

func refuse(format string, what ...any) *refusal {
	return &refusal{Refused: fmt.Sprintf(format, what...)}
}
