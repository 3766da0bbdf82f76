// Package peopleapi is the people's face to other modules.
package peopleapi

import (
	"context"
	"time"
)

// Resolver makes people of the names in filings.
type Resolver interface {
	// Refresh brings the people, and the managers of LPs' investments, up to date with the catalogue, and says how many advisers
	// were read anew. It may be called any number of times, and finds out by itself what there is to do. Call it after documents
	// were loaded.
	Refresh(ctx context.Context) (advisers int, err error)
	// KnowsPerson says whether filings name a person of this UID. A former UID counts: it leads to the present one.
	KnowsPerson(ctx context.Context, uid string) (bool, error)
	// KnowsLP says whether there is an LP of this ID.
	KnowsLP(ctx context.Context, id int64) (bool, error)
	// StalePersons gives up to limit people, none of whose advisers was enriched after a time, the oldest first, and says how
	// many there are in all. People whose advisers were never enriched are not among them.
	StalePersons(ctx context.Context, until time.Time, limit int) (list []StalePerson, total int64, err error)
	// StaleBoards gives up to limit job boards that were not read after a time, the oldest first, and says how many there are
	// in all. One that was never read counts from when it was added.
	StaleBoards(ctx context.Context, until time.Time, limit int) (list []StaleBoard, total int64, err error)
}
