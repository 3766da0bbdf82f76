package changefeed

import (
	"context"
	"slices"

	"gpatlas/platform/changes"
)

// KindNames are the kinds of events.
func KindNames() []string { return slices.Clone(names) }

// Example is the invented event of a kind; ok is false if there is no such kind.
func Example(kind string) (e Event, ok bool) {
	for i := range kinds {
		if kinds[i].Kind == kind {
			return kinds[i].Example, true
		}
	}
	return e, false
}

// Events makes the events of entries of the log, as the feed has them.
func (s *Service) Events(ctx context.Context, entries []changes.Event) ([]Event, error) {
	return s.events(ctx, changes.Page{Events: entries})
}
