package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/alamein/alamein/clients/go/alameintest"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// TestAlameinIsKilled kills Alamein again and again while two players play, with a store in a folder,
// and starts it again: what players were told was done is there, once and in order, and they play on
// without knowing.
func TestAlameinIsKilled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	store := t.TempDir()
	service := alameintest.Start(t, "--store", store)
	address := service.Address
	it := serve(t, service)
	allied, axis := it.listen(ctx, "allied", 0), it.listen(ctx, "axis", 0)

	// One player of each side walks to and fro, turn by turn, for as long as the test wants.
	const turns = 24
	done := make(chan uint64, 2*turns)
	go func() {
		defer close(done)
		for turn := range turns {
			side, counter, there, back := "allied", "E", "O6", "P5"
			if turn%2 == 1 {
				side, counter, there, back = "axis", "M", "P9", "Q9"
			}
			to := there
			if turn/2%2 == 1 {
				to = back
			}
			for step, what := range []order{walk(counter, to), {EndTurn: true}} {
				what.ID = fmt.Sprintf("%d.%d", turn, step)
				status, answer := it.order(side, what)
				if status != 200 {
					t.Errorf("%s: %d %+v", what.ID, status, answer)
					return
				}
				done <- answer.Number
			}
		}
	}()

	kills := 0
	last := uint64(1)
	for number := range done {
		if number != last+1 {
			t.Fatalf("order %d was told to be entry %d", last, number)
		}
		last = number
		if number%12 == 0 {
			// Somewhere in the midst of what comes next.
			time.Sleep(time.Duration(number) * time.Millisecond / 4)
			service.Kill()
			kills++
			service = alameintest.Start(t, "--store", store, "--listen", address)
		}
	}
	if last != 1+2*turns || kills < 3 {
		t.Fatalf("%d entries, %d kills", last, kills)
	}

	// Both heard everything, in order and once; the history has nothing else in it.
	for _, all := range []<-chan heard{allied, axis} {
		for number := uint64(1); number <= last; number++ {
			next(t, all, number)
		}
	}
	entries, err := it.server.alamein.Games.ListEntries(ctx, &pb.ListEntriesRequest{GameId: it.game, PageSize: 1000})
	if err != nil || len(entries.Entries) != int(last) {
		t.Errorf("%d entries: %v", len(entries.GetEntries()), err)
	}
	if seen := it.view("allied"); seen.Number != last || seen.hex("E") != "P5" || seen.Turn != "allied" {
		t.Errorf("%+v", seen)
	}

	// The game server itself keeps nothing: another one in its place goes on.
	second := *it
	second.server = &server{alamein: it.server.alamein, scenario: it.server.scenario, secret: it.server.secret}
	second.http = httptest.NewServer(second.server.handler())
	t.Cleanup(second.http.CloseClientConnections)
	if number := second.must("allied", walk("F", "U7")).Number; number != last+1 {
		t.Errorf("entry %d after %d", number, last)
	}
	next(t, second.listen(ctx, "axis", last), last+1)
	next(t, axis, last+1)
}

// TestAlameinIsAway has players wait while Alamein is away, and be answered when it is back.
func TestAlameinIsAway(t *testing.T) {
	store := t.TempDir()
	service := alameintest.Start(t, "--store", store)
	it := serve(t, service)
	service.Kill()
	answered := make(chan outcome)
	go func() {
		_, answer := it.order("allied", shoot("H", "K"))
		answered <- answer
	}()
	select {
	case answer := <-answered:
		t.Fatalf("nobody is there to judge, and it is told %+v", answer)
	case <-time.After(500 * time.Millisecond):
	}
	alameintest.Start(t, "--store", store, "--listen", service.Address)
	select {
	case answer := <-answered:
		if answer.Ruling == nil || answer.Number != 2 {
			t.Errorf("%+v", answer)
		}
	case <-time.After(patient):
		t.Fatal("Alamein is back, and no answer comes")
	}
}
