package stripetest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The events that matter to us.
const (
	CheckoutCompleted    = "checkout.session.completed"
	SubscriptionUpdated  = "customer.subscription.updated"
	SubscriptionDeleted  = "customer.subscription.deleted"
	InvoicePaid          = "invoice.payment_succeeded"
	InvoicePaymentFailed = "invoice.payment_failed"
)

// SignatureHeader is the header of an event's signature.
const SignatureHeader = "Stripe-Signature"

// Event is an event as Stripe sends it to a webhook endpoint, byte for byte.
type Event struct {
	ID, Type string
	Payload  []byte
}

// NewEvent makes an event about an object's present state. Stripe's time is in whole seconds; several events of one checkout
// often have the same.
func NewEvent(id, kind string, created time.Time, shape Shape, about Object) Event {
	return RawEvent(id, kind, created, shape, map[string]any{"object": about.JSON(shape)})
}

// RawEvent makes an event with any data, such as nil.
func RawEvent(id, kind string, created time.Time, shape Shape, data any) Event {
	payload, err := json.Marshal(map[string]any{
		"id": id, "object": "event", "api_version": shape.version(), "created": created.Unix(), "type": kind, "data": data,
		"livemode": false, "pending_webhooks": 1, "request": map[string]any{"id": nil, "idempotency_key": nil},
	})
	if err != nil {
		panic(fmt.Sprintf("stripetest: event %s: %v", id, err))
	}
	return Event{ID: id, Type: kind, Payload: payload}
}

// Sign is the event's Stripe-Signature of an instant by each of the secrets.
func (e Event) Sign(at time.Time, secrets ...string) string { return Sign(e.Payload, at, secrets...) }

// Sign is the Stripe-Signature of a payload at an instant. With two secrets it has two signatures, as while a secret is
// being replaced.
func Sign(payload []byte, at time.Time, secrets ...string) string {
	parts := []string{fmt.Sprintf("t=%d", at.Unix())}
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = fmt.Fprintf(mac, "%d.%s", at.Unix(), payload)
		parts = append(parts, "v1="+hex.EncodeToString(mac.Sum(nil)))
	}
	return strings.Join(parts, ",")
}

// Post sends an event to a webhook endpoint, signed at an instant. It returns status and body of the response.
func Post(ctx context.Context, tb testing.TB, url string, e Event, at time.Time, secrets ...string) (status int, body string) {
	tb.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(e.Payload))
	require.NoError(tb, err)
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)")
	req.Header.Set(SignatureHeader, e.Sign(at, secrets...))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	require.NoError(tb, err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	require.NoError(tb, err)
	return res.StatusCode, string(text)
}
