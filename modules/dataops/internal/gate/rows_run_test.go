package gate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
)

// events are 60 filings with four owners each. The filings before every twelfth of them have disclosed events.
func events(day int, rows ...int32) []gate.Filers {
	filed := filers(day, slices.Repeat([]int32{4}, 60)...)
	of := make([]int32, 60)
	for i, n := range rows {
		of[12*i+11] = n
	}
	filed[0].Tables["events"] = of
	return filed
}

// A table that was cut at the end of a line has no rows for filings that follow one another, and a part of them for the filing beside
// these. Where few advisers have rows, what the other tables lost says how likely that is.
func TestRowsOfAPartOfAFiling(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, now []int32
		finds       gate.Check // the table is stopped, or an alert opens
	}{
		"whole":                       {[]int32{2, 29, 31, 1, 2}, []int32{2, 30, 36, 2, 2}, ""},
		"72 rows cut after 42":        {[]int32{2, 29, 31, 1, 2}, []int32{2, 30, 10, 0, 0}, gate.RowsLost},
		"after 50":                    {[]int32{2, 29, 31, 1, 2}, []int32{2, 30, 18, 0, 0}, gate.RowsLost},
		"after 58":                    {[]int32{2, 29, 31, 1, 2}, []int32{2, 30, 26, 0, 0}, gate.RowsDoubtful},
		"39 rows cut after 23":        {[]int32{16, 19, 1}, []int32{16, 7, 0}, gate.RowsLost},
		"39 rows cut after 28":        {[]int32{16, 19, 1}, []int32{16, 12, 0}, gate.RowsDoubtful},
		"without the first 30":        {[]int32{2, 1, 31, 29, 2}, []int32{0, 0, 6, 30, 2}, gate.RowsLost},
		"the last three":              {[]int32{20, 20, 2, 2, 2}, []int32{20, 20, 0, 0, 0}, gate.RowsLost},
		"the last two":                {[]int32{20, 20, 2, 2, 2}, []int32{20, 20, 2, 0, 0}, gate.RowsDoubtful},
		"the last one":                {[]int32{20, 20, 2, 2, 19}, []int32{20, 20, 2, 2, 6}, gate.RowsDoubtful},
		"the last one, which had few": {[]int32{2, 2, 2, 2, 2}, []int32{2, 2, 2, 2, 0}, ""},
		"two parts in between":        {[]int32{2, 29, 31, 8, 40}, []int32{2, 14, 16, 8, 40}, gate.RowsLost},
		"less of two parts":           {[]int32{2, 29, 31, 8, 40}, []int32{2, 20, 21, 8, 40}, gate.RowsLost},
		"72 rows without 22 to 43":    {[]int32{2, 29, 31, 1, 2}, []int32{2, 19, 25, 2, 2}, gate.RowsDoubtful},
		"without 22 to 50":            {[]int32{2, 29, 31, 1, 2}, []int32{2, 19, 18, 2, 2}, gate.RowsLost},
		"without 8 to 36":             {[]int32{2, 29, 31, 1, 2}, []int32{2, 5, 32, 2, 2}, gate.RowsLost},
		"39 rows without 12 to 23":    {[]int32{16, 19, 1}, []int32{11, 15, 1}, ""},
		"without 12 to 27":            {[]int32{16, 19, 1}, []int32{11, 11, 1}, gate.RowsLost},
		"the largest in between":      {[]int32{2, 9, 29, 8, 40}, []int32{2, 9, 12, 8, 40}, gate.RowsDoubtful},
		"less of the largest":         {[]int32{2, 9, 29, 8, 40}, []int32{2, 9, 24, 8, 40}, ""},
		"the last two, as others":     {[]int32{20, 3, 20, 3, 3}, []int32{20, 0, 20, 0, 0}, ""},
	} {
		before := of(events(1, c.before...))
		var finds gate.Check
		for _, f := range append(gate.Doubts(events(2, c.now...), before, nil), gate.Rows(events(2, c.now...), before, nil)...) {
			finds = f.Check
		}
		require.Equal(t, c.finds, finds, name)
	}
	reason := func(before, now []int32) string {
		return gate.Rows(events(2, now...), of(events(1, before...)), nil)[0].Reason
	}
	require.Equal(t, "events has only 12 of the 34 rows that the last 3 advisers had before: a part of the table may be missing",
		reason([]int32{40, 40, 31, 1, 2}, []int32{40, 40, 12, 0, 0}))
	require.Equal(t, "events has only 36 of the 60 rows that 2 advisers in a row had before: a part of the table may be missing",
		reason([]int32{40, 29, 31, 8, 40}, []int32{40, 17, 19, 8, 40}))
}
