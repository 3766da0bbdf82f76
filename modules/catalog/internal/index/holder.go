package index

import (
	"sync/atomic"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/apperr"
)

// ErrLoading is the error before the first snapshot is loaded.
var ErrLoading = apperr.Unavailable("The catalog is being loaded")

// Holder holds the newest snapshot. Searches take it from here once and use it to their end, so that an exchange in
// between is never seen; it answers whether the database is there or not.
type Holder struct {
	current atomic.Pointer[Snapshot]
}

// Snapshot returns the newest snapshot. Before the first is loaded the error is apperr's Unavailable: an empty answer
// would be a wrong one.
func (h *Holder) Snapshot() (*Snapshot, error) {
	if s := h.current.Load(); s != nil {
		return s, nil
	}
	return nil, ErrLoading
}

// ShownAuditors are the names of a fund's auditors that may be shown: see Snapshot.ShowsAuditor. Before the first snapshot is loaded, these are
// the names of firms, whatever persons filings name.
func (h *Holder) ShownAuditors(names []string) []string {
	shows := func(name string) bool { return derive.ShowsFirm(name, nil) }
	if s := h.current.Load(); s != nil {
		shows = s.ShowsAuditor
	}
	shown := make([]string, 0, len(names))
	for _, name := range names {
		if shows(name) {
			shown = append(shown, name)
		}
	}
	return shown
}

// Swap makes s the newest snapshot.
func (h *Holder) Swap(s *Snapshot) { h.current.Store(s) }
