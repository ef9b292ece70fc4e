package alamein

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip" // answers may come in gzip
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// Version is the version of this client, which is that of the service and of the API's definition.
const Version = "0.1.0"

// Client is a connection to a service.
//
// Its fields are the generated stubs. Calls by them have this client's deadline, retries and errors
// too.
type Client struct {
	// Adjudication judges questions.
	Adjudication pb.AdjudicationServiceClient
	// Games keeps games.
	Games pb.GameServiceClient
	// Maps keeps, composes and draws maps.
	Maps pb.MapServiceClient
	// Positions keeps positions.
	Positions pb.PositionServiceClient
	// Rulesets tells of the rules and makes rulesets.
	Rulesets pb.RulesetServiceClient
	// PluginAdmin loads and replaces plugins. It answers at the listener for administration alone.
	PluginAdmin pb.PluginAdminServiceClient

	settings settings
	budget   *budget
	conn     *grpc.ClientConn
}

// New makes a client of the service at an address: `localhost:50051`, `https://rules.example.org`,
// or `unix:/run/alamein.sock`. It speaks TLS where the address begins with `https:` or [WithTLS] or
// [WithTrusted] is given.
//
// It connects when it is first used, and again whenever the connection is lost. It fails with a
// [*SettingError] where what is given makes no sense.
func New(address string, options ...Option) (*Client, error) {
	s := settings{timeout: 20 * time.Second, retry: DefaultRetry, longest: 64 << 20}
	for _, option := range options {
		if err := option(&s); err != nil {
			return nil, err
		}
	}
	target, host, err := s.target(address)
	if err != nil {
		return nil, err
	}
	if s.token != "" && s.tls == nil && !isHere(host) {
		why := address + ": everybody on the way could read it and use it; write https://"
		return nil, &SettingError{What: "token", Why: why}
	}
	client := &Client{settings: s, budget: newBudget(s.retry)}
	client.conn, err = grpc.NewClient(target, client.dialOptions()...)
	if err != nil {
		return nil, &SettingError{What: "address", Why: err.Error()}
	}
	client.Adjudication = pb.NewAdjudicationServiceClient(client.conn)
	client.Games = pb.NewGameServiceClient(client.conn)
	client.Maps = pb.NewMapServiceClient(client.conn)
	client.Positions = pb.NewPositionServiceClient(client.conn)
	client.Rulesets = pb.NewRulesetServiceClient(client.conn)
	client.PluginAdmin = pb.NewPluginAdminServiceClient(client.conn)
	return client, nil
}

// Close ends the connection and what is open on it.
func (c *Client) Close() error { return c.conn.Close() }

// Conn is the connection, for stubs of other services such as health. Calls on it have this client's
// deadline, retries and errors.
func (c *Client) Conn() grpc.ClientConnInterface { return c.conn }

// IsServing asks the service whether it is ready to judge.
func (c *Client) IsServing(ctx context.Context) (bool, error) {
	health := grpc_health_v1.NewHealthClient(c.conn)
	answer, err := health.Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		return false, err
	}
	return answer.Status == grpc_health_v1.HealthCheckResponse_SERVING, nil
}

func (c *Client) dialOptions() []grpc.DialOption {
	s := &c.settings
	transport := insecure.NewCredentials()
	if s.tls != nil {
		transport = credentials.NewTLS(s.tls)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithUserAgent("alamein-go/" + Version),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(s.longest)),
		grpc.WithChainUnaryInterceptor(c.unary),
		grpc.WithChainStreamInterceptor(c.stream),
		// A service that is started again should not be waited for long after it is there.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: s.retry.First, Multiplier: 2, Jitter: 0.2, MaxDelay: s.retry.Longest},
			MinConnectTimeout: 5 * time.Second,
		}),
		// A service that is gone without a word is noticed, also by who only watches.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
	}
	if s.token != "" {
		options = append(options, grpc.WithPerRPCCredentials(bearer(s.token)))
	}
	return options
}

// target is the address as grpc has it, and the host in it. Empty for a socket of this machine.
func (s *settings) target(address string) (target, host string, err error) {
	if strings.HasPrefix(address, "unix:") {
		return address, "", nil
	}
	if !strings.Contains(address, "://") {
		address = "any://" + address
	}
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || strings.Trim(at.Path, "/") != "" {
		return "", "", &SettingError{What: "address", Why: address + " is none; write localhost:50051"}
	}
	port := at.Port()
	switch {
	case at.Scheme == "https":
		if s.tls == nil {
			s.tls = &tls.Config{MinVersion: tls.VersionTLS12}
		}
		if port == "" {
			port = "443"
		}
	case at.Scheme == "http" && s.tls != nil:
		return "", "", &SettingError{What: "address", Why: address + " is without TLS, and TLS is set"}
	case at.Scheme != "http" && at.Scheme != "any":
		return "", "", &SettingError{What: "address", Why: at.Scheme + ": is neither http: nor https:"}
	case port == "":
		port = "50051"
	}
	return "dns:///" + net.JoinHostPort(at.Hostname(), port), at.Hostname(), nil
}

// isHere says whether a host is this machine.
func isHere(host string) bool {
	if host == "" || host == "localhost" {
		return true
	}
	address := net.ParseIP(host)
	return address != nil && address.IsLoopback()
}

// bearer puts a token into every request.
type bearer string

// GetRequestMetadata is the header with the token.
func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(b)}, nil
}

// RequireTransportSecurity leaves it to [New], which lets a token out in plain text on this machine
// alone.
func (b bearer) RequireTransportSecurity() bool { return false }
