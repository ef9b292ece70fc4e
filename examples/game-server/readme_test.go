package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/alamein/alamein/clients/go/alameintest"
)

// TestReadme starts the program and does what the README says, and compares what is answered.
func TestReadme(t *testing.T) {
	service := alameintest.Start(t)
	service.Client(t)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	address, program := start(t, folder, service.Address)
	readme := strings.ReplaceAll(string(text), "127.0.0.1:8080", address)

	scripts, answers := blocks(readme, "sh"), blocks(readme, "json")
	if len(scripts) != 3 || len(answers) != 2 {
		t.Fatalf("%d scripts and %d answers", len(scripts), len(answers))
	}
	done := ""
	for at, script := range scripts {
		done += script
		if at == 0 {
			continue
		}
		command := exec.Command("bash", "-euo", "pipefail", "-c", done)
		command.Dir = folder
		said, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v", script, err)
		}
		// Of a game that was begun anew with each script; only the last answer is looked at.
		lines := strings.Split(strings.TrimSpace(string(said)), "\n")
		if got, want := parsed(t, lines[len(lines)-1]), parsed(t, answers[at-1]); !reflect.DeepEqual(got, want) {
			t.Errorf("%s answers\n%v\nand the README says\n%v", script, got, want)
		}
	}

	// It ends in order when it is asked to.
	if err := program.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := program.Wait(); err != nil {
		t.Errorf("asked to stop, it ends with %v", err)
	}
}

// start builds the program and starts it, and tells where it listens.
func start(t *testing.T, folder, service string) (string, *exec.Cmd) {
	t.Helper()
	binary := filepath.Join(folder, "game-server")
	if said, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	program := exec.Command(binary, "--listen", "127.0.0.1:0", "--alamein", service)
	out, err := program.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := regexp.MustCompile(`listening at http://(\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			return found[1], program
		}
		t.Log(lines.Text())
	}
	t.Fatal("it does not listen")
	return "", nil
}

// blocks are the parts of a page that are set in a language.
func blocks(page, language string) []string {
	var all []string
	for _, block := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(page, -1) {
		all = append(all, block[1])
	}
	return all
}

// parsed is JSON without the ids of rulings, which are others with each version of the rules.
func parsed(t *testing.T, text string) any {
	t.Helper()
	var it map[string]any
	if err := json.Unmarshal([]byte(text), &it); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if ruling, ok := it["ruling"].(map[string]any); ok {
		delete(ruling, "ruling_id")
	}
	return it
}
