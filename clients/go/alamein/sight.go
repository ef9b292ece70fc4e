package alamein

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// Seen is what comes of the line of sight to a hex.
type Seen struct {
	// Sight is whether there is one.
	Sight pb.Sight
	// Hindrance is the sum of the LOS Hindrance DRM. Nil where terrain blocks, and where nobody can
	// say.
	Hindrance *uint32
}

// IsSeen says whether there is a LOS.
func (s Seen) IsSeen() bool {
	return s.Sight == pb.Sight_SIGHT_CLEAR || s.Sight == pb.Sight_SIGHT_HINDERED
}

// FieldOfView is what somebody sees.
type FieldOfView struct {
	// Packed is the message that it is made of.
	Packed *pb.PackedFieldOfView
	hexes  map[string]Seen
}

// Seen tells what comes of the LOS to a hex, if that is in range.
func (f *FieldOfView) Seen(hex string) (Seen, bool) {
	seen, ok := f.hexes[hex]
	return seen, ok
}

// Len is how many hexes are in range.
func (f *FieldOfView) Len() int { return len(f.hexes) }

// All gives the hexes in range by name, in the map's order.
func (f *FieldOfView) All() iter.Seq2[string, Seen] {
	return func(yield func(string, Seen) bool) {
		for name := range HexNames(f.Packed.GetHead().GetColumns(), f.Packed.GetHead().GetRows()) {
			if seen, ok := f.hexes[name]; ok && !yield(name, seen) {
				return
			}
		}
	}
}

// HexNames gives the names of the hexes of a map, in the map's order: that of packed fields of view.
func HexNames(columns, rows uint32) iter.Seq[string] {
	return func(yield func(string) bool) {
		for column := range columns {
			letters := strings.Repeat(string(rune('A'+column%26)), int(column/26)+1)
			for row := (column + 1) % 2; row <= rows; row++ {
				if !yield(fmt.Sprintf("%s%d", letters, row)) {
					return
				}
			}
		}
	}
}

// UnpackSight tells what a byte of a packed field of view means. It is false for a hex that is out of
// range.
func UnpackSight(it byte) (Seen, bool) {
	drm := func(sight pb.Sight, drm byte) (Seen, bool) {
		hindrance := uint32(drm)
		return Seen{Sight: sight, Hindrance: &hindrance}, true
	}
	switch {
	case it == 0:
		return Seen{}, false
	case it == 1:
		return drm(pb.Sight_SIGHT_CLEAR, 0)
	case it == 2:
		return Seen{Sight: pb.Sight_SIGHT_BLOCKED_BY_TERRAIN}, true
	case it >= 128:
		return drm(pb.Sight_SIGHT_BLOCKED_BY_HINDRANCES, it-128)
	case it >= 65:
		return drm(pb.Sight_SIGHT_HINDERED, it-64)
	default:
		// A byte that is not known says that nobody can say.
		return Seen{Sight: pb.Sight_SIGHT_NOT_IMPLEMENTED}, true
	}
}

// FieldOfView asks what somebody sees, in one message. The view of ask means nothing here.
func (c *Client) FieldOfView(
	ctx context.Context, subject *pb.Subject, question *pb.FieldOfViewQuestion, options *pb.QuestionOptions, ask Ask,
) (*FieldOfView, error) {
	answer, err := c.Adjudication.PackedFieldOfView(ctx, &pb.PackedFieldOfViewRequest{
		Subject: subject, Question: question, Options: options,
		RulesFingerprint: ask.RulesFingerprint, Ruleset: ask.Ruleset, AsSide: ask.AsSide,
	})
	if err != nil {
		return nil, err
	}
	packed := answer.GetField()
	if packed == nil {
		return nil, &AnswerError{What: "there is no field of view in it"}
	}
	field := &FieldOfView{Packed: packed, hexes: map[string]Seen{}}
	at := 0
	for name := range HexNames(packed.GetHead().GetColumns(), packed.GetHead().GetRows()) {
		if at >= len(packed.Sights) {
			return nil, &AnswerError{What: fmt.Sprintf("%d bytes for more hexes", len(packed.Sights))}
		}
		if seen, ok := UnpackSight(packed.Sights[at]); ok {
			field.hexes[name] = seen
		}
		at++
	}
	return field, nil
}

// Look asks what somebody sees, and gives the hexes as the service judges them, in the map's order. An
// error is the last that it gives. It is not tried again once it has begun.
func (c *Client) Look(
	ctx context.Context, subject *pb.Subject, question *pb.FieldOfViewQuestion, options *pb.QuestionOptions, ask Ask,
) iter.Seq2[*pb.SightedHex, error] {
	return func(yield func(*pb.SightedHex, error) bool) {
		// Whoever stops listening ends it.
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream, err := c.Adjudication.FieldOfView(ctx, &pb.FieldOfViewRequest{
			Subject: subject, Question: question, Options: options,
			RulesFingerprint: ask.RulesFingerprint, Ruleset: ask.Ruleset, AsSide: ask.AsSide,
		})
		for err == nil {
			var part *pb.FieldOfViewResponse
			if part, err = stream.Recv(); err != nil {
				break
			}
			for _, hex := range part.GetHexes().GetHexes() {
				if !yield(hex, nil) {
					return
				}
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, err)
		}
	}
}
