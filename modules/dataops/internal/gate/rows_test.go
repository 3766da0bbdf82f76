package gate_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
)

// filers are advisers whose filings of a day have so many rows in the table owners.
func filers(day int, rows ...int32) []gate.Filers {
	g := gate.Filers{Kind: "ia", Tables: map[string][]int32{"owners": rows}}
	for i := range rows {
		submitted := time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)
		g.Filers = append(g.Filers, gate.Filer{CRD: strconv.Itoa(100 + i), FilingID: fmt.Sprintf("%d%d", day, i), Submitted: submitted})
	}
	return []gate.Filers{g}
}

// nobody is known.
func nobody(string, *gate.Filer) *gate.Filed { return nil }

// of makes what is known of a document's filings.
func of(filed []gate.Filers) func(string, *gate.Filer) *gate.Filed {
	known := map[string]*gate.Filed{}
	for i, f := range filed[0].Filers {
		known[f.CRD] = &gate.Filed{FilingID: f.FilingID, Submitted: f.Submitted, Rows: filed[0].Of(i)}
	}
	return func(_ string, f *gate.Filer) *gate.Filed { return known[f.CRD] }
}

// The same advisers must keep two of three rows, however many others gained. What one adviser alone lost does not count, nor
// does what is known of a later filing.
func TestRowsOfTheSameAdvisers(t *testing.T) {
	t.Parallel()
	before := of(filers(1, 6, 6, 6, 6))
	for name, c := range map[string]struct {
		now   []gate.Filers
		known func(string, *gate.Filer) *gate.Filed
		stops bool
	}{
		"as before":                 {filers(2, 6, 6, 6, 6), before, false},
		"every second":              {filers(2, 3, 3, 3, 3), before, true},
		"a third less":              {filers(2, 4, 4, 4, 4), before, false},
		"all":                       {filers(2, 0, 0, 0, 0), before, true},
		"others gained":             {filers(2, 0, 0, 1, 90), before, true},
		"one lost all":              {filers(2, 6, 6, 6, 0), of(filers(1, 2, 2, 2, 20)), false},
		"one lost half of a table":  {filers(2, 6, 6, 6, 0), of(filers(1, 6, 6, 6, 18)), true},
		"few":                       {filers(2, 0, 0, 0, 0), of(filers(1, 2, 2, 2, 1)), false},
		"of a later filing":         {filers(1, 3, 3, 3, 3), of(filers(2, 6, 6, 6, 6)), false},
		"of the same, now restated": {filers(1, 3, 3, 3, 3), before, true},
		"of nobody":                 {filers(2, 3, 3, 3, 3), nobody, false},
	} {
		found := gate.Rows(c.now, c.known, nil)
		require.Equal(t, c.stops, len(found) > 0, "%s: %v", name, found)
	}
	found := gate.Rows(filers(2, 3, 3, 3, 3), before, nil)
	require.Equal(t, []gate.Finding{{Check: gate.RowsLost, Reason: "owners has only 12 of the 24 rows that the same 4 advisers had in their filings before"}}, found)
}

// A filing that was loaded before has the rows that it had then. One may be corrected.
func TestRowsOfTheSameFilings(t *testing.T) {
	t.Parallel()
	repeat := func(n int, rows ...int32) []int32 { return slices.Repeat(rows, n) }
	for name, c := range map[string]struct {
		before, now []int32
		stops       bool
	}{
		"as before":                       {repeat(60, 4), repeat(60, 4), false},
		"more":                            {repeat(60, 4), repeat(60, 5), false},
		"one has lost all":                {repeat(60, 4), append([]int32{0}, repeat(59, 4)...), false},
		"one has lost all of many":        {repeat(60, 8), append([]int32{0}, repeat(59, 8)...), true},
		"two have lost a row":             {repeat(10, 4), append([]int32{3, 3}, repeat(8, 4)...), false},
		"two have lost three rows":        {repeat(10, 4), append([]int32{3, 2}, repeat(8, 4)...), true},
		"others have gained as much":      {repeat(10, 4), append([]int32{3, 2, 9}, repeat(7, 4)...), true},
		"three of 240":                    {repeat(60, 4), append([]int32{3, 3, 3}, repeat(57, 4)...), true},
		"three of 400":                    {repeat(100, 4), append([]int32{3, 3, 3}, repeat(97, 4)...), false},
		"few rows":                        {[]int32{1, 2, 0}, []int32{0, 0, 0}, true},
		"a tenth of the pages, at random": {repeat(20, 1, 0, 0, 2), repeat(5, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 2, 0, 0, 0, 2), true},
	} {
		found := gate.Rows(filers(2, c.now...), of(filers(2, c.before...)), nil)
		require.Equal(t, c.stops, len(found) > 0, "%s: %v", name, found)
	}
	found := gate.Rows(filers(2, 3, 2, 4), of(filers(2, 4, 4, 4)), nil)
	require.Equal(t, "owners has lost 3 of the 12 rows that the same 3 filings had when they were loaded before", found[0].Reason)
}

