package mail

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	netmail "net/mail"
	"slices"
	"strings"

	gomail "github.com/wneessen/go-mail"

	"gpatlas/platform/clock"
)

// writer encodes messages, with the sender and the time.
type writer struct {
	from    *netmail.Address
	replyTo *netmail.Address // nil: replies go to the sender
	clock   clock.Clock
	idKey   []byte
	plain   bool // without an encoding, if the lines are short enough: links can be copied from a file
}

func newWriter(cfg Config, clk clock.Clock) (writer, error) {
	w := writer{clock: clk, idKey: cfg.IDKey}
	var err error
	if w.from, err = parseMailbox(cmp.Or(cfg.From, defaultFrom)); err != nil {
		return writer{}, err
	}
	if cfg.ReplyTo != "" {
		w.replyTo, err = parseMailbox(cfg.ReplyTo)
	}
	return w, err
}

// letter is an encoded mail.
type letter struct {
	from, to string // envelope addresses, without brackets
	data     []byte
}

// domain is the part of the sender after the @: our name for servers and in Message-IDs.
func (w writer) domain() string { return w.from.Address[strings.LastIndexByte(w.from.Address, '@')+1:] }

// write rejects faulty messages; its errors are permanent.
func (w writer) write(m Message) (letter, error) {
	if err := m.Validate(); err != nil {
		return letter{}, err
	}
	to, err := m.To.mailbox()
	if err != nil {
		return letter{}, invalid(err)
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithCharset(gomail.CharsetUTF8), gomail.WithEncoding(gomail.EncodingQP))
	msg.FromMailAddress(w.from)
	msg.ToMailAddress(to)
	if w.replyTo != nil {
		msg.ReplyToMailAddress(w.replyTo)
	}
	msg.Subject(oneSpace(m.Subject))
	msg.SetDateWithValue(w.clock.Now())
	msg.SetMessageIDWithValue(w.messageID(m) + "@" + w.domain())
	// RFC 3834: answering machines should not answer.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader("X-GPA-Category", m.Category)
	for name, value := range m.Headers {
		msg.SetGenHeader(gomail.Header(name), oneSpace(value))
	}
	if m.UnsubscribeURL != "" {
		// RFC 8058 requires https for one click, and mail programs insist on it. A service on a private network may have only
		// http: there the second header does no harm.
		msg.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribe, "<"+m.UnsubscribeURL+">")
		msg.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	text, encoding := w.body(m.Text)
	msg.SetBodyString(gomail.TypeTextPlain, text, gomail.WithPartEncoding(encoding))
	text, encoding = w.body(m.HTML)
	msg.AddAlternativeString(gomail.TypeTextHTML, text, gomail.WithPartEncoding(encoding))
	var data bytes.Buffer
	if _, err := msg.WriteTo(&data); err != nil {
		return letter{}, invalid(err)
	}
	return letter{from: w.from.Address, to: to.Address, data: data.Bytes()}, nil
}

// body is an encoded text, and its encoding.
func (w writer) body(text string) (string, gomail.Encoding) {
	const longest = 998 // bytes of a line: RFC 5322, 2.1.1
	if !w.plain || slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return len(line) > longest }) {
		return text, gomail.EncodingQP
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n"), gomail.NoEncoding
}

// messageID is the part of the Message-ID before the @: the same for the same mail.
func (w writer) messageID(m Message) string {
	switch {
	case m.MessageID == "":
		var sum [20]byte
		_, _ = rand.Read(sum[:]) // never fails: it ends the program first
		return messageID(sum[:])
	case len(w.idKey) == 0:
		return m.MessageID
	}
	mac := hmac.New(sha256.New, w.idKey)
	mac.Write([]byte(m.MessageID))
	return messageID(mac.Sum(nil))
}
