// Package unread finds managers whose people are not read yet: the catalogue has published something of them that the resolution has not
// read, because it is about to, or because the process of the ingestion ended in between. Until it is read, nothing is said of these
// people and nothing is sold.
package unread

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

// Code is the word of the refusal for programs.
const Code = "people_not_read"

// Reason is what an answer says that has no counts.
const Reason = "Filings of the manager were loaded, but their people are not read yet"

// retryAfter is how long a caller should wait. The worker looks every few minutes; an ingestion reads people at its end.
const retryAfter = 30 * time.Second

// Store compares what was published with what was read.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db} }

var (
	//go:embed news.sql
	newsSQL string
	//go:embed firm.sql
	firmSQL string
	//go:embed person.sql
	personSQL string
	//go:embed found.sql
	foundSQL string
)

// News tells whether anything at all was published that is not read.
func (s *Store) News(ctx context.Context) (bool, error) {
	news, err := database.Values[bool](ctx, s.db, "look for what is not read", newsSQL, database.Args{})
	return err == nil && news[0], err
}

// Firm tells whether something of a manager is not read.
func (s *Store) Firm(ctx context.Context, crd string) (bool, error) {
	return s.is(ctx, firmSQL, database.Args{"crd": crd})
}

// WantFirm refuses while something of a manager is not read.
func (s *Store) WantFirm(ctx context.Context, crd string) error {
	unread, err := s.Firm(ctx, crd)
	return refusal(unread, err, Reason)
}

// WantPerson refuses while something of one of a person's managers is not read, and everybody before the first resolution.
func (s *Store) WantPerson(ctx context.Context, uid string) error {
	unread, err := s.is(ctx, personSQL, database.Args{"uid": uid})
	return refusal(unread, err, "Filings of a manager of this person were loaded, but their people are not read yet")
}

// WantSearch refuses while something of a manager is not read whose people can be found.
func (s *Store) WantSearch(ctx context.Context) error {
	unread, err := s.is(ctx, foundSQL, nil)
	return refusal(unread, err, "Filings were loaded, but their people are not read yet, so they cannot be found")
}

// is asks for the news first, since there seldom is any.
func (s *Store) is(ctx context.Context, statement string, args database.Args) (bool, error) {
	news, err := s.News(ctx)
	if err != nil || !news {
		return false, err
	}
	unread, err := database.Values[bool](ctx, s.db, "look whose people are not read", statement, args)
	return err == nil && unread[0], err
}

func refusal(unread bool, err error, why string) error {
	if err != nil || !unread {
		return err
	}
	refused := apperr.Unavailable("%s. Nothing was charged; try again in a minute", why)
	refused.Code = Code
	return refused.Wrap(waiting{})
}

type waiting struct{}

func (waiting) Error() string { return "people are not read yet" }

// RetryAfter is how long to wait.
func (waiting) RetryAfter() time.Duration { return retryAfter }
