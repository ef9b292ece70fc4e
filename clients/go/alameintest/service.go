// Package alameintest starts services for tests: the real one, on a free port of this machine.
package alameintest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/alamein/alamein/clients/go/alamein"
)

// patience is how long a service may take to start, or to stop.
const patience = 2 * time.Minute

// Service is a running service.
type Service struct {
	// Address is where it listens, such as `127.0.0.1:41234`.
	Address string

	command *exec.Cmd
	log     lines
	ended   chan struct{}
}

// Binary is the `alamein` command that ALAMEIN_BIN names. Without it the test is skipped, or fails
// where CI is set.
func Binary(t testing.TB) string {
	t.Helper()
	binary := os.Getenv("ALAMEIN_BIN")
	if binary != "" {
		return binary
	}
	missing := "ALAMEIN_BIN must name the `alamein` command (and ALAMEIN_PLUGINS the folder of plugins)"
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip("SKIPPED, NOTHING IS TESTED: " + missing)
	return ""
}

// Start starts a service with these arguments of `alamein serve`, and stops it when the test ends. It
// listens on a free port and keeps things in memory, unless the arguments say otherwise.
func Start(t testing.TB, arguments ...string) *Service {
	t.Helper()
	command := exec.Command(Binary(t), append([]string{"serve"}, arguments...)...)
	command.Dir = t.TempDir()
	command.Env = environment()
	add := func(flag, value string) {
		given := func(argument string) bool { return argument == flag || strings.HasPrefix(argument, flag+"=") }
		for _, argument := range arguments {
			if given(argument) {
				return
			}
		}
		command.Args = append(command.Args, flag, value)
	}
	add("--listen", "127.0.0.1:0")
	add("--store", "memory")
	add("--lame-duck", "0s")
	if plugins := os.Getenv("ALAMEIN_PLUGINS"); plugins != "" {
		add("--plugins", plugins)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stderr = command.Stdout
	if err := command.Start(); err != nil {
		t.Fatalf("%s does not start: %v", command.Path, err)
	}
	service := &Service{command: command, ended: make(chan struct{})}
	listening := make(chan string, 1)
	go service.read(out, listening)
	t.Cleanup(service.Kill)
	select {
	case service.Address = <-listening:
	case <-service.ended:
		t.Fatalf("the service ended as it started:\n%s", service.Log())
	case <-time.After(patience):
		t.Fatalf("the service does not listen:\n%s", service.Log())
	}
	return service
}

// Kill ends it at once, as a crash would, and waits until it is gone.
func (s *Service) Kill() {
	_ = s.command.Process.Kill()
	<-s.ended
}

// Wait waits until it has ended.
func (s *Service) Wait(t testing.TB) {
	t.Helper()
	select {
	case <-s.ended:
	case <-time.After(patience):
		t.Fatalf("the service does not end:\n%s", s.Log())
	}
}

// Signal sends it a signal.
func (s *Service) Signal(t testing.TB, signal os.Signal) {
	t.Helper()
	if err := s.command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// Log is what it has written so far.
func (s *Service) Log() string { return s.log.String() }

// Client is a client of it, when it is ready to judge. It is closed when the test ends.
func (s *Service) Client(t testing.TB, options ...alamein.Option) *alamein.Client {
	t.Helper()
	return s.ClientAt(t, s.Address, options...)
}

// ClientAt is [Service.Client] by another address of it, such as one that begins with `https:`.
func (s *Service) ClientAt(t testing.TB, address string, options ...alamein.Option) *alamein.Client {
	t.Helper()
	client, err := alamein.New(address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		serving, err := client.IsServing(ctx)
		if serving {
			return client
		}
		var told *alamein.Error
		if errors.As(err, &told) && !told.IsTransient() && told.Code != codes.DeadlineExceeded {
			t.Fatalf("the service does not answer: %v\n%s", err, s.Log())
		}
		if ctx.Err() != nil {
			t.Fatalf("the service is not ready: %v\n%s", err, s.Log())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// read reads the log until the service ends.
func (s *Service) read(out io.Reader, listening chan<- string) {
	address := regexp.MustCompile(`listening address=(\S+)`)
	scanner := bufio.NewScanner(out)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		s.log.add(scanner.Text())
		if found := address.FindStringSubmatch(scanner.Text()); found != nil {
			select {
			case listening <- found[1]:
			default:
			}
		}
	}
	_ = s.command.Wait()
	close(s.ended)
}

// environment is this process's, without what configures a service.
func environment() []string {
	var kept []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ALAMEIN_") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// lines is a text that one goroutine writes and others read.
type lines struct {
	lock sync.Mutex
	text strings.Builder
}

func (l *lines) add(line string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	fmt.Fprintln(&l.text, line)
}

func (l *lines) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String()
}
