package owner

import (
	"context"
	_ "embed"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/database"
)

//go:embed persons.sql
var personsSQL string

// persons are the natural persons in all filings of a manager, as filed. Firms that a filer marked as individuals are none.
//
// Spec: not shown; at every moment all filings count: a name that is withheld today is not free in the past.
func (s *Service) persons(ctx context.Context, crd string) (names []string, err error) {
	type row struct {
		Name       string
		EntityType *string
	}
	rows, err := panel.Select[row](ctx, s.store, "read persons in filings", personsSQL, catalogapi.Moment{}, database.Args{"crd": crd})
	for _, r := range rows {
		if (&filed{Name: r.Name, EntityType: r.EntityType}).person() && !derive.NamesFirm(r.Name) {
			names = append(names, r.Name)
		}
	}
	return names, err
}
