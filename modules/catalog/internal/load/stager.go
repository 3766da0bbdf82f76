package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"gpatlas/platform/database"
)

// stager copies the chunks of a reader into the tables that they name. It is the data of one COPY after the other: each
// lasts as long as the chunks are for the same table.
type stager struct {
	chunks *ahead[chunk]
	at     chunk  // being sent
	sent   int    // bytes of it
	table  *table // of the COPY
	err    error  // why there is no chunk; io.EOF at the end of the document
}

// stage copies the chunks of a document as they arrive: into temporary tables for the merger, or directly into the catalog's
// tables. If the reader fails, it returns the reader's error.
func (s *session) stage(ctx context.Context, tables []*table, chunks *ahead[chunk], straight bool) error {
	var create, analyze []string
	for _, t := range tables {
		create, analyze = append(create, t.create(t.staged)), append(analyze, t.staged)
	}
	if !straight {
		if err := s.exec(ctx, "stage", strings.Join(create, ";")); err != nil {
			return err
		}
	}
	st := &stager{chunks: chunks}
	for st.take(); st.err == nil; {
		st.table = st.at.to
		if err := s.copyIn(ctx, st.table.into(straight), st); err != nil {
			return err
		}
	}
	if err := st.end(); err != nil || straight {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE "+strings.Join(analyze, ", "))
}

// take goes on to the next chunk.
func (st *stager) take() {
	if used := st.at.rows; used != nil {
		buffers.Put(&used)
	}
	st.sent = 0
	st.at, st.err = st.chunks.next()
}

// end is why there is no further chunk, if that is not the end of the document.
func (st *stager) end() error {
	if errors.Is(st.err, io.EOF) {
		return nil
	}
	return st.err
}

// Read implements io.Reader over the chunks of one table.
func (st *stager) Read(p []byte) (int, error) {
	for {
		switch {
		case st.err != nil:
			return 0, st.err
		case st.at.to != st.table:
			return 0, io.EOF
		case st.sent < len(st.at.rows):
			n := copy(p, st.at.rows[st.sent:])
			st.sent += n
			return n, nil
		}
		st.take()
	}
}

// copyIn performs a COPY into a table, whose columns may be named. It returns the reader's own error unchanged, because that
// explains more than that the COPY was aborted.
func (s *session) copyIn(ctx context.Context, into string, rows io.Reader) error {
	ctx, cancel := context.WithTimeout(ctx, database.LongStatement) // below pgx, where package database limits nothing
	defer cancel()
	r, statement := &errorReader{rows: rows}, "COPY "+into+" FROM STDIN"
	_, err := s.c.PgConn().CopyFrom(ctx, r, statement)
	if r.err != nil {
		return r.err
	}
	if err != nil {
		return fmt.Errorf("catalog load: %s: %w", statement, err)
	}
	return nil
}

// errorReader remembers what a reader failed with.
type errorReader struct {
	rows io.Reader
	err  error
}

// Read implements io.Reader.
func (f *errorReader) Read(p []byte) (int, error) {
	n, err := f.rows.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}
