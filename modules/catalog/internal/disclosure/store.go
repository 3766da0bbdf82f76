package disclosure

import (
	"context"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

// store reads what the index does not have.
type store struct{ db *database.DB }

const statedSQL = `SELECT f.crd FROM catalog.filings f LEFT JOIN catalog.adviser_versions v USING (crd, accession)
WHERE (@crds::text[] IS NULL OR f.crd = ANY (@crds)) AND f.source = 'adv_archive'
GROUP BY f.crd HAVING true`

// stated returns the managers among crds, or all if that is nil, whose filings have the tables of all families. Different filings may have different
// tables. The filter has_disclosure wants all tables in the newest filing (index/disclosures_answered.sql), because false means that there is none now.
func (s *store) stated(ctx context.Context, crds []string) ([]string, error) {
	var stated strings.Builder
	stated.WriteString(statedSQL)
	for _, table := range catalogapi.DisclosureTables() {
		stated.WriteString(" AND bool_or('" + table + "' <> ALL (coalesce(v.silent, '{}')))")
	}
	return database.Values[string](ctx, s.db, "look for filings that state disclosures", stated.String(), database.Args{"crds": crds})
}