// Damage takes rows from many advisers and gives none. What a few of them lose, or what others gain as often, is no damage.
func TestRowsOfManyAdvisers(t *testing.T) {
	t.Parallel()
	rows := func(n, every int, lost, gained int32) (out []int32) {
		for i := range n {
			switch i % every {
			case 0:
				out = append(out, 5-lost)
			case 1:
				out = append(out, 5+gained)
			default:
				out = append(out, 5)
			}
		}
		return out
	}
	before := of(filers(1, rows(60, 2, 0, 0)...))
	for name, c := range map[string]struct {
		now   []int32
		stops bool
	}{
		"a fifth of the rows":                 {rows(60, 2, 2, 0), true},
		"a fifth, and others gained as much":  {rows(60, 2, 2, 2), false},
		"a fifth less of every adviser":       {rows(60, 1, 1, 0), true},
		"of five advisers, a fifth":           {rows(5, 1, 1, 0), true},
		"of four advisers, a fifth":           {rows(4, 1, 1, 0), false},
		"one adviser of five closed":          {rows(60, 5, 5, 0), true},
		"one in twelve lost all it had":       {rows(60, 12, 5, 0), false},
		"every adviser of ten lost something": {rows(60, 10, 1, 0), false},
		"a fifth, and half as many gained":    {slices.Concat(slices.Repeat([]int32{3}, 18), slices.Repeat([]int32{4}, 24), slices.Repeat([]int32{6}, 18)), true},
		"a fifth, and more of them gained":    {slices.Concat(slices.Repeat([]int32{3}, 21), slices.Repeat([]int32{4}, 18), slices.Repeat([]int32{6}, 21)), false},
	} {
		found := gate.Rows(filers(2, c.now...), before, nil)
		require.Equal(t, c.stops, len(found) > 0, "%s: %v", name, found)
	}
}

// A table that was cut at the ends of lines has no rows for filings that follow one another: the first, the last or others.
func TestRowsOfFilingsInARow(t *testing.T) {
	t.Parallel()
	repeat := func(n int, rows ...int32) (out []int32) {
		for range n {
			out = append(out, rows...)
		}
		return out
	}
	without := func(whole []int32, from, to int) []int32 {
		out := slices.Clone(whole)
		clear(out[from:to])
		return out
	}
	cut := func(whole []int32, filings int) []int32 { return without(whole, len(whole)-filings, len(whole)) }
	dense, sparse := repeat(60, 4), repeat(30, 0, 0, 1)
	for name, c := range map[string]struct {
		now    []int32
		before []int32 // nil = none of the advisers is known
		stops  bool
	}{
		"three of sixty":                     {cut(dense, 3), dense, true},
		"three of sixty, unknown":            {cut(dense, 3), nil, true},
		"two of sixty":                       {cut(dense, 2), dense, false},
		"of six, two":                        {cut(dense[:6], 2), dense[:6], false},
		"of six, three":                      {cut(dense[:6], 3), dense[:6], true},
		"few have rows, and three lost":      {cut(sparse, 9), sparse, false},
		"few have rows, and four lost":       {cut(sparse, 12), sparse, true},
		"few have rows, and all is unknown":  {cut(sparse, 60), nil, false},
		"the last never had any":             {cut(dense, 9), cut(dense, 9), false},
		"the first three of sixty":           {without(dense, 0, 3), dense, true},
		"the first two of sixty":             {without(dense, 0, 2), dense, false},
		"the first, unknown":                 {without(dense, 0, 3), nil, true},
		"five others of sixty":               {without(dense, 20, 25), dense, true},
		"three others of sixty":              {without(dense, 20, 23), dense, false},
		"the last two had many rows":         {cut(repeat(60, 12), 2), repeat(60, 12), true},
		"the last one had many rows":         {cut(repeat(60, 12), 1), repeat(60, 12), false},
		"two others had many rows":           {without(repeat(60, 12), 20, 22), repeat(60, 12), true},
		"two others had seven rows":          {without(repeat(60, 7), 20, 22), repeat(60, 7), false},
		"four that are apart":                {without(without(dense, 20, 22), 23, 25), dense, false},
		"few have rows, and six others lost": {without(sparse, 30, 48), sparse, true},
		"few have rows, and three others":    {without(sparse, 30, 39), sparse, false},
	} {
		known := nobody
		if c.before != nil {
			known = of(filers(1, c.before...))
		}
		found := gate.Rows(filers(2, c.now...), known, nil)
		require.Equal(t, c.stops, len(found) > 0, "%s: %v", name, found)
	}
	found := gate.Rows(filers(2, cut(sparse, 12)...), of(filers(1, sparse...)), nil)
	require.Equal(t, "owners has no rows for the last 12 filings, of which 4 would have some: a part of the table may be missing", found[0].Reason)
	found = gate.Rows(filers(2, without(dense, 0, 9)...), nobody, nil)
	require.Equal(t, "owners has no rows for the first 9 filings, of which 9 would have some: a part of the table may be missing", found[0].Reason)
	found = gate.Rows(filers(2, without(dense, 20, 30)...), nobody, nil)
	require.Equal(t, "owners has no rows for 10 filings in a row, of which 10 would have some: a part of the table may be missing", found[0].Reason)
}

