package mailtest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/mailtest"
)

var _ mail.Sender = (*mailtest.Capture)(nil)

func message(email string) mail.Message {
	return mail.Message{
		To: mail.Address{Email: email}, Subject: "Hello", Text: "Hi,\r\n\r\nhttps://atlas.example/verify-email?a=b&token=T-1_x\r\n", HTML: "<p>Hi</p>",
		Category: "account",
	}
}

// Whoever waits gets the mails as they come, in order.
func TestCaptureWaits(t *testing.T) {
	t.Parallel()
	capture := mailtest.NewCapture()
	begun := make(chan struct{})
	go func() {
		<-begun
		for i := range 3 {
			_ = capture.Send(t.Context(), message(fmt.Sprintf("p%d@harborridge.example", i)))
		}
	}()
	require.Empty(t, capture.Messages())
	close(begun)
	got := capture.Wait(t, 3)
	require.Len(t, got, 3)
	require.Equal(t, "p1@harborridge.example", got[1].To.Email)
	require.Len(t, capture.To("P2@harborridge.example"), 1)
	require.Empty(t, capture.To("nobody@harborridge.example"))
	got[0].Subject = "changed by a reader"
	require.Equal(t, "Hello", capture.Messages()[0].Subject)
	capture.Reset()
	require.Empty(t, capture.Messages())
	require.Empty(t, capture.Wait(t, 0))
}

func TestCaptureFails(t *testing.T) {
	t.Parallel()
	capture := mailtest.NewCapture()
	capture.Fail(mailtest.Permanent())
	require.True(t, mail.IsPermanent(capture.Send(t.Context(), message("a@harborridge.example"))))
	capture.Fail(mailtest.Temporary())
	err := capture.Send(t.Context(), message("a@harborridge.example"))
	require.Error(t, err)
	require.False(t, mail.IsPermanent(err))
	other := errors.New("only for b")
	capture.FailWhen(func(m mail.Message) error {
		if m.To.Email == "b@harborridge.example" {
			return other
		}
		return nil
	})
	require.ErrorIs(t, capture.Send(t.Context(), message("b@harborridge.example")), other)
	require.NoError(t, capture.Send(t.Context(), message("a@harborridge.example")))
	capture.Fail(nil)
	require.NoError(t, capture.Send(t.Context(), message("b@harborridge.example")))
	require.Len(t, capture.Messages(), 2)
}

// A message that the real senders refuse does not pass here either.
func TestCaptureRefuses(t *testing.T) {
	t.Parallel()
	capture := mailtest.NewCapture()
	bad := message("a@harborridge.example\r\nBcc: x@evil.example")
	require.True(t, mail.IsPermanent(capture.Send(t.Context(), bad)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, capture.Send(ctx, message("a@harborridge.example")), context.Canceled)
	require.Empty(t, capture.Messages())
}

// stub fails without ending the test that looks at it.
type stub struct {
	testing.TB
	failed bool
}

func (s *stub) Helper()               {}
func (s *stub) Errorf(string, ...any) { s.failed = true }
func (s *stub) FailNow()              { panic(s) }

func fails(t *testing.T, f func(s *stub)) {
	t.Helper()
	s := &stub{TB: t}
	require.PanicsWithValue(t, s, func() { f(s) })
	require.True(t, s.failed)
}

func TestLinkAndToken(t *testing.T) {
	t.Parallel()
	text := message("a@harborridge.example").Text
	require.Equal(t, "https://atlas.example/verify-email?a=b&token=T-1_x", mailtest.Link(t, text))
	require.Equal(t, "T-1_x", mailtest.Token(t, text))
	fails(t, func(s *stub) { mailtest.Link(s, "see https://atlas.example/") })
	fails(t, func(s *stub) { mailtest.Token(s, "https://atlas.example/?user=1") })
}

// A test that ends does not wait for mails any more.
func TestWaitEndsWithTheTest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fails(t, func(s *stub) { mailtest.NewCapture().Wait(ended{s, ctx}, 1) })
}

type ended struct {
	testing.TB
	ctx context.Context
}

func (e ended) Context() context.Context { return e.ctx }

// A server that nobody talks to ends with its test, as does one whose client hangs.
func TestServerEnds(t *testing.T) {
	t.Parallel()
	for range 20 {
		t.Run("unused", func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, mailtest.NewServer(t, mailtest.Options{StartTLS: true}).Addr)
		})
	}
}
