package catalogapi

import (
	"context"
	"time"
)

// What has happened to an adviser in a search.
const (
	NewsEntered = "entered" // the search finds it now
	NewsLeft    = "left"    // the search does not find it any more
	NewsChanged = "changed" // the search found it and finds it, and a field of it has another value
)

// GPNews is what has happened to an adviser in a search.
type GPNews struct {
	CRD    string
	Name   string // the legal name; of one that has left the catalog the last one
	What   string
	Fields []string // of NewsChanged: those with other values, sorted
}

// GPComparison is some advisers as they were and as they are.
type GPComparison interface {
	// News returns what has happened to these advisers in a search by filters, in the order of the CRD numbers as texts. The error is that of CheckWatched. The
	// list is the caller's until the next call.
	News(filters map[string]any) ([]GPNews, error)
}

// Compared is what a comparison belongs to.
type Compared struct {
	Arrival int64     // the newest load
	KnownAt time.Time // the instant at which that load is known, for known_at
	Last    bool      // no other advisers are compared with this load
}

// GPDiffer compares advisers before and after loads, and says which of them enter a search, leave it, or change in it. Only the adviser and its
// funds decide whether a search finds it. Both sides are read on the day of the comparison, so the passing of time is no news.
type GPDiffer interface {
	// CheckWatched is GPSearcher.CheckGPFilters; filters by which firm serves or audits a fund are refused, too: whether such a firm may be
	// shown depends on other advisers' filings.
	CheckWatched(filters map[string]any) error
	// WatchedFields are the fields that NewsChanged is about, by their names in GET /v1/gps/{crd}.
	WatchedFields() []string
	// NewestLoad is the number of the newest load; 0 for none.
	NewestLoad(ctx context.Context) (int64, error)
	// CompareGPs calls fn with the advisers that have changed since the last call, as they were then and as they are, some thousand at a
	// time. It is called at least once if there was a load. All calls are in one transaction, which reads one state of the database. If
	// fn fails, the next call compares the same advisers again. It must not be called in a transaction. While another process compares,
	// fn is not called. The first call ever compares nothing.
	CompareGPs(ctx context.Context, fn func(ctx context.Context, of Compared, c GPComparison) error) error
}
