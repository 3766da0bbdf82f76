package load

import (
	"context"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/changes"
	"gpatlas/platform/stage"
)

// The reasons of changes.
const (
	reasonFiling     = "filing"     // a document was loaded; sql/changes.sql writes "list" if only a list of advisers caused the change
	reasonCalendar   = "calendar"   // values depend on the day
	reasonCorrection = "correction" // an operator's override
)

// logChanges appends what the transaction has changed to the log of changes. Others that append then wait for the transaction's end, so
// this comes last, before publish.Date.
//
// Only rows that were there before the transaction are compared with what it leaves: what changed in it and back again is no event.
func (l *Loader) logChanges(ctx context.Context, s *session) error {
	defer stage.Begin(ctx, "comparing what has changed")()
	name := "changes"
	if s.filled {
		name = "loaded"
	}
	if err := s.exec(ctx, "analyze", "ANALYZE b_before_adviser, b_before_fund, b_filer, b_notice"); err != nil {
		return err
	}
	if err := s.run(ctx, name, append(changeParams(), "$reason$", literal(s.reason), "$override$", literal(catalogapi.OverrideField))...); err != nil {
		return err
	}
	n, err := s.number(ctx, "count changes", "SELECT count(*) FROM b_event")
	if err == nil && n > 0 { // else no lock is needed
		_, err = changes.AppendQuery(ctx, l.db, "SELECT * FROM b_event", nil)
	}
	if err != nil {
		return err
	}
	if !s.filled { // the first state is no change
		if err := s.exec(ctx, "note changed advisers", noteChangedSQL); err != nil {
			return err
		}
	}
	return s.exec(ctx, "logged", "DROP TABLE b_event; TRUNCATE b_before_adviser, b_before_fund, b_filer, b_relisted, b_notice")
}

// noteChangedSQL notes the advisers whose searchable values may be others: their rows, those of their funds, or their filings have changed.
const noteChangedSQL = `INSERT INTO catalog.changed_advisers (arrival, crd)
SELECT catalog.current_arrival(), crd FROM (
	SELECT crd FROM b_before_adviser UNION SELECT adviser_crd FROM b_before_fund UNION SELECT crd FROM b_filer
	UNION SELECT f.adviser_crd FROM b_before_fund JOIN catalog.funds f USING (fund_id)
) c WHERE crd IS NOT NULL ON CONFLICT DO NOTHING`

// changeParams are the fields of each kind in sql/changes.sql.
func changeParams() []string {
	params := []string{
		"$adviser_new$", differences(catalogapi.AdviserChangeFields()), "$new_fund$", differences(catalogapi.FundChangeFields()),
		"$retracted$", differences(catalogapi.FundChangeFields()),
	}
	for kind, fields := range catalogapi.ChangeFields {
		params = append(params, "$"+kind+"$", differences(fields))
	}
	return params
}

// differences is an array with what differs between o and n, and with nulls.
func differences(fields []string) string {
	parts := make([]string, len(fields))
	for i, f := range fields {
		o, n := valueOf("o", f), valueOf("n", f)
		parts[i] = "CASE WHEN " + o + " IS DISTINCT FROM " + n + " THEN jsonb_build_object('field', '" + f + "', 'before', " + o + ", 'after', " + n + ") END"
	}
	return "ARRAY[" + strings.Join(parts, ", ") + "]"
}

// valueOf is a field of a row as GET /v1/funds/{fund_id} shows it: a list that is not stated is empty there. A fund that is not in the catalog has no
// name.
func valueOf(row, field string) string {
	if slices.Contains(catalogapi.ChangeLists, field) {
		return "CASE WHEN " + row + ".name IS NOT NULL THEN coalesce(" + row + "." + field + ", '{}') END"
	}
	return row + "." + field
}
