// Package webhook receives the events of Stripe.
package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The events that are applied; all others are stored as ignored.
//
// Spec: five are shown. Those of a subscription that begins, pauses and resumes have the same data as an update, and are
// applied as one: a subscription that is active from the start is never updated.
const (
	checkoutCompleted   = "checkout.session.completed"
	subscriptionCreated = "customer.subscription.created"
	subscriptionUpdated = "customer.subscription.updated"
	subscriptionPaused  = "customer.subscription.paused"
	subscriptionResumed = "customer.subscription.resumed"
	subscriptionDeleted = "customer.subscription.deleted"
	invoicePaid         = "invoice.payment_succeeded"
	invoiceFailed       = "invoice.payment_failed"
)

// event is the envelope of an event. Its data is read only if the type is applied: other events, such as those of Stripe's
// second API, may have any or none.
type event struct {
	ID      string
	Type    string
	Created time.Time // by Stripe's clock; zero if missing
	Object  json.RawMessage
}

// The limits of what is stored.
const (
	idMax      = 255
	latestUnix = 253_402_300_799 // the end of the year 9999
)

// readEvent parses the envelope. The error names the fault of the body.
func readEvent(body []byte) (e event, err error) {
	var envelope struct {
		ID      text            `json:"id"`
		Type    text            `json:"type"`
		Created json.RawMessage `json:"created"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return e, errors.New("is not the JSON of an event")
	}
	e.ID, e.Type = string(envelope.ID), string(envelope.Type)
	switch {
	case !storable(e.ID):
		return e, errors.New("has no id")
	case !storable(e.Type):
		return e, errors.New("has no type")
	}
	var seconds int64
	var words string
	switch {
	case json.Unmarshal(envelope.Created, &seconds) == nil && seconds > 0 && seconds <= latestUnix:
		e.Created = time.Unix(seconds, 0).UTC()
	case json.Unmarshal(envelope.Created, &words) == nil: // Stripe's second API
		if at, err := time.Parse(time.RFC3339, words); err == nil {
			e.Created = at.UTC().Truncate(time.Second)
		}
	}
	var data struct {
		Object json.RawMessage `json:"object"`
	}
	if json.Unmarshal(envelope.Data, &data) == nil {
		e.Object = data.Object
	}
	return e, nil
}

// storable reports whether the key is not empty, not too long, and PostgreSQL can store it.
func storable(key string) bool {
	return key != "" && len(key) <= idMax && utf8.ValidString(key) && !strings.ContainsRune(key, 0)
}

// readObject parses the object of an event. Its id must be there.
func readObject[T interface{ key() string }](e event) (o T, err error) {
	if e.Created.IsZero() {
		return o, errors.New("created is not a time in seconds")
	}
	if err := json.Unmarshal(e.Object, &o); err != nil {
		return o, fmt.Errorf("data.object is not that of %s", e.Type)
	}
	if !storable(o.key()) {
		return o, fmt.Errorf("data.object of %s has no id", e.Type)
	}
	return o, nil
}

// text is a string. Other values (null, an object) are empty, except for numbers.
type text string

// UnmarshalJSON reads it.
func (t *text) UnmarshalJSON(raw []byte) error {
	var number json.Number
	var words string
	*t = ""
	if json.Unmarshal(raw, &words) == nil {
		*t = text(strings.ReplaceAll(words, "\x00", ""))
	} else if json.Unmarshal(raw, &number) == nil {
		*t = text(number)
	}
	return nil
}

// ref is the ID of another object, which may be expanded in its place.
type ref string

// UnmarshalJSON reads it.
func (r *ref) UnmarshalJSON(raw []byte) error {
	var whole struct {
		ID text `json:"id"`
	}
	var id text
	_ = json.Unmarshal(raw, &id)
	if id == "" && json.Unmarshal(raw, &whole) == nil {
		id = whole.ID
	}
	if len(id) > idMax {
		id = ""
	}
	*r = ref(id)
	return nil
}

// unix is an instant in seconds; nil if there is none.
func unix(seconds *int64) *time.Time {
	if seconds == nil || *seconds <= 0 || *seconds > latestUnix {
		return nil
	}
	at := time.Unix(*seconds, 0).UTC()
	return &at
}

// metadata is what we have given Stripe to keep with an object.
type metadata struct {
	Account text `json:"account"`
	Price   text `json:"price"`
}

// accountOf is the first of some texts that is an account's number; 0 for none.
func accountOf(texts ...text) int64 {
	for _, t := range texts {
		if id, err := strconv.ParseInt(string(t), 10, 64); err == nil && id > 0 {
			return id
		}
	}
	return 0
}

// webAddress is a URL that a mail may have as a link; empty for anything else.
func webAddress(address text) string {
	u, err := url.Parse(string(address))
	if err != nil || u.Scheme != "https" || u.Host == "" || strings.ContainsAny(string(address), " \t\r\n<>\"") {
		return ""
	}
	return string(address)
}
