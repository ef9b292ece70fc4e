package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/alamein/alamein/clients/go/alamein"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// longestOrder is how many bytes of an order are read.
const longestOrder = 1 << 16

// server is a game server. It keeps nothing: games are Alamein's, and who a player is can be told from
// the token.
type server struct {
	alamein  *alamein.Client
	scenario *scenario
	secret   []byte
}

// handler is what it answers over HTTP.
func (s *server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /games", s.create)
	mux.HandleFunc("GET /games/{game}", s.player(s.show))
	mux.HandleFunc("POST /games/{game}/orders", s.player(s.order))
	mux.HandleFunc("GET /games/{game}/events", s.player(s.stream))
	return mux
}

// token is by what a player of a side of a game is known.
func (s *server) token(gameID, side string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(gameID + "\n" + side))
	return side + "-" + hex.EncodeToString(mac.Sum(nil))[:32]
}

// player lets a player of the game in, and nobody else.
func (s *server) player(next func(w http.ResponseWriter, r *http.Request, gameID, side string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		gameID := r.PathValue("game")
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		for _, side := range s.scenario.sides {
			if hmac.Equal([]byte(token), []byte(s.token(gameID, side))) {
				next(w, r, gameID, side)
				return
			}
		}
		answer(w, http.StatusUnauthorized, map[string]string{"error": "you are no player of this game"})
	}
}

// create begins a game and gives a token to each side.
func (s *server) create(w http.ResponseWriter, r *http.Request) {
	gameID := "table-" + strings.ToLower(rand.Text())
	_, err := s.alamein.CreateGame(r.Context(), &pb.CreateGameRequest{
		GameId: gameID, Owner: "game-server", Title: s.scenario.title,
		Start: &pb.CreateGameRequest_Position{Position: s.scenario.position},
	})
	if err != nil {
		fail(w, err)
		return
	}
	tokens := map[string]string{}
	for _, side := range s.scenario.sides {
		tokens[side] = s.token(gameID, side)
	}
	answer(w, http.StatusCreated, map[string]any{"game": gameID, "tokens": tokens})
}

// show gives a game as a side sees it.
func (s *server) show(w http.ResponseWriter, r *http.Request, gameID, side string) {
	now, err := s.now(r.Context(), gameID)
	if err != nil {
		fail(w, err)
		return
	}
	known, err := s.counters(r.Context(), now.game.Head.PositionId, side)
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, map[string]any{
		"title": now.game.Title, "number": now.game.Head.Number, "turn": now.side, "counters": listed(known),
	})
}

// order carries an order out, or says why not.
func (s *server) order(w http.ResponseWriter, r *http.Request, gameID, side string) {
	var it order
	reader := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestOrder))
	reader.DisallowUnknownFields()
	if err := reader.Decode(&it); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": "that is no order: " + err.Error()})
		return
	}
	done, err := s.carryOut(r.Context(), gameID, side, it)
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, done)
}

// fail tells a player what went wrong: a refusal with its rules, or an error of Alamein's.
func fail(w http.ResponseWriter, err error) {
	var no *refusal
	if errors.As(err, &no) {
		answer(w, http.StatusConflict, no)
		return
	}
	status := http.StatusBadGateway
	var it *alamein.Error
	if errors.As(err, &it) {
		switch it.Code {
		case codes.Unavailable, codes.ResourceExhausted, codes.DeadlineExceeded:
			status = http.StatusServiceUnavailable
			w.Header().Set("Retry-After", "1")
		case codes.InvalidArgument:
			status = http.StatusBadRequest
		case codes.NotFound:
			status = http.StatusNotFound
		}
	}
	log.Printf("%d: %v", status, err)
	answer(w, status, map[string]string{"error": err.Error()})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Printf("an answer was not taken: %v", err)
	}
}
