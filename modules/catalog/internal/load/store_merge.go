package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
)

// merged says what the merge found among the filings.
type merged struct {
	filingsNew, filingsChanged, filingsSame int64
}

// merge compares the staged filings with the known ones and writes versions for those that are new or changed.
func (s *session) merge(ctx context.Context, st *staging) (m merged, err error) {
	if err := s.run(ctx, "classify"); err != nil {
		return m, err
	}
	if err := s.complete(ctx, st); err != nil {
		return m, err
	}
	err = s.one(ctx, "count_states", []string{"$table$", "m_filing"}, &m.filingsNew, &m.filingsChanged, &m.filingsSame)
	if err != nil {
		return m, fmt.Errorf("catalog load: count filings: %w", err)
	}
	if m.filingsNew+m.filingsChanged == 0 {
		return m, nil
	}
	if err := s.keepMissing(ctx, st, m); err != nil {
		return m, err
	}
	for _, step := range []string{"keep_replaced", "merge_filings", "chain", "rechain"} {
		if err := s.run(ctx, step, "$filings$", "t_filing"); err != nil {
			return m, err
		}
	}
	if err := s.run(ctx, "insert_filings", "$filings$", "(SELECT s.* FROM m_filing m JOIN s_filing s USING (accession) WHERE m.state = 'new')"); err != nil {
		return m, err
	}
	if err := s.mergeAdviserVersions(ctx); err != nil {
		return m, err
	}
	columns := []string{
		"$columns$", quoteList("", filedFundColumns), "$f_columns$", quoteList("f.", filedFundColumns), "$r_columns$", quoteList("r.", filedFundColumns),
		"$all_columns$", quoteList("", stagedFundColumns()), "$f_all_columns$", quoteList("f.", stagedFundColumns()),
		"$order$", `ORDER BY f.fund_id COLLATE "C", m.accession COLLATE "C"`,
	}
	if s.unordered {
		columns[len(columns)-1] = ""
	}
	if err := s.run(ctx, "merge_funds", columns...); err != nil {
		return m, err
	}
	if err := s.mergeChildren(ctx, st, m); err != nil {
		return m, err
	}
	return m, s.analyzeGrown(ctx, "catalog.filings", m.filingsNew, "catalog.adviser_versions", "catalog.fund_versions")
}

// complete compares editions: see sql/complete.sql.
func (s *session) complete(ctx context.Context, st *staging) error {
	alone := "false" // funds and other tables hang on the filing
	if st.doc.Source == catalogapi.SourceRoster || st.doc.Source == catalogapi.SourceFeed {
		alone = "true"
	}
	err := s.run(ctx, "complete", "$fields$", "ARRAY['"+strings.Join(adviserVersionColumns, "', '")+"']", "$alone$", alone,
		"$tables$", "'{"+strings.Join(silentTables(st.doc.Source), ",")+"}'::text[]",
		"$columns$", quoteList("", adviserVersionColumns), "$r_columns$", quoteList("r.", adviserVersionColumns),
		"$x_columns$", quoteList("x.", adviserVersionColumns), "$v_columns$", quoteList("v.", adviserVersionColumns))
	if err != nil {
		return err
	}
	return s.run(ctx, "editions")
}

// mergeAdviserVersions writes what each new or changed filing says of its adviser.
func (s *session) mergeAdviserVersions(ctx context.Context) error {
	all := slices.Concat(adviserVersionColumns, []string{"silent", "kept"})
	columns, values := quoteList("", all), quoteList("n.", all)
	return s.run(ctx, "merge_adviser_versions", "$columns$", columns, "$values$", values)
}

// affected finds whose current rows the merge may have changed.
func (s *session) affected(ctx context.Context) error { return s.run(ctx, "affected") }

// affectAll is affected for everything there is; it also puts every filing's place among its adviser's right.
func (s *session) affectAll(ctx context.Context) error {
	if err := s.run(ctx, "affect_all"); err != nil {
		return err
	}
	if err := s.run(ctx, "chain", "$filings$", "t_filing"); err != nil {
		return err
	}
	return s.run(ctx, "rechain")
}

// counted says how many records a document added and changed.
type counted struct {
	doc            int
	added, changed int64
}

// counts reads from table what was written of the records in noted, which key names, and says it of each document. What
// was written of a record is the work of the first document that touched it (or, where none did, that named it); the
// others that touched it changed it after that.
func (s *session) counts(ctx context.Context, table, noted, key string) ([]counted, error) {
	rows, err := s.query(ctx, "count_by_document", "$table$", table, "$noted$", noted, "$key$", key)
	if err != nil {
		return nil, fmt.Errorf("catalog load: count changes in %s: %w", table, err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c counted, err error) {
		return c, row.Scan(&c.doc, &c.added, &c.changed)
	})
	if err != nil {
		return nil, fmt.Errorf("catalog load: count changes in %s: %w", table, err)
	}
	return all, nil
}

// clear drops all temporary tables but the batch's own, so that the next document can have its own.
func (s *session) clear(ctx context.Context) error {
	return s.run(ctx, "clear")
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
