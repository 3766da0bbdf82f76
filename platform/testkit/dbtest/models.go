package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"gpatlas/platform/database"
)

// CheckModels fails the test if GORM models and the migrated database disagree: a missing column, a Go type that cannot hold
// the column's values (including a too narrow integer), a nullable column in a field that turns null into zero, or a field that
// may be nil for a column that is not nullable. A model may leave columns out. Of a view, whose columns PostgreSQL always calls
// nullable, only existence and types are checked.
func CheckModels(tb testing.TB, db *database.DB, models ...any) {
	tb.Helper()
	require.NotEmpty(tb, models, "no models to check")
	faults, err := modelFaults(tb.Context(), db.From(tb.Context()), models...)
	require.NoError(tb, err)
	require.Empty(tb, faults, "models and database disagree")
}

// column is the database's description of a column.
type column struct {
	ColumnName string
	UDTName    string
	IsNullable string
	TableType  string
}

func modelFaults(ctx context.Context, g *gorm.DB, models ...any) ([]string, error) {
	var faults []string
	for _, model := range models {
		s, err := schema.Parse(model, &sync.Map{}, g.NamingStrategy)
		if err != nil {
			return nil, fmt.Errorf("parse model %T: %w", model, err)
		}
		columns, err := columnsOf(ctx, g, s.Table)
		if err != nil {
			return nil, err
		}
		if len(columns) == 0 {
			faults = append(faults, fmt.Sprintf("%s: there is no table %s", s.Name, s.Table))
			continue
		}
		for _, f := range s.Fields {
			if f.DBName == "" { // a relation, or a field that is not stored
				continue
			}
			for _, fault := range fieldFaults(g, f, columns) {
				faults = append(faults, fmt.Sprintf("%s.%s (%s.%s): %s", s.Name, f.Name, s.Table, f.DBName, fault))
			}
		}
	}
	return faults, nil
}

func columnsOf(ctx context.Context, g *gorm.DB, table string) ([]column, error) {
	namespace, name, qualified := strings.Cut(table, ".")
	if !qualified {
		namespace, name = "public", table
	}
	var list []column
	err := g.WithContext(ctx).Raw(`SELECT c.column_name, c.udt_name, c.is_nullable, t.table_type
		FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		WHERE c.table_schema = ? AND c.table_name = ?`, namespace, name).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the columns of %s: %w", table, err)
	}
	return list, nil
}

func fieldFaults(g *gorm.DB, f *schema.Field, columns []column) []string {
	i := slices.IndexFunc(columns, func(c column) bool { return c.ColumnName == f.DBName })
	if i < 0 {
		return []string{"there is no such column"}
	}
	c := columns[i]
	var faults []string
	if fault := typeFault(g, f, c); fault != "" {
		faults = append(faults, fault)
	}
	if c.TableType == "VIEW" {
		return faults
	}
	switch nullable := c.IsNullable == "YES"; {
	case nullable && !holdsNull(f.FieldType):
		faults = append(faults, fmt.Sprintf("the column may be null, and %s would turn that into a zero value", f.FieldType))
	case !nullable && f.FieldType.Kind() == reflect.Pointer:
		faults = append(faults, fmt.Sprintf("the column may not be null, but %s may be nil", f.FieldType))
	}
	return faults
}

var (
	timeType    = reflect.TypeFor[time.Time]()
	scannerType = reflect.TypeFor[sql.Scanner]()
)

// holdsNull: pointers, slices and maps are nil for null, and a type with a Scan of its own is assumed to handle it.
func holdsNull(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	default:
		return reflect.PointerTo(t).Implements(scannerType)
	}
}

// typeFault compares a declared type (`gorm:"type:text[]"`) by PostgreSQL's own reading of it, everything else by the range of
// the Go type. A type that scans or serializes itself and declares nothing is accepted.
func typeFault(g *gorm.DB, f *schema.Field, c column) string {
	if declared := f.TagSettings["TYPE"]; declared != "" {
		var name string
		err := g.Raw("SELECT coalesce((SELECT typname FROM pg_type WHERE oid = to_regtype(?)), '')", declared).Scan(&name).Error
		if err != nil || name != c.UDTName {
			return fmt.Sprintf("declared as %s, the column is %s", declared, c.UDTName)
		}
		return ""
	}
	t := f.IndirectFieldType
	if f.Serializer != nil || (t != timeType && reflect.PointerTo(t).Implements(scannerType)) {
		return ""
	}
	if !slices.Contains(accepts(t), c.UDTName) {
		return fmt.Sprintf("a %s cannot hold %s", t, c.UDTName)
	}
	return ""
}

// accepts lists the column types whose every value a Go type can hold.
func accepts(t reflect.Type) []string {
	switch t.Kind() {
	case reflect.String:
		return []string{"text", "varchar", "bpchar", "citext", "uuid", "json", "jsonb", "name", "inet"}
	case reflect.Bool:
		return []string{"bool"}
	case reflect.Int16, reflect.Uint16, reflect.Int8, reflect.Uint8:
		return []string{"int2"}
	case reflect.Int32, reflect.Uint32:
		return []string{"int2", "int4"}
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint64:
		return []string{"int2", "int4", "int8"}
	case reflect.Float32:
		return []string{"float4"}
	case reflect.Float64:
		return []string{"float4", "float8", "numeric"}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return []string{"bytea", "json", "jsonb"}
		}
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 && t.Len() == 16 {
			return []string{"uuid"}
		}
	case reflect.Struct:
		if t == timeType {
			return []string{"timestamptz", "timestamp", "date"}
		}
	default: // what GORM cannot store either
	}
	return nil
}
