package website

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/database"
)

const namesSQL = `SELECT array_remove(ARRAY[a.legal_name, a.business_name], NULL) AS firm, coalesce(a.website, '') AS website,
	ARRAY(SELECT DISTINCT name FROM catalog.owners WHERE accession = @accession AND coalesce(entity_type, 'I') = 'I') AS persons
FROM catalog.advisers a WHERE a.crd = @crd`

// names reads who the addresses of a filing may name.
func (s *Service) names(ctx context.Context, crd, accession string) (names, error) {
	rows, err := panel.Select[names](ctx, s.store, "read names", namesSQL, catalogapi.Moment{}, database.Args{"crd": crd, "accession": accession})
	if err != nil || len(rows) == 0 {
		return names{}, err
	}
	return rows[0], nil
}
