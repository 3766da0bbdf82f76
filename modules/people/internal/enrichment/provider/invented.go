package provider

import (
	"context"
	"strconv"

	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/title"
)

// made replaces an external service, for people whose managers are all invented.
type made struct {
	has func(crd, legalName string) bool
}

// NewInvented makes a provider that makes up its answers and calls no service. has reports whether a manager is invented.
// It does not know the people in filings of any other manager.
func NewInvented(has func(crd, legalName string) bool) Provider { return made{has} }

// Name marks every value as invented.
func (made) Name() string { return invented.Source }

// Gives lists all fields.
func (made) Gives() []string { return []string{Email, Phone, Location, NetworkURL, Schools, Posts} }

// Enrich returns the same for the same person each time. One of eight people is not known, as with a real provider.
func (p made) Enrich(_ context.Context, q Query) (Result, error) {
	known := len(q.Managers) > 0 && invented.Known(q.UID)
	for _, m := range q.Managers {
		known = known && p.has(m.CRD, m.Firm)
	}
	if !known {
		return Result{}, &Error{Kind: NoMatch}
	}
	graduated := invented.Graduated(q.UID)
	return Result{
		First: q.First, Last: q.Last, Confidence: 1, Email: invented.EmailOf(q.First, q.Last), Phone: invented.Phone(q.UID),
		Location: invented.Location, NetworkURL: invented.NetworkURL(q.UID),
		Education: []Education{{
			School: invented.School(q.UID), Degree: "BA (invented)", From: strconv.Itoa(graduated - 4), To: strconv.Itoa(graduated),
		}},
		Experience: []Experience{{
			Firm: invented.Firm(q.UID), Title: invented.Title(title.Associate), From: strconv.Itoa(graduated), To: strconv.Itoa(graduated + 4),
		}},
	}.clean(), nil
}
