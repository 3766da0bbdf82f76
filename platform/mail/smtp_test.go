package mail_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/mailtest"
)

func sender(tb testing.TB, cfg mail.Config) mail.Sender {
	tb.Helper()
	s, err := mail.New(cfg, now)
	require.NoError(tb, err)
	return s
}

// sendError is the error of a mail that was not sent, which tells neither the password nor the recipient.
func sendError(tb testing.TB, err error) *mail.SendError {
	tb.Helper()
	e, ok := errors.AsType[*mail.SendError](err)
	require.True(tb, ok, "%v", err)
	require.NotContains(tb, err.Error(), "s3cret")
	require.NotContains(tb, err.Error(), message().To.Email)
	return e
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]mailtest.Options{
		"plain":                   {},
		"STARTTLS":                {StartTLS: true},
		"implicit TLS":            {ImplicitTLS: true},
		"password":                {User: "gpatlas", Password: secret},
		"STARTTLS and password":   {StartTLS: true, User: "gpatlas", Password: secret},
		"STARTTLS and LOGIN":      {StartTLS: true, User: "gpatlas", Password: secret, Mechanism: "LOGIN"},
		"implicit TLS, password":  {ImplicitTLS: true, User: "gpatlas", Password: secret},
		"no TLS, LOGIN, loopback": {User: "gpatlas", Password: secret, Mechanism: "LOGIN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.NewServer(t, options)
			require.NoError(t, sender(t, server.Config()).Send(t.Context(), message()))
			got := server.Wait(t, 1)
			require.Len(t, got, 1)
			require.Equal(t, "no-reply@atlas.example", got[0].From)
			require.Equal(t, "ada@harborridge.example", got[0].To)
			require.Equal(t, "atlas.example", got[0].Helo)
			require.Equal(t, options.StartTLS || options.ImplicitTLS, got[0].Encrypted)
			require.Equal(t, options.User, got[0].User)
			parsed := mailtest.Parse(t, got[0].Data)
			require.Equal(t, message().Subject, parsed.Subject)
			require.Equal(t, message().Text, parsed.Text)
			require.Equal(t, message().HTML, parsed.HTML)
		})
	}
}

// Lines that begin with a dot mean something to the protocol.
func TestSMTPDots(t *testing.T) {
	t.Parallel()
	server := mailtest.NewServer(t, mailtest.Options{})
	m := message()
	m.Text = ".\n..\n.QUIT\r\n.\r\nMAIL FROM:<x@evil.example>\n"
	require.NoError(t, sender(t, server.Config()).Send(t.Context(), m))
	got := server.Messages()
	require.Len(t, got, 1)
	require.Equal(t, strings.ReplaceAll(m.Text, "\r\n", "\n"), mailtest.Parse(t, got[0].Data).Text)
}

// A 5xx reply to a mail is for good, a 4xx is not; both leave the sender in order for the next mail.
func TestSMTPRefusals(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{mailtest.AtSender, mailtest.AtRecipient, mailtest.AtContent} {
		for code, permanent := range map[int]bool{421: false, 450: false, 451: false, 550: true, 552: true, 554: true} {
			t.Run(fmt.Sprintf("%s %d", stage, code), func(t *testing.T) {
				t.Parallel()
				server := mailtest.NewServer(t, mailtest.Options{StartTLS: true})
				s := sender(t, server.Config())
				server.Refuse(stage, code, "<ada@harborridge.example>: not today")
				err := s.Send(t.Context(), message())
				e := sendError(t, err)
				require.Equal(t, stage, e.Stage)
				require.Equal(t, code, e.Code)
				require.Equal(t, permanent, mail.IsPermanent(err))
				require.Equal(t, permanent, mail.IsPermanent(fmt.Errorf("job: %w", err)))
				require.ErrorContains(t, err, "not today")
				require.Empty(t, server.Messages())
				server.Refuse(stage, 0, "")
				require.NoError(t, s.Send(t.Context(), message()))
				require.Len(t, server.Messages(), 1)
			})
		}
	}
}

// A wrong password keeps every mail from being sent, and is put right by an operator: no mail is given up for it.
func TestSMTPWrongPassword(t *testing.T) {
	t.Parallel()
	server := mailtest.NewServer(t, mailtest.Options{StartTLS: true, User: "gpatlas", Password: "another"})
	cfg := server.Config()
	cfg.SMTPURL = "smtp://gpatlas:s3cret%2Fpass@" + server.Addr
	err := sender(t, cfg).Send(t.Context(), message())
	e := sendError(t, err)
	require.Equal(t, "sign-in", e.Stage)
	require.Equal(t, 535, e.Code)
	require.False(t, mail.IsPermanent(err))

	cfg.SMTPURL = "smtp://" + server.Addr
	err = sender(t, cfg).Send(t.Context(), message())
	require.Equal(t, 530, sendError(t, err).Code, "no password where one is asked for")
	require.False(t, mail.IsPermanent(err))
}

