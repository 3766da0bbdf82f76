package dataops_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/sample"
)

var ingestScale = flag.String("ingest.scale", sample.Small, "the sample that BenchmarkIngest loads: small or sec")

// BenchmarkIngest sets the wall time of an ingestion of the sample into an empty database against a bare COPY of its rows
// (x-copy): every row of every table of every archive, parsed and encoded beforehand, into temporary tables without
// indexes. -ingest.scale=sec is the size of the real thing.
func BenchmarkIngest(b *testing.B) {
	dir := b.TempDir()
	_, err := sample.Write(b.Context(), sample.Options{Scale: *ingestScale, Dir: dir})
	require.NoError(b, err)
	tables, paths, rows := encodeSample(b, dir)
	var bare, ingested time.Duration
	for b.Loop() {
		deps := setup(b)
		bare += copyTables(b, deps, tables)
		begun := time.Now()
		sum, err := dataops.Ingest(b.Context(), deps, paths, dataops.IngestOptions{})
		ingested += time.Since(begun)
		require.NoError(b, err)
		require.Equal(b, rows, sum.Read)
		deps.DB.Close()
	}
	b.ReportMetric(ingested.Seconds()/bare.Seconds(), "x-copy")
	b.ReportMetric(bare.Seconds()/float64(b.N), "copy-s/op")
	b.ReportMetric(float64(rows)*float64(b.N)/ingested.Seconds(), "rows/s")
}

// bareTable is a table of a document, made of the fields of its rows.
type bareTable struct {
	columns string
	rows    bytes.Buffer
}

// encodeSample reads the archives of a folder that go into the catalog: neither lists of commitments nor job boards. Whatever
// tables a document has are found by reflection.
func encodeSample(b *testing.B, dir string) (tables map[string]*bareTable, paths []string, total int64) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	require.NoError(b, err)
	tables = map[string]*bareTable{}
	for _, path := range files {
		opened, err := parse.Open(b.Context(), path, parse.Options{Reject: func(r catalogapi.Rejected) { b.Fatal(r.Reason) }})
		require.NoError(b, err)
		if opened.Commitments != nil {
			require.NoError(b, opened.Close())
			continue
		}
		paths = append(paths, path)
		doc := reflect.ValueOf(opened.Document)
		for i := range doc.NumField() {
			seq := doc.Field(i)
			if seq.Kind() != reflect.Func || seq.IsNil() || seq.Type().NumIn() == 0 { // Edition is no table
				continue
			}
			name := "bare_" + strings.ToLower(doc.Type().Field(i).Name)
			encodeTable(b, tables, name, seq)
		}
		total += opened.Rows()
		require.NoError(b, opened.Close())
	}
	require.NotEmpty(b, paths)
	return tables, paths, total
}

func encodeTable(b *testing.B, tables map[string]*bareTable, name string, seq reflect.Value) {
	b.Helper()
	yield := seq.Type().In(0)
	row := yield.In(0).Elem()
	t := tables[name]
	if t == nil {
		columns := make([]string, row.NumField())
		for i := range columns {
			columns[i] = fmt.Sprintf("c%d %s", i, columnType(row.Field(i).Type))
		}
		t = &bareTable{columns: strings.Join(columns, ", ")}
		tables[name] = t
	}
	seq.Call([]reflect.Value{reflect.MakeFunc(yield, func(args []reflect.Value) []reflect.Value {
		if !args[1].IsNil() {
			b.Fatal(args[1].Interface())
		}
		for i := range row.NumField() {
			if i > 0 {
				t.rows.WriteByte('\t')
			}
			writeCell(&t.rows, args[0].Elem().Field(i))
		}
		t.rows.WriteByte('\n')
		return []reflect.Value{reflect.ValueOf(true)}
	})})
}

func columnType(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "timestamptz"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return "bigint"
	case t.Kind() == reflect.Float64:
		return "double precision"
	}
	return "text"
}

var escape = strings.NewReplacer("\\", "\\\\", "\t", "\\t", "\n", "\\n", "\r", "\\r")

func writeCell(w *bytes.Buffer, v reflect.Value) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			w.WriteString(`\N`)
			return
		}
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			w.WriteString(`\N`)
			return
		}
		w.WriteString(x.UTC().Format("2006-01-02 15:04:05Z"))
	case string:
		if x == "" {
			w.WriteString(`\N`)
			return
		}
		_, _ = escape.WriteString(w, x)
	default:
		_, _ = escape.WriteString(w, fmt.Sprint(x))
	}
}

// copyTables says how long the COPY of all tables takes.
func copyTables(b *testing.B, deps dataops.Deps, tables map[string]*bareTable) (took time.Duration) {
	b.Helper()
	require.NoError(b, deps.DB.Conn(b.Context(), func(c *pgx.Conn) error {
		tx, err := c.Begin(b.Context())
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(b.Context())) }()
		begun := time.Now()
		for name, t := range tables {
			if _, err := tx.Exec(b.Context(), "SET LOCAL statement_timeout = 0; CREATE TEMP TABLE "+name+" ("+t.columns+") ON COMMIT DROP"); err != nil {
				return err
			}
			if _, err := c.PgConn().CopyFrom(b.Context(), bytes.NewReader(t.rows.Bytes()), "COPY "+name+" FROM STDIN"); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		took = time.Since(begun)
		return nil
	}))
	return took
}
