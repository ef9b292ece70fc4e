package alamein

import pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"

// On is a question's subject: a position that the request carries.
func On(position *pb.Position) *pb.Subject {
	return &pb.Subject{Subject: &pb.Subject_Position{Position: position}}
}

// OnKept is a question's subject: a position that the service keeps.
func OnKept(positionID string) *pb.Subject {
	return &pb.Subject{Subject: &pb.Subject_PositionId{PositionId: positionID}}
}

// OnMap is a position on a map that it carries.
func OnMap(it *pb.Map, counters ...*pb.Counter) *pb.Position {
	return &pb.Position{MapSource: &pb.Position_Map{Map: it}, Counters: counters}
}

// OnKeptMap is a position on a map that the service keeps.
func OnKeptMap(mapID string, counters ...*pb.Counter) *pb.Position {
	return &pb.Position{MapSource: &pb.Position_MapId{MapId: mapID}, Counters: counters}
}

// Hexes is a field of a layer: hexes that have the feature.
func Hexes(name string, hexes ...string) *pb.LayerField {
	return &pb.LayerField{Name: name, Kind: &pb.LayerField_Hexes{Hexes: &pb.HexSet{Hexes: hexes}}}
}

// Hexsides is a field of a layer: hexsides that have the feature, such as `P6|P7`.
func Hexsides(name string, hexsides ...string) *pb.LayerField {
	set := &pb.HexsideSet{Hexsides: hexsides}
	return &pb.LayerField{Name: name, Kind: &pb.LayerField_Hexsides{Hexsides: set}}
}

// Layer is a layer of a map: the terrain of one plugin.
func Layer(name string, fields ...*pb.LayerField) *pb.Layer {
	return &pb.Layer{Name: name, Fields: fields}
}

// AtCounter is an end of a line: a counter of the position.
func AtCounter(id string) *pb.End { return &pb.End{End: &pb.End_CounterId{CounterId: id}} }

// AtHex is an end of a line: a hex, with ordinary Infantry on the ground there.
func AtHex(hex string) *pb.End { return &pb.End{End: &pb.End_Hex{Hex: hex}} }

// LineOfSight asks whether there is a LOS between two ends.
func LineOfSight(from, to *pb.End) *pb.Question {
	asked := &pb.LineOfSightQuestion{From: from, To: to}
	return &pb.Question{Question: &pb.Question_LineOfSight{LineOfSight: asked}}
}

// LineOfFire asks what protects the target of Direct Fire. For other attacks and munitions set the
// fields of [pb.LineOfFireQuestion].
func LineOfFire(from, to *pb.End) *pb.Question {
	asked := &pb.LineOfFireQuestion{From: from, To: to, Attack: pb.AttackKind_ATTACK_KIND_DIRECT}
	return &pb.Question{Question: &pb.Question_LineOfFire{LineOfFire: asked}}
}

// Step asks what it costs to enter an adjacent hex, and whether it may be done.
func Step(mover *pb.Mover, fromHex, toHex string) *pb.Question {
	entry := &pb.Entry{FromHex: fromHex, ToHex: toHex}
	asked := &pb.MovementQuestion{Mover: mover, Step: &pb.MovementQuestion_Entry{Entry: entry}}
	return &pb.Question{Question: &pb.Question_Movement{Movement: asked}}
}

// FireLane asks whether the Fire Lane of a machine gun attacks who moves in a hex. An empty
// `counterHex` means the lane that the machine gun has on the map.
func FireLane(mg *pb.End, counterHex, moverHex string, mover pb.LaneMover) *pb.Question {
	asked := &pb.FireLaneQuestion{Mg: mg, CounterHex: counterHex, MoverHex: moverHex, Mover: mover}
	return &pb.Question{Question: &pb.Question_FireLane{FireLane: asked}}
}

// MoveTo is a change: a counter stands elsewhere.
func MoveTo(counterID, hex string) *pb.Change {
	return &pb.Change{Change: &pb.Change_Move{Move: &pb.MoveChange{CounterId: counterID, Hex: hex}}}
}

// Place is a change: a counter comes onto the map.
func Place(counter *pb.Counter) *pb.Change {
	return &pb.Change{Change: &pb.Change_Place{Place: &pb.PlaceChange{Counter: counter}}}
}

// Remove is a change: a counter leaves the map.
func Remove(counterID string) *pb.Change {
	return &pb.Change{Change: &pb.Change_Remove{Remove: &pb.RemoveChange{CounterId: counterID}}}
}

// Reveal is a change: everybody then knows of a counter.
func Reveal(counterID string) *pb.Change { return KnownTo(counterID) }

// KnownTo is a change: beside its own side only these then know of a counter.
func KnownTo(counterID string, sides ...string) *pb.Change {
	known := &pb.KnownToChange{CounterId: counterID, Sides: sides}
	return &pb.Change{Change: &pb.Change_KnownTo{KnownTo: known}}
}
