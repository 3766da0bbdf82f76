package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
)

// chunk is how much encoded text is gathered before it goes to PostgreSQL.
const chunk = 128 << 10

// stage drains the document's sequences in order into the temporary tables, or straight into the catalogue's (see
// perform). Filings and funds wait until all that belongs to them has passed. listed is told when the filings have.
func (s *session) stage(ctx context.Context, st *staging, listed func()) error {
	d := st.doc
	if err := drain(ctx, d.Filings, st.filing); err != nil {
		return err
	}
	listed()
	err := s.run(ctx, "stage", "$version_columns$", quoteList("", stagedVersionColumns()), "$fund_columns$", quoteList("", stagedFundColumns()))
	if err != nil {
		return err
	}
	if err := drain(ctx, d.Organisation, st.organisation); err != nil {
		return err
	}
	if err := drain(ctx, d.Websites, st.website); err != nil {
		return err
	}
	if err := drain(ctx, d.Types, st.types); err != nil {
		return err
	}
	if err := s.stageChildren(ctx, st, "identifiers", "offices", "affiliates", "owners", "disclosures", "disclosure_affiliates"); err != nil {
		return err
	}
	if err := drain(ctx, d.Funds, st.fund); err != nil {
		return err
	}
	if err := s.stageChildren(ctx, st, "sub_advised_funds"); err != nil {
		return err
	}
	if err := drain(ctx, d.Auditors, st.auditor); err != nil {
		return err
	}
	if err := drain(ctx, d.FormDNumbers, st.formD); err != nil {
		return err
	}
	if err := s.stageChildren(ctx, st, "fund_feeders", "fund_providers"); err != nil {
		return err
	}
	for _, kept := range []struct {
		into target
		n    int
		rows *spool
		put  func(r *rowBuffer, no int32, row []byte)
	}{
		{intoFunds(), len(st.funds), &st.fundRows, st.fundRow},
		{intoVersions(), len(st.filings), &st.filingRows, st.versionRow},
		{intoFilings(), len(st.filings), &st.filingRows, st.filingRow},
	} {
		if err := s.copyIn(ctx, kept.into, numbered(kept.n, kept.rows, kept.put)); err != nil {
			return err
		}
	}
	return s.exec(ctx, "analyze", "ANALYZE s_filing; ANALYZE s_version; ANALYZE s_fund")
}

// numbered feeds the rows of n records that are complete only at the end: put appends what was kept of each, completed.
func numbered(n int, kept *spool, put func(r *rowBuffer, no int32, row []byte)) *feed {
	no, rows := int32(0), kept.read()
	return &feed{more: func(r *rowBuffer) error {
		if int(no) == n {
			return io.EOF
		}
		row, err := rows.next()
		if err != nil {
			return err
		}
		put(r, no, row)
		no++
		return nil
	}}
}

// drain reads a sequence that stays in memory.
func drain[T any](ctx context.Context, seq iter.Seq2[T, error], put func(T) error) error {
	if seq == nil {
		return nil
	}
	n := 0
	for v, err := range prefetch(ctx, seq) {
		if err == nil {
			err = put(v)
		}
		if n++; err == nil && n%progressEvery == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// drainInto streams a sequence into a table: put appends the row, or nothing for one that it refuses.
func drainInto[T any](ctx context.Context, s *session, into target, seq iter.Seq2[T, error], put func(*rowBuffer, T) error) error {
	if seq == nil {
		return nil
	}
	if s.ahead != nil {
		return s.ahead.drain(ctx, into, func(r *rowBuffer, sent func() error) error {
			return drain(ctx, seq, func(v T) error {
				if err := put(r, v); err != nil || len(r.buf) < chunk {
					return err
				}
				return sent()
			})
		})
	}
	next, stop := iter.Pull2(seq)
	defer stop()
	n := 0
	return s.copyIn(ctx, into, &feed{more: func(r *rowBuffer) error {
		v, err, ok := next()
		if !ok {
			return io.EOF
		}
		if err != nil {
			return err
		}
		if n++; n%progressEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		return put(r, v)
	}})
}

// copyIn sends a feed to a table.
func (s *session) copyIn(ctx context.Context, into target, f *feed) error {
	if s.ahead != nil {
		more := f.more
		if more == nil {
			more = func(*rowBuffer) error { return io.EOF }
		}
		return s.ahead.copy(ctx, into, f.rows, more)
	}
	return s.copyFrom(ctx, into.copyTo(false), f)
}

// copyFrom performs a COPY. The feed's own error comes back as it is: it says more than that the COPY was broken off.
func (s *session) copyFrom(ctx context.Context, statement string, f *feed) error {
	_, err := s.c.PgConn().CopyFrom(ctx, f, statement)
	if f.err != nil && !errors.Is(f.err, io.EOF) {
		return f.err
	}
	if err != nil {
		return fmt.Errorf("catalog load: %s: %w", statement, err)
	}
	return nil
}

// feed is the reader that COPY pulls: it asks for rows until a chunk is full, or takes the chunks of a recording.
type feed struct {
	more func(r *rowBuffer) error // appends a row or none; io.EOF ends the feed
	rows rowBuffer
	sent int
	err  error

	steps *recording // where the chunks come from, after part
	part  step
}

// Read implements io.Reader.
func (f *feed) Read(p []byte) (int, error) {
	for f.sent == len(f.rows.buf) {
		if f.err != nil {
			return 0, f.err
		}
		f.sent = 0
		if f.steps != nil {
			f.take()
		} else {
			f.rows.buf = f.rows.buf[:0]
			for len(f.rows.buf) < chunk && f.err == nil {
				f.err = f.more(&f.rows)
			}
		}
		if f.err != nil && !errors.Is(f.err, io.EOF) {
			return 0, f.err
		}
	}
	n := copy(p, f.rows.buf[f.sent:])
	f.sent += n
	return n, nil
}

// take goes on to the recording's next chunk.
func (f *feed) take() {
	if f.rows.buf != nil {
		f.steps.recycle(f.rows.buf)
	}
	st, ok := f.part, true
	if st.into.staged == "" {
		st, ok = <-f.steps.steps
	}
	f.part = step{}
	switch {
	case !ok:
		f.rows.buf, f.err = nil, cmp.Or(f.steps.err, errAbandoned)
	case st.err != nil:
		f.rows.buf, f.err = nil, st.err
	default:
		f.rows.buf = st.data
		if st.end {
			f.err = io.EOF
		}
	}
}
