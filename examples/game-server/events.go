package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/alamein/alamein/clients/go/alamein"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// event is what a player is told of an entry of the game's history.
type event struct {
	Number  uint64            `json:"number"`
	By      string            `json:"by,omitempty"`
	Begun   []json.RawMessage `json:"counters,omitempty"` // of the first entry: what the side knows of
	Fire    *fire             `json:"fire,omitempty"`
	Ruling  *told             `json:"ruling,omitempty"`
	Move    *move             `json:"move,omitempty"`
	EndTurn bool              `json:"end_turn,omitempty"`
	Changes []json.RawMessage `json:"changes,omitempty"` // what the side can see of what changed
}

// beat is how often a stream says that it is still there.
const beat = 15 * time.Second

// stream tells a player of a game, as server-sent events, until the player is gone. Each event's id is
// the number of the entry: who gives the last one back as `Last-Event-ID` is told what came after.
func (s *server) stream(w http.ResponseWriter, r *http.Request, gameID, side string) {
	after, _ := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 64)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	flush := http.NewResponseController(w)
	said := make(chan string)
	go s.follow(ctx, gameID, side, after, said)
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		text := ": still here\n\n"
		select {
		case it, open := <-said:
			if !open {
				return
			}
			text = it
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		if _, err := fmt.Fprint(w, text); err != nil || flush.Flush() != nil {
			return
		}
	}
}

// follow says what a side is told of each entry of a game after a number, for as long as it takes: the
// client goes on by itself where Alamein was away.
func (s *server) follow(ctx context.Context, gameID, side string, after uint64, said chan<- string) {
	defer close(said)
	say := func(text string) bool {
		select {
		case said <- text:
			return true
		case <-ctx.Done():
			return false
		}
	}
	// The entry before the first that is told is needed too: shots are judged on its position.
	before := ""
	for entry, err := range s.alamein.WatchGame(ctx, gameID, max(after, 1)-1, "") {
		if err == nil && entry.Number > after {
			var it *event
			if it, err = s.eventOf(ctx, entry, before, side); err == nil {
				text, _ := json.Marshal(it)
				if !say(fmt.Sprintf("id: %d\ndata: %s\n\n", entry.Number, text)) {
					return
				}
			}
		}
		if err != nil {
			// The player's own program comes back with the last id, and finds what is missing.
			text, _ := json.Marshal(map[string]string{"error": err.Error()})
			say(fmt.Sprintf("event: error\ndata: %s\n\n", text))
			return
		}
		before = entry.PositionId
	}
}

// eventOf is what a side is told of an entry. Entries are of the true game: all that is told of one is
// asked for as the side.
func (s *server) eventOf(ctx context.Context, entry *pb.GameEntry, before, side string) (*event, error) {
	did := deedOf(entry)
	it := &event{Number: entry.Number, By: entry.By, Fire: did.Fire, Move: did.Move, EndTurn: did.EndTurn}
	if before == "" {
		known, err := s.counters(ctx, entry.PositionId, side)
		it.Begun = listed(known)
		return it, err
	}
	if did.Fire != nil {
		ruling, err := s.shot(ctx, before, entry.RulesFingerprint, side, *did.Fire)
		if alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_UNKNOWN_COUNTER) {
			// Fired from hiding: to this side the firer was not there yet. Where it then stood, it is.
			ruling, err = s.shot(ctx, entry.PositionId, entry.RulesFingerprint, side, *did.Fire)
		}
		if err != nil {
			return nil, err
		}
		it.Ruling = tell(ruling)
	}
	differs, err := s.alamein.Positions.DiffPositions(ctx, &pb.DiffPositionsRequest{
		Before: alamein.OnKept(before), After: alamein.OnKept(entry.PositionId), AsSide: side,
	})
	if err != nil {
		return nil, err
	}
	for _, change := range differs.Changes {
		it.Changes = append(it.Changes, compact(protojson.Marshal(change)))
	}
	return it, nil
}

// listed are counters as JSON, in the order of their ids.
func listed(counters map[string]*pb.Counter) []json.RawMessage {
	var ids []string
	for id := range counters {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var all []json.RawMessage
	for _, id := range ids {
		all = append(all, compact(protojson.Marshal(counters[id])))
	}
	return all
}

// compact is protobuf's JSON without the spaces that it may or may not have.
func compact(text []byte, err error) json.RawMessage {
	var it any
	if err == nil {
		err = json.Unmarshal(text, &it)
	}
	if err == nil {
		text, err = json.Marshal(it)
	}
	if err != nil {
		panic(err) // a message that came from a service can be written
	}
	return text
}
