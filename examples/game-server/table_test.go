package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/alamein/alamein/clients/go/alamein"
	"github.com/alamein/alamein/clients/go/alameintest"
)

// patient is how long a test waits for what must come.
const patient = 4 * time.Minute

// table is a game server with a game, and its two players.
type table struct {
	t      *testing.T
	server *server
	http   *httptest.Server
	game   string
	tokens map[string]string
}

// serve starts a game server that asks a service.
func serve(t *testing.T, service *alameintest.Service) *table {
	t.Helper()
	scenario, err := readScenario(worked)
	if err != nil {
		t.Fatal(err)
	}
	client := service.Client(t, alamein.WithRetry(outlast), alamein.WithTimeout(2*time.Minute))
	it := &table{t: t, server: &server{alamein: client, scenario: scenario, secret: []byte("of the tests")}}
	it.http = httptest.NewServer(it.server.handler())
	t.Cleanup(it.http.CloseClientConnections)
	var begun struct {
		Game   string
		Tokens map[string]string
	}
	if status := it.ask("POST", "/games", "", nil, &begun); status != http.StatusCreated {
		t.Fatalf("no game: %d", status)
	}
	it.game, it.tokens = begun.Game, begun.Tokens
	return it
}

// ask sends a request, and reads the answer into a value.
func (it *table) ask(method, path, token string, body, answer any) int {
	it.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		it.t.Fatal(err)
	}
	request, err := http.NewRequest(method, it.http.URL+path, bytes.NewReader(sent))
	if err != nil {
		it.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		it.t.Error(err)
		return 0
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		it.t.Error(err)
	}
	return response.StatusCode
}

// outcome is any answer to an order.
type outcome struct {
	accepted
	refusal
	Error string
}

// order gives an order for a side.
func (it *table) order(side string, what order) (int, outcome) {
	it.t.Helper()
	var answer outcome
	path := "/games/" + it.game + "/orders"
	body := map[string]any{}
	if what.ID != "" {
		body["id"] = what.ID
	}
	if what.Fire != nil {
		body["fire"] = what.Fire
	}
	if what.Move != nil {
		body["move"] = map[string]any{"counter": what.Move.Counter, "path": what.Move.Path}
	}
	if what.EndTurn {
		body["end_turn"] = true
	}
	return it.ask("POST", path, it.tokens[side], body, &answer), answer
}

// must gives an order that is carried out.
func (it *table) must(side string, what order) outcome {
	it.t.Helper()
	status, answer := it.order(side, what)
	if status != http.StatusOK {
		it.t.Fatalf("%s: %+v: %d %+v", side, what, status, answer)
	}
	return answer
}

// view is a game as a side sees it.
type view struct {
	Title, Turn, Error string
	Number             uint64
	Counters           []struct{ ID, Hex, Side string }
}

func (it *table) view(side string) view {
	it.t.Helper()
	var seen view
	if status := it.ask("GET", "/games/"+it.game, it.tokens[side], nil, &seen); status != http.StatusOK {
		it.t.Errorf("%d: %+v", status, seen)
	}
	return seen
}

// hex is where a side sees a counter. Empty if it does not.
func (v view) hex(id string) string {
	for _, counter := range v.Counters {
		if counter.ID == id {
			return counter.Hex
		}
	}
	return ""
}

// heard is an event, and the text that it came as.
type heard struct {
	event
	text string
}

// listen hears the events of a side after a number.
func (it *table) listen(ctx context.Context, side string, after uint64) <-chan heard {
	it.t.Helper()
	request, err := http.NewRequestWithContext(ctx, "GET", it.http.URL+"/games/"+it.game+"/events", nil)
	if err != nil {
		it.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+it.tokens[side])
	if after > 0 {
		request.Header.Set("Last-Event-ID", fmt.Sprint(after))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		it.t.Fatal(err)
	}
	all := make(chan heard, 1000)
	go func() {
		defer close(all)
		defer response.Body.Close()
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				got := heard{text: text}
				if err := json.Unmarshal([]byte(text), &got.event); err != nil {
					it.t.Errorf("%s: %v", text, err)
				}
				all <- got
			}
		}
	}()
	return all
}

// next is the next event, which must have this number.
func next(t *testing.T, all <-chan heard, number uint64) heard {
	t.Helper()
	select {
	case it, open := <-all:
		if !open || it.Number != number {
			t.Fatalf("in the place of event %d came %q", number, it.text)
		}
		return it
	case <-time.After(patient):
		t.Fatalf("event %d does not come", number)
		return heard{}
	}
}

func shoot(from, at string) order { return order{Fire: &fire{From: from, At: at}} }

func walk(counter string, path ...string) order {
	return order{Move: &move{Counter: counter, Path: path}}
}
