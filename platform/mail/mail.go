package mail

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"gpatlas/platform/clock"
)

// Address is a mail address and the recipient's name.
type Address struct {
	Name  string // display name; may be empty; cut to 200 characters
	Email string // local@domain, without brackets; international domains are allowed, international local parts are not
}

// Message is one mail to one person.
type Message struct {
	To       Address
	Subject  string // one line, 500 bytes at most
	Text     string // both bodies are required: many read mail without HTML
	HTML     string
	Category string // account, billing, activity_digest, …: lower case; written as X-GPA-Category

	// UnsubscribeURL is where the recipient can refuse mails of this kind, by a page (GET) and by one click (POST, RFC 8058).
	// Empty: mail about the account, which cannot be refused.
	UnsubscribeURL string
	// Headers are further header lines by name. Those that this package writes itself are rejected.
	Headers map[string]string
	// MessageID is the part of the Message-ID before the @: use MessageID, so that a mail that is sent again by a job's second
	// run is the same mail. Empty: a new one each time.
	MessageID string
}

// Sender sends mail. An error for which IsPermanent holds should not be retried.
type Sender interface {
	// Send returns when the mail server has taken responsibility for the mail, or the file is written.
	Send(ctx context.Context, m Message) error
}

// New is the configured sender: SMTP if a server is configured, else a folder, which is created.
func New(cfg Config, clk clock.Clock) (Sender, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	w, err := newWriter(cfg, clk)
	if err != nil {
		return nil, err
	}
	if cfg.SMTPURL != "" {
		return newSMTP(cfg, w)
	}
	return newFolder(cfg.Folder(), w)
}

// MessageID turns a natural key of a mail ("accounts.verify_email:" and the ID of the token's row) into a Message-ID that does
// not contain the key. Senders seal it with Config.IDKey.
func MessageID(key string) string {
	sum := sha256.Sum256([]byte("gpatlas mail\x00" + key))
	return messageID(sum[:])
}

func messageID(sum []byte) string {
	return strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:20]))
}
