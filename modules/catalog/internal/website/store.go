package website

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/database"
)

// What the filing lists now is compared too: not all owners of restated editions were kept.
const personsSQL = `SELECT DISTINCT name FROM (
	SELECT name, entity_type FROM catalog.owners WHERE accession = @accession
	UNION ALL
	SELECT r ->> 'name', r ->> 'entity_type' FROM catalog.replaced_children k, jsonb_array_elements(k.rows) r
	WHERE k.accession = @accession AND k.list = 'owners' AND k.replaced_at = @replaced
) o WHERE coalesce(entity_type, 'I') = 'I'`

// persons are the natural persons in the schedules of owners of an edition of a filing.
func (s *Service) persons(ctx context.Context, of *panel.Edition) (names []string, err error) {
	type row struct{ Name string }
	rows, err := panel.Select[row](ctx, s.store, "read names", personsSQL, catalogapi.Moment{}, database.Args{"accession": of.Accession, "replaced": of.ReplacedAt})
	for _, r := range rows {
		names = append(names, r.Name)
	}
	return names, err
}
