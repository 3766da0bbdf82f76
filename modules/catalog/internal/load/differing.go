package load

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/database"
)

// standing is the digest and the edition of a filing or notice in the catalog.
type standing struct {
	digest  digest
	edition time.Time // zero = not known
}

// stageDiffering stages only the filings that are new or changed. statement reads what the catalog has of them. The unchanged ones are
// left out with all their rows; it returns their accessions, with what the catalog has.
func (s *session) stageDiffering(ctx context.Context, r *reader, statement string) (same map[string]standing, err error) {
	passed, err := r.passed(ctx)
	if err != nil {
		return nil, err
	}
	var known map[string]standing
	if passed {
		if known, err = s.standing(ctx, r, statement); err != nil {
			return nil, err
		}
	}
	if len(known) == 0 { // all is new, or reading has failed: there is nothing to wait for
		return nil, s.stage(ctx, r.tables, r.chunks, false)
	}
	r.known.Store(&known)
	var all bufferedRows
	defer all.rows.close()
	if err := all.take(r.chunks); err != nil {
		return nil, err
	}
	same = r.same(known)
	if len(same) == len(r.heads) {
		return same, nil
	}
	differing := workAhead(ctx, parsedAhead, func(_ context.Context, put func(chunk) error) error { return all.without(same, put) })
	defer differing.close()
	return same, s.stage(ctx, r.tables, differing, false)
}

// same are the known heads whose digest, which is complete, is the known one.
func (r *reader) same(known map[string]standing) map[string]standing {
	same := make(map[string]standing, len(known))
	for i := range r.heads {
		h := &r.heads[i]
		if as, ok := known[h.name]; ok && as.digest == h.all {
			same[h.name] = as
		}
	}
	return same
}

// standing finds the heads of a document that the catalog knows.
func (s *session) standing(ctx context.Context, r *reader, name string) (map[string]standing, error) {
	names := make([]string, len(r.heads))
	for i := range r.heads {
		names[i] = r.heads[i].name
	}
	known := map[string]standing{}
	text, err := statement(name, nil)
	if err != nil {
		return nil, err
	}
	rows, err := s.c.Query(ctx, text, pgx.QueryExecModeExec, database.Args{"names": names})
	if err != nil {
		return nil, fmt.Errorf("catalog load: %s: %w", name, err)
	}
	var accession string
	var row []byte
	var edition *time.Time
	_, err = pgx.ForEachRow(rows, []any{&accession, &row, &edition}, func() error {
		as := standing{digest: digestOf(row)}
		if edition != nil {
			as.edition = *edition
		}
		known[accession] = as
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("catalog load: %s: %w", name, err)
	}
	return known, nil
}

// passed waits until all heads of the document have been read. It is false if reading failed first.
func (r *reader) passed(ctx context.Context) (bool, error) {
	select {
	case <-r.named:
	case <-r.Done():
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	select {
	case <-r.named:
		return true, nil
	default:
		return false, nil
	}
}

// bufferedRows are the rows of a document that wait until its digests are complete.
type bufferedRows struct {
	rows spillFile
	runs []run
}

// run is how many rows of one table follow one another.
type run struct {
	of   *table
	rows int
}

// take buffers all chunks.
func (h *bufferedRows) take(chunks *ahead[chunk]) error {
	st := &stager{chunks: chunks}
	for st.take(); st.err == nil; st.take() {
		if n := len(h.runs); n == 0 || h.runs[n-1].of != st.at.to {
			h.runs = append(h.runs, run{of: st.at.to})
		}
		h.runs[len(h.runs)-1].rows += bytes.Count(st.at.rows, []byte{'\n'})
		h.rows.rows.buf = append(h.rows.rows.buf, st.at.rows...)
		if err := h.rows.spill(); err != nil {
			return err
		}
	}
	return st.end()
}

// without sends the rows but those of some accessions.
func (h *bufferedRows) without(some map[string]standing, put func(chunk) error) error {
	runs := h.runs
	w, at := &writer{put: put}, 0
	err := h.rows.each(func(row []byte) error {
		for runs[0].rows == 0 {
			runs = runs[1:]
		}
		runs[0].rows--
		if of := runs[0].of; of != w.to {
			if err := w.send(); err != nil {
				return err
			}
			*w = writer{rowBuffer{buf: buffer()}, of, put}
			at = slices.Index(of.columns, "accession")
		}
		_, rest := cutColumns(row, at)
		accession := rest[:bytes.IndexByte(rest, '\t')]
		if _, left := some[string(accession)]; left {
			return nil
		}
		w.buf = append(append(w.buf, row...), '\n')
		return w.sendFull()
	})
	if err != nil {
		return err
	}
	return w.send()
}
