package main

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

//go:embed scenario.json
var worked []byte

// scenario is what a game begins with.
type scenario struct {
	title    string
	sides    [2]string // the first has the first turn
	position *pb.Position
	units    map[string]unit
}

// unit is what its counter says that no position does.
type unit struct {
	allowance uint32 // in MF or MP
	mover     *pb.Mover
}

// readScenario reads a scenario from JSON. The position in it is written as protobuf's JSON.
func readScenario(text []byte) (*scenario, error) {
	var file struct {
		Title    string
		Sides    [2]string
		Position json.RawMessage
		Units    map[string]struct {
			Allowance uint32
			Mover     json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("the scenario: %w", err)
	}
	it := &scenario{title: file.Title, sides: file.Sides, position: &pb.Position{}, units: map[string]unit{}}
	if err := protojson.Unmarshal(file.Position, it.position); err != nil {
		return nil, fmt.Errorf("the scenario's position: %w", err)
	}
	for id, told := range file.Units {
		mover := &pb.Mover{}
		if err := protojson.Unmarshal(told.Mover, mover); err != nil {
			return nil, fmt.Errorf("the scenario's unit %s: %w", id, err)
		}
		// The service looks its class up in the position.
		mover.CounterId = id
		it.units[id] = unit{allowance: told.Allowance, mover: mover}
	}
	return it, nil
}

// other is the side that is not this one.
func (s *scenario) other(side string) string {
	if side == s.sides[0] {
		return s.sides[1]
	}
	return s.sides[0]
}
