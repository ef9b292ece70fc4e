package alamein_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alamein/alamein/clients/go/alameintest"
)

// TestReadme does what the README says, from an empty folder beside a clone of the repository, and
// compares what is printed.
func TestReadme(t *testing.T) {
	service := alameintest.Start(t)
	service.Client(t)
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	beside := t.TempDir()
	clone, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(clone, filepath.Join(beside, "alamein")); err != nil {
		t.Fatal(err)
	}
	shell := blocks(t, readme, "sh")
	run(t, beside, shell[0])
	table := filepath.Join(beside, "table")
	program := blocks(t, readme, "go")[0]
	if !strings.Contains(program, "localhost:50051") {
		t.Fatal("the program asks at another place than the README says")
	}
	program = strings.Replace(program, "localhost:50051", service.Address, 1)
	if err := os.WriteFile(filepath.Join(table, "main.go"), []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, table, "test -z \"$(gofmt -l .)\"")
	if said, want := run(t, table, shell[1]), blocks(t, readme, "text")[0]; said != want {
		t.Errorf("it prints\n%s\nand the README says\n%s", said, want)
	}
}

// blocks are the parts of a page that are set in a language.
func blocks(t *testing.T, page []byte, language string) []string {
	t.Helper()
	found := regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(found) == 0 {
		t.Fatalf("there is nothing in %s", language)
	}
	var all []string
	for _, block := range found {
		all = append(all, string(block[1]))
	}
	return all
}

// run runs a script in a folder, and gives what it prints.
func run(t *testing.T, folder, script string) string {
	t.Helper()
	var complaints strings.Builder
	command := exec.Command("bash", "-euo", "pipefail", "-c", script)
	command.Dir, command.Stderr = folder, &complaints
	said, err := command.Output()
	if err != nil {
		t.Fatalf("%s\n%v\n%s%s", script, err, said, complaints.String())
	}
	return string(said)
}
