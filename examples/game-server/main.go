// Command game-server is a small game server for two players that has Alamein judge their shots and
// moves. See its README.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alamein/alamein/clients/go/alamein"
)

// outlast is for an Alamein that is started again: a minute and more of tries.
var outlast = alamein.Retry{Tries: 60, First: 50 * time.Millisecond, Longest: 2 * time.Second, PerHundred: 100}

// patience is how long a player waits for an answer while Alamein is away.
const patience = 60 * time.Second

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "where players connect; port 0 takes a free one")
	address := flag.String("alamein", "localhost:50051", "where Alamein is; its token, if it wants one, is in ALAMEIN_TOKEN")
	secret := flag.String("secret", "", "a file with what players' tokens are made of; without one they end with this server")
	file := flag.String("scenario", "", "a scenario, in the form of scenario.json; without one it is that one")
	flag.Parse()
	if err := run(*listen, *address, *secret, *file); err != nil {
		log.Fatal(err)
	}
}

func run(listen, address, secretFile, scenarioFile string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := newServer(address, secretFile, scenarioFile)
	if err != nil {
		return err
	}
	defer s.alamein.Close()
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	log.Printf("listening at http://%s", listener.Addr())
	// Streams end with it.
	serving := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	go func() {
		<-ctx.Done()
		bounded, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = serving.Shutdown(bounded)
	}()
	if err := serving.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func newServer(address, secretFile, scenarioFile string) (*server, error) {
	text, secret := worked, []byte(rand.Text())
	var err error
	if scenarioFile != "" {
		if text, err = os.ReadFile(scenarioFile); err != nil {
			return nil, err
		}
	}
	if secretFile != "" {
		if secret, err = os.ReadFile(secretFile); err != nil {
			return nil, err
		}
	}
	scenario, err := readScenario(text)
	if err != nil {
		return nil, err
	}
	options := []alamein.Option{alamein.WithRetry(outlast), alamein.WithTimeout(patience)}
	if token := os.Getenv("ALAMEIN_TOKEN"); token != "" {
		options = append(options, alamein.WithToken(token))
	}
	client, err := alamein.New(address, options...)
	if err != nil {
		return nil, err
	}
	return &server{alamein: client, scenario: scenario, secret: secret}, nil
}
