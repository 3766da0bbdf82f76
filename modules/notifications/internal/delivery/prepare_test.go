package delivery_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/delivery"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/modules/notifications/internal/testkit/deliverytest"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/mailtest"
	"gpatlas/templates/email"
)

// slow is a mail server that takes its time for the first mail, in which something happens.
type slow struct {
	*mailtest.Capture

	meanwhile func()
}

func (s *slow) Send(ctx context.Context, m mail.Message) error {
	if s.meanwhile != nil {
		s.meanwhile()
		s.meanwhile = nil
	}
	return s.Capture.Send(ctx, m)
}

// A mail that waits for a slow one of its batch is asked about again.
func TestAskedAgainBehindASlowMail(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]delivery.Processed{5 * time.Second: {Sent: 2}, 6 * time.Second: {Sent: 1, Suppressed: 1}} {
		sender := &slow{Capture: mailtest.NewCapture()}
		b := deliverytest.New(t, dbtest.New(t), sender)
		b.Parts.Connections = 1
		b.Add(t, 1, "first")
		b.Add(t, 2, "second")
		sender.meanwhile = func() {
			b.Clock.Move(wait)
			require.NoError(t, b.Preferences.Refuse(t.Context(), 1, kind.Product))
			require.NoError(t, b.Preferences.Refuse(t.Context(), 2, kind.Product))
		}
		done, err := b.Service().Process(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, done, wait)
	}
}

// faulty cannot track the mails to one account.
type faulty struct{ userID int64 }

func (f faulty) Track(_ context.Context, drafts ...render.Draft) ([]email.Content, error) {
	var list []email.Content
	for _, d := range drafts {
		if d.UserID == f.userID {
			return nil, errors.New("a destination that cannot be stored")
		}
		list = append(list, d.Content)
	}
	return list, nil
}

// A mail that cannot be stored with the others of its batch is tried again later, and the others are sent.
func TestFaultOfOneOfABatch(t *testing.T) {
	t.Parallel()
	b := deliverytest.New(t, dbtest.New(t), mailtest.NewCapture())
	b.Parts.Tracker = faulty{3}
	for i := range 8 {
		b.Add(t, int64(i), strconv.Itoa(i))
	}
	done, err := b.Service().Process(t.Context())
	require.NoError(t, err)
	require.Equal(t, delivery.Processed{Sent: 7, PutBack: 1}, done)
	require.Equal(t, queue.Fault, b.Rows(t)["3"].Reason)
}

// The daily maximum holds within a batch and across batches: a further try of a mail takes no second place.
func TestDailyMaximumOfABatch(t *testing.T) {
	t.Parallel()
	capture := mailtest.NewCapture()
	b := deliverytest.New(t, dbtest.New(t), capture)
	b.Parts.Connections = 1
	b.Kinds[kind.Test] = kind.Kind{ID: kind.Test, Category: kind.Product, Enabled: true, MaxPerDay: 3}
	b.Kinds[kind.Digest] = kind.Kind{ID: kind.Digest, Category: kind.ActivityDigest, Enabled: true} // no maximum
	service := b.Service()
	process := func() delivery.Processed {
		done, err := service.Process(t.Context())
		require.NoError(t, err)
		return done
	}
	capture.Fail(&mail.SendError{Stage: "content"})
	b.Add(t, 1, "a")
	b.Add(t, 1, "b")
	require.Equal(t, delivery.Processed{PutBack: 2}, process())
	capture.Fail(nil)
	b.Clock.Move(10 * time.Minute)
	for i := range 4 {
		b.Add(t, 1, "more "+strconv.Itoa(i))
		b.AddKind(t, kind.Digest, 1, "digest "+strconv.Itoa(i))
	}
	b.Add(t, 2, "another account")
	require.Equal(t, delivery.Processed{Sent: 8, Suppressed: 3}, process())
	require.Equal(t, "sent", b.Rows(t)["a"].State)
	require.Equal(t, "sent", b.Rows(t)["b"].State)
	b.Add(t, 1, "too late")
	require.Equal(t, delivery.Processed{Suppressed: 1}, process())
}
