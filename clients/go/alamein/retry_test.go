package alamein

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// TestTwice holds what may be called twice to the API: what is new in it must be thought about.
func TestTwice(t *testing.T) {
	want := map[again]string{
		always: `LineOfSight LineOfFire FireLane Movement SetUp PricePath Reachable PackedFieldOfView BatchAdjudicate ExportCase
			GetGame ListGames ListEntries CreateMap GetMap ListMaps ValidateMap ComposeMap RenderMap
			CreatePosition ApplyChanges GetPosition DiffPositions
			GetRuleset ListRulesets DiffRulesets ListConflicts ListPlugins`,
		withRequestID: `CreateGame AdvanceGame UndoGame ForkGame ChangeGameRuleset`,
		never:         `DeleteGame CreateRuleset TagRuleset LoadPlugin ReplacePlugin RetirePlugin`,
	}
	expected := map[string]again{}
	for it, names := range want {
		for _, name := range strings.Fields(names) {
			expected[name] = it
		}
	}
	for _, file := range []protoreflect.FileDescriptor{
		pb.File_alamein_v1_adjudication_service_proto, pb.File_alamein_v1_game_service_proto,
		pb.File_alamein_v1_map_service_proto, pb.File_alamein_v1_position_service_proto,
		pb.File_alamein_v1_ruleset_service_proto, pb.File_alamein_v1_plugin_admin_service_proto,
	} {
		service := file.Services().Get(0)
		for at := range service.Methods().Len() {
			method := service.Methods().Get(at)
			if method.IsStreamingServer() {
				continue
			}
			name := "/" + string(service.FullName()) + "/" + string(method.Name())
			it, known := expected[string(method.Name())]
			if !known || twice(name) != it {
				t.Errorf("%s: %d here, %d expected", name, twice(name), it)
			}
			hasID := method.Input().Fields().ByName("request_id") != nil
			if hasID != (twice(name) == withRequestID) {
				t.Errorf("%s: a request_id is there: %v", name, hasID)
			}
			delete(expected, string(method.Name()))
		}
	}
	if len(expected) > 0 {
		t.Errorf("the API has these no more: %v", expected)
	}
	without, with := &pb.AdvanceGameRequest{}, &pb.AdvanceGameRequest{RequestId: "one"}
	method := pb.GameService_AdvanceGame_FullMethodName
	if mayRepeat(method, without) || !mayRepeat(method, with) {
		t.Error("AdvanceGame may be repeated with a request_id alone")
	}
}

func TestWaits(t *testing.T) {
	for tries := 1; tries < 40; tries++ {
		most := DefaultRetry.Longest
		if tries < 6 {
			most = min(most, DefaultRetry.First<<(tries-1))
		}
		if wait := DefaultRetry.wait(tries, nil); wait < most/2 || wait > most {
			t.Errorf("%v after %d tries", wait, tries)
		}
	}
	asked := time.Minute
	if wait := DefaultRetry.wait(1, &asked); wait < asked || wait > asked+DefaultRetry.First {
		t.Errorf("%v, and a minute was asked for", wait)
	}
}

func TestBudget(t *testing.T) {
	budget := newBudget(DefaultRetry)
	taken := func() (count int) {
		for budget.take() {
			count++
		}
		return count
	}
	if count := taken(); count != 10 {
		t.Errorf("%d in reserve", count)
	}
	for range 20 {
		budget.add()
	}
	if count := taken(); count != 4 {
		t.Errorf("20 calls earned %d retries", count)
	}
	for range 1000 {
		budget.add()
	}
	if count := taken(); count != 10 {
		t.Errorf("the reserve grew to %d", count)
	}
	many := DefaultRetry
	many.Tries = 30
	budget = newBudget(many)
	if count := taken(); count != 30 {
		t.Errorf("one call alone has %d retries of 30", count)
	}
}

func TestTransient(t *testing.T) {
	delay := time.Second
	for _, it := range []struct {
		err  Error
		want bool
	}{
		{Error{Code: codes.Unavailable}, true},
		{Error{Code: codes.ResourceExhausted, RetryDelay: &delay}, true},
		{Error{Code: codes.ResourceExhausted}, false},
		{Error{Code: codes.Internal}, true},
		{Error{Code: codes.Unknown}, true},
		{Error{Code: codes.Internal, ReasonName: "INTERNAL"}, false},
		{Error{Code: codes.Aborted}, false},
	} {
		if it.err.IsTransient() != it.want {
			t.Errorf("%+v", it.err)
		}
	}
}
