package alamein

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// CreateGame begins a game. A request without a `request_id` gets one, so that it is begun once however
// often it is tried.
func (c *Client) CreateGame(ctx context.Context, request *pb.CreateGameRequest) (*pb.Game, error) {
	return game(c.Games.CreateGame(ctx, withID(request)))
}

// GetGame gives a game as a side may see it; as it is, if the side is empty.
func (c *Client) GetGame(ctx context.Context, gameID, asSide string) (*pb.Game, error) {
	return game(c.Games.GetGame(ctx, &pb.GetGameRequest{GameId: gameID, AsSide: asSide}))
}

// AdvanceGame makes changes of the position of a game. It fails with the reason `ETAG_STALE` where
// the game has moved on since it was as it is given here: get it again, and see whether the changes
// still make sense. `by` and `note` stand in the game's history and may be empty.
func (c *Client) AdvanceGame(ctx context.Context, it *pb.Game, by, note string, changes ...*pb.Change) (*pb.Game, error) {
	return c.Advance(ctx, &pb.AdvanceGameRequest{
		GameId: it.GetGameId(), Etag: it.GetEtag(), By: by, Note: note,
		Next: &pb.AdvanceGameRequest_Changes{Changes: &pb.ChangeList{Changes: changes}},
	})
}

// Advance is [Client.AdvanceGame] for requests of any kind. One without a `request_id` gets one, so
// that the game is advanced once however often it is tried.
func (c *Client) Advance(ctx context.Context, request *pb.AdvanceGameRequest) (*pb.Game, error) {
	return game(c.Games.AdvanceGame(ctx, withID(request)))
}

// withID is a request with a `request_id`: itself, or a copy with one of its own.
func withID[M interface {
	proto.Message
	GetRequestId() string
}](request M) M {
	if request.GetRequestId() != "" {
		return request
	}
	request = proto.CloneOf(request)
	message := request.ProtoReflect()
	id := protoreflect.ValueOfString(rand.Text())
	message.Set(message.Descriptor().Fields().ByName("request_id"), id)
	return request
}

// game takes the game out of an answer.
func game(answer interface{ GetGame() *pb.Game }, err error) (*pb.Game, error) {
	if err != nil {
		return nil, err
	}
	it := answer.GetGame()
	if it == nil {
		return nil, &AnswerError{What: "there is no game in it"}
	}
	return it, nil
}

// WatchGame gives the entries of a game after a number (0: all of them), and each further one as soon
// as it is there, in order, each once and without gaps, as a side may see them. Where the connection
// is lost or the service is started again, it goes on after the last entry that it gave, for as long
// as it takes: bound the context if that is too long.
//
// It ends with an error: that of the context, or one that does not pass, such as `GAME_NOT_FOUND`
// when the game is deleted.
func (c *Client) WatchGame(ctx context.Context, gameID string, after uint64, asSide string) iter.Seq2[*pb.GameEntry, error] {
	return func(yield func(*pb.GameEntry, error) bool) {
		newest := ""
		for tries := 1; ; tries++ {
			last, on, err := c.watch(ctx, gameID, after, asSide, &newest, yield)
			if !on {
				return
			}
			if last != after {
				after, tries = last, 1
			}
			var it *Error
			// A stream that the service or something between ends in order is opened again too.
			passes := errors.Is(err, io.EOF) || errors.As(err, &it) && it.IsTransient()
			if ctx.Err() != nil || !passes {
				yield(nil, err)
				return
			}
			wait := c.settings.retry.wait(min(tries, 20), nil)
			if it != nil {
				wait = c.settings.retry.wait(min(tries, 20), it.RetryDelay)
			}
			if !sleep(ctx, wait) {
				yield(nil, told(ctx.Err()))
				return
			}
		}
	}
}

// watch gives entries from one stream until it ends. It tells the last that it gave, whether anybody
// wants more, and why it ended. Entries are chained by their ids, and newest is that of the last one: a game
// that was begun anew under the name goes on with another.
func (c *Client) watch(
	ctx context.Context, gameID string, after uint64, asSide string, newest *string,
	yield func(*pb.GameEntry, error) bool,
) (last uint64, on bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := c.Games.WatchGame(ctx, &pb.WatchGameRequest{GameId: gameID, AfterNumber: after, AsSide: asSide})
	for err == nil {
		var answer *pb.WatchGameResponse
		if answer, err = stream.Recv(); err != nil {
			break
		}
		entry := answer.GetEntry()
		if number := entry.GetNumber(); number != after+1 {
			err = &AnswerError{What: fmt.Sprintf("entry %d came after %d", number, after)}
			break
		}
		if parent := entry.GetParentId(); *newest != "" && parent != "" && parent != *newest {
			what := "entry %d does not follow the last one: there is another game of this name now"
			err = &AnswerError{What: fmt.Sprintf(what, entry.GetNumber())}
			break
		}
		*newest = entry.GetEntryId()
		after++
		if !yield(entry, nil) {
			return after, false, nil
		}
	}
	return after, true, err
}
