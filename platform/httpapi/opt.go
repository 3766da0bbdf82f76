package httpapi

import (
	"bytes"
	"encoding/json"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Opt is an optional query parameter of a handler's input: huma has no pointers there. An absent `min_aum` differs from
// `min_aum=0`. As a field of a body it is one that may be absent (`json:"name,omitzero"`), but not null: huma treats null as
// absent.
type Opt[T any] struct {
	Value T
	Set   bool
}

// Some is an Opt that was sent, for tests and for callers in the same process.
func Some[T any](value T) Opt[T] { return Opt[T]{Value: value, Set: true} }

// Get returns the value and whether the caller sent one.
func (o Opt[T]) Get() (T, bool) { return o.Value, o.Set }

// Ptr returns the value, or nil when the caller sent none.
func (o Opt[T]) Ptr() *T {
	if !o.Set {
		return nil
	}
	value := o.Value // the address of o's value would allocate for absent values too
	return &value
}

// Or returns the value, or fallback when the caller sent none.
func (o Opt[T]) Or(fallback T) T {
	if !o.Set {
		return fallback
	}
	return o.Value
}

// Receiver is where huma writes the parsed value.
func (o *Opt[T]) Receiver() reflect.Value { return reflect.ValueOf(&o.Value).Elem() }

// OnParamSet is called by huma if the parameter was sent.
func (o *Opt[T]) OnParamSet(isSet bool, _ any) { o.Set = isSet }

// UnmarshalJSON reads a field of a body.
func (o *Opt[T]) UnmarshalJSON(text []byte) error {
	if string(text) == jsonNull {
		return &json.UnmarshalTypeError{Value: jsonNull, Type: reflect.TypeFor[T]()}
	}
	o.Set = true
	return json.Unmarshal(text, &o.Value) //nolint:wrapcheck // restated by unmarshal
}

// Schema documents an Opt like its value: whether it is optional belongs to the parameter.
func (o Opt[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// Date is a calendar day parameter, YYYY-MM-DD. Its Time is midnight UTC.
type Date struct{ time.Time }

// UnmarshalText accepts only YYYY-MM-DD, and not the zero time: programs send that when they have no date.
func (d *Date) UnmarshalText(text []byte) error {
	t, err := time.Parse(time.DateOnly, string(text))
	switch {
	case err != nil:
		return errDate
	case t.IsZero():
		return ErrNoDay
	}
	d.Time = t
	return nil
}

// MarshalText writes YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.Format(time.DateOnly)), nil }

// MarshalJSON writes "YYYY-MM-DD"; the embedded Time would write an instant.
func (d Date) MarshalJSON() ([]byte, error) { return []byte(`"` + d.Format(time.DateOnly) + `"`), nil }

// UnmarshalJSON reads "YYYY-MM-DD".
func (d *Date) UnmarshalJSON(text []byte) error {
	return d.UnmarshalText(bytes.Trim(text, `"`))
}

// Schema documents a Date as a string of format date.
func (Date) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date"}
}

// String is the day as YYYY-MM-DD.
func (d Date) String() string { return d.Format(time.DateOnly) }

// Instant is a point-in-time parameter: RFC 3339, or a day YYYY-MM-DD, which means its end in UTC.
type Instant struct {
	time.Time
	WholeDay bool // a day was sent
}

// UnmarshalText accepts only RFC 3339 or YYYY-MM-DD, and not the zero time, as Date.
func (i *Instant) UnmarshalText(text []byte) error {
	if day, err := time.Parse(time.DateOnly, string(text)); err == nil {
		if day.IsZero() {
			return ErrNoDay
		}
		i.Time, i.WholeDay = day.AddDate(0, 0, 1).Add(-time.Microsecond), true // a microsecond is PostgreSQL's precision
		return nil
	}
	at, err := time.Parse(time.RFC3339Nano, string(text))
	switch {
	case err != nil:
		return errInstant
	case at.IsZero():
		return ErrNoDay
	}
	i.Time, i.WholeDay = at.UTC(), false
	return nil
}

// Schema documents an Instant as a string.
func (Instant) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, PatternDescription: instantRule}
}
