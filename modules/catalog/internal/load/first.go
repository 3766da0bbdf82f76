package load

import (
	"context"
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
)

// first is a first load: as long as every filing is new, there is nothing to compare with, so that documents go straight
// into the catalog's tables. It ends with the first document that has a filing of an earlier one, and with the batch.
//
// It pays: an ingestion of the sample sec from empty takes PostgreSQL 51 s of CPU with it and 85 without, and 229 s instead of
// 368 on two busy cores (2026-11-22, docs/benchmarks.md); of the sample small 11 times a bare COPY instead of 22.
type first struct {
	known map[string]struct{} // the filings of its documents, also of those that failed
	named []named             // by its documents that were loaded
}

// named is the advisers and funds that a document names.
type named struct {
	doc      int
	advisers map[string]struct{}
	funds    map[uint64]struct{}
}

// straight reports whether a document goes straight into the catalog's tables in a first load f. For the first document that cannot,
// it calls end, which ends the first load, so that the merge finds the documents before it.
func (b *batch) straight(ctx context.Context, r *reader, f *first, end func(context.Context) error) (bool, error) {
	if f == nil {
		return false, nil
	}
	passed, err := r.passed(ctx)
	if err != nil || !passed { // reading has failed: staging says so
		return err == nil, err
	}
	for name := range r.names {
		if _, known := f.known[name]; known {
			return false, end(ctx)
		}
	}
	for name := range r.names {
		f.known[name] = struct{}{}
	}
	return true, nil
}

// note stores the advisers and funds that the documents name, for later documents of the batch, which are merged.
func (b *batch) note(ctx context.Context) error {
	var advisers, funds rowBuffer
	for _, n := range b.first.named {
		doc := strconv.Itoa(n.doc)
		for crd := range n.advisers {
			advisers.begin()
			advisers.plain(crd)
			advisers.plain(doc)
			advisers.end()
		}
		for fund := range n.funds {
			funds.begin()
			funds.fundID(fund)
			funds.plain(doc)
			funds.end()
		}
	}
	if err := b.s.copyIn(ctx, "b_adviser", advisers.reader()); err != nil {
		return err
	}
	return b.s.copyIn(ctx, "b_fund", funds.reader())
}

// affected writes all advisers and funds that must be derived, and counts them for the documents: the first that names one has
// added it, the others have changed it.
func (f *first) affected(ctx context.Context, s *session, results []catalogapi.LoadResult) error {
	advisers, funds := map[string]struct{}{}, map[uint64]struct{}{}
	var adviserRows, fundRows rowBuffer
	for _, n := range f.named {
		r := &results[n.doc]
		for crd := range n.advisers {
			if _, known := advisers[crd]; known {
				r.AdvisersChanged++
				continue
			}
			advisers[crd] = struct{}{}
			r.AdvisersNew++
			adviserRows.begin()
			adviserRows.plain(crd)
			adviserRows.end()
		}
		for fund := range n.funds {
			if _, known := funds[fund]; known {
				r.FundsChanged++
				continue
			}
			funds[fund] = struct{}{}
			r.FundsNew++
			fundRows.begin()
			fundRows.fundID(fund)
			fundRows.end()
		}
		r.AdvisersUnchanged, r.FundsUnchanged = 0, 0
	}
	err := s.exec(ctx, "affected", `CREATE TEMP TABLE t_crd (crd text COLLATE "C") ON COMMIT DROP; CREATE TEMP TABLE t_fund (fund_id text COLLATE "C") ON COMMIT DROP`)
	if err != nil {
		return err
	}
	if err := s.copyIn(ctx, "t_crd", adviserRows.reader()); err != nil {
		return err
	}
	if err := s.copyIn(ctx, "t_fund", fundRows.reader()); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE t_crd; ANALYZE t_fund")
}

// endFirstLoadForMerge is endFirstLoad where documents follow that are merged.
func (b *batch) endFirstLoadForMerge(ctx context.Context) error {
	if err := b.note(ctx); err != nil {
		return err
	}
	return b.endFirstLoad(ctx)
}

// endFirstNotices ends a first load of notices: they get their chains and their keys.
func (b *batch) endFirstNotices(ctx context.Context) error {
	if b.notices == nil {
		return nil
	}
	b.notices = nil
	if err := b.s.chain(ctx, "catalog.offerings"); err != nil {
		return err
	}
	if err := b.s.run(ctx, "formd_rechain"); err != nil {
		return err
	}
	if err := b.s.build(ctx, b.late, noticeTables()...); err != nil {
		return err
	}
	return b.s.exec(ctx, "first notices", "DROP TABLE d_chain; ANALYZE catalog.offerings, catalog.offering_issuers")
}

// endFirstLoad ends a first load: the filings get their keys and their order among those of their adviser.
func (b *batch) endFirstLoad(ctx context.Context) error {
	if b.first == nil {
		return nil
	}
	b.first = nil
	if err := b.s.place(ctx, "b_filing"); err != nil {
		return err
	}
	if err := b.s.run(ctx, "insert_filings", "$filings$", "b_filing"); err != nil {
		return err
	}
	if err := b.s.build(ctx, b.late, keyTables()...); err != nil {
		return err
	}
	return b.s.exec(ctx, "first load", "TRUNCATE b_filing; DROP TABLE t_chain; ANALYZE catalog.filings, catalog.adviser_versions, catalog.fund_versions, catalog.affiliates")
}
