package diff_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/analytics/internal/diff"
	"gpatlas/modules/catalog/catalogapi"
)

// A value of each kind that a record holds. The choice is small, so that two draws are often the same.
func value(kind int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		if rapid.IntRange(0, 3).Draw(t, "unknown") == 0 {
			return nil
		}
		switch kind % 5 {
		case 0:
			return rapid.SampledFrom([]any{int64(0), int64(1), int64(-5), int64(1 << 60)}).Draw(t, "number")
		case 1:
			return rapid.SampledFrom([]any{0.0, 1.0, 12.5, int64(1), int64(12)}).Draw(t, "share")
		case 2:
			return rapid.SampledFrom([]any{"Boston", "Austin", ""}).Draw(t, "word")
		case 3:
			return rapid.Bool().Draw(t, "flag")
		}
		return rapid.SliceOfN(rapid.SampledFrom([]string{"506b", "506c", "3c1"}), 0, 3).Draw(t, "list")
	})
}

// fields draws some of a dozen fields, now and then in another order.
func fields(t *rapid.T, label string) []catalogapi.Field {
	var list []catalogapi.Field
	for i := range 10 {
		if rapid.IntRange(0, 5).Draw(t, label+" missing") > 0 {
			list = append(list, catalogapi.Field{Name: fmt.Sprintf("field_%d", i), Value: value(i).Draw(t, label)})
		}
	}
	if rapid.IntRange(0, 7).Draw(t, label+" shuffled") == 0 {
		list = rapid.Permutation(list).Draw(t, label+" order")
	}
	return list
}

func record(t *rapid.T, label string) catalogapi.Record {
	r := catalogapi.Record{Fields: fields(t, label)}
	for i := range 6 {
		if rapid.IntRange(0, 3).Draw(t, label+" absent") == 0 {
			continue
		}
		f := catalogapi.FundRecord{
			FundID: fmt.Sprintf("805-000000000%d", i), Name: rapid.SampledFrom([]string{"Mossgate I", "Mossgate II"}).Draw(t, "name"),
			Status: rapid.SampledFrom([]string{"active", "active", "liquidating", "closed"}).Draw(t, "status"),
			Fields: fields(t, label),
		}
		f.Fields = append(f.Fields, catalogapi.Field{Name: "gross_asset_value", Value: value(0).Draw(t, "gav")},
			catalogapi.Field{Name: "status", Value: f.Status})
		r.Funds = append(r.Funds, f)
	}
	return r
}

// state is what a record says, in a form that forgets the order of fields and what nobody said. Numbers are texts, lists
// are sets.
type state map[string]string

func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []string:
		set := map[string]bool{}
		for _, s := range v {
			set[s] = true
		}
		if len(set) == 0 {
			return ""
		}
		return fmt.Sprintf("list %q", slices.Sorted(maps.Keys(set)))
	case int64, float64:
		return fmt.Sprintf("number %v", v)
	}
	return fmt.Sprintf("%T %q", v, fmt.Sprint(v))
}

func (s state) put(field string, v any) {
	if delete(s, field); text(v) != "" {
		s[field] = text(v)
	}
}

func stateOf(list []catalogapi.Field) state {
	s := state{}
	for _, f := range list {
		s.put(f.Name, f.Value)
	}
	return s
}

// replay applies changes, each of which must fit what it is applied to.
func (s state) replay(t require.TestingT, list []diff.FieldChange) {
	for _, c := range list {
		require.Equal(t, s[c.Field], text(c.Before), c.Field)
		require.NotEqual(t, text(c.Before), text(c.After), "no change: %s", c.Field)
		s.put(c.Field, c.After)
	}
}

func funds(r catalogapi.Record, where func(f catalogapi.FundRecord) bool) map[string]catalogapi.FundRecord {
	m := map[string]catalogapi.FundRecord{}
	for _, f := range r.Funds {
		if where(f) {
			m[f.FundID] = f
		}
	}
	return m
}

func isOpen(f catalogapi.FundRecord) bool { return f.Status != "closed" }
func isShut(f catalogapi.FundRecord) bool { return f.Status == "closed" }

