// Package mailtest replaces mail in tests: Capture keeps messages for tests of their contents, Server is a real SMTP server for
// tests of the protocol, Parse parses the mails of either, or of a folder.
package mailtest

import (
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
)

// patience is how long a test waits for mails that do not come.
const patience = 20 * time.Second

// Capture is a mail.Sender that keeps messages. It rejects what the real senders reject.
type Capture struct {
	inbox[mail.Message]

	fault func(mail.Message) error
}

// NewCapture is an empty one.
func NewCapture() *Capture { return &Capture{} }

// Send keeps the message, unless it is faulty or Fail was called.
func (c *Capture) Send(ctx context.Context, m mail.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := m.Validate(); err != nil {
		return err
	}
	c.mutex.Lock()
	fault := c.fault
	c.mutex.Unlock()
	if fault != nil {
		if err := fault(m); err != nil {
			return err
		}
	}
	c.put(m)
	return nil
}

// Fail makes every further Send return err; nil ends that.
func (c *Capture) Fail(err error) {
	c.FailWhen(func(mail.Message) error { return err })
}

// FailWhen calls fault for each further message; a nil result accepts it.
func (c *Capture) FailWhen(fault func(mail.Message) error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.fault = fault
}

// To are the messages to one address, oldest first.
func (c *Capture) To(email string) []mail.Message {
	var list []mail.Message
	for _, m := range c.Messages() {
		if strings.EqualFold(m.To.Email, email) {
			list = append(list, m)
		}
	}
	return list
}

// Permanent is an error like a server's 5xx reply; Temporary like a 4xx.
func Permanent() error {
	return &mail.SendError{Stage: "recipient", Code: 550, Permanent: true}
}

// Temporary is an error that a job retries.
func Temporary() error { return &mail.SendError{Stage: "recipient", Code: 451} }

var (
	link  = regexp.MustCompile(`(?m)^https?://\S+$`)
	token = regexp.MustCompile(`[?&]token=([^&\s]+)`)
)

// Link is the first link in a mail's text, in which each is on a line of its own.
func Link(tb testing.TB, text string) string {
	tb.Helper()
	found := link.FindString(strings.ReplaceAll(text, "\r\n", "\n"))
	require.NotEmpty(tb, found, "no link on a line of its own in:\n%s", text)
	return found
}

// Token is the one that the first link with a token carries.
func Token(tb testing.TB, text string) string {
	tb.Helper()
	found := token.FindStringSubmatch(text)
	require.NotNil(tb, found, "no link with a token in:\n%s", text)
	return found[1]
}

// Other is a secret of the same length and alphabet that was never issued.
func Other(secret string) string {
	first := "x"
	if strings.HasPrefix(secret, first) {
		first = "y"
	}
	return first + secret[1:]
}

// inbox keeps values and wakes those who wait for them.
type inbox[T any] struct {
	mutex   sync.Mutex
	items   []T
	changed chan struct{} // closed by the next arrival
}

func (b *inbox[T]) put(item T) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.items = append(b.items, item)
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
}

// look returns the values so far, and a channel that is closed when there are more.
func (b *inbox[T]) look() ([]T, <-chan struct{}) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return append([]T(nil), b.items...), b.changed
}

// Messages are those that have come so far, oldest first.
func (b *inbox[T]) Messages() []T {
	items, _ := b.look()
	return items
}

// Wait returns all messages as soon as there are n. The test fails if they do not arrive.
func (b *inbox[T]) Wait(tb testing.TB, n int) []T {
	tb.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		items, changed := b.look()
		if len(items) >= n {
			return items
		}
		select {
		case <-changed:
		case <-tb.Context().Done():
			require.FailNow(tb, "the test is over", "%d of %d mails came", len(items), n)
		case <-late.C:
			require.FailNow(tb, "mails did not come", "%d of %d within %s", len(items), n, patience)
		}
	}
}

// Reset drops all messages.
func (b *inbox[T]) Reset() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.items = nil
}
