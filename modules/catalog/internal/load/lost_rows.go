package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
)

// ownerKey is what an owner is found by: the words of its name before the middle name, in any spelling, whether it is marked as a person (catalogapi.MarksPerson), and its number.
var ownerKey = nameKey("split_part($.name, ',', 1) || split_part($.name, ',', 2)") +
	" || CASE WHEN " + catalogapi.MarksPersonSQL + " THEN '|' ELSE '' END || coalesce($.owner_id, '')"

// lasting are the lists that change slowly, and what a row is found by in the next filing: SQL, in which $ is the row.
var lasting = []struct{ table, key string }{
	{"disclosures", "concat_ws(' ', $.family, $.reference_id)"},
	{"disclosure_affiliates", "concat_ws(' ', $.reference_id, lower($.name))"},
	{"owners", ownerKey},
	{"funds", "$.fund_id"},
	{"affiliates", nameKey("coalesce($.affiliate_crd, $.legal_name, $.business_name, '')")},
	{"offices", nameKey("concat_ws(' ', $.city, $.state, $.country)")},
	{"websites", "lower($.url)"},
	{"sub_advised_funds", nameKey("coalesce($.fund_id, $.name, '')")},
	{"identifiers", "concat_ws(' ', $.kind, $.value)"},
}

// nameKey makes a key of a text, in any spelling.
func nameKey(text string) string { return "regexp_replace(lower(" + text + "), '[^a-z0-9]+', '', 'g')" }

// fundsSaid is whether a filing states funds: a list that is in doubt, because other tables name a fund that it lacks, is one too.
const fundsSaid = "(f.funds_listed OR EXISTS (SELECT FROM s_fund x WHERE x.accession = f.accession))"

// compare compares, for the quality check, the newest filing of each adviser with the filing before it. It needs staged rows: there are none if
// the catalog was empty, or all filings are known.
func (s *session) compare(ctx context.Context, d *filingReader) (lost []catalogapi.LostRows, changed []catalogapi.ChangedValues, err error) {
	if d.opts.Accept == nil {
		return nil, nil, nil
	}
	if err = s.run(ctx, "pairs"); err != nil {
		return nil, nil, err
	}
	if lost, err = s.lostRows(ctx, d); err != nil {
		return nil, nil, err
	}
	changed, err = s.changedValues(ctx, d)
	return lost, changed, err
}

// lostRows counts rows that the filings of an archive lack and the filings before them had. New rows do not compensate for them.
func (s *session) lostRows(ctx context.Context, d *filingReader) (lost []catalogapi.LostRows, err error) {
	if d.doc.Source != catalogapi.SourceADVArchive {
		return nil, nil
	}
	for _, l := range lasting {
		of, list, said := fundTable, literal(l.table), fundsSaid
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
			"$key$", strings.ReplaceAll(l.key, "$.", "c."), "$key of o$", strings.ReplaceAll(l.key, "$.", "o."))
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
