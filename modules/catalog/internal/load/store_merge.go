package load

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
)

// merged says what the merge found among the filings.
type merged struct {
	filingsNew, filingsChanged, filingsSame int64
}

// merge compares the staged filings with the known ones and writes versions for those that are new or changed.
func (s *session) merge(ctx context.Context, st *staging, runID int64) (m merged, err error) {
	if err := s.run(ctx, "classify"); err != nil {
		return m, err
	}
	err = s.c.QueryRow(ctx, `SELECT count(*) FILTER (WHERE state = 'new'), count(*) FILTER (WHERE state = 'changed'),
		count(*) FILTER (WHERE state = 'same') FROM m_filing`, pgx.QueryExecModeSimpleProtocol).
		Scan(&m.filingsNew, &m.filingsChanged, &m.filingsSame)
	if err != nil {
		return m, fmt.Errorf("catalogue load: count filings: %w", err)
	}
	if m.filingsNew+m.filingsChanged == 0 {
		return m, nil
	}
	if err := s.keepMissing(ctx, st, m); err != nil {
		return m, err
	}
	run := []string{"$document$", literal(st.doc.Name), "$run$", strconv.FormatInt(runID, 10)}
	for _, step := range []string{"merge_filings", "chain", "insert_filings"} {
		if err := s.run(ctx, step, run...); err != nil {
			return m, err
		}
	}
	if err := s.mergeAdviserVersions(ctx); err != nil {
		return m, err
	}
	columns := []string{
		"$columns$", quoteList("", filedFundColumns), "$f_columns$", quoteList("f.", filedFundColumns), "$kept$", keptFundColumns(&st.doc),
	}
	if err := s.run(ctx, "merge_funds", columns...); err != nil {
		return m, err
	}
	if err := s.mergeChildren(ctx, st, m); err != nil {
		return m, err
	}
	return m, s.analyzeGrown(ctx, "catalog.filings", m.filingsNew, "catalog.adviser_versions", "catalog.fund_versions")
}

// mergeAdviserVersions writes what each new or changed filing says of its adviser. Some columns come from the filing's
// row, some from the tables beside it; a roster carries all of them in its row.
func (s *session) mergeAdviserVersions(ctx context.Context) error {
	values := make([]string, len(adviserVersionColumns))
	for i, c := range adviserVersionColumns {
		switch {
		case c == "website":
			values[i] = "x.website"
		case slices.Contains([]string{"org_form", "fiscal_year_end", "org_state", "org_country"}, c):
			values[i] = "coalesce(s." + c + ", x." + c + ")"
		default:
			values[i] = "s." + c
		}
	}
	from := "FROM m_filing m JOIN s_filing s USING (no) JOIN s_extra x USING (no) WHERE m.state = "
	columns, all := quoteList("", adviserVersionColumns), strings.Join(values, ", ")
	return s.exec(ctx, "adviser versions", `
		UPDATE catalog.adviser_versions v SET (`+columns+`, row_hash) = ROW(`+all+`, m.digest) `+
		from+`'changed' AND v.crd = m.crd AND v.accession = m.accession;
		INSERT INTO catalog.adviser_versions (crd, accession, `+columns+`, row_hash)
		SELECT m.crd, m.accession, `+all+`, m.digest `+from+`'new' ORDER BY m.no`)
}

// affected finds whose current rows the merge may have changed.
func (s *session) affected(ctx context.Context) error { return s.run(ctx, "affected") }

// affectAll is affected for everything there is; it also puts every filing's place among its adviser's right.
func (s *session) affectAll(ctx context.Context) error {
	if err := s.run(ctx, "affect_all"); err != nil {
		return err
	}
	return s.run(ctx, "chain")
}

// count sums up what the load did. Advisers and funds are counted once each, however many filings of the document name
// them; changed are those whose current row is another than before.
func (s *session) count(ctx context.Context, st *staging, m merged) (r catalogapi.LoadResult, err error) {
	r.FilingsNew, r.FilingsChanged = m.filingsNew, m.filingsChanged
	r.FilingsUnchanged = m.filingsSame + st.duplicates
	advisers, err := s.number(ctx, "count advisers", `SELECT count(DISTINCT crd) FROM s_filing`)
	if err != nil {
		return r, err
	}
	if m.filingsNew+m.filingsChanged > 0 {
		err = s.c.QueryRow(ctx, `SELECT
			(SELECT count(*) FROM c_adviser WHERE what = 'new' AND crd IN (SELECT crd FROM s_filing)),
			(SELECT count(*) FROM c_adviser WHERE what = 'changed' AND crd IN (SELECT crd FROM s_filing)),
			(SELECT count(*) FROM c_fund WHERE what = 'new' AND fund_id IN (SELECT fund_id FROM s_fund)),
			(SELECT count(*) FROM c_fund WHERE what = 'changed' AND fund_id IN (SELECT fund_id FROM s_fund))`,
			pgx.QueryExecModeSimpleProtocol).
			Scan(&r.AdvisersNew, &r.AdvisersChanged, &r.FundsNew, &r.FundsChanged)
		if err != nil {
			return r, fmt.Errorf("catalogue load: count changes: %w", err)
		}
	}
	r.AdvisersUnchanged = advisers - r.AdvisersNew - r.AdvisersChanged
	r.FundsUnchanged = int64(len(st.fundsNamed)) - r.FundsNew - r.FundsChanged
	return r, nil
}

// analyzeGrown refreshes the planner's view of tables that have grown by a fifth or more: a first load would otherwise
// be planned for empty tables all the way. The first table stands for the others.
func (s *session) analyzeGrown(ctx context.Context, table string, added int64, others ...string) error {
	const enough = 1000
	if added < enough {
		return nil
	}
	known, err := s.number(ctx, "table size", `SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = '`+table+`'::regclass`)
	if err != nil || added*5 < known {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE "+strings.Join(append([]string{table}, others...), ", "))
}

// literal quotes a string for SQL. The server's standard_conforming_strings is on, as it has been by default since 9.1.
func literal(v string) string {
	return "'" + strings.ReplaceAll(clean(v), "'", "''") + "'"
}
