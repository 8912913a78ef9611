package notify

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

const mailPassword = "s3cr3t-mail"

// postOffice is a real SMTP server that keeps what it is given.
type postOffice struct {
	mu       sync.Mutex
	letters  []letter
	refuse   map[string]*smtp.SMTPError // by recipient
	dataErr  *smtp.SMTPError
	needAuth bool
	login    bool          // passwords are asked for by LOGIN, not PLAIN
	hang     chan struct{} // if set, DATA is not answered until it is closed

	host string
	port int
	pool *x509.CertPool
}

type letter struct {
	from string
	to   []string
	tls  bool
	user string
	raw  []byte
}

// open starts the server in one of the ways to encrypt.
func (p *postOffice) open(t *testing.T, mode string) {
	t.Helper()
	cert, pool := certificate(t)
	p.pool = pool
	srv := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &session{office: p, conn: c}, nil }))
	srv.Domain = "mail.test"
	srv.ErrorLog = log.New(io.Discard, "", 0)
	srv.AllowInsecureAuth = mode == TLSNone
	config := &tls.Config{Certificates: []tls.Certificate{cert}}
	if mode == TLSRequired || mode == TLSOpportunistic {
		srv.TLSConfig = config
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.host, p.port = "mail.test", l.Addr().(*net.TCPAddr).Port
	if mode == TLSImplicit {
		l = tls.NewListener(l, config)
	}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { srv.Close() })
}

// options are those of a server that sends its mail here.
func (p *postOffice) options(mode, user string) Options {
	return Options{
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, net.JoinHostPort("127.0.0.1", big.NewInt(int64(p.port)).String()))
		},
		Mail: Mail{
			Host: p.host, Port: p.port, User: user, Password: mailPassword, From: "Tidemark <tidemark@example.org>", TLS: mode, Hello: "tidemark.test",
			Config: &tls.Config{RootCAs: p.pool},
		},
		BaseURL: "https://tidemark.example.org", Now: clock,
	}
}

type session struct {
	office *postOffice
	conn   *smtp.Conn
	letter letter
}

func (s *session) AuthMechanisms() []string {
	if s.office.login {
		return []string{sasl.Login}
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(mech string) (sasl.Server, error) {
	check := func(_, user, password string) error {
		if password != mailPassword {
			return smtp.ErrAuthFailed
		}
		s.letter.user = user
		return nil
	}
	if mech == sasl.Login {
		return &loginServer{check: func(user, password string) error { return check("", user, password) }}, nil
	}
	return sasl.NewPlainServer(check), nil
}

// loginServer is the server's side of LOGIN: two questions.
type loginServer struct {
	check func(user, password string) error
	asked int
	user  string
}

func (l *loginServer) Next(answer []byte) (challenge []byte, done bool, err error) {
	l.asked++
	switch l.asked {
	case 1:
		return []byte("Username:"), false, nil
	case 2:
		l.user = string(answer)
		return []byte("Password:"), false, nil
	}
	return nil, true, l.check(l.user, string(answer))
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.office.needAuth && s.letter.user == "" {
		return smtp.ErrAuthRequired
	}
	s.letter.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err, ok := s.office.refuse[to]; ok {
		return err
	}
	s.letter.to = append(s.letter.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.office.hang != nil {
		<-s.office.hang
	}
	if s.office.dataErr != nil {
		return s.office.dataErr
	}
	_, s.letter.tls = s.conn.TLSConnectionState()
	s.letter.raw = raw
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	s.office.letters = append(s.office.letters, s.letter)
	return nil
}

func (s *session) Reset()        { s.letter = letter{user: s.letter.user} }
func (s *session) Logout() error { return nil }

// certificate makes one for mail.test and the pool that trusts it.
func certificate(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"mail.test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key}, pool
}
