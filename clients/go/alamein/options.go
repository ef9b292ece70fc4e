package alamein

import (
	"crypto/tls"
	"crypto/x509"
	"strings"
	"time"
)

// settings is what options set.
type settings struct {
	token   string
	tls     *tls.Config
	timeout time.Duration
	retry   Retry
	longest int
}

// Option is a setting of a client. See the functions that begin with `With`.
type Option func(*settings) error

// SettingError says that what a client was to be made of makes no sense.
type SettingError struct {
	// What is the setting.
	What string
	// Why says what is wrong with it, and what to do.
	Why string
}

func (e *SettingError) Error() string { return "alamein: " + e.What + ": " + e.Why }

// Retry says how often and after which waits a call is tried again. It is tried again where the
// service cannot be reached, or is at its limits and says when to come back; never where a second
// call might do a thing twice, and never beyond its deadline.
type Retry struct {
	// Tries is how often a call is tried at most. 1 is never again.
	Tries int
	// First is the wait before the second try, about. Each wait after is twice as long.
	First time.Duration
	// Longest is the longest wait, unless the service asks for a longer one.
	Longest time.Duration
	// PerHundred is how many calls of a hundred are tried again, all calls of a client together, so
	// that a service in trouble is not asked several times as much. Ten are always in reserve.
	PerHundred int
}

// DefaultRetry is what a client does unless told otherwise.
var DefaultRetry = Retry{Tries: 4, First: 100 * time.Millisecond, Longest: 2 * time.Second, PerHundred: 20}

// WithToken has every request bear a token. Without TLS it is taken for services on this machine
// alone.
func WithToken(token string) Option {
	return func(s *settings) error {
		s.token = strings.TrimSpace(token)
		for _, sign := range s.token {
			if sign <= ' ' || sign > '~' {
				return &SettingError{What: "token", Why: "it has signs that fit into no header"}
			}
		}
		return nil
	}
}

// WithTLS has the client speak TLS as the configuration says.
func WithTLS(config *tls.Config) Option {
	return func(s *settings) error {
		s.tls = config.Clone()
		return nil
	}
}

// WithTrusted has the client speak TLS with a service for which one of these certificates vouches, in
// PEM, and not one of those that this machine trusts.
func WithTrusted(pem []byte) Option {
	return func(s *settings) error {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(pem) {
			return &SettingError{What: "trusted", Why: "there is no certificate in PEM in it"}
		}
		s.secure().RootCAs = pool
		return nil
	}
}

// WithIdentity gives the client a certificate of its own and its private key, both in PEM, where the
// service asks for one.
func WithIdentity(certificate, key []byte) Option {
	return func(s *settings) error {
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return &SettingError{What: "identity", Why: err.Error()}
		}
		s.secure().Certificates = []tls.Certificate{pair}
		return nil
	}
}

// WithTimeout sets how long a call may take whose context has no deadline, all tries and the waits
// between them together. It is 20 seconds unless set. Streams have none.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) error {
		if timeout <= 0 {
			return &SettingError{What: "timeout", Why: "it must be longer than nothing"}
		}
		s.timeout = timeout
		return nil
	}
}

// WithRetry sets how calls are tried again.
func WithRetry(retry Retry) Option {
	return func(s *settings) error {
		if retry.Tries < 1 || retry.First <= 0 || retry.Longest < retry.First || retry.PerHundred < 0 {
			return &SettingError{What: "retry", Why: "it needs a try, a first wait, and a longest that is no shorter"}
		}
		s.retry = retry
		return nil
	}
}

// WithLongestAnswer sets how many bytes of an answer are read at most. It is 64 MiB unless set.
func WithLongestAnswer(bytes int) Option {
	return func(s *settings) error {
		if bytes < 1 {
			return &SettingError{What: "longest answer", Why: "it must be longer than nothing"}
		}
		s.longest = bytes
		return nil
	}
}

func (s *settings) secure() *tls.Config {
	if s.tls == nil {
		s.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return s.tls
}
