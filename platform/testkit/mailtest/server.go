package mailtest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
)

// Stages of a conversation at which a Server can misbehave.
const (
	AtHello     = "hello"     // EHLO
	AtSender    = "sender"    // MAIL FROM
	AtRecipient = "recipient" // RCPT TO
	AtContent   = "content"   // DATA, once the mail has been read
)

// Options are the properties of a Server. The zero value is without TLS and password.
type Options struct {
	StartTLS       bool // offers STARTTLS
	ImplicitTLS    bool // speaks TLS from the first byte
	User, Password string
	Mechanism      string // PLAIN or LOGIN; empty: PLAIN
}

// Received is a mail that a Server has accepted.
type Received struct {
	From, To  string // of the envelope
	Data      []byte
	Encrypted bool
	User      string // the signed-in user; empty: none
	Helo      string
}

// Server is an SMTP server on 127.0.0.1 that ends with the test.
type Server struct {
	inbox[Received]

	Addr    string         // host:port
	RootCAs *x509.CertPool // the trusted roots for its certificate
	options Options
	over    chan struct{}

	manners  sync.Mutex
	refusals map[string]*smtp.SMTPError
	slow     string
	dropping bool
	waiting  chan struct{}
	signIns  int
}

// NewServer starts one.
func NewServer(tb testing.TB, options Options) *Server {
	tb.Helper()
	certificate, roots := selfSigned(tb)
	s := &Server{
		RootCAs: roots, options: options, over: make(chan struct{}),
		refusals: map[string]*smtp.SMTPError{}, waiting: make(chan struct{}, 1),
	}
	var config net.ListenConfig
	listener, err := config.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	s.Addr = listener.Addr().String()
	server := smtp.NewServer(smtp.BackendFunc(s.open))
	server.Domain = "mail.example.com"
	server.AllowInsecureAuth = true
	server.ErrorLog = log.New(io.Discard, "", 0)
	secure := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	if options.StartTLS {
		server.TLSConfig = secure
	}
	if options.ImplicitTLS {
		listener = tls.NewListener(listener, secure)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // ends with an error when the listener closes
	}()
	tb.Cleanup(func() {
		close(s.over)
		_ = server.Close()
		_ = listener.Close() // the server does not know the listener before Serve has begun
		<-ended
	})
	return s
}

// URL is the MAIL_SMTP_URL of the server, with the password if it requires one.
func (s *Server) URL() string {
	u := url.URL{Scheme: "smtp", Host: s.Addr}
	switch {
	case s.options.ImplicitTLS:
		u.Scheme = "smtps"
	case !s.options.StartTLS:
		u.RawQuery = "tls=none"
	}
	if s.options.User != "" {
		u.User = url.UserPassword(s.options.User, s.options.Password)
	}
	return u.String()
}

// Config are settings that send to the server.
func (s *Server) Config() mail.Config {
	return mail.Config{SMTPURL: s.URL(), From: "GP Atlas <no-reply@atlas.example>", RootCAs: s.RootCAs}
}

// Refuse answers a stage with a reply such as 451 or 550 from now on; code 0 accepts again.
func (s *Server) Refuse(stage string, code int, message string) {
	s.manners.Lock()
	defer s.manners.Unlock()
	delete(s.refusals, stage)
	if code != 0 {
		s.refusals[stage] = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: message}
	}
}

// DropContent breaks the connection in the middle of each further mail.
func (s *Server) DropContent(drop bool) {
	s.manners.Lock()
	defer s.manners.Unlock()
	s.dropping = drop
}

// Hang leaves a stage without an answer until the test ends; "" answers again. The channel receives a value when a client waits.
func (s *Server) Hang(stage string) <-chan struct{} {
	s.manners.Lock()
	defer s.manners.Unlock()
	s.slow = stage
	return s.waiting
}

// manner is the server's behavior at a stage: nil to continue.
func (s *Server) manner(stage string) error {
	s.manners.Lock()
	slow, refusal := s.slow == stage, s.refusals[stage]
	s.manners.Unlock()
	if slow {
		select {
		case s.waiting <- struct{}{}:
		default:
		}
		<-s.over
	}
	if refusal != nil {
		return refusal
	}
	return nil
}

func (s *Server) drops() bool {
	s.manners.Lock()
	defer s.manners.Unlock()
	return s.dropping
}

// SignIns is how many passwords have been sent to the server.
func (s *Server) SignIns() int {
	s.manners.Lock()
	defer s.manners.Unlock()
	return s.signIns
}

// admit checks a password.
func (s *Server) admit(user, password string) error {
	s.manners.Lock()
	defer s.manners.Unlock()
	s.signIns++
	if user != s.options.User || password != s.options.Password {
		return smtp.ErrAuthFailed
	}
	return nil
}