// A server that will not talk to us at all says nothing about the mail: another server, or another day, may take it.
func TestSMTPRefusedBeforeTheMail(t *testing.T) {
	t.Parallel()
	server := mailtest.NewServer(t, mailtest.Options{StartTLS: true})
	server.Refuse(mailtest.AtHello, 554, "no service for this network")
	err := sender(t, server.Config()).Send(t.Context(), message())
	e := sendError(t, err)
	require.Equal(t, "connect", e.Stage)
	require.Equal(t, 554, e.Code)
	require.False(t, mail.IsPermanent(err))
}

// Nothing of a mail, and no password, is sent to a server that cannot be trusted.
func TestSMTPWithoutTrust(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]mailtest.Options{
		"unknown certificate":           {StartTLS: true, User: "gpatlas", Password: secret},
		"unknown certificate, implicit": {ImplicitTLS: true, User: "gpatlas", Password: secret},
		"no STARTTLS":                   {User: "gpatlas", Password: secret},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mailtest.NewServer(t, options)
			cfg := server.Config()
			cfg.RootCAs = x509.NewCertPool()
			cfg.SMTPURL = strings.TrimSuffix(cfg.SMTPURL, "?tls=none")
			err := sender(t, cfg).Send(t.Context(), message())
			require.Equal(t, "connect", sendError(t, err).Stage)
			require.False(t, mail.IsPermanent(err))
			require.Empty(t, server.Messages())
			require.Zero(t, server.SignIns())
		})
	}
}

func TestSMTPDroppedConnection(t *testing.T) {
	t.Parallel()
	server := mailtest.NewServer(t, mailtest.Options{})
	server.DropContent(true)
	s := sender(t, server.Config())
	m := message()
	m.Text = strings.Repeat("A long text that does not fit into one packet.\n", 20000)
	err := s.Send(t.Context(), m)
	e := sendError(t, err)
	require.Equal(t, "content", e.Stage)
	require.Zero(t, e.Code)
	require.False(t, mail.IsPermanent(err), "it may go through the next time")
	require.Empty(t, server.Messages())
	server.DropContent(false)
	require.NoError(t, s.Send(t.Context(), m))
	require.Equal(t, m.Text, mailtest.Parse(t, server.Wait(t, 1)[0].Data).Text)
}

// A server that does not answer holds nobody longer than the context.
func TestSMTPTimeout(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{mailtest.AtSender, mailtest.AtRecipient, mailtest.AtContent} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			server := mailtest.NewServer(t, mailtest.Options{StartTLS: true})
			waiting := server.Hang(stage)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-waiting
				cancel()
			}()
			err := sender(t, server.Config()).Send(ctx, message())
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, stage, sendError(t, err).Stage)
			require.False(t, mail.IsPermanent(err))
		})
	}
	t.Run("deadline", func(t *testing.T) {
		t.Parallel()
		var config net.ListenConfig
		silent, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0") // takes connections and never says a word
		require.NoError(t, err)
		defer silent.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		err = sender(t, mail.Config{SMTPURL: "smtp://" + silent.Addr().String(), From: "a@b.example"}).Send(ctx, message())
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, "connect", sendError(t, err).Stage)
	})
	t.Run("over before it began", func(t *testing.T) {
		t.Parallel()
		server := mailtest.NewServer(t, mailtest.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, sender(t, server.Config()).Send(ctx, message()), context.Canceled)
	})
}

func TestSMTPNobodyThere(t *testing.T) {
	t.Parallel()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	err = sender(t, mail.Config{SMTPURL: "smtp://gpatlas:s3cret%2Fpass@" + address, From: "a@b.example"}).Send(t.Context(), message())
	require.Equal(t, "connect", sendError(t, err).Stage)
	require.False(t, mail.IsPermanent(err))
}

// A message at fault does not even reach the server.
func TestSMTPInjection(t *testing.T) {
	t.Parallel()
	server := mailtest.NewServer(t, mailtest.Options{})
	m := message()
	m.To.Email = "ada@harborridge.example>\r\nRCPT TO:<x@evil.example"
	require.True(t, mail.IsPermanent(sender(t, server.Config()).Send(t.Context(), m)))
	require.Empty(t, server.Messages())
}

func TestSMTPParallel(t *testing.T) {
	t.Parallel()
	const n = 40
	server := mailtest.NewServer(t, mailtest.Options{StartTLS: true, User: "gpatlas", Password: secret})
	s := sender(t, server.Config())
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			m := message()
			m.To.Email = fmt.Sprintf("person%d@harborridge.example", i)
			m.Text = fmt.Sprintf("for person %d\n", i)
			errs[i] = s.Send(t.Context(), m)
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	got := server.Wait(t, n)
	require.Len(t, got, n)
	var seen []string
	for _, r := range got {
		i := strings.TrimSuffix(strings.TrimPrefix(r.To, "person"), "@harborridge.example")
		require.Equal(t, "for person "+i+"\n", mailtest.Parse(t, r.Data).Text, "mails must not be mixed up")
		seen = append(seen, i)
	}
	slices.Sort(seen)
	require.Len(t, slices.Compact(seen), n)
}
