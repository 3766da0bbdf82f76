package load

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/clock"
)

// offeringColumns: catalog.offerings as the notice's own edition fills them; the heading (file number, previous accession,
// SIC code, schema version) may be completed from another edition and is not included.
var offeringColumns = without(catalogapi.ColumnNames[catalogapi.OfferingRow](),
	"accession", "file_number", "previous_accession", "sic_code", "schema_version")

// mergeNotices takes in a staged document of notices: merge, chain, join to funds, derive these funds, publish. Filings of
// the result are notices; funds and advisers are those whose current row came out otherwise.
func (l *Loader) mergeNotices(ctx context.Context, s *session, d *noticeReader) (r catalogapi.LoadResult, err error) {
	r.RowsRead = d.rows
	if err := s.mergeOfferings(ctx, d, &r); err != nil || r.FilingsNew+r.FilingsChanged == 0 {
		return r, err
	}
	return r, l.joinMerged(ctx, s, d, &r)
}

// mergeOfferings writes the notices that are new or say otherwise, and counts.
func (s *session) mergeOfferings(ctx context.Context, d *noticeReader, r *catalogapi.LoadResult) error {
	if err := s.run(ctx, "formd_classify"); err != nil {
		return err
	}
	var same int64
	err := s.one(ctx, "count_states", []string{"$table$", "m_offering"}, &r.FilingsNew, &r.FilingsChanged, &same)
	if err != nil {
		return fmt.Errorf("catalog load: count notices: %w", err)
	}
	r.FilingsUnchanged = same + d.doubled
	if r.FilingsNew+r.FilingsChanged == 0 {
		return nil
	}
	if err := s.run(ctx, "formd_merge", offeringParams()...); err != nil {
		return err
	}
	if err := s.exec(ctx, "note restated notices", "INSERT INTO b_notice SELECT accession FROM m_offering WHERE state IN ('changed', 'completed')"); err != nil {
		return err
	}
	return s.analyzeGrown(ctx, "catalog.offerings", r.FilingsNew, "catalog.offering_issuers")
}

// joinMerged chains the merged notices, joins them to funds and derives these.
func (l *Loader) joinMerged(ctx context.Context, s *session, d *noticeReader, r *catalogapi.LoadResult) error {
	if err := s.chainOfferings(ctx); err != nil {
		return err
	}
	if err := s.run(ctx, "formd_affected"); err != nil {
		return err
	}
	funds, err := s.number(ctx, "count affected funds", `SELECT count(*) FROM t_fund`)
	if err != nil || funds == 0 {
		return err // the notices belong to no known fund, so no answer shows them yet
	}
	if _, err := s.derive(ctx, clock.Today(l.clock)); err != nil {
		return err
	}
	var joins, shown int64
	err = s.one(ctx, "formd_counts", nil, &r.AdvisersChanged, &r.FundsChanged, &joins, &shown)
	if err != nil {
		return fmt.Errorf("catalog load: count joins: %w", err)
	}
	if joins+shown+r.AdvisersChanged+r.FundsChanged == 0 {
		return nil
	}
	r.Published = true
	return s.publish(ctx, d.opts.RunID, "ingested "+d.doc.Name)
}

// chainOfferings writes the chain of each touched notice.
func (s *session) chainOfferings(ctx context.Context) error {
	if err := s.run(ctx, "formd_linked"); err != nil {
		return err
	}
	if err := s.chain(ctx, "o_member"); err != nil {
		return err
	}
	if err := s.run(ctx, "formd_rechain"); err != nil {
		return err
	}
	return s.run(ctx, "formd_chains")
}

// chain fills d_chain with the chain of each notice of a table. Chains are whole in it.
func (s *session) chain(ctx context.Context, table string) error {
	rows, err := s.query(ctx, "formd_notices", "$table$", table)
	if err != nil {
		return fmt.Errorf("catalog load: read notices: %w", err)
	}
	notices, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (n derive.Link, err error) {
		return n, row.Scan(&n.Accession, &n.Number, &n.Previous)
	})
	if err != nil {
		return fmt.Errorf("catalog load: read notices: %w", err)
	}
	var out rowBuffer
	for i, first := range derive.Chains(notices) {
		out.begin()
		out.text(notices[i].Accession)
		out.text(notices[first].Accession)
		out.end()
	}
	err = s.exec(ctx, "chains", `CREATE TEMP TABLE d_chain (accession text COLLATE "C", chain text COLLATE "C") ON COMMIT DROP`)
	if err != nil {
		return err
	}
	if err := s.copyIn(ctx, "d_chain", out.reader()); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE d_chain")
}
