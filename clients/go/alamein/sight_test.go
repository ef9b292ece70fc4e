package alamein_test

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/alamein/alamein/clients/go/alamein"
	"github.com/alamein/alamein/clients/go/alameintest"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

func TestFieldOfView(t *testing.T) {
	ctx := context.Background()
	client := alameintest.Start(t).Client(t)
	subject, sq := alamein.On(deir()), alamein.AtCounter("sq")
	question := &pb.FieldOfViewQuestion{From: sq, Range: proto.Uint32(4)}
	field, err := client.FieldOfView(ctx, subject, question, nil, alamein.Ask{})
	if err != nil {
		t.Fatal(err)
	}
	if head := field.Packed.Head; head.ViewerHex != "P6" || head.HexCount != 61 || field.Len() != 61 {
		t.Errorf("%v, %d hexes", head, field.Len())
	}
	if _, ok := field.Seen("A1"); ok {
		t.Error("A1 is out of range")
	}
	var questions []*pb.Question
	var names []string
	for name := range field.All() {
		names = append(names, name)
		questions = append(questions, alamein.LineOfSight(sq, alamein.AtHex(name)))
	}
	answers, err := client.AdjudicateAll(ctx, subject, questions, alamein.Ask{})
	if err != nil {
		t.Fatal(err)
	}
	for at, name := range names {
		// As the question about each by itself says.
		seen, _ := field.Seen(name)
		line := answers[at].Ruling.GetVerdict().GetLineOfSight()
		blocked := line.GetResult() == pb.LineOfSightResult_LINE_OF_SIGHT_RESULT_BLOCKED
		if seen.IsSeen() == blocked || (seen.Hindrance == nil) != (line.Hindrance == nil) {
			t.Errorf("%s: %v, and the ruling is %v", name, seen, line)
		}
	}
	var judged []string
	for hex, err := range client.Look(ctx, subject, question, nil, alamein.Ask{}) {
		if err != nil {
			t.Fatal(err)
		}
		if seen, _ := field.Seen(hex.Hex); seen.Sight != hex.Sight {
			t.Errorf("%s: %v in parts, %v packed", hex.Hex, hex.Sight, seen.Sight)
		}
		judged = append(judged, hex.Hex)
	}
	if !slices.Equal(judged, names) {
		t.Errorf("%v in parts, %v packed", judged, names)
	}
	nobody := &pb.FieldOfViewQuestion{From: alamein.AtCounter("nobody")}
	_, err = client.FieldOfView(ctx, subject, nobody, nil, alamein.Ask{})
	if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_UNKNOWN_COUNTER) {
		t.Error(err)
	}
	for _, err := range client.Look(ctx, subject, nobody, nil, alamein.Ask{}) {
		if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_UNKNOWN_COUNTER) {
			t.Error(err)
		}
	}
}

func TestUnpackSight(t *testing.T) {
	want := map[byte]pb.Sight{
		1: pb.Sight_SIGHT_CLEAR, 2: pb.Sight_SIGHT_BLOCKED_BY_TERRAIN, 3: pb.Sight_SIGHT_NOT_IMPLEMENTED,
		7: pb.Sight_SIGHT_NOT_IMPLEMENTED, 66: pb.Sight_SIGHT_HINDERED, 134: pb.Sight_SIGHT_BLOCKED_BY_HINDRANCES,
	}
	for it, sight := range want {
		if seen, ok := alamein.UnpackSight(it); !ok || seen.Sight != sight {
			t.Errorf("%d: %v", it, seen)
		}
	}
	if seen, _ := alamein.UnpackSight(134); *seen.Hindrance != 6 {
		t.Errorf("134: %v", seen)
	}
	if _, ok := alamein.UnpackSight(0); ok {
		t.Error("0 is out of range")
	}
	names := slices.Collect(alamein.HexNames(33, 10))
	if len(names) != 346 || names[10] != "B0" || names[345] != "GG10" {
		t.Error(names)
	}
}
