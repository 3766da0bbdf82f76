// Package peopleapi is the interface of module people for other modules.
package peopleapi

import (
	"context"
	"time"
)

// Resolver derives people from the names in filings.
type Resolver interface {
	// Refresh updates the people, and the managers of LPs' investments, from the catalog, and returns how many advisers were
	// read. It may be called any number of times, and determines itself what there is to do. Call it after documents were
	// loaded.
	Refresh(ctx context.Context) (advisers int, err error)
	// KnowsPerson reports whether filings name a person of this UID. A former UID counts: it leads to the present one.
	KnowsPerson(ctx context.Context, uid string) (bool, error)
	// KnowsLP reports whether there is an LP of this ID.
	KnowsLP(ctx context.Context, id int64) (bool, error)
	// StalePersons returns up to limit people without an adviser that was enriched after a time, the oldest first, and how many
	// there are in all. People whose advisers were never enriched are not included.
	StalePersons(ctx context.Context, until time.Time, limit int) (list []StalePerson, total int64, err error)
	// StaleBoards returns up to limit job boards that were not read after a time, the oldest first, and how many there are in
	// all. For a board that was never read, the time it was added counts.
	StaleBoards(ctx context.Context, until time.Time, limit int) (list []StaleBoard, total int64, err error)
}
