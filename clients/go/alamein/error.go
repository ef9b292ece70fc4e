package alamein

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// domain is that of the service's own errors.
const domain = "alamein"

// Error is why a call gave no answer, or a question no ruling. "Blocked" and "prohibited" are rulings
// and never errors.
//
// [errors.Is] finds [context.DeadlineExceeded] and [context.Canceled] in it where that is what
// happened, and `status.FromError` finds its status.
type Error struct {
	// Code is the status code.
	Code codes.Code
	// Reason is why, where the service said so and this client knows the reason: branch on it.
	Reason pb.ErrorReason
	// ReasonName is the reason as the service wrote it, such as `UNKNOWN_HEX`, known here or not.
	ReasonName string
	// Message is what happened, in words.
	Message string
	// Metadata goes with the reason: see the comments on [pb.ErrorReason].
	Metadata map[string]string
	// Fields are those of the request that are at fault.
	Fields []Field
	// RetryDelay is when to try again, if the service said so.
	RetryDelay *time.Duration

	status *status.Status
}

// Field is a field of a request that is at fault.
type Field struct {
	// Path leads to it, such as `subject.position.counters[3].hex`. Of one question of several it
	// begins at the question.
	Path string
	// Description is what is wrong with it.
	Description string
}

func (e *Error) Error() string {
	name := e.ReasonName
	if name == "" {
		name = e.Code.String()
	}
	var said strings.Builder
	fmt.Fprintf(&said, "%s: %s", name, e.Message)
	for _, field := range e.Fields {
		// The message often is about the field and says the same.
		if !strings.Contains(e.Message, field.Path) {
			fmt.Fprintf(&said, " (%s: %s)", field.Path, field.Description)
		}
	}
	return said.String()
}

// GRPCStatus is the status as it came, with all its details.
func (e *Error) GRPCStatus() *status.Status { return e.status }

// Unwrap is the error of the context, where that is what happened.
func (e *Error) Unwrap() error {
	switch e.Code {
	case codes.DeadlineExceeded:
		return context.DeadlineExceeded
	case codes.Canceled:
		return context.Canceled
	default:
		return nil
	}
}

// IsTransient says whether the same call may succeed a little later: the service cannot be reached, its
// answer broke off on the way, or it is at its limits and says when to come back.
func (e *Error) IsTransient() bool {
	switch e.Code {
	case codes.Unavailable:
		return true
	case codes.ResourceExhausted:
		return e.RetryDelay != nil
	case codes.Internal, codes.Unknown:
		// The service says its reason. Without one, something on the way lost the service behind it.
		return e.ReasonName == ""
	default:
		return false
	}
}

// HasReason says whether an error is one of the service's own with this reason.
func HasReason(err error, reason pb.ErrorReason) bool {
	var it *Error
	return errors.As(err, &it) && it.Reason == reason
}

// AnswerError says that an answer makes no sense: the service is of another version, or broken.
type AnswerError struct {
	// What makes no sense.
	What string
}

func (e *AnswerError) Error() string {
	return "alamein: the service's answer makes no sense: " + e.What
}

// told is an error of this package for one of grpc's. The end of a stream stays what it is.
func told(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	var already *Error
	if errors.As(err, &already) {
		return err
	}
	if it, ok := status.FromError(err); ok {
		return ofStatus(it)
	}
	return ofStatus(status.FromContextError(err))
}

// ofProto is the error that is the answer to one question of several.
func ofProto(it *rpcstatus.Status) *Error { return ofStatus(status.FromProto(it)) }

func ofStatus(it *status.Status) *Error {
	e := &Error{Code: it.Code(), Message: it.Message(), status: it}
	for _, detail := range it.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.Domain == domain {
				e.ReasonName = detail.Reason
				e.Reason = pb.ErrorReason(pb.ErrorReason_value["ERROR_REASON_"+detail.Reason])
				e.Metadata = detail.Metadata
			}
		case *errdetails.BadRequest:
			for _, violation := range detail.FieldViolations {
				e.Fields = append(e.Fields, Field{Path: violation.Field, Description: violation.Description})
			}
		case *errdetails.RetryInfo:
			if detail.RetryDelay != nil {
				delay := detail.RetryDelay.AsDuration()
				e.RetryDelay = &delay
			}
		}
	}
	return e
}
