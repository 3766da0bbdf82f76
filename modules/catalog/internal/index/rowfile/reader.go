package rowfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/klauspost/compress/zstd"
)

const textOID = pgtype.TextOID

// Reader returns the rows of a file.
type Reader struct {
	types *pgtype.Map
	file  *os.File
	zip   *zstd.Decoder
	from  *pgproto3.Frontend
}

// Open opens the file of a path; an error is fs.ErrNotExist if there is none. types are those of a connection.
func Open(path string, types *pgtype.Map) (*Reader, error) {
	file, err := os.Open(path) // #nosec G304 -- in the operator's folder
	if err != nil {
		return nil, err
	}
	zip, err := zstd.NewReader(file)
	if err != nil {
		_ = file.Close() // it was only read
		return nil, fmt.Errorf("open the file of rows: %w", err)
	}
	return &Reader{types: types, file: file, zip: zip, from: pgproto3.NewFrontend(zip, io.Discard)}, nil
}

// Close closes the file.
func (r *Reader) Close() {
	r.zip.Close()
	_ = r.file.Close() // it was only read
}

// Query returns the rows of the next statement, which must be sql with args.
func (r *Reader) Query(_ context.Context, sql string, args ...any) (pgx.Rows, error) {
	m, err := r.from.Receive()
	if begun, ok := m.(*pgproto3.ParameterStatus); !ok || begun.Name != statement {
		return nil, errEnd("a statement", m, err)
	} else if begun.Value != key(sql, args) {
		return nil, fmt.Errorf("read a statement from the file of rows: it has %.80q, not %.80q", begun.Value, sql)
	}
	return &rows{of: r}, nil
}

// End returns an error unless the whole file was read and its checksum is right.
func (r *Reader) End() error {
	if _, err := r.zip.Read(make([]byte, 1)); err != io.EOF { //nolint:errorlint // what a Reader returns at its end
		return errEnd("the end", "more", err)
	}
	return nil
}

// rows are those of one statement.
type rows struct {
	of     *Reader
	fields []pgconn.FieldDescription
	values [][]byte
	plans  []pgtype.ScanPlan // for the targets of the first row: all rows of a statement are scanned into the same types
	closed bool
	err    error
}

func (r *rows) Next() bool {
	for !r.closed {
		m, err := r.of.from.Receive()
		switch m := m.(type) {
		case *pgproto3.RowDescription:
			for _, f := range m.Fields {
				r.fields = append(r.fields, pgconn.FieldDescription{Name: string(f.Name), DataTypeOID: f.DataTypeOID, Format: f.Format})
			}
		case *pgproto3.DataRow:
			r.values = m.Values
			return true
		case *pgproto3.CommandComplete:
			r.closed = true
		default:
			r.closed, r.err = true, errEnd("a row", m, err)
		}
	}
	return false
}

func (r *rows) Scan(dest ...any) error {
	if len(dest) != len(r.fields) || len(r.values) != len(r.fields) {
		return fmt.Errorf("scan a row of the file: %d columns and %d values for %d targets", len(r.fields), len(r.values), len(dest))
	}
	if r.plans == nil {
		r.plans = make([]pgtype.ScanPlan, len(dest))
		for i := range dest {
			r.plans[i] = r.of.types.PlanScan(r.fields[i].DataTypeOID, r.fields[i].Format, dest[i])
		}
	}
	for i := range dest {
		if err := r.plans[i].Scan(r.values[i], dest[i]); err != nil {
			return pgx.ScanArgError{ColumnIndex: i, FieldName: r.fields[i].Name, Err: err}
		}
	}
	return nil
}

// Close leaves what was not read: the statements after this one cannot be read then.
func (r *rows) Close()                                       { r.closed = true }
func (r *rows) Err() error                                   { return r.err }
func (r *rows) CommandTag() pgconn.CommandTag                { return pgconn.CommandTag{} }
func (r *rows) FieldDescriptions() []pgconn.FieldDescription { return r.fields }
func (r *rows) RawValues() [][]byte                          { return r.values }
func (r *rows) Conn() *pgx.Conn                              { return nil }
func (r *rows) TypeMap() *pgtype.Map                         { return r.of.types }

func (r *rows) Values() ([]any, error) { return nil, errors.ErrUnsupported }

func described(fields []pgconn.FieldDescription) []pgproto3.FieldDescription {
	list := make([]pgproto3.FieldDescription, len(fields))
	for i, f := range fields {
		list[i] = pgproto3.FieldDescription{Name: []byte(f.Name), DataTypeOID: f.DataTypeOID, Format: f.Format}
	}
	return list
}