// Filings whose answers require rows must have some, in one of the tables. That needs no earlier document.
func TestRowsThatFilingsRequire(t *testing.T) {
	t.Parallel()
	document := func(filings, without int) []gate.Filers {
		rows, yes := make([]int32, filings), make([]bool, filings)
		for i := range rows {
			yes[i] = i%2 == 0
			if yes[i] && i >= 2*without {
				rows[i] = 1
			}
		}
		filed := filers(2, rows...)
		filed[0].Tables["others"] = make([]int32, filings)
		filed[0].Due = []gate.Due{{Why: "answer Y to item 7.B", Tables: []string{"owners", "others"}, Filings: yes}}
		return filed
	}
	for name, c := range map[string]struct {
		filings, without int
		stops            bool
	}{
		"all have rows":            {60, 0, false},
		"two of thirty have none":  {60, 2, false},
		"three of thirty":          {60, 3, true},
		"all three of three":       {6, 3, true},
		"twenty of two thousand":   {4000, 20, false},
		"a fiftieth of 2,000 have": {4000, 40, true},
	} {
		filed := document(c.filings, c.without)
		found := gate.Rows(filed, of(filed), nil) // the same filings had as few rows before
		require.Equal(t, c.stops, len(found) > 0, "%s: %v", name, found)
	}
	found := gate.Rows(document(60, 30), nobody, nil)
	require.Equal(t, "owners and others: 30 of the 30 filings that answer Y to item 7.B have no rows", found[0].Reason)
	filed := document(60, 30)
	copy(filed[0].Tables["others"], slices.Repeat([]int32{1, 0}, 30))
	require.Empty(t, gate.Rows(filed, nobody, nil), "they have rows in the other table")
	filed = document(60, 30)
	delete(filed[0].Tables, "others")
	require.Empty(t, gate.Rows(filed, nobody, nil), "a table that is missing says nothing")
}

// Of advisers who are not known, the mean of a table's rows must not be far below that of the series: by more than chance.
func TestRowsOfOtherAdvisers(t *testing.T) {
	t.Parallel()
	repeat := func(n int, rows ...int32) (out []int32) {
		for range n {
			out = append(out, rows...)
		}
		return out
	}
	series := gate.Spreads(filers(1, repeat(10, 4, 5, 6)...))
	require.Equal(t, map[string]gate.Spread{"owners": {Filings: 30, Rows: 150, Squares: 770}}, series)
	counted := []gate.Counted{{Document: "march.zip", Spreads: series}}
	found := gate.Rows(filers(2, repeat(10, 2, 3, 2)...), nobody, counted)
	require.Equal(t, "owners has 2.33 rows for each of its 30 filings; earlier documents of the series had 5.00", found[0].Reason)
	require.Empty(t, gate.Rows(filers(2, repeat(10, 3, 3, 4)...), nobody, counted), "two thirds")
	require.Empty(t, gate.Rows(filers(2, 2), nobody, counted), "one filing")
	uneven := gate.Spreads(filers(1, append(repeat(20, 0), 60, 40)...))
	require.Empty(t, gate.Rows(filers(2, repeat(10, 0, 1)...), nobody, []gate.Counted{{Spreads: uneven}}), "few have most of the rows")
	require.Empty(t, gate.Rows(filers(2, repeat(10, 0)...), nobody, nil), "the first of its series")
	require.Len(t, gate.Rows(filers(2, repeat(10, 2, 3, 2)...), nobody, append(counted, counted...)), 1)
}

func TestCompareFilings(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	require.Negative(t, gate.CompareFilings(day, day.Add(time.Hour), "2", "1"), "the time counts first")
	require.Negative(t, gate.CompareFilings(day, day, "999999", "1000000"), "numbers, not texts")
	require.Zero(t, gate.CompareFilings(day, day, "7", "7"))
}
