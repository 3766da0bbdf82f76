package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

const (
	// sendLimit bounds one mail, from the connection to the server's last reply.
	sendLimit = time.Minute
	// quitLimit bounds QUIT, whose result does not matter.
	quitLimit = 2 * time.Second
)

// smtpSender opens a connection for each mail: mails are rare, and a kept connection would often be dead.
type smtpSender struct {
	writer
	server
	tls *tls.Config
}

func newSMTP(cfg Config, w writer) (*smtpSender, error) {
	at, err := parseServer(cfg.SMTPURL)
	if err != nil {
		return nil, err
	}
	return &smtpSender{
		writer: w, server: at,
		tls: &tls.Config{ServerName: at.host, MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs},
	}, nil
}

// Send returns once the server has accepted the mail. After an error in "content" that is not a refusal the server may have
// accepted it; the retry has the same Message-ID.
func (s *smtpSender) Send(ctx context.Context, m Message) error {
	l, err := s.write(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendLimit)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort(s.host, s.port))
	if err != nil {
		return s.failed(ctx, "connect", l, err)
	}
	// The SMTP client has no contexts: the end of ours closes its connection.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer func() {
		stop()
		_ = conn.Close()
	}()
	stage, err := s.converse(ctx, conn, l)
	if err != nil {
		return s.failed(ctx, stage, l, err)
	}
	return nil
}

// converse sends the letter. With an error it returns the stage at which it occurred.
func (s *smtpSender) converse(ctx context.Context, conn net.Conn, l letter) (stage string, err error) {
	client, err := s.greet(ctx, conn)
	if err != nil {
		return "connect", err
	}
	if s.user != "" {
		if err := s.signIn(client); err != nil {
			return "sign-in", err
		}
	}
	client.SkipSMTPUTF8(true) // our addresses are ASCII, and a mail so marked bounces at servers without it
	if err := client.Mail("<" + l.from + ">"); err != nil {
		return "sender", err
	}
	if err := client.Rcpt("<" + l.to + ">"); err != nil {
		return "recipient", err
	}
	body, err := client.Data()
	if err != nil {
		return "content", err
	}
	// Closing ends the mail for the server: not after a failed write, or half of it would be delivered.
	if _, err := body.Write(l.data); err != nil {
		return "content", err
	}
	if err := body.Close(); err != nil {
		return "content", err
	}
	// The server has accepted the mail. Errors of QUIT do not matter.
	if client.UpdateDeadline(quitLimit) == nil {
		_ = client.Quit()
	}
	return "", nil
}

// greet prepares the connection: encrypted, unless the setting allows otherwise.
func (s *smtpSender) greet(ctx context.Context, conn net.Conn) (*smtp.Client, error) {
	if s.encryption == implicitTLS {
		secret := tls.Client(conn, s.tls)
		if err := secret.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		conn = secret
	}
	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return nil, err
	}
	if err := client.Hello(s.domain()); err != nil {
		return nil, err
	}
	if s.encryption == startTLS {
		if offered, _ := client.Extension("STARTTLS"); !offered {
			return nil, errors.New("the server does not support STARTTLS; to send without TLS, add ?tls=none to MAIL_SMTP_URL")
		}
		if err := client.StartTLS(s.tls); err != nil {
			return nil, err
		}
	}
	return client, nil
}

// signIn uses the strongest mechanism that the server offers. Passwords in clear are only sent over TLS, or to this machine
// (see parseServer).
func (s *smtpSender) signIn(client *smtp.Client) error {
	_, offered := client.Extension("AUTH")
	ways := strings.Fields(strings.ToUpper(offered))
	for _, way := range []struct {
		name string
		auth smtp.Auth
	}{
		{"SCRAM-SHA-256", smtp.ScramSHA256Auth(s.user, s.password)},
		{"PLAIN", smtp.PlainAuth("", s.user, s.password, s.host, true)},
		{"LOGIN", smtp.LoginAuth(s.user, s.password, s.host, true)},
		{"CRAM-MD5", smtp.CRAMMD5Auth(s.user, s.password)},
	} {
		if slices.Contains(ways, way.name) {
			return client.Auth(way.auth)
		}
	}
	return errors.New("the server supports none of the known sign-in methods: SCRAM-SHA-256, PLAIN, LOGIN, CRAM-MD5")
}

// signInCodes are replies that ask for other credentials, at any stage.
var signInCodes = []int{530, 534, 535, 538}

// failed reports whether a retry is useful. A refusal before the sender is named, or because of a missing sign-in, concerns our
// settings and not this mail: it can be retried once they are fixed.
func (s *smtpSender) failed(ctx context.Context, stage string, l letter, err error) error {
	e := &SendError{Stage: stage, reason: plain(err.Error(), l.to), cause: err}
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		e.Code = reply.Code
		e.reason = plain(reply.Msg, l.to)
		about := stage == "sender" || stage == "recipient" || stage == "content"
		e.Permanent = about && reply.Code >= 500 && reply.Code < 600 && !slices.Contains(signInCodes, reply.Code)
		if stage == "sign-in" {
			e.reason = "the server rejects the user or the password"
		}
	}
	if ended := ctx.Err(); ended != nil && e.Code == 0 {
		e.reason = ended.Error()
		e.cause = ended
	}
	return e
}
