package main

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/alamein/alamein/clients/go/alameintest"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

func cites(reasons []reason, rule string) bool {
	return slices.ContainsFunc(reasons, func(it reason) bool { return it.Rule == rule })
}

func TestAGame(t *testing.T) {
	ctx := context.Background()
	it := serve(t, alameintest.Start(t))
	allied, axis := it.listen(ctx, "allied", 0), it.listen(ctx, "axis", 0)
	first := next(t, allied, 1)
	if strings.Contains(first.text, `"A"`) || !strings.Contains(next(t, axis, 1).text, `"A"`) {
		t.Errorf("the hidden tank: %s", first.text)
	}

	// A shot past the hidden tank: the verdict is the true one, and each side is told what it may know.
	shot := it.must("allied", shoot("H", "K"))
	if shot.Ruling.Says != "hindered +1; TEM +1; total DRM +2" || !shot.Ruling.HiddenMatters {
		t.Errorf("%+v", shot.Ruling)
	}
	theirs, ours := next(t, allied, 2), next(t, axis, 2)
	if !theirs.Ruling.HiddenMatters || cites(theirs.Ruling.Reasons, "D9.4") || strings.Contains(theirs.text, `A in R6`) {
		t.Errorf("the allied side is told %s", theirs.text)
	}
	if ours.Ruling.HiddenMatters || !cites(ours.Ruling.Reasons, "D9.4") || ours.Ruling.Says != theirs.Ruling.Says {
		t.Errorf("the axis side is told %s", ours.text)
	}
	if !cites(theirs.Ruling.Reasons, "F4.5") {
		t.Errorf("the lip is not among the reasons: %s", theirs.text)
	}

	// Refused by the rules, and by the turn.
	for _, no := range []struct {
		side, says, rule string
		what             order
	}{
		{"allied", "H has fired in this turn", "", shoot("H", "K")},
		{"allied", "I has no LOS to J", "F4.4", shoot("I", "J")},
		{"allied", "allied knows of no counter A", "", shoot("I", "A")},
		{"allied", "allied has no counter K", "", shoot("K", "J")},
		{"allied", "G is allied's own", "", shoot("I", "G")},
		{"axis", "it is the turn of allied", "", shoot("K", "H")},
		{"allied", "E has 4 MF left, and to enter Q9 costs it 5 so far", "F1.1", walk("E", "P6", "Q7", "P7", "Q8", "Q9")},
		{"allied", "E does not move", "", walk("E")},
		{"allied", "there is no order in it: fire, move or end_turn", "", order{}},
	} {
		status, answer := it.order(no.side, no.what)
		if status != http.StatusConflict || answer.Refused != no.says || no.rule != "" && !cites(answer.Rules, no.rule) {
			t.Errorf("%+v: %d %+v", no.what, status, answer)
		}
	}
	if status, answer := it.order("allied", walk("E", "T9")); status != http.StatusBadRequest || !strings.Contains(answer.Error, "NOT_ADJACENT") {
		t.Errorf("%d %+v", status, answer)
	}

	// A move, what it leaves, and a second one.
	if moved := it.must("allied", walk("E", "O6", "O7")); moved.Cost != 2 || moved.Number != 3 {
		t.Errorf("%+v", moved)
	}
	if seen := next(t, axis, 3); seen.Move == nil || len(seen.Changes) != 1 || it.view("axis").hex("E") != "O7" {
		t.Errorf("%s", seen.text)
	}
	if status, answer := it.order("allied", walk("E", "O8", "O9", "O10")); status != http.StatusConflict {
		t.Errorf("%d %+v", status, answer)
	}
	it.must("allied", order{EndTurn: true})
	next(t, axis, 4)
	next(t, allied, 3)
	next(t, allied, 4)

	// The hidden tank moves, and is seen from then on.
	it.must("axis", walk("A", "R7"))
	if seen := next(t, allied, 5); it.view("allied").hex("A") != "R7" || len(seen.Changes) == 0 {
		t.Errorf("%s", seen.text)
	}
	// Who comes late, and who comes back, is told the same.
	late, back := it.listen(ctx, "allied", 0), it.listen(ctx, "allied", 4)
	if again := next(t, late, 1); again.text != first.text {
		t.Errorf("%s, and late %s", first.text, again.text)
	}
	if again := next(t, late, 2); again.text != theirs.text {
		t.Errorf("%s, and late %s", theirs.text, again.text)
	}
	next(t, back, 5)
}

