// Package enrichment finds out more about people than filings state: from providers that the operator has configured, in their
// order, after the filings themselves. It stores the source, confidence and time of each value.
package enrichment

import (
	"time"

	"gpatlas/modules/people/internal/enrichment/provider"
)

// SourceFilings is the source of values from filings.
const SourceFilings = "filings"

// Origin is where a value comes from.
type Origin struct {
	Source     string    `json:"source"`     // filings, or a provider's name
	Confidence float64   `json:"confidence"` // 0 to 1; 1 for filings
	FetchedAt  time.Time `json:"fetched_at"` // for filings: the date of the last filing that states the value
}

// Text is a text about a person and its origin.
type Text struct {
	Value string `json:"value"`
	Origin
}

// School is a school of a person.
type School struct {
	provider.Education
	Origin
}

// Post is a post of a person. Posts from filings have the adviser's CRD number.
type Post struct {
	provider.Experience

	CRD     string `json:"crd,omitempty"`
	Current bool   `json:"current"`
	// LeftBefore is the day before which the person left, if filings state only that the person left after To.
	LeftBefore string `json:"left_before,omitempty"`
	// The day on which the adviser withdrew, and the one since which no list names it.
	FirmWithdrawnOn    string `json:"firm_withdrawn_on,omitempty"`
	FirmNotListedSince string `json:"firm_not_listed_since,omitempty"`
	Origin
}

// Profile is what is known about a person. Unknown fields are nil.
type Profile struct {
	PersonUID  string     `json:"person_uid"` // the current one
	Email      *Text      `json:"email"`
	Phone      *Text      `json:"phone"`
	Location   *Text      `json:"location"`
	NetworkURL *Text      `json:"professional_network_url"`
	Education  []School   `json:"education"`  // the earliest first
	Experience []Post     `json:"experience"` // the latest first
	UpdatedAt  *time.Time `json:"updated_at"` // when providers were asked last; nil: never
}
