// Package rowfile keeps the rows that statements return in a file, and returns them from it without a database. The file is what PostgreSQL
// sent, as messages of its protocol, compressed by zstd with a checksum. Statements are read in the order in which they were recorded.
package rowfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/klauspost/compress/zstd"
)

// Querier runs statements: a connection, a transaction, a Recorder or a Reader.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// statement is the name under which a statement precedes its rows.
const statement = "statement"

// key is what a statement must agree in.
func key(sql string, args []any) string { return fmt.Sprint(sql, args) }

// Recorder runs statements and writes what they return. A failure to write does not disturb the reader of the rows; Keep returns it.
type Recorder struct {
	from Querier
	path string
	file *os.File
	zip  *zstd.Encoder
	buf  []byte
	err  error
}

// Begun matches the names of files that are being written.
const Begun = ".rows-*"

// Record begins the file of a path with the rows that from returns. The caller ends it with Keep or Drop.
func Record(path string, from Querier) (*Recorder, error) {
	file, err := os.CreateTemp(filepath.Dir(path), Begun)
	if err != nil {
		return nil, fmt.Errorf("begin a file of rows: %w", err)
	}
	zip, err := zstd.NewWriter(file, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin a file of rows: %w", err), file.Close(), os.Remove(file.Name()))
	}
	return &Recorder{from: from, path: path, file: file, zip: zip}, nil
}

// Query runs a statement. Its rows must be read to the end.
func (r *Recorder) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	rows, err := r.from.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	r.write(&pgproto3.ParameterStatus{Name: statement, Value: key(sql, args)})
	return &recorded{Rows: rows, to: r}, nil
}

// Values writes a column of texts as if a statement of this name had returned it.
func (r *Recorder) Values(name string, values []string) {
	r.write(&pgproto3.ParameterStatus{Name: statement, Value: key(name, nil)})
	r.write(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("value"), DataTypeOID: textOID}}})
	for _, v := range values {
		r.write(&pgproto3.DataRow{Values: [][]byte{[]byte(v)}})
	}
	r.write(&pgproto3.CommandComplete{})
}

func (r *Recorder) write(m pgproto3.BackendMessage) {
	if r.err != nil {
		return
	}
	if r.buf, r.err = m.Encode(r.buf[:0]); r.err == nil {
		_, r.err = r.zip.Write(r.buf)
	}
}

// Keep gives the file its name. No reader sees half of it.
func (r *Recorder) Keep() error {
	err := errors.Join(r.err, r.zip.Close(), r.file.Sync(), r.file.Close())
	if err == nil {
		err = os.Rename(r.file.Name(), r.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write the rows of an index: %w", err), os.Remove(r.file.Name()))
	}
	return nil
}

// Drop removes what was written.
func (r *Recorder) Drop() { _ = errors.Join(r.zip.Close(), r.file.Close(), os.Remove(r.file.Name())) } // what is left says nothing

// recorded are the rows of a statement that are being written.
type recorded struct {
	pgx.Rows
	to    *Recorder
	begun bool
}

func (r *recorded) Next() bool {
	if !r.Rows.Next() {
		r.to.write(&pgproto3.CommandComplete{})
		return false
	}
	if !r.begun {
		r.begun = true
		r.to.write(&pgproto3.RowDescription{Fields: described(r.FieldDescriptions())})
	}
	r.to.write(&pgproto3.DataRow{Values: r.RawValues()})
	return true
}

// errEnd is a file that has less than was asked for, or something else.
func errEnd(want string, got any, err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("read %s from the file of rows: %w", want, err)
	}
	return fmt.Errorf("read %s from the file of rows: found %T", want, got)
}
