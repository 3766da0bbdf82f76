// Package unread finds managers whose people are not read yet: the catalog has published documents of them that the resolution
// has not read, because it is about to run, or because the process of the ingestion ended in between. Until then, these people
// are neither shown nor sold.
package unread

import (
	"context"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Code is the machine-readable code of the refusal.
const Code = "people_not_read"

// Reason is the reason in a response that has no counts.
const Reason = "Filings of the manager were loaded, but their people are not read yet"

// Unfiled is the reason in a response that has no counts because no loaded document could have named people.
const Unfiled = "No filing of this manager with a Schedule A or B was loaded, and no Form D notice names its people"

// retryAfter is how long a caller should wait. The worker looks every few minutes; an ingestion reads people at its end.
const retryAfter = 30 * time.Second

// Refusals of requests that need people who are not read yet: of one manager, of one person's managers, and of all people who
// can be found.
var (
	ErrFirm   = refused(Reason)
	ErrPerson = refused("Filings of a manager of this person were loaded, but their people are not read yet")
	ErrSearch = refused("Filings were loaded, but their people are not read yet, so they cannot be found")
)

func refused(why string) error {
	e := apperr.Unavailable("%s. Nothing was charged; try again in a minute", why)
	e.Code = Code
	return e.Wrap(waiting{})
}

// Store compares what was published with what was read.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db} }

// Whether anything was published since the last resolution.
const newsSQL = `SELECT EXISTS (
	SELECT FROM catalog.pub_arrival a WHERE a.known_at > coalesce((SELECT processed_at FROM people.progress), '-infinity')
	OR a.arrival > coalesce((SELECT arrival FROM people.progress), 0)
)`

// FirmsSQL begins a statement with the table unread: the managers whose filings or notices were loaded or restated since the last resolution.
// Only Form ADV archives have Schedules A and B: rosters and feeds list all firms and no people.
const FirmsSQL = `WITH done AS (SELECT coalesce(max(processed_at), '-infinity') AS processed_at, coalesce(max(arrival), 0) AS arrival FROM people.progress), unread AS (
	SELECT f.crd FROM done d JOIN catalog.pub_filing f ON f.processed_at > d.processed_at AND f.source = 'adv_archive'
	UNION ALL SELECT o.adviser_crd FROM done d JOIN catalog.pub_offering o ON o.processed_at > d.processed_at OR o.arrival > d.arrival
)`

const firmSQL = FirmsSQL + ` SELECT EXISTS (SELECT FROM unread WHERE crd = ANY (@crds))`

// Before the first resolution no people can be found.
const foundSQL = FirmsSQL + ` SELECT NOT EXISTS (SELECT FROM people.progress) OR EXISTS (SELECT FROM unread JOIN people.enriched_firms USING (crd))`

// Before the first resolution no ID is known. One that is not known may be of a person whose filing is not read yet.
const personSQL = FirmsSQL + `, firms AS (
	SELECT p.crd FROM people.posts p WHERE p.person_uid = coalesce((SELECT a.person_uid FROM people.aliases a WHERE a.uid = @uid), @uid)
)
SELECT NOT EXISTS (SELECT FROM people.progress)
	OR EXISTS (SELECT FROM unread WHERE crd IN (SELECT crd FROM firms) OR NOT EXISTS (SELECT FROM firms))`

// News reports whether any published document is not read yet.
func (s *Store) News(ctx context.Context) (bool, error) {
	news, err := database.Values[bool](ctx, s.db, "look for what is not read", newsSQL, database.Args{})
	return err == nil && news[0], err
}

// Firm reports whether any document of a manager is not read yet.
func (s *Store) Firm(ctx context.Context, crd string) (bool, error) {
	return s.is(ctx, firmSQL, database.Args{"crds": []string{crd}})
}

// UnfiledSQL is true if no document that was loaded could have named people of the manager g: their number is unknown then. A filing
// whose schedules were loaded and list no one could have. One whose archive has no rows in these tables states nothing.
const UnfiledSQL = `(NOT EXISTS (SELECT FROM people.firms f WHERE f.crd = g.crd AND (f.schedules > 0 OR f.notices > 0))
	AND NOT EXISTS (SELECT FROM catalog.pub_filing f WHERE f.crd = g.crd AND f.source = 'adv_archive' AND NOT coalesce('` + catalogapi.TableOwners + `' = ANY (f.silent), false)))`

// WantFirm refuses while any document of a manager is not read yet.
func (s *Store) WantFirm(ctx context.Context, crd string) error {
	unread, err := s.Firm(ctx, crd)
	return refusal(unread, err, ErrFirm)
}

// WantFirms refuses while any document of one of some managers is not read yet.
func (s *Store) WantFirms(ctx context.Context, crds []string) error {
	unread, err := s.is(ctx, firmSQL, database.Args{"crds": crds})
	return refusal(unread, err, ErrFirm)
}

// WantPerson refuses while any document of one of a person's managers is not read yet, and for everybody before the first
// resolution.
func (s *Store) WantPerson(ctx context.Context, uid string) error {
	unread, err := s.is(ctx, personSQL, database.Args{"uid": uid})
	return refusal(unread, err, ErrPerson)
}

// WantSearch refuses while any document of a manager whose people can be found is not read yet.
func (s *Store) WantSearch(ctx context.Context) error {
	unread, err := s.is(ctx, foundSQL, nil)
	return refusal(unread, err, ErrSearch)
}

// is checks News first, since there are seldom any.
func (s *Store) is(ctx context.Context, statement string, args database.Args) (bool, error) {
	news, err := s.News(ctx)
	if err != nil || !news {
		return false, err
	}
	unread, err := database.Values[bool](ctx, s.db, "look whose people are not read", statement, args)
	return err == nil && unread[0], err
}

func refusal(unread bool, err, refused error) error {
	if err != nil || !unread {
		return err
	}
	return refused
}

type waiting struct{}

func (waiting) Error() string { return "people are not read yet" }

// RetryAfter is how long the caller should wait.
func (waiting) RetryAfter() time.Duration { return retryAfter }
