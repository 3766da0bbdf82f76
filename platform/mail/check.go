package mail

import (
	"errors"
	"fmt"
	netmail "net/mail"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

const (
	subjectMax  = 500 // bytes of a subject or another header's value
	nameMax     = 200 // characters of a recipient's name
	addressMax  = 254 // bytes (RFC 5321, 4.5.3.1.3, without the brackets)
	urlMax      = 900 // bytes: a header line ends at 998
	headersMax  = 20
	bodyMax     = 1 << 20 // bytes of one body: ours are a few thousand
	forbiddenIn = "contains a line break or another control character"
)

var (
	categoryPattern  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,49}$`)
	messageIDPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,99}$`)
	headerPattern    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,49}$`)
)

// ownHeaders are those that the writer sets itself, and those that change the meaning of a mail.
var ownHeaders = []string{
	"From", "Sender", "To", "Cc", "Bcc", "Reply-To", "Return-Path", "Subject", "Date", "Message-Id", "Mime-Version",
	"Auto-Submitted", "X-Gpa-Category", "List-Unsubscribe", "List-Unsubscribe-Post", "Received", "Dkim-Signature",
}

// Validate returns all faults of a message; the error is permanent.
func (m Message) Validate() error {
	var faults []error
	add := func(part string, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s %w", part, err))
		}
	}
	_, err := m.To.mailbox()
	add("recipient:", err)
	if strings.TrimSpace(m.Subject) == "" {
		add("subject", errors.New("is empty"))
	}
	add("subject", checkLine(m.Subject))
	add("text", checkBody(m.Text))
	add("HTML", checkBody(m.HTML))
	if !categoryPattern.MatchString(m.Category) {
		add("category", fmt.Errorf("%q is not a lower-case word", m.Category))
	}
	if m.MessageID != "" && !messageIDPattern.MatchString(m.MessageID) {
		add("message id", errors.New("is not one that MessageID makes"))
	}
	if m.UnsubscribeURL != "" {
		add("unsubscribe URL", checkURL(m.UnsubscribeURL))
	}
	if len(m.Headers) > headersMax {
		add("headers", fmt.Errorf("are more than %d", headersMax))
	}
	for name, value := range m.Headers {
		add("header", checkHeader(name, value))
	}
	if err := errors.Join(faults...); err != nil {
		return invalid(err)
	}
	return nil
}

// mailbox is the address in the format of headers.
func (a Address) mailbox() (*netmail.Address, error) {
	name, err := cutName(a.Name)
	if err != nil {
		return nil, err
	}
	// The parser accepts names, comments and quotes around an address; we send only to bare ones.
	parsed, err := netmail.ParseAddress(a.Email)
	if err != nil || parsed.Address != a.Email || parsed.Name != "" || len(a.Email) > addressMax {
		return nil, errors.New("not an email address of the form local@domain")
	}
	at := strings.LastIndexByte(a.Email, '@')
	local, domain := a.Email[:at], a.Email[at+1:]
	if strings.ContainsFunc(local, func(r rune) bool { return r > unicode.MaxASCII }) {
		return nil, errors.New("the part before the @ has non-ASCII characters, which few mail servers support")
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil || ascii == "" {
		return nil, errors.New("not an email address: the part after the @ is not a valid host name")
	}
	return &netmail.Address{Name: name, Address: local + "@" + ascii}, nil
}

// cutName is a name as it goes into a header.
func cutName(name string) (string, error) {
	if !utf8.ValidString(name) || strings.ContainsFunc(name, breaks) {
		return "", errors.New("the name " + forbiddenIn)
	}
	name = oneSpace(name)
	if runes := []rune(name); len(runes) > nameMax {
		name = strings.TrimSpace(string(runes[:nameMax]))
	}
	return name, nil
}

// breaks reports characters that may not be in a header: control characters, and those that some programs treat as line ends.
func breaks(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// oneSpace leaves single spaces: folding several of them can leave a line of spaces only, which some servers treat as the end
// of the headers. It also keeps text from being read as an encoded word.
func oneSpace(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "=?", "= ?")
}

func checkLine(text string) error {
	switch {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, breaks):
		return errors.New(forbiddenIn)
	case len(text) > subjectMax:
		return fmt.Errorf("is longer than %d bytes", subjectMax)
	}
	return nil
}

func checkBody(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return errors.New("is empty")
	case len(text) > bodyMax:
		return fmt.Errorf("is longer than %d bytes", bodyMax)
	case !utf8.ValidString(text):
		return errors.New("is not UTF-8")
	}
	return nil
}

func checkHeader(name, value string) error {
	canonical := textproto.CanonicalMIMEHeaderKey(name)
	if !headerPattern.MatchString(name) || slices.Contains(ownHeaders, canonical) || strings.HasPrefix(canonical, "Content-") {
		return fmt.Errorf("%q may not be set", name)
	}
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%s is empty", name)
	}
	if err := checkLine(value); err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	return nil
}

// checkURL requires an absolute web URL that can be in a header unchanged.
func checkURL(text string) error {
	foreign := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("<>,\"\\", r) }
	u, err := url.Parse(text)
	switch {
	case strings.ContainsFunc(text, foreign):
		return errors.New("has characters that a URL cannot contain")
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return errors.New("is not an absolute http or https URL")
	case len(text) > urlMax:
		return fmt.Errorf("is longer than %d bytes", urlMax)
	}
	return nil
}
