package load

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// merger takes what is staged of one document of filings into the catalog.
type merger struct {
	*session
	from  *filingReader
	known map[string]standing // the filings that the document repeats word for word, which are not staged

	// What it found among the filings.
	added, changed, same int64
}

// merge merges the staged filings, whose digests the catalog does not know: they become versions, or replace the filings that
// they restate.
func (m *merger) merge(ctx context.Context) error {
	m.same = int64(len(m.known))
	if err := m.renewEditions(ctx); err != nil || len(m.known) > 0 && len(m.known) == len(m.from.heads) {
		return err
	}
	if err := m.run(ctx, "classify"); err != nil {
		return err
	}
	if err := m.complete(ctx); err != nil {
		return err
	}
	var same int64
	if err := m.one(ctx, "count_states", []string{"$table$", "m_filing"}, &m.added, &m.changed, &same); err != nil {
		return fmt.Errorf("catalog load: count filings: %w", err)
	}
	m.same += same
	if m.added+m.changed == 0 {
		return nil
	}
	if err := m.keepMissing(ctx); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return m.keepReplaced(ctx) },
		func() error { return m.run(ctx, "merge_filings") },
		func() error { return m.place(ctx, "t_filing") },
		func() error { return m.run(ctx, "rechain") },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if err := m.run(ctx, "insert_filings", "$filings$", "(SELECT s.* FROM m_filing m JOIN s_filing s USING (accession) WHERE m.state = 'new')"); err != nil {
		return err
	}
	if err := m.mergeAdviserVersions(ctx); err != nil {
		return err
	}
	if err := m.mergeFunds(ctx); err != nil {
		return err
	}
	if err := m.mergeChildren(ctx); err != nil {
		return err
	}
	return m.analyzeGrown(ctx, "catalog.filings", m.added, "catalog.adviser_versions", "catalog.fund_versions")
}

// renewEditions notes the edition of the filings that a newer one repeats as they were.
func (m *merger) renewEditions(ctx context.Context) error {
	var older []string
	edition := m.from.edition()
	for accession, known := range m.known {
		if known.edition.Before(edition) {
			older = append(older, accession)
		}
	}
	if older == nil {
		return nil
	}
	_, err := m.c.Exec(ctx, `UPDATE catalog.filings f SET edition = $1 FROM unnest($2::text[]) AS h (name) WHERE f.accession = h.name COLLATE "C"`, edition, older)
	if err != nil {
		return fmt.Errorf("catalog load: renew editions: %w", err)
	}
	return nil
}

// result counts what became of the document's filings. Advisers and funds are counted as unchanged until the end of the
// batch (see count).
func (m *merger) result() catalogapi.LoadResult {
	return catalogapi.LoadResult{
		RowsRead: m.from.rows, FilingsNew: m.added, FilingsChanged: m.changed, FilingsUnchanged: m.same + m.from.doubled,
		AdvisersUnchanged: int64(len(m.from.crds)), FundsUnchanged: int64(len(m.from.fundsNamed)), Published: m.added+m.changed > 0,
	}
}

// mergeFunds writes the versions of funds in each new or changed filing.
func (m *merger) mergeFunds(ctx context.Context) error {
	columns := []string{
		"$columns$", quoteList("", filedFundColumns), "$f_columns$", quoteList("f.", filedFundColumns), "$r_columns$", quoteList("r.", filedFundColumns),
		"$all_columns$", quoteList("", fundTable.columns), "$f_all_columns$", quoteList("f.", fundTable.columns),
		"$order$", `ORDER BY f.fund_id COLLATE "C", m.accession COLLATE "C"`,
	}
	if m.unordered {
		columns[len(columns)-1] = ""
	}
	return m.run(ctx, "merge_funds", columns...)
}

// complete compares editions: see sql/complete.sql.
func (m *merger) complete(ctx context.Context) error {
	alone := "false" // funds and other tables belong to the filing
	if m.from.doc.Source == catalogapi.SourceRoster || m.from.doc.Source == catalogapi.SourceFeed {
		alone = "true"
	}
	err := m.run(ctx, "complete", "$fields$", "ARRAY['"+strings.Join(adviserVersionColumns, "', '")+"']", "$alone$", alone,
		"$tables$", "'{"+strings.Join(silentTables(m.from.doc.Source), ",")+"}'::text[]",
		"$columns$", quoteList("", adviserVersionColumns), "$r_columns$", quoteList("r.", adviserVersionColumns),
		"$x_columns$", quoteList("x.", adviserVersionColumns), "$v_columns$", quoteList("v.", adviserVersionColumns))
	if err != nil {
		return err
	}
	return m.run(ctx, "editions")
}

// mergeAdviserVersions writes the version of the adviser in each new or changed filing.
func (m *merger) mergeAdviserVersions(ctx context.Context) error {
	all := slices.Concat(adviserVersionColumns, []string{"silent", "kept"})
	columns, values := quoteList("", all), quoteList("n.", all)
	return m.run(ctx, "merge_adviser_versions", "$columns$", columns, "$values$", values)
}

// affectAll finds everything there is, as affected.sql finds what a merge may have changed; it also puts every filing's place among its adviser's right.
func (s *session) affectAll(ctx context.Context) error {
	if err := s.run(ctx, "affect_all"); err != nil {
		return err
	}
	if err := s.place(ctx, "t_filing"); err != nil {
		return err
	}
	return s.run(ctx, "rechain")
}

// analyzeGrown refreshes the planner's view of tables that have grown by a fifth or more: a first load would otherwise
// be planned for empty tables until its end. The first table represents the others.
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
