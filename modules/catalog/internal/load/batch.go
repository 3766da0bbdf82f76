package load

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
)

// batch is what the documents of one transaction have brought up to now.
type batch struct {
	l       *Loader
	s       *session
	results []catalogapi.LoadResult
	last    int64  // run of the last document that changed something
	name    string // of the only document that did
	changes int    // how many did
	late    bulk   // indexes to be built at the end
	first   *first // while nothing but documents of new filings was loaded into an empty catalogue; else nil
	notices *first // the same of Form D, as long as no fund is known
}

// LoadBatch loads several documents in one transaction; see catalogapi.Loader.
func (l *Loader) LoadBatch(ctx context.Context, fn func(ctx context.Context, load catalogapi.LoadFunc) error) ([]catalogapi.LoadResult, error) {
	b := &batch{l: l}
	err := l.exclusively(ctx, func(ctx context.Context, s *session) error {
		b.s = s
		if err := s.run(ctx, "batch"); err != nil {
			return err
		}
		if err := b.putOff(ctx); err != nil {
			return err
		}
		if err := fn(ctx, b.load); err != nil {
			return err
		}
		if err := b.finish(ctx); err != nil {
			return err
		}
		if err := b.endFirstNotices(ctx); err != nil {
			return err
		}
		return b.buildLate(ctx)
	})
	if err != nil {
		return nil, err
	}
	return b.results, nil
}

// load stages and merges one document inside a savepoint, so that its failure undoes no other's.
func (b *batch) load(ctx context.Context, doc catalogapi.Prepared) (rows int64, err error) {
	p, ok := doc.(*prepared)
	if !ok {
		return 0, fmt.Errorf("catalog load: a %T was not prepared by this loader", doc)
	}
	defer p.Close()
	if p.recording == nil {
		return b.loadAlone(ctx, p)
	}
	if p.offers != nil {
		return b.loadOfferings(ctx, p)
	}
	straight, err := b.straight(ctx, p, b.first, b.endFirstLoadForMerge)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", catalogapi.ErrBatchBroken, err)
	}
	no, result, err := b.savepoint(ctx, func(ctx context.Context, no int) (catalogapi.LoadResult, error) {
		if straight {
			return b.s.newDocument(ctx, p)
		}
		return b.s.document(ctx, no, p)
	})
	if err != nil {
		return 0, err
	}
	if straight && result.Published {
		b.first.named = append(b.first.named, named{no, p.st.crds, p.st.fundsNamed})
	}
	if result.Published {
		b.changes, b.last, b.name = b.changes+1, p.opts.RunID, p.st.doc.Name
	}
	return result.RowsRead, nil
}

// savepoint loads the document of that number inside a savepoint, and keeps its result.
func (b *batch) savepoint(ctx context.Context, load func(ctx context.Context, no int) (catalogapi.LoadResult, error)) (no int, r catalogapi.LoadResult, err error) {
	no = len(b.results)
	b.results = append(b.results, catalogapi.LoadResult{})
	err = b.l.db.InTx(ctx, func(ctx context.Context) (err error) {
		r, err = load(ctx, no)
		return err
	})
	if err != nil {
		return no, catalogapi.LoadResult{}, b.fault(err)
	}
	b.results[no] = r
	return no, r, nil
}

// loadOfferings loads notices of Form D, which derive and publish by themselves. What came before them in the batch is
// finished first, for they build on the current state.
func (b *batch) loadOfferings(ctx context.Context, p *prepared) (rows int64, err error) {
	if err := b.finish(ctx); err != nil {
		return 0, fmt.Errorf("%w: %w", catalogapi.ErrBatchBroken, err)
	}
	straight, err := b.straight(ctx, p, b.notices, b.endFirstNotices)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", catalogapi.ErrBatchBroken, err)
	}
	_, result, err := b.savepoint(ctx, func(ctx context.Context, _ int) (catalogapi.LoadResult, error) {
		if straight {
			return b.s.newOfferings(ctx, p)
		}
		return b.l.offerings(ctx, b.s, p)
	})
	return result.RowsRead, err
}

// fault says of an error whether the batch survives it.
func (b *batch) fault(err error) error {
	if b.s.c.IsClosed() {
		return fmt.Errorf("%w: %w", catalogapi.ErrBatchBroken, err)
	}
	return err
}

