// Package provider asks services outside about people.
package provider

import (
	"context"
	"errors"
	"time"
)

// Query is what a provider is told of a person. Everything but the last name may be empty.
type Query struct {
	First, Last string
	Firm        string // legal name of the adviser
	Domain      string // of the adviser's website: "larkspur.example"
	CRD         string // of the adviser
	Title       string // as filed

	// What follows is for what is invented here. No service is told.
	UID      string
	Managers []Manager // all whose filings name the person
}

// Manager is an adviser whose filings name a person.
type Manager struct{ CRD, Firm string }

// Result is what a provider knows of a person. What it does not know is empty.
type Result struct {
	First, Last string  // what it calls the person
	Confidence  float64 // 0 to 1
	Email       string
	Phone       string
	Location    string
	NetworkURL  string
	Education   []Education
	Experience  []Experience
}

// Education is a school that somebody went to. Days are "2006", "2006-09" or "2006-09-01".
type Education struct {
	School string `json:"school"`
	Degree string `json:"degree,omitempty"`
	Field  string `json:"field,omitempty"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
}

// Experience is a post that somebody has or had. Days are as of schools; without To it lasts, or it is not known.
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

// Provider knows people.
type Provider interface {
	// Name is short and stays: it stands beside everything that the provider has said.
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
	Limited      Kind = "limited"       // it was asked too often; RetryAfter says how long to leave it alone
	OutOfCredit  Kind = "out_of_credit" // the operator's account with it is used up
	Unauthorized Kind = "unauthorized"  // it does not take the operator's key
	Malformed    Kind = "malformed"     // its answer cannot be read
	Away         Kind = "away"          // it was not reached, failed, or took too long
)

// Error is why a provider has no answer. Its text names neither the person nor a key.
type Error struct {
	Kind       Kind
	RetryAfter time.Duration // of Limited; 0 = not said
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

// KindOf is the kind of a failure; Away for what no provider has said.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Away
}
