package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
)

// lasting are the lists that change slowly, and by which columns a row is found in the next filing.
var lasting = []struct {
	table string
	key   []string
}{
	{"disclosures", []string{"family", "reference_id"}},
	{"disclosure_affiliates", []string{"reference_id", "name"}},
	{"owners", []string{"name"}},
	{"funds", []string{"fund_id"}},
}

// lostRows counts, for the quality check, rows that the filings of an archive lack and the filings before them had. New rows do not
// compensate for them. It needs staged rows: there are none if the catalog was empty, or all filings are known.
func (s *session) lostRows(ctx context.Context, d *filingReader) (lost []catalogapi.LostRows, err error) {
	if d.opts.Accept == nil || d.doc.Source != catalogapi.SourceADVArchive {
		return nil, nil
	}
	for _, l := range lasting {
		of, list, said := fundTable, literal(l.table), "f.funds_listed"
		if l.table != "funds" {
			t, err := childTableOf(l.table)
			if err != nil {
				return nil, err
			}
			of, list = &t.table, t.list("o")
			if said = list + " <> ALL (coalesce(f.silent, '{}'))"; !slices.Contains(d.tables, of) {
				continue
			}
		}
		rows, err := s.query(ctx, "lost_rows", "$list$", list, "$final$", of.final, "$staged$", of.staged, "$said$", said,
			"$key$", "concat_ws(' ', "+quoteList("", l.key)+")", "$key of o$", "concat_ws(' ', "+quoteList("o.", l.key)+")")
		if err != nil {
			return nil, fmt.Errorf("catalog load: compare %s: %w", l.table, err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[catalogapi.LostRows])
		if err != nil {
			return nil, fmt.Errorf("catalog load: compare %s: %w", l.table, err)
		}
		lost = append(lost, found...)
	}
	slices.SortFunc(lost, func(a, b catalogapi.LostRows) int { return strings.Compare(a.CRD, b.CRD) })
	return lost, nil
}
