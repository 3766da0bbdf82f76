// Package enrichment finds out more about people than filings say: from providers that the operator has configured, in their
// order, after the filings themselves. It keeps who said what, how sure, and when.
package enrichment

import (
	"time"

	"gpatlas/modules/people/internal/enrichment/provider"
)

// SourceFilings is the source of what filings say.
const SourceFilings = "filings"

// Origin says where something comes from.
type Origin struct {
	Source     string    `json:"source"`     // filings, or a provider's name
	Confidence float64   `json:"confidence"` // 0 to 1; 1 for filings
	FetchedAt  time.Time `json:"fetched_at"` // for filings: the last one that says so
}

// Text is something known of a person, and where from.
type Text struct {
	Value string `json:"value"`
	Origin
}

// School is a school of a person.
type School struct {
	provider.Education
	Origin
}

// Post is a post of a person. Those of filings have the adviser's CRD number.
type Post struct {
	provider.Experience

	CRD     string `json:"crd,omitempty"`
	Current bool   `json:"current"`
	// LeftBefore is the day before which the person left, where filings say no more than that the person left after To.
	LeftBefore string `json:"left_before,omitempty"`
	Origin
}

// Profile is what is known of a person. Fields that nobody knows are nil.
type Profile struct {
	PersonUID  string     `json:"person_uid"` // the one that is used now
	Email      *Text      `json:"email"`
	Phone      *Text      `json:"phone"`
	Location   *Text      `json:"location"`
	NetworkURL *Text      `json:"professional_network_url"`
	Education  []School   `json:"education"`  // the earliest first
	Experience []Post     `json:"experience"` // the latest first
	UpdatedAt  *time.Time `json:"updated_at"` // when providers were asked last; nil: never
}
