package alamein

import (
	"context"
	"fmt"
	"iter"
	"slices"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// batch is how many questions go in one request, so that the answers fit into one message.
const batch = 64

// Ask is how to ask: by which rules, for which side, and how much of the ruling to give. The zero
// value asks for all findings by the service's usual rules, and is told everything.
type Ask struct {
	// View is how much of the ruling to give. Unspecified gives all findings.
	View pb.View
	// Ruleset is the name, a tag or the fingerprint of the rules to judge by. Empty means `default`.
	Ruleset string
	// RulesFingerprint is what the rules must be. Of a game it is [pb.Game.RulesFingerprint].
	RulesFingerprint string
	// AsSide is the side that asks. Empty means that all is told.
	AsSide string
}

// Answer is the answer to one question of several: a ruling, or an error of this question alone.
type Answer struct {
	// Tag is the question's own mark.
	Tag string
	// Ruling is the ruling. Nil where there is an error.
	Ruling *pb.Ruling
	// Err is why there is no ruling. The paths of its fields begin at the question:
	// `line_of_sight.from.hex`.
	Err error
}

// Adjudicate asks one question about a position.
func (c *Client) Adjudicate(ctx context.Context, subject *pb.Subject, question *pb.Question, ask Ask) (*pb.Ruling, error) {
	options, view := question.GetOptions(), ask.View
	fingerprint, ruleset, side := ask.RulesFingerprint, ask.Ruleset, ask.AsSide
	switch asked := question.GetQuestion().(type) {
	case *pb.Question_LineOfSight:
		return ruling(c.Adjudication.LineOfSight(ctx, &pb.LineOfSightRequest{
			Subject: subject, Question: asked.LineOfSight, Options: options, View: view,
			RulesFingerprint: fingerprint, Ruleset: ruleset, AsSide: side,
		}))
	case *pb.Question_LineOfFire:
		return ruling(c.Adjudication.LineOfFire(ctx, &pb.LineOfFireRequest{
			Subject: subject, Question: asked.LineOfFire, Options: options, View: view,
			RulesFingerprint: fingerprint, Ruleset: ruleset, AsSide: side,
		}))
	case *pb.Question_FireLane:
		return ruling(c.Adjudication.FireLane(ctx, &pb.FireLaneRequest{
			Subject: subject, Question: asked.FireLane, Options: options, View: view,
			RulesFingerprint: fingerprint, Ruleset: ruleset, AsSide: side,
		}))
	case *pb.Question_Movement:
		return ruling(c.Adjudication.Movement(ctx, &pb.MovementRequest{
			Subject: subject, Question: asked.Movement, Options: options, View: view,
			RulesFingerprint: fingerprint, Ruleset: ruleset, AsSide: side,
		}))
	case *pb.Question_SetUp:
		return ruling(c.Adjudication.SetUp(ctx, &pb.SetUpRequest{
			Subject: subject, Question: asked.SetUp, Options: options, View: view,
			RulesFingerprint: fingerprint, Ruleset: ruleset, AsSide: side,
		}))
	default:
		// The service says what is missing, in its own words.
		answers, err := c.AdjudicateAll(ctx, subject, []*pb.Question{question}, ask)
		if err != nil {
			return nil, err
		}
		return answers[0].Ruling, answers[0].Err
	}
}

// ruling takes the ruling out of an answer.
func ruling(answer interface{ GetRuling() *pb.Ruling }, err error) (*pb.Ruling, error) {
	if err != nil {
		return nil, err
	}
	it := answer.GetRuling()
	if it == nil {
		return nil, &AnswerError{What: "there is no ruling in it"}
	}
	return it, nil
}

// AdjudicateAll asks any number of questions about a position. The answers come in the questions'
// order, all by the same rules. An error in one question is that question's answer; an error of the
// whole is returned.
func (c *Client) AdjudicateAll(ctx context.Context, subject *pb.Subject, questions []*pb.Question, ask Ask) ([]Answer, error) {
	answers := make([]Answer, 0, len(questions))
	for answer, err := range c.AdjudicateEach(ctx, subject, slices.Values(questions), ask) {
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

// AdjudicateEach asks questions as they come, and gives the answers in their order as they come: of
// very many questions it holds a few at a time. All are judged by the same rules. It ends with the
// first error of the whole.
func (c *Client) AdjudicateEach(
	ctx context.Context, subject *pb.Subject, questions iter.Seq[*pb.Question], ask Ask,
) iter.Seq2[Answer, error] {
	return func(yield func(Answer, error) bool) {
		ask := ask // each time that it is ranged over begins anew
		pending := make([]*pb.Question, 0, batch)
		// send asks what is pending, and says whether to go on.
		send := func() bool {
			answers, err := c.adjudicateBatch(ctx, subject, pending, &ask)
			pending = pending[:0]
			if err != nil {
				yield(Answer{}, err)
				return false
			}
			for _, answer := range answers {
				if !yield(answer, nil) {
					return false
				}
			}
			return true
		}
		for question := range questions {
			pending = append(pending, question)
			if len(pending) == batch && !send() {
				return
			}
		}
		if len(pending) > 0 {
			send()
		}
	}
}

// adjudicateBatch asks one request's worth of questions, and has those that follow judged by the same
// rules.
func (c *Client) adjudicateBatch(ctx context.Context, subject *pb.Subject, questions []*pb.Question, ask *Ask) ([]Answer, error) {
	answer, err := c.Adjudication.BatchAdjudicate(ctx, &pb.BatchAdjudicateRequest{
		Subject: subject, Questions: questions, View: ask.View,
		RulesFingerprint: ask.RulesFingerprint, Ruleset: ask.Ruleset, AsSide: ask.AsSide,
	})
	if err != nil {
		return nil, err
	}
	if asked, given := len(questions), len(answer.Answers); asked != given {
		return nil, &AnswerError{What: fmt.Sprintf("%d answers to %d questions", given, asked)}
	}
	// By the fingerprint alone: a name may come to stand for other rules between two requests.
	ask.RulesFingerprint, ask.Ruleset = answer.RulesFingerprint, ""
	answers := make([]Answer, len(questions))
	for at, it := range answer.Answers {
		answers[at].Tag = it.Tag
		switch said := it.Answer.(type) {
		case *pb.Answer_Ruling:
			answers[at].Ruling = said.Ruling
		case *pb.Answer_Error:
			answers[at].Err = ofProto(said.Error)
		default:
			return nil, &AnswerError{What: "neither ruling nor error in it"}
		}
	}
	return answers, nil
}
