package alamein

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
)

// again says what it means to make a call twice.
type again int

const (
	// never: it might do the thing twice, or fail since it was done.
	never again = iota
	// always: it reads, or makes what is named by its content.
	always
	// withRequestID: the service knows the second for the first by its `request_id`.
	withRequestID
)

// writes are the methods that write and yet may be called twice.
var writes = map[string]again{
	"/alamein.v1.MapService/CreateMap":           always,
	"/alamein.v1.PositionService/CreatePosition": always,
	"/alamein.v1.PositionService/ApplyChanges":   always,
	"/alamein.v1.GameService/CreateGame":         withRequestID,
	"/alamein.v1.GameService/AdvanceGame":        withRequestID,
	"/alamein.v1.GameService/UndoGame":           withRequestID,
	"/alamein.v1.GameService/ForkGame":           withRequestID,
	"/alamein.v1.GameService/ChangeGameRuleset":  withRequestID,
}

// reading are the first words of the names of methods that change nothing, beside all that judge.
var reading = []string{"Get", "List", "Diff", "Validate", "Compose", "Render", "Check"}

// twice says what it means to call a method twice.
func twice(method string) again {
	if it, ok := writes[method]; ok {
		return it
	}
	service, name, _ := strings.Cut(strings.TrimPrefix(method, "/"), "/")
	if service == "alamein.v1.AdjudicationService" {
		return always
	}
	for _, word := range reading {
		if strings.HasPrefix(name, word) {
			return always
		}
	}
	return never
}

// mayRepeat says whether a call may be made twice.
func mayRepeat(method string, request any) bool {
	switch twice(method) {
	case always:
		return true
	case withRequestID:
		it, ok := request.(interface{ GetRequestId() string })
		return ok && it.GetRequestId() != ""
	default:
		return false
	}
}

// unary gives each call its deadline, its retries and its error.
func (c *Client) unary(
	ctx context.Context, method string, request, answer any,
	conn *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.settings.timeout)
		defer cancel()
	}
	c.budget.add()
	for tries := 1; ; tries++ {
		err := told(invoke(ctx, method, request, answer, conn, options...))
		it, ok := err.(*Error)
		if !ok || tries >= c.settings.retry.Tries || !it.IsTransient() || !mayRepeat(method, request) {
			return err
		}
		wait := c.settings.retry.wait(tries, it.RetryDelay)
		// What cannot end in time is not begun.
		if until, ok := ctx.Deadline(); ok && time.Until(until) <= wait {
			return err
		}
		if !c.budget.take() || !sleep(ctx, wait) {
			return err
		}
	}
}

// stream gives each stream this package's errors. How long one lasts is for its context to say.
func (c *Client) stream(
	ctx context.Context, description *grpc.StreamDesc, conn *grpc.ClientConn, method string,
	open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(ctx, description, conn, method, options...)
	if err != nil {
		return nil, told(err)
	}
	return &telling{stream}, nil
}

// telling is a stream with this package's errors.
type telling struct{ grpc.ClientStream }

func (t *telling) RecvMsg(message any) error { return told(t.ClientStream.RecvMsg(message)) }

func (t *telling) SendMsg(message any) error { return told(t.ClientStream.SendMsg(message)) }

// wait is how long to wait after so many tries. Clients that were turned away together should not come
// back together.
func (r Retry) wait(tries int, asked *time.Duration) time.Duration {
	most := r.Longest
	if doublings := tries - 1; doublings < 20 {
		most = min(most, r.First<<doublings)
	}
	wait := most/2 + rand.N(most/2+1)
	if asked != nil {
		return *asked + min(wait, *asked)
	}
	return wait
}

// sleep waits, and says whether the context still stands.
func sleep(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// budget is the retries that may yet be made, in hundredths. Each call adds a part of one.
type budget struct {
	lock             sync.Mutex
	left, most, each int
}

const oneRetry = 100

func newBudget(retry Retry) *budget {
	// One call alone always has all of its tries.
	most := oneRetry * max(10, retry.Tries)
	return &budget{left: most, most: most, each: retry.PerHundred}
}

func (b *budget) add() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.left = min(b.left+b.each, b.most)
}

func (b *budget) take() bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.left < oneRetry {
		return false
	}
	b.left -= oneRetry
	return true
}