// loadAlone loads a document of Forms ADV-W, which derives and publishes by itself.
func (b *batch) loadAlone(ctx context.Context, p *prepared) (rows int64, err error) {
	if err := b.finish(ctx); err != nil {
		return 0, fmt.Errorf("%w: %w", catalogapi.ErrBatchBroken, err)
	}
	_, result, err := b.savepoint(ctx, func(ctx context.Context, _ int) (catalogapi.LoadResult, error) {
		r, err := b.l.loadWithdrawals(ctx, p.doc, p.opts)
		if err != nil {
			return r, err
		}
		return r, b.s.clear(ctx)
	})
	return result.RowsRead, err
}

// document stages a document, merges it, and notes for the end of the batch whom it names.
func (s *session) document(ctx context.Context, no int, p *prepared) (r catalogapi.LoadResult, err error) {
	if err := s.replay(ctx, p.recording, false); err != nil {
		return r, err
	}
	p.Close() // it is complete: the staging is ours now
	st := p.st
	if err := s.accept(ctx, st); err != nil {
		return r, err
	}
	m, err := s.merge(ctx, st)
	if err != nil {
		return r, err
	}
	listed, err := s.list(ctx, st)
	if err != nil {
		return r, err
	}
	r = st.result(m)
	r.Published = r.Published || listed > 0
	if r.Published {
		s.loading, s.restated = true, s.restated || m.filingsChanged > 0
		if err := s.run(ctx, "note", "$doc$", strconv.Itoa(no)); err != nil {
			return r, err
		}
	}
	return r, s.clear(ctx)
}

// result counts what became of the document's filings. Advisers and funds are counted as unchanged until count.
func (s *staging) result(m merged) catalogapi.LoadResult {
	return catalogapi.LoadResult{
		RowsRead: s.rows, FilingsNew: m.filingsNew, FilingsChanged: m.filingsChanged, FilingsUnchanged: m.filingsSame + s.duplicates,
		AdvisersUnchanged: int64(len(s.crds)), FundsUnchanged: int64(len(s.fundsNamed)), Published: m.filingsNew+m.filingsChanged > 0,
	}
}

// finish computes what the documents change of the current state, and announces it. The batch may go on after it.
func (b *batch) finish(ctx context.Context) error {
	if b.changes == 0 {
		return nil
	}
	if err := b.deriveAll(ctx); err != nil {
		return err
	}
	reason := "ingested " + b.name
	if b.changes > 1 {
		reason = fmt.Sprintf("ingested %d documents, the last %s", b.changes, b.name)
	}
	if err := b.s.publish(ctx, b.last, reason); err != nil {
		return err
	}
	b.changes, b.s.loading, b.s.restated = 0, false, false
	if err := b.s.clear(ctx); err != nil {
		return err
	}
	return b.s.exec(ctx, "begin anew", "TRUNCATE b_adviser, b_fund, b_gone, b_listed")
}

// deriveAll computes the current state, and what each document changed of it.
func (b *batch) deriveAll(ctx context.Context) error {
	all := b.first
	if err := b.endFirstNotices(ctx); err != nil {
		return err
	}
	if err := b.endFirstLoad(ctx); err != nil {
		return err
	}
	if err := b.buildLate(ctx); err != nil {
		return err
	}
	b.s.all = all != nil
	defer func() { b.s.all = false }()
	if all != nil {
		if err := all.affected(ctx, b.s, b.results); err != nil {
			return err
		}
		_, err := b.s.derive(ctx, b.l.today())
		return err
	}
	if err := b.s.affected(ctx); err != nil {
		return err
	}
	if _, err := b.s.derive(ctx, b.l.today()); err != nil {
		return err
	}
	return b.count(ctx)
}

var errCount = errors.New("catalog load: a count names no document")

// count gives each document its part of what became of the advisers and funds.
func (b *batch) count(ctx context.Context) error {
	for _, kind := range []struct {
		table, noted, key string
		into              func(*catalogapi.LoadResult) (added, changed, same *int64)
	}{
		{"c_adviser", "b_adviser", "crd", func(r *catalogapi.LoadResult) (added, changed, same *int64) {
			return &r.AdvisersNew, &r.AdvisersChanged, &r.AdvisersUnchanged
		}},
		{"c_fund", "b_fund", "fund_id", func(r *catalogapi.LoadResult) (added, changed, same *int64) {
			return &r.FundsNew, &r.FundsChanged, &r.FundsUnchanged
		}},
	} {
		counts, err := b.s.counts(ctx, kind.table, kind.noted, kind.key)
		if err != nil {
			return err
		}
		for _, c := range counts {
			if c.doc < 0 || c.doc >= len(b.results) {
				return errCount
			}
			added, changed, same := kind.into(&b.results[c.doc])
			*added, *changed = c.added, c.changed
			*same -= c.added + c.changed
		}
	}
	return nil
}
