package peopleapi

import "time"

// StalePerson is a person whose advisers were enriched too long ago.
type StalePerson struct {
	PersonUID  string
	FullName   string
	CRD        string    // the adviser of the newest post
	Firm       string    // its legal name; empty if the catalog does not have it
	EnrichedAt time.Time // the newest enrichment of an adviser of the person
}

// StaleBoard is a job board that was read too long ago.
type StaleBoard struct {
	CRD         string
	Firm        string // legal name; empty if the catalog does not have it
	Vendor      string
	Token       string
	AddedAt     time.Time
	SucceededAt *time.Time // nil = it has never been read
	Failure     *string    // why the last reading failed; nil = it did not
}
