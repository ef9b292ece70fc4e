package alamein_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"github.com/alamein/alamein/clients/go/alamein"
	"github.com/alamein/alamein/clients/go/alameintest"
	pb "github.com/alamein/alamein/clients/go/gen/alamein/v1"
)

// authority vouches for certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	it := &authority{certificate: &x509.Certificate{IsCA: true, KeyUsage: x509.KeyUsageCertSign}}
	it.pem, _ = it.sign(t, it.certificate)
	block, _ := pem.Decode(it.pem)
	var err error
	if it.certificate, err = x509.ParseCertificate(block.Bytes); err != nil {
		t.Fatal(err)
	}
	return it
}

// pair makes a certificate for this machine, and its key, both in PEM.
func (a *authority) pair(t *testing.T) (certificate, key []byte) {
	t.Helper()
	return a.sign(t, &x509.Certificate{
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	})
}

func (a *authority) sign(t *testing.T, it *x509.Certificate) (certificate, keyPEM []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	it.SerialNumber, it.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: "tests"}
	it.NotBefore, it.NotAfter = time.Now().Add(-time.Hour), time.Now().AddDate(1, 0, 0)
	it.BasicConstraintsValid = true
	if a.key == nil {
		a.key = key // its own
	}
	der, err := x509.CreateCertificate(rand.Reader, it, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
}

// write writes a file that its owner alone may read, and gives its path.
func write(t *testing.T, folder, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// token makes a token and adds it to a file.
func token(t *testing.T, file string, arguments ...string) string {
	t.Helper()
	arguments = append([]string{"token", "new", "--file", file, "--tenant", "club"}, arguments...)
	out, err := exec.Command(alameintest.Binary(t), arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestTLSAndTokens(t *testing.T) {
	ctx := context.Background()
	alameintest.Binary(t)
	folder := t.TempDir()
	theirs, ours := newAuthority(t), newAuthority(t)
	certificate, key := theirs.pair(t)
	mine, myKey := ours.pair(t)
	tokens := filepath.Join(folder, "tokens.toml")
	reads := token(t, tokens, "--scope", "adjudicate")
	service := alameintest.Start(t, "--tokens", tokens,
		"--tls-cert", write(t, folder, "cert.pem", certificate), "--tls-key", write(t, folder, "key.pem", key),
		"--tls-client-ca", write(t, folder, "ca.pem", ours.pem), "--tls-client-required")
	address := "https://" + service.Address
	trusted, identity := alamein.WithTrusted(theirs.pem), alamein.WithIdentity(mine, myKey)

	client := service.ClientAt(t, address, trusted, identity, alamein.WithToken(reads+"\n"))
	if _, err := client.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{}); err != nil {
		t.Error(err)
	}
	_, err := client.CreatePosition(ctx, deir())
	var it *alamein.Error
	if !errors.As(err, &it) || it.Reason != pb.ErrorReason_ERROR_REASON_SCOPE_MISSING ||
		it.Metadata["scope"] != "positions:write" || it.Code != codes.PermissionDenied {
		t.Errorf("%v", err)
	}

	stranger := service.ClientAt(t, address, trusted, identity, alamein.WithToken(strings.Repeat("x", 43)))
	_, err = stranger.Adjudicate(ctx, alamein.On(deir()), shot(""), alamein.Ask{})
	if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_TOKEN_INVALID) {
		t.Error(err)
	}

	// Whom one does not trust gets no token, and who has no certificate gets nowhere.
	for name, options := range map[string][]alamein.Option{
		"untrusted":        {identity, alamein.WithToken(reads)},
		"without identity": {trusted, alamein.WithToken(reads)},
		"by one's own TLS": {alamein.WithTLS(&tls.Config{ServerName: "elsewhere"}), identity},
		"trusting another": {alamein.WithTrusted(ours.pem), identity},
	} {
		client, err := alamein.New(address, append(options, alamein.WithTimeout(2*time.Second))...)
		if err != nil {
			t.Fatal(err)
		}
		if serving, err := client.IsServing(ctx); serving || err == nil {
			t.Errorf("%s: it is served", name)
		}
		_ = client.Close()
	}
}

// TestQuota has a token make more requests than it may: the service says when to come back, and the
// client does.
func TestQuota(t *testing.T) {
	alameintest.Binary(t)
	tokens := filepath.Join(t.TempDir(), "tokens.toml")
	few := token(t, tokens, "--scope", "adjudicate", "--requests-per-second", "4", "--burst", "1")
	service := alameintest.Start(t, "--tokens", tokens)
	nobody := service.Client(t)
	_, err := nobody.Adjudicate(context.Background(), alamein.On(deir()), shot(""), alamein.Ask{})
	if !alamein.HasReason(err, pb.ErrorReason_ERROR_REASON_CREDENTIALS_MISSING) {
		t.Error(err)
	}
	impatient := service.Client(t, alamein.WithToken(few), alamein.WithRetry(alamein.Retry{
		Tries: 1, First: time.Millisecond, Longest: time.Millisecond,
	}))
	patient := service.Client(t, alamein.WithToken(few))
	list := func(client *alamein.Client) error {
		_, err := client.Rulesets.ListRulesets(context.Background(), &pb.ListRulesetsRequest{})
		return err
	}
	var it *alamein.Error
	for range 20 {
		if errors.As(list(impatient), &it) {
			break
		}
	}
	if it == nil || it.Reason != pb.ErrorReason_ERROR_REASON_QUOTA_EXCEEDED || it.RetryDelay == nil || *it.RetryDelay <= 0 {
		t.Fatalf("%v", it)
	}
	for range 4 {
		if err := list(patient); err != nil {
			t.Error(err)
		}
	}
}

func TestSettings(t *testing.T) {
	authority := newAuthority(t)
	certificate, key := authority.pair(t)
	_, other := authority.pair(t)
	trusted := alamein.WithTrusted(certificate)
	for _, it := range []struct {
		what, address string
		option        alamein.Option
	}{
		{"token", "http://rules.example.org:1", alamein.WithToken("secret")},
		{"token", "10.0.0.1:1", alamein.WithToken("secret")},
		{"token", "localhost.example.org", alamein.WithToken("secret")},
		{"token", "localhost", alamein.WithToken("two words")},
		{"address", "ftp://localhost", trusted},
		{"address", "http://localhost", trusted},
		{"address", "localhost:50051/path", trusted},
		{"address", "", trusted},
		{"trusted", "localhost", alamein.WithTrusted(key)},
		{"identity", "localhost", alamein.WithIdentity(certificate, other)},
		{"timeout", "localhost", alamein.WithTimeout(0)},
		{"retry", "localhost", alamein.WithRetry(alamein.Retry{})},
		{"longest answer", "localhost", alamein.WithLongestAnswer(0)},
	} {
		_, err := alamein.New(it.address, it.option)
		var wrong *alamein.SettingError
		if !errors.As(err, &wrong) || wrong.What != it.what {
			t.Errorf("%s, %s: %v", it.address, it.what, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the token is told: %v", err)
		}
	}
	for _, address := range []string{"localhost", "http://127.0.0.1:1", "[::1]:1", "unix:/run/x.sock", "https://rules.example.org"} {
		client, err := alamein.New(address, alamein.WithToken("secret"))
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		_ = client.Close()
	}
}
