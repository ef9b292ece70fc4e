package alamein_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/alamein/alamein/clients/go/alamein"
	"github.com/alamein/alamein/clients/go/alameintest"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// repository is the root of the repository that this client is in.
const repository = "../../.."

// TestCases replays every case file of the repository by this client, and compares what becomes of
// each question with what `alamein check` says of it.
func TestCases(t *testing.T) {
	service := alameintest.Start(t)
	client := service.Client(t)
	ctx := context.Background()
	answer, err := client.Rulesets.GetRuleset(ctx, &pb.GetRulesetRequest{})
	if err != nil {
		t.Fatal(err)
	}
	known := knownOf(answer.Ruleset)
	files, err := filepath.Glob(repository + "/tests/cases/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no case files", err)
	}
	ours := map[[2]string]outcome{}
	for _, file := range files {
		for id, it := range replay(t, client, file, known) {
			ours[[2]string{file, id}] = it
		}
	}
	theirs := checked(t, service, files)
	counts := map[string]int{}
	for question, it := range theirs {
		counts[ours[question].outcome]++
		if ours[question] != it {
			t.Errorf("%s: here %v, by `alamein check` %v", question, ours[question], it)
		}
	}
	if len(ours) != len(theirs) {
		t.Errorf("%d questions here, %d by `alamein check`", len(ours), len(theirs))
	}
	t.Logf("cases: %d passed, %d failed, %d skipped", counts["passed"], counts["failed"], counts["skipped"])
	if counts["passed"] < 800 || counts["failed"] > 0 {
		t.Error("too few passed, or some failed")
	}
}

// replay asks the questions of a file, and tells what becomes of each.
func replay(t *testing.T, client *alamein.Client, path string, known known) map[string]outcome {
	t.Helper()
	file := readCase(t, path, known)
	outcomes := map[string]outcome{}
	var open []*caseQuestion
	var questions []*pb.Question
	for at := range file.questions {
		question := &file.questions[at]
		switch decided := question.decided(); {
		case decided != nil:
			outcomes[question.id] = *decided
		case len(file.options) > 0 && !reflect.DeepEqual(file.options, known.options):
			outcomes[question.id] = *skipped("the service judges by other options than the file wants")
		default:
			open, questions = append(open, question), append(questions, question.asked)
		}
	}
	ask := alamein.Ask{View: pb.View_VIEW_EXPLAIN}
	answers, err := client.AdjudicateAll(context.Background(), alamein.On(file.position), questions, ask)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for at, answer := range answers {
		if answer.Tag != open[at].id {
			t.Fatalf("%s: the answer to %s came in the place of %s", path, answer.Tag, open[at].id)
		}
		outcomes[open[at].id] = *open[at].judge(answer, known)
		notBlind(t, open[at], answer, known)
	}
	return outcomes
}

// notBlind has what the file expects be something else, and the comparison notice it.
func notBlind(t *testing.T, question *caseQuestion, answer alamein.Answer, known known) {
	t.Helper()
	for key, value := range question.expect {
		twisted := *question
		twisted.others = nil
		switch value := value.(type) {
		case bool:
			twisted.expect = object{key: !value}
		case float64:
			twisted.expect = object{key: value + 1}
		case string:
			twisted.expect = object{key: value + "?"}
		default:
			continue
		}
		if it := twisted.judge(answer, known); it.outcome == "passed" {
			t.Errorf("%s: %s is %v, and %v passes too", question.id, key, value, twisted.expect[key])
		}
	}
}

// checked is what `alamein check` makes of the files, by the same service.
func checked(t *testing.T, service *alameintest.Service, files []string) map[[2]string]outcome {
	t.Helper()
	arguments := append([]string{"check", "--json", "--server", "http://" + service.Address}, files...)
	said, err := exec.Command(alameintest.Binary(t), arguments...).Output()
	if err != nil {
		t.Fatalf("alamein check: %v", err)
	}
	var report struct {
		Questions []struct{ File, ID, Outcome, Why string }
	}
	if err := json.Unmarshal(said, &report); err != nil {
		t.Fatal(err)
	}
	outcomes := map[[2]string]outcome{}
	for _, it := range report.Questions {
		outcomes[[2]string{it.File, it.ID}] = outcome{it.Outcome, it.Why}
	}
	return outcomes
}