func TestFiringFromHiding(t *testing.T) {
	ctx := context.Background()
	it := serve(t, alameintest.Start(t))
	it.must("allied", order{EndTurn: true})
	it.must("axis", shoot("A", "F"))
	allied := it.listen(ctx, "allied", 2)
	seen := next(t, allied, 3)
	if seen.Ruling == nil || seen.Fire.From != "A" || it.view("allied").hex("A") != "R6" {
		t.Errorf("%s", seen.text)
	}
}

func TestWhoIsNoPlayer(t *testing.T) {
	it := serve(t, alameintest.Start(t))
	other := serve(t, alameintest.Start(t))
	for _, token := range []string{"", "x", other.tokens["axis"], it.server.token("another", "axis")} {
		var answer outcome
		if status := it.ask("GET", "/games/"+it.game, token, nil, &answer); status != http.StatusUnauthorized {
			t.Errorf("%q: %d", token, status)
		}
	}
	var answer outcome
	body := map[string]any{"nuke": true}
	if status := it.ask("POST", "/games/"+it.game+"/orders", it.tokens["axis"], body, &answer); status != http.StatusBadRequest {
		t.Errorf("%d", status)
	}
}

// TestAtOnce has a side give many orders at the same time, some of them twice: each is carried out once,
// on the position that the one before it left.
func TestAtOnce(t *testing.T) {
	it := serve(t, alameintest.Start(t))
	orders := []order{
		shoot("G", "K"), shoot("H", "K"), shoot("I", "D"), walk("E", "O6"), walk("F", "U7"), shoot("E", "D"),
	}
	var all sync.WaitGroup
	numbers := make(chan uint64, 2*len(orders))
	for at, what := range orders {
		what.ID = strings.Repeat("i", at+1)
		for range 2 {
			all.Add(1)
			go func() {
				defer all.Done()
				numbers <- it.must("allied", what).Number
			}()
		}
	}
	all.Wait()
	close(numbers)
	told := map[uint64]int{}
	for number := range numbers {
		told[number]++
	}
	for number := uint64(2); number < uint64(2+len(orders)); number++ {
		if told[number] != 2 {
			t.Errorf("entry %d was told %d times", number, told[number])
		}
	}
	if seen := it.view("allied"); seen.Number != uint64(1+len(orders)) || seen.hex("E") != "O6" || seen.hex("F") != "U7" {
		t.Errorf("%+v", seen)
	}
}

// TestMayNot has paths refused for what none of the rules that come along says.
func TestMayNot(t *testing.T) {
	it := move{Counter: "E", Path: []string{"P6", "P7"}}
	wall := &pb.RuleRef{Id: "X1/wall", Number: "X1", Title: "Walls"}
	steps := []*pb.PricedStep{
		{Answer: &pb.PricedStep_Ruling{Ruling: &pb.Ruling{}}},
		{Answer: &pb.PricedStep_NotImplemented{NotImplemented: &pb.MissingRule{Rule: wall}}},
	}
	for _, no := range []struct {
		path *pb.PricedPath
		says string
		rule string
	}{
		{&pb.PricedPath{Prohibited: []*pb.ProhibitedStep{{Step: 1, ProhibitedBy: []*pb.Citation{{Rule: wall}}}}}, "E may not enter P7", "X1"},
		{&pb.PricedPath{Steps: steps}, "nobody here can say what it costs to enter P7", "X1"},
		{&pb.PricedPath{Steps: steps[:1]}, "nobody here can say what that path costs", ""},
	} {
		refused := mayNot(no.path, it, 4)
		if refused == nil || refused.Refused != no.says || no.rule != "" && !cites(refused.Rules, no.rule) {
			t.Errorf("%+v", refused)
		}
	}
	if refused := mayNot(&pb.PricedPath{Steps: steps[:1], Total: proto.Int32(1)}, it, 4); refused != nil {
		t.Errorf("%+v", refused)
	}
}
