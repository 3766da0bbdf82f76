package filing

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"gpatlas/platform/database"
)

//go:embed market.sql
var marketSQL string

// few is up to how many managers the filings of each are read. The filings of more are met soon by walking along the days.
const few = 300

// many is a filter of filings by the managers @crds. PostgreSQL hashes a list that it selects, but not one that it gets as an argument:
// f.crd = ANY (@crds) compares each filing with hundreds of numbers once the statement is prepared. A plain IN becomes a join, which would
// read the filings of all of them before it sorts.
const many = "(f.crd NOT IN (SELECT unnest(@crds::text[]))) IS FALSE"

// fewFrom are the filings of each of @crds.
const fewFrom = `(SELECT w.* FROM unnest(@crds::text[]) c (crd)
	CROSS JOIN LATERAL (SELECT f.* FROM catalog.filings f WHERE f.crd = c.crd {{where}}) w)`

// marketRow is a filing with its manager.
type marketRow struct {
	CRD, GPName string
	row
}

// page reads the rows of a page, and one more if there is another page.
func (s *Store) page(ctx context.Context, m *marketQuery) ([]marketRow, error) {
	args := database.Args{
		"form": m.form, "amendment": m.amendment, "crds": m.crds, "limit": m.limit + 1, "from": m.from, "to": m.to,
		"day": m.before.day, "accession": m.before.accession, "processed": nil,
	}
	if !m.processed.IsZero() {
		args["processed"] = m.processed
	}
	where := ""
	also := func(asked bool, condition string) {
		if asked {
			where += " AND " + condition
		}
	}
	also(m.form != "", "f.form_type = @form")
	also(m.form == "ADV" && m.amendment == "", "f.amendment_type = 'initial'")      // which has an index
	also(m.form == "ADV-W" && m.amendment == "", "f.amendment_type = 'withdrawal'") // likewise
	also(m.amendment != "", "f.amendment_type = @amendment")
	also(!m.from.IsZero(), "f.filing_date >= @from")
	also(!m.to.IsZero(), "f.filing_date <= @to")
	also(m.before.accession != "", "(f.filing_date, f.accession) < (@day, @accession)")
	from := "(SELECT * FROM catalog.filings f WHERE true" + where + ")"
	switch {
	case m.crds != nil && len(m.crds) == 0:
		return nil, nil
	case m.crds != nil && len(m.crds) <= few:
		from = strings.Replace(fewFrom, "{{where}}", where, 1)
	case m.crds != nil:
		from = strings.TrimSuffix(from, ")") + " AND " + many + ")"
	}
	return database.Select[marketRow](ctx, s.db, "read all filings", strings.Replace(marketSQL, "{{from}}", from, 1), args)
}

// placeOf is where a row stands.
func placeOf(r *marketRow) place {
	return place{time.Date(r.FilingDate.Year(), r.FilingDate.Month(), r.FilingDate.Day(), 0, 0, 0, 0, time.UTC), r.Accession}
}
