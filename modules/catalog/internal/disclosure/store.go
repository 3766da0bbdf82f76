package disclosure

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

// store reads what the index does not have.
type store struct{ db *database.DB }

const wholeSQL = "SELECT crd, silent FROM catalog.pub_filing WHERE source = 'adv_archive' AND (@crds::text[] IS NULL OR crd = ANY (@crds))"

// whole reads the complete filings of the managers among crds, or of all if that is nil, by CRD number.
func (s *store) whole(ctx context.Context, crds []string) (map[string][]catalogapi.DisclosureFiling, error) {
	type row struct {
		CRD    string
		Silent []string
	}
	rows, err := database.Select[row](ctx, s.db, "look for filings that state disclosures", wholeSQL, database.Args{"crds": crds})
	whole := map[string][]catalogapi.DisclosureFiling{}
	for _, r := range rows {
		whole[r.CRD] = append(whole[r.CRD], catalogapi.DisclosureFiling{Silent: r.Silent})
	}
	return whole, err
}
