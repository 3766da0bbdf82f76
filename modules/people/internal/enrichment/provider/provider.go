// Package provider asks external services about people.
package provider

import (
	"context"
	"errors"
	"time"
)

// Query is what a provider receives about a person. Everything but the last name may be empty.
type Query struct {
	First, Last string
	Firm        string // legal name of the adviser
	Domain      string // of the adviser's website: "larkspur.example"
	CRD         string // of the adviser
	Title       string // as filed

	// The following fields are only for the invented provider. No external service receives them.
	UID      string
	Managers []Manager // all managers whose filings name the person
}

// Manager is an adviser whose filings name a person.
type Manager struct{ CRD, Firm string }

// Result is what a provider knows about a person. Unknown fields are empty.
type Result struct {
	First, Last string  // the provider's name for the person
	Confidence  float64 // 0 to 1
	Email       string
	Phone       string
	Location    string
	NetworkURL  string
	Education   []Education
	Experience  []Experience
}

// Education is a school that a person attended. Dates are "2006", "2006-09" or "2006-09-01".
type Education struct {
	School string `json:"school"`
	Degree string `json:"degree,omitempty"`
	Field  string `json:"field,omitempty"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
}

// Experience is a post of a person. Dates are as in Education; without To the post lasts or its end is unknown.
type Experience struct {
	Firm  string `json:"firm"`
	Title string `json:"title,omitempty"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
}

// The fields of a profile.
const (
	Email      = "email"
	Phone      = "phone"
	Location   = "location"
	NetworkURL = "professional_network_url"
	Schools    = "education"
	Posts      = "experience"
)

// Provider is a source of data about people.
type Provider interface {
	// Name is short and never changes: it is stored with everything that the provider returned.
	Name() string
	// Gives lists the fields of profiles that the provider may know.
	Gives() []string
	// Enrich asks about one person. Its errors are of type *Error.
	Enrich(ctx context.Context, q Query) (Result, error)
}

// Kind is why a provider has no answer.
type Kind string

// The kinds of failure.
const (
	NoMatch      Kind = "no_match"      // it does not know the person
	Limited      Kind = "limited"       // too many queries; RetryAfter is how long to pause
	OutOfCredit  Kind = "out_of_credit" // the operator's account with the provider is used up
	Unauthorized Kind = "unauthorized"  // the operator's key was rejected
	Malformed    Kind = "malformed"     // the response cannot be read
	Away         Kind = "away"          // the provider was unreachable, failed, or took too long
)

// Error is why a provider has no answer. Its text names neither the person nor a key.
type Error struct {
	Kind       Kind
	RetryAfter time.Duration // of Limited; 0 = not stated
	cause      error
}

// Error is the kind and, for the log, its cause.
func (e *Error) Error() string {
	if e.cause != nil {
		return string(e.Kind) + ": " + e.cause.Error()
	}
	return string(e.Kind)
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.cause }

// KindOf is the kind of a failure; Away for errors of any other type.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Away
}
