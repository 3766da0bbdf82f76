package mailtest

import (
	"cmp"
	"errors"
	"io"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// session is one connection to a Server.
type session struct {
	server *Server
	conn   *smtp.Conn
	got    Received
}

func (s *Server) open(conn *smtp.Conn) (smtp.Session, error) {
	if err := s.manner(AtHello); err != nil {
		return nil, err
	}
	return &session{server: s, conn: conn}, nil
}

// AuthMechanisms are those offered after EHLO.
func (s *session) AuthMechanisms() []string {
	if s.server.options.User == "" {
		return nil
	}
	return []string{cmp.Or(s.server.options.Mechanism, sasl.Plain)}
}

// Auth checks the password.
func (s *session) Auth(mechanism string) (sasl.Server, error) {
	if mechanism == "LOGIN" {
		return &login{check: s.signIn}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return s.signIn(user, password) }), nil
}

func (s *session) signIn(user, password string) error {
	if err := s.server.admit(user, password); err != nil {
		return err
	}
	s.got.User = user
	return nil
}

// login is the server's side of AUTH LOGIN, which asks for user and password one after the other.
type login struct {
	step  int
	user  string
	check func(user, password string) error
}

// Next handles the client's answer.
func (l *login) Next(response []byte) (challenge []byte, done bool, err error) {
	l.step++
	switch l.step {
	case 1:
		return []byte("Username:"), false, nil
	case 2:
		l.user = string(response)
		return []byte("Password:"), false, nil
	default:
		return nil, true, l.check(l.user, string(response))
	}
}

// Mail is MAIL FROM.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.options.User != "" && s.got.User == "" {
		return &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "Authentication required"}
	}
	s.got.From = from
	return s.server.manner(AtSender)
}

// Rcpt is RCPT TO.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.got.To = to
	return s.server.manner(AtRecipient)
}

// Data reads the mail, keeps it and answers.
func (s *session) Data(r io.Reader) error {
	if s.server.drops() {
		_, _ = io.ReadFull(r, make([]byte, 64))
		_ = s.conn.Conn().Close()
		return errors.New("dropped")
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.server.manner(AtContent); err != nil {
		return err
	}
	mail := s.got
	mail.Data, mail.Helo = data, s.conn.Hostname()
	_, mail.Encrypted = s.conn.TLSConnectionState()
	s.server.put(mail)
	return nil
}

// Reset drops the mail that has begun.
func (s *session) Reset() { s.got = Received{User: s.got.User} }

// Logout ends the session.
func (s *session) Logout() error { return nil }
