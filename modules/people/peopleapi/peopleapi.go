// Package peopleapi is the people's face to other modules.
package peopleapi

import "context"

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
}
