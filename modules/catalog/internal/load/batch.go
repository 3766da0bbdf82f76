package load

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/stage"
)

// batch is what the documents of one transaction have brought up to now.
type batch struct {
	l       *Loader
	s       *session
	results []catalogapi.LoadResult
	last    int64   // run of the last document that changed something
	name    string  // of the only document that did
	changes int     // how many did
	late    bulk    // indexes to be built at the end
	first   *first  // while nothing but documents of new filings was loaded into an empty catalog; else nil
	notices *first  // the same of Form D, as long as no fund is known
	named   []named // by the documents that were merged since the current state was derived
}

// LoadBatch loads several documents in one transaction; see catalogapi.Loader.
func (l *Loader) LoadBatch(ctx context.Context, fn func(ctx context.Context, load catalogapi.LoadFunc) error) ([]catalogapi.LoadResult, error) {
	b := &batch{l: l}
	err := l.exclusively(ctx, reasonFiling, func(ctx context.Context, s *session) error {
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

// load loads one document of any kind: the stager copies what its reader has sent, the owner accepts it, the merger
// merges it. If it fails, other documents are unaffected.
func (b *batch) load(ctx context.Context, doc catalogapi.Prepared) (rows int64, err error) {
	defer doc.Close()
	switch d := doc.(type) {
	case *filingReader:
		return b.loadFilings(ctx, d)
	case *noticeReader:
		return b.loadNotices(ctx, d)
	case *withdrawalReader:
		return b.loadWithdrawals(ctx, d)
	default:
		return 0, fmt.Errorf("catalog load: a %T was not prepared by this loader", doc)
	}
}

// savepoint loads a document inside a savepoint, and keeps its result under the document's number.
func (b *batch) savepoint(ctx context.Context, load func(ctx context.Context) (catalogapi.LoadResult, error)) (no int, r catalogapi.LoadResult, err error) {
	no = len(b.results)
	b.results = append(b.results, catalogapi.LoadResult{})
	err = b.l.db.InTx(ctx, func(ctx context.Context) (err error) {
		r, err = load(ctx)
		return err
	})
	switch {
	case err != nil && b.s.c.IsClosed():
		return no, catalogapi.LoadResult{}, broken(err)
	case err != nil:
		return no, catalogapi.LoadResult{}, err
	}
	b.results[no] = r
	return no, r, nil
}

// broken marks an error that ends the batch.
func broken(err error) error { return fmt.Errorf("%w: %w", catalogapi.ErrBatchBroken, err) }

// accept calls the Accept option of a document, if it is set, before the merge.
func (r *reader) accept(ctx context.Context, staged catalogapi.Staged) error {
	if r.opts.Accept == nil {
		return nil
	}
	return r.opts.Accept(ctx, staged)
}

// loadFilings loads a document of advisers' filings. It notes the advisers and funds that the document names: their current
// state is derived at the end of the batch.
func (b *batch) loadFilings(ctx context.Context, d *filingReader) (rows int64, err error) {
	straight, err := b.straight(ctx, d.reader, b.first, b.endFirstLoadForMerge)
	if err != nil {
		return 0, broken(err)
	}
	doc := len(b.results)
	no, result, err := b.savepoint(ctx, func(ctx context.Context) (catalogapi.LoadResult, error) {
		return b.s.filings(ctx, d, straight, doc)
	})
	if err != nil {
		return 0, err
	}
	if !result.Published {
		return result.RowsRead, nil
	}
	if is := (named{no, d.crds, d.fundsNamed}); straight {
		b.first.named = append(b.first.named, is)
	} else {
		b.named = append(b.named, is)
	}
	b.changes, b.last, b.name = b.changes+1, d.opts.RunID, d.doc.Name
	return result.RowsRead, nil
}

// filings stages a document of the batch, and merges it where it is not new throughout.
func (s *session) filings(ctx context.Context, d *filingReader, straight bool, doc int) (r catalogapi.LoadResult, err error) {
	m := &merger{session: s, from: d}
	if straight {
		m.added, err = int64(len(d.heads)), s.stage(ctx, d.tables, d.chunks, true)
	} else {
		m.known, err = s.stageDiffering(ctx, d.reader, "standing")
	}
	if err != nil {
		return r, err
	}
	staged, err := s.listed(ctx, d)
	if err != nil {
		return r, err
	}
	if !straight && len(m.known) < len(d.heads) {
		if staged.Lost, staged.Changed, err = s.compare(ctx, d); err != nil {
			return r, err
		}
	}
	if err := d.accept(ctx, staged); err != nil {
		return r, err
	}
	if !straight {
		if err := m.merge(ctx); err != nil {
			return r, err
		}
	}
	listed, err := s.list(ctx, d)
	if err != nil {
		return r, err
	}
	r = m.result()
	if straight {
		s.loading = true
		return r, nil
	}
	r.Published = r.Published || listed > 0
	if r.Published {
		s.loading, s.restated = true, s.restated || m.changed > 0
	}
	if m.added+m.changed > 0 {
		if err := s.run(ctx, "note", "$doc$", strconv.Itoa(doc)); err != nil {
			return r, err
		}
	}
	return r, s.run(ctx, "clear")
}

// loadNotices loads a document of notices of Form D, which derives and publishes by itself. Earlier documents of the batch are
// finished first, because notices depend on the current state.
func (b *batch) loadNotices(ctx context.Context, d *noticeReader) (rows int64, err error) {
	if err := b.finish(ctx); err != nil {
		return 0, broken(err)
	}
	straight, err := b.straight(ctx, d.reader, b.notices, b.endFirstNotices)
	if err != nil {
		return 0, broken(err)
	}
	_, result, err := b.savepoint(ctx, func(ctx context.Context) (r catalogapi.LoadResult, err error) {
		var known map[string]standing // word for word
		if straight {
			err = b.s.stage(ctx, d.tables, d.chunks, true)
		} else {
			known, err = b.s.stageDiffering(ctx, d.reader, "formd_standing")
		}
		if err != nil {
			return r, err
		}
		staged := d.staged()
		if !straight && len(known) < len(d.heads) {
			if staged.Changed, err = b.s.compareNotices(ctx, d, len(known)); err != nil {
				return r, err
			}
		}
		if err := d.accept(ctx, staged); err != nil {
			return r, err
		}
		if straight { // no fund is known that the notices could be of
			return catalogapi.LoadResult{RowsRead: d.rows, FilingsNew: int64(len(d.heads)), FilingsUnchanged: d.doubled}, nil
		}
		if d.doubled += int64(len(known)); len(known) > 0 && len(known) == len(d.heads) {
			return catalogapi.LoadResult{RowsRead: d.rows, FilingsUnchanged: d.doubled}, nil
		}
		if r, err = b.l.mergeNotices(ctx, b.s, d); err != nil {
			return r, err
		}
		return r, b.s.run(ctx, "clear")
	})
	return result.RowsRead, err
}

// loadWithdrawals loads a document of Forms ADV-W, which derives and publishes by itself, too.
func (b *batch) loadWithdrawals(ctx context.Context, d *withdrawalReader) (rows int64, err error) {
	if err := b.finish(ctx); err != nil {
		return 0, broken(err)
	}
	_, result, err := b.savepoint(ctx, func(ctx context.Context) (r catalogapi.LoadResult, err error) {
		if err := b.s.stage(ctx, d.tables, d.chunks, false); err != nil {
			return r, err
		}
		refused, err := b.s.refuseContradicted(ctx, d)
		if err != nil {
			return r, err
		}
		staged := d.staged(refused)
		if staged.Brought, staged.Lacking, err = b.s.takeBack(ctx, d); err != nil {
			return r, err
		}
		if err := d.accept(ctx, staged); err != nil {
			return r, err
		}
		if r, err = b.s.mergeWithdrawals(ctx, d, clock.Today(b.l.clock)); err != nil {
			return r, err
		}
		return r, b.s.run(ctx, "clear")
	})
	return result.RowsRead, err
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
	b.changes, b.named, b.s.loading, b.s.restated = 0, nil, false, false
	if err := b.s.run(ctx, "clear"); err != nil {
		return err
	}
	return b.s.exec(ctx, "begin anew", `INSERT INTO b_filer SELECT crd FROM b_adviser; INSERT INTO b_relisted SELECT crd FROM b_listed;
		TRUNCATE b_adviser, b_fund, b_gone, b_listed`)
}

// deriveAll computes the current state, and what each document changed of it.
func (b *batch) deriveAll(ctx context.Context) error {
	all := b.first
	if err := b.endFirst(ctx); err != nil {
		return err
	}
	b.s.all = all != nil
	defer func() { b.s.all = false }()
	if all != nil {
		if err := all.affected(ctx, b.s, b.results); err != nil {
			return err
		}
		_, err := b.s.derive(ctx, clock.Today(b.l.clock))
		return err
	}
	if err := b.s.run(ctx, "affected"); err != nil {
		return err
	}
	if _, err := b.s.derive(ctx, clock.Today(b.l.clock)); err != nil {
		return err
	}
	return b.count(ctx)
}

// endFirst ends a first load, if there is one: all filings get their places and their indexes.
func (b *batch) endFirst(ctx context.Context) error {
	if b.first != nil || b.notices != nil {
		defer stage.Begin(ctx, "building indexes")()
	}
	if err := b.endFirstNotices(ctx); err != nil {
		return err
	}
	if err := b.endFirstLoad(ctx); err != nil {
		return err
	}
	return b.buildLate(ctx)
}

// count adds to each document's result how many advisers and funds it added, changed or left unchanged.
func (b *batch) count(ctx context.Context) error {
	for _, kind := range []struct {
		written, noted, key string
		into                func(*catalogapi.LoadResult) (added, changed, same *int64)
		names               func(n *named, key string) bool
	}{
		{"c_adviser", "b_adviser", "crd", func(r *catalogapi.LoadResult) (added, changed, same *int64) {
			return &r.AdvisersNew, &r.AdvisersChanged, &r.AdvisersUnchanged
		}, func(n *named, key string) bool { _, ok := n.advisers[key]; return ok }},
		{"c_fund", "b_fund", "fund_id", func(r *catalogapi.LoadResult) (added, changed, same *int64) {
			return &r.FundsNew, &r.FundsChanged, &r.FundsUnchanged
		}, func(n *named, key string) bool { id, _ := fundNumber(key); _, ok := n.funds[id]; return ok }},
	} {
		rows, err := b.s.query(ctx, "written", "$written$", kind.written, "$noted$", kind.noted, "$key$", kind.key)
		if err != nil {
			return fmt.Errorf("catalog load: count changes in %s: %w", kind.written, err)
		}
		var key string
		var isNew bool
		var docs []int
		_, err = pgx.ForEachRow(rows, []any{&key, &isNew, &docs}, func() error {
			if len(docs) == 0 { // no document says otherwise of it: it is counted with the first that names it
				i := slices.IndexFunc(b.named, func(n named) bool { return kind.names(&n, key) })
				if i < 0 {
					return nil
				}
				docs = []int{b.named[i].doc}
			}
			for i, doc := range docs {
				added, changed, same := kind.into(&b.results[doc])
				if *same--; isNew && i == 0 {
					*added++
				} else {
					*changed++
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("catalog load: count changes in %s: %w", kind.written, err)
		}
	}
	return nil
}
