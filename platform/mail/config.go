package mail

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/url"
	"strconv"
)

// Config is how mail is sent. The prefix of its settings is MAIL_.
type Config struct {
	// SMTPURL is the mail server, smtp://USER:PASSWORD@HOST:PORT. smtp:// encrypts with STARTTLS (port 587) and sends nothing
	// to a server without it. smtps:// encrypts from the start (port 465). smtp://…?tls=none does not encrypt and is meant for a
	// server on this machine. Write special characters of the password as %40. Empty: emails are written as files.
	SMTPURL string `env:"SMTP_URL"`
	// From is the sender, "GP Atlas <no-reply@example.com>". Required with a server. The server should be allowed to send
	// for its domain.
	From string `env:"FROM"`
	// ReplyTo is the email address for replies, written like the sender. Empty: the sender.
	ReplyTo string `env:"REPLY_TO"`
	// Dir is the folder for emails if no server is set; each email is written as an .eml file. Empty means "mail" in the data
	// folder of gpatlas dev; the other commands have no default.
	Dir string `env:"DIR"`

	// DefaultDir replaces an empty Dir.
	DefaultDir string `env:"-"`
	// IDKey is the secret for Message-IDs: without it, they could be computed from account numbers and compared.
	IDKey []byte `env:"-"`
	// RootCAs are the trusted roots for the server's certificate. nil means the system's.
	RootCAs *x509.CertPool `env:"-"`
}

// defaultFrom is the sender of mails in files.
const defaultFrom = "GP Atlas <no-reply@localhost>"

// Folder is the folder for emails; "" if a server sends them, or if there is none.
func (c Config) Folder() string {
	if c.SMTPURL != "" {
		return ""
	}
	return cmp.Or(c.Dir, c.DefaultDir)
}

// Validate returns all faults of the settings, each with the setting's name. Having neither a server nor a folder is a fault,
// because lost mails are worse than a service that does not start.
func (c Config) Validate() error {
	var faults []error
	if c.SMTPURL == "" && c.Folder() == "" {
		faults = append(faults, errors.New("MAIL_SMTP_URL: is not set, and neither is MAIL_DIR, the folder for emails if there is no mail server"))
	}
	if c.SMTPURL != "" {
		if _, err := parseServer(c.SMTPURL); err != nil {
			faults = append(faults, fmt.Errorf("MAIL_SMTP_URL: %w", err))
		}
		if c.From == "" {
			faults = append(faults, errors.New(`MAIL_FROM: is not set: a mail server needs a sender, such as "GP Atlas <no-reply@example.com>"`))
		}
	}
	for _, s := range []struct{ name, value string }{{"MAIL_FROM", c.From}, {"MAIL_REPLY_TO", c.ReplyTo}} {
		if s.value == "" {
			continue
		}
		if _, err := parseMailbox(s.value); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	return errors.Join(faults...)
}

// parseMailbox reads "Name <address>" or a bare address.
func parseMailbox(text string) (*netmail.Address, error) {
	parsed, err := netmail.ParseAddress(text)
	if err != nil {
		return nil, fmt.Errorf(`%q is not a sender such as "GP Atlas <no-reply@example.com>"`, text)
	}
	return Address{Name: parsed.Name, Email: parsed.Address}.mailbox()
}

// encryption is how a connection is encrypted.
type encryption int

const (
	startTLS encryption = iota
	implicitTLS
	noTLS
)

// server is the mail server.
type server struct {
	host, port     string
	user, password string
	encryption     encryption
}

// parseServer reads MAIL_SMTP_URL. Its errors never repeat the URL, which contains the password.
func parseServer(text string) (server, error) {
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" || u.Hostname() == "" {
		return server{}, errors.New("is not a URL such as smtp://user:password@mail.example.com:587 (special characters of the password are written as %40)")
	}
	s := server{host: u.Hostname(), port: u.Port(), user: u.User.Username()}
	s.password, _ = u.User.Password()
	query, err := url.ParseQuery(u.RawQuery)
	mode := query.Get("tls")
	query.Del("tls")
	if err != nil || len(query) > 0 || u.Fragment != "" || u.Path != "" && u.Path != "/" {
		return server{}, errors.New(`may only contain user, password, host, port and "?tls=none"`)
	}
	switch {
	case u.Scheme == "smtp" && (mode == "" || mode == "starttls"):
		s.encryption = startTLS
	case u.Scheme == "smtp" && mode == "none":
		s.encryption = noTLS
	case u.Scheme == "smtps" && mode == "":
		s.encryption = implicitTLS
	default:
		return server{}, errors.New("must begin with smtp:// (STARTTLS) or smtps:// (TLS from the start), or be smtp://…?tls=none")
	}
	if s.port == "" {
		s.port = map[encryption]string{startTLS: "587", implicitTLS: "465", noTLS: "25"}[s.encryption]
	}
	if n, err := strconv.Atoi(s.port); err != nil || n < 1 || n > 65535 {
		return server{}, errors.New("has a port that is not between 1 and 65535")
	}
	if (s.user == "") != (s.password == "") {
		return server{}, errors.New("has a user without a password, or a password without a user")
	}
	if s.user != "" && s.encryption == noTLS && !loopback(s.host) {
		return server{}, errors.New("would send the password unencrypted: a password without TLS is allowed only for a server on this machine")
	}
	return s, nil
}

func loopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