// Whoever has the first record and the difference has the second: every field of the adviser, which funds are there, and
// every field of those that are there, or closed, at both points.
func TestDifferenceLeadsFromOneToTheOther(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := record(t, "from"), record(t, "to")
		d := diff.Compare(a, b)

		adviser := stateOf(a.Fields)
		adviser.replay(t, d.Adviser)
		require.Equal(t, stateOf(b.Fields), adviser)

		there := slices.Collect(maps.Keys(funds(a, isOpen)))
		for _, f := range d.FundsRemoved {
			old, was := funds(a, isOpen)[f.FundID]
			require.True(t, was)
			require.Equal(t, diff.NamedFund{FundID: old.FundID, Name: old.Name, GrossAssetValue: gav(old)}, f.NamedFund)
			_, known := funds(b, isShut)[f.FundID]
			require.Equal(t, known, f.Status != nil && *f.Status == "closed")
			there = slices.DeleteFunc(there, func(id string) bool { return id == f.FundID })
		}
		for _, f := range d.FundsAdded {
			require.NotContains(t, there, f.FundID)
			now := funds(b, isOpen)[f.FundID]
			require.Equal(t, diff.NamedFund{FundID: now.FundID, Name: now.Name, GrossAssetValue: gav(now)}, f)
			there = append(there, f.FundID)
		}
		require.ElementsMatch(t, slices.Collect(maps.Keys(funds(b, isOpen))), there)

		listed := map[string][]diff.FieldChange{}
		for _, f := range d.FundsChanged {
			require.NotEmpty(t, f.Changes)
			listed[f.FundID] = f.Changes
		}
		for _, side := range []func(catalogapi.FundRecord) bool{isOpen, isShut} {
			before := funds(a, side)
			for id, now := range funds(b, side) {
				if old, both := before[id]; both {
					s := stateOf(old.Fields)
					s.replay(t, listed[id])
					delete(listed, id)
					require.Equal(t, stateOf(now.Fields), s, id)
				}
			}
		}
		require.Empty(t, listed, "changes of funds that are not there at both points")
	})
}

func gav(f catalogapi.FundRecord) *int64 {
	for _, field := range f.Fields {
		if v, ok := field.Value.(int64); ok && field.Name == "gross_asset_value" {
			return &v
		}
	}
	return nil
}

func TestNothingDiffersFromItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := record(t, "record")
		b := a
		// The same in another way: numbers of the other type, lists in another order, texts in capitals.
		b.Fields = slices.Clone(a.Fields)
		for i, f := range b.Fields {
			switch v := f.Value.(type) {
			case int64:
				b.Fields[i].Value = float64(v)
			case string:
				b.Fields[i].Value = strings.ToUpper(v)
			case []string:
				v = append(slices.Clone(v), v...)
				slices.Reverse(v)
				b.Fields[i].Value = v
			}
		}
		for _, pair := range [][2]catalogapi.Record{{a, a}, {a, b}, {b, a}} {
			d := diff.Compare(pair[0], pair[1])
			require.True(t, d.Empty(), "%+v", d)
		}
	})
}

// The difference the other way round says the same the other way round.
func TestReversed(t *testing.T) {
	t.Parallel()
	turned := func(list []diff.FieldChange) []diff.FieldChange {
		out := []diff.FieldChange{}
		for _, c := range list {
			out = append(out, diff.FieldChange{Field: c.Field, Before: c.After, After: c.Before})
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := record(t, "from"), record(t, "to")
		there, back := diff.Compare(a, b), diff.Compare(b, a)
		require.Equal(t, there.Empty(), back.Empty())
		require.ElementsMatch(t, turned(there.Adviser), back.Adviser)
		removed := func(d diff.Difference) []diff.NamedFund {
			out := []diff.NamedFund{}
			for _, f := range d.FundsRemoved {
				out = append(out, f.NamedFund)
			}
			return out
		}
		require.Equal(t, there.FundsAdded, removed(back))
		require.Equal(t, removed(there), back.FundsAdded)
		require.Len(t, back.FundsChanged, len(there.FundsChanged))
		for i, f := range there.FundsChanged {
			require.Equal(t, f.FundID, back.FundsChanged[i].FundID)
			require.ElementsMatch(t, turned(f.Changes), back.FundsChanged[i].Changes)
		}
	})
}

// A filing that repeats the one before changes nothing.
func TestRepeatedFiling(t *testing.T) {
	t.Parallel()
	filed := func(on string) catalogapi.Record {
		fields := []catalogapi.Field{{Name: "name", Value: "Mossgate I"}, {Name: "latest_filing_date", Value: on}}
		return catalogapi.Record{Fields: fields, Funds: []catalogapi.FundRecord{{FundID: "805-0000000001", Status: "active", Fields: fields}}}
	}
	d := diff.Compare(filed("2025-03-28"), filed("2026-03-28"))
	require.True(t, d.Empty(), "%+v", d)
	bare := catalogapi.Record{Funds: []catalogapi.FundRecord{{FundID: "805-0000000001", Status: "active"}}}
	d = diff.Compare(bare, filed("2026-03-28"))
	require.Equal(t, []diff.FieldChange{{Field: "name", After: "Mossgate I"}}, d.Adviser)
}

// What Compare is given stays as it is.
func TestRecordsAreLeftAlone(t *testing.T) {
	t.Parallel()
	r := catalogapi.Record{Fields: []catalogapi.Field{{Name: "exemptions", Value: []string{"506c", "506b", "506c"}}}}
	d := diff.Compare(r, catalogapi.Record{})
	require.Equal(t, []diff.FieldChange{{Field: "exemptions", Before: []string{"506b", "506c"}}}, d.Adviser)
	require.Equal(t, []string{"506c", "506b", "506c"}, r.Fields[0].Value)
}
