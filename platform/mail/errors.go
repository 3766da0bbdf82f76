package mail

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// SendError is why a mail was not sent. Its text has neither passwords nor the recipient's address.
type SendError struct {
	Stage     string // "message", "connect", "sign-in", "sender", "recipient", "content", "folder"
	Code      int    // the server's reply; 0 if the server did not refuse
	Permanent bool   // the same mail will be refused again
	reason    string
	cause     error
}

// Error is the stage of the failure, and its cause.
func (e *SendError) Error() string {
	if e.Code != 0 {
		return fmt.Sprintf("email not sent: %s rejected it with %d: %s", e.Stage, e.Code, e.reason)
	}
	return fmt.Sprintf("email not sent: %s: %s", e.Stage, e.reason)
}

// Unwrap is the cause.
func (e *SendError) Unwrap() error { return e.cause }

// IsPermanent reports whether a retry is useless: the mail server has refused this sender, recipient or content with a 5xx
// reply, or the message itself is at fault. A job wraps such errors in jobs.Never.
func IsPermanent(err error) bool {
	e, ok := errors.AsType[*SendError](err)
	return ok && e.Permanent
}

// invalid is a fault of the message, which only the program can repair.
func invalid(err error) error {
	return &SendError{Stage: "message", Permanent: true, reason: strings.ReplaceAll(err.Error(), "\n", "; "), cause: err}
}

// reasonMax is the maximum size of a stored server reply in bytes.
const reasonMax = 300

// plain makes a reply fit for a log line: without line breaks and without the recipient's address.
func plain(text, address string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if address != "" {
		text = strings.ReplaceAll(text, address, "[address]")
	}
	if len(text) > reasonMax {
		text = strings.ToValidUTF8(text[:reasonMax], "") + "…"
	}
	return strings.TrimSpace(text)
}
