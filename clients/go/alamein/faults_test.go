package alamein_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/alamein/alamein/clients/go/alamein"
	"github.com/alamein/alamein/clients/go/alameintest"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// steadfast is for services that are started again: that takes longer than one that has a hiccup.
var steadfast = alamein.WithRetry(alamein.Retry{
	Tries: 300, First: 20 * time.Millisecond, Longest: 500 * time.Millisecond, PerHundred: 100,
})

// unhurried is for services that keep a game: a disk may let one wait for long.
var unhurried = alamein.WithTimeout(2 * time.Minute)

func TestDeadlines(t *testing.T) {
	service := alameintest.Start(t)
	const short = 300 * time.Millisecond
	client := service.Client(t, alamein.WithTimeout(short))
	// It is there, and says nothing.
	service.Signal(t, syscall.SIGSTOP)
	defer service.Signal(t, syscall.SIGCONT)
	began := time.Now()
	_, err := client.Adjudicate(context.Background(), alamein.On(deir()), shot(""), alamein.Ask{})
	var it *alamein.Error
	if !errors.As(err, &it) || it.Code != codes.DeadlineExceeded || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%T: %v", err, err)
	}
	if took := time.Since(began); took < short || took > 20*short {
		t.Errorf("it took %v", took)
	}
	// The context's own deadline goes before the client's, and may be longer or shorter.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = client.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%T: %v", err, err)
	}
}

func TestRestart(t *testing.T) {
	ctx := context.Background()
	service := alameintest.Start(t)
	client := service.Client(t, steadfast, unhurried)
	hasty := service.Client(t)
	if _, err := client.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{}); err != nil {
		t.Fatal(err)
	}
	service.Kill()
	_, err := hasty.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{})
	var it *alamein.Error
	if !errors.As(err, &it) || it.Code != codes.Unavailable {
		t.Errorf("nobody is there, and it says %v", err)
	}
	// What may not be done twice is not tried again.
	began := time.Now()
	_, err = client.Games.DeleteGame(ctx, &pb.DeleteGameRequest{GameId: "g", Etag: "e"})
	if !errors.As(err, &it) || it.Code != codes.Unavailable || time.Since(began) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	answered := make(chan error)
	go func() {
		_, err := client.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{})
		answered <- err
	}()
	time.Sleep(200 * time.Millisecond)
	alameintest.Start(t, "--listen", service.Address)
	if err := <-answered; err != nil {
		t.Errorf("it is there again, and the call fails: %v", err)
	}
}

// TestGames plays a game by two hands over a service that is killed, and watches it.
func TestGames(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	store := t.TempDir()
	service := alameintest.Start(t, "--store", store)
	client := service.Client(t, steadfast, unhurried)
	begin := &pb.CreateGameRequest{
		GameId: "el-alamein", Owner: "club", By: "umpire", Start: &pb.CreateGameRequest_Position{Position: deir()},
	}
	game, err := client.CreateGame(ctx, begin)
	if err != nil {
		t.Fatal(err)
	}
	if begin.RequestId != "" {
		t.Error("the request that was given is changed")
	}
	if _, err := client.CreateGame(ctx, begin); !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_GAME_EXISTS) {
		t.Error(err)
	}

	type seen struct {
		entry *pb.GameEntry
		err   error
	}
	watched := make(chan seen)
	watching, stop := context.WithCancel(ctx)
	go func() {
		defer close(watched)
		for entry, err := range client.WatchGame(watching, "el-alamein", 0, "") {
			watched <- seen{entry, err}
		}
	}()
	next := func(number uint64, note string) {
		t.Helper()
		it := <-watched
		if it.err != nil || it.entry.Number != number || it.entry.Note != note {
			t.Fatalf("entry %d is %v: %v", number, it.entry, it.err)
		}
	}
	next(1, "")

	stale := game
	game, err = client.AdvanceGame(ctx, game, "axis", "into the deir", alamein.MoveTo("sq", "P7"))
	if err != nil {
		t.Fatal(err)
	}
	next(2, "into the deir")
	_, err = client.AdvanceGame(ctx, stale, "allied", "late", alamein.MoveTo("sq", "P5"))
	var it *alamein.Error
	if !errors.As(err, &it) || it.Reason != pb.ErrorReason_ERROR_REASON_ETAG_STALE || it.Metadata["etag"] != game.Etag {
		t.Errorf("%v", err)
	}

	service.Kill()
	moved := make(chan error)
	go func() {
		var err error
		game, err = client.AdvanceGame(ctx, game, "axis", "over the break", alamein.MoveTo("sq", "Q7"))
		moved <- err
	}()
	service = alameintest.Start(t, "--store", store, "--listen", service.Address)
	if err := <-moved; err != nil {
		t.Fatal(err)
	}
	next(3, "over the break")
	again, err := client.GetGame(ctx, "el-alamein", "")
	if err != nil || again.Head.Number != 3 || again.Etag != game.Etag {
		t.Errorf("%v: %v", again, err)
	}
	// A service that stops in order ends its streams, and the watch goes on at the next.
	service.Signal(t, syscall.SIGTERM)
	service.Wait(t)
	alameintest.Start(t, "--store", store, "--listen", service.Address)
	if game, err = client.AdvanceGame(ctx, game, "axis", "back", alamein.MoveTo("sq", "P7")); err != nil {
		t.Fatal(err)
	}
	next(4, "back")

	stop()
	if it := <-watched; !errors.Is(it.err, context.Canceled) {
		t.Errorf("%v: %v", it.entry, it.err)
	}
	if _, err := client.Games.DeleteGame(ctx, &pb.DeleteGameRequest{GameId: "el-alamein", Etag: game.Etag}); err != nil {
		t.Fatal(err)
	}
	for entry, err := range client.WatchGame(ctx, "el-alamein", 0, "") {
		if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_GAME_NOT_FOUND) {
			t.Errorf("%v: %v", entry, err)
		}
	}
}
