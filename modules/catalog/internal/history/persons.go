package history

import (
	"context"
	_ "embed"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/database"
)

//go:embed persons.sql
var personsSQL string

// Persons are the natural persons in all filings of managers, as filed, by CRD number. Firms that a filer marked as individuals are none.
//
// Spec: not shown; the contract sells the names of people, so that no free list shows a firm that is called after one of them. At every moment all
// filings count: a name that is withheld today is not free in the past.
func Persons(ctx context.Context, db *database.DB, crds ...string) (map[string][]string, error) {
	persons := map[string][]string{}
	if len(crds) == 0 {
		return persons, nil
	}
	type row struct {
		CRD, Name  string
		EntityType *string
	}
	rows, err := database.Select[row](ctx, db, "read persons in filings", personsSQL, database.Args{"crds": crds})
	for _, r := range rows {
		if derive.OwnsAsPerson(r.Name, r.EntityType) && !derive.NamesFirm(r.Name) {
			persons[r.CRD] = append(persons[r.CRD], r.Name)
		}
	}
	return persons, err
}
