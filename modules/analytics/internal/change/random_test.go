package change_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

var weights = map[catalogapi.Source]int{
	catalogapi.SourceFundList: 1, catalogapi.SourceRoster: 2, catalogapi.SourceFeed: 3, catalogapi.SourceADVArchive: 4,
}

// timelines draws states of few different values, so that many of them repeat, and of few days.
func timelines() *rapid.Generator[[]catalogapi.AdviserState] {
	number := rapid.Ptr(rapid.SampledFrom([]int64{0, 1, 2, 3, -5, 1_000_000_007, math.MaxInt64, math.MinInt64}), true)
	text := rapid.SampledFrom([]string{"", "a", "A", "b", "B", "ſ", "S"})
	sources := []catalogapi.Source{
		catalogapi.SourceADVArchive, catalogapi.SourceADVArchive, catalogapi.SourceRoster, catalogapi.SourceFeed,
		catalogapi.SourceFundList, catalogapi.SourceADVW,
	}
	return rapid.Custom(func(t *rapid.T) []catalogapi.AdviserState {
		on := day("2020-01-31")
		states := make([]catalogapi.AdviserState, rapid.IntRange(0, 12).Draw(t, "filings"))
		for i := range states {
			on = on.AddDate(0, 0, rapid.IntRange(0, 1).Draw(t, "days"))
			states[i] = catalogapi.AdviserState{
				Filing: catalogapi.FilingRef{
					Accession: rapid.StringN(1, 1, -1).Draw(t, "accession"), FormType: "ADV/A", FiledOn: on,
					Source: rapid.SampledFrom(sources).Draw(t, "source"),
				},
				TotalAUM: number.Draw(t, "aum"), EmployeeCount: number.Draw(t, "employees"), FundCount: number.Draw(t, "funds"),
				TotalGAV: number.Draw(t, "gav"), PrimaryStrategy: text.Draw(t, "strategy"), City: text.Draw(t, "city"),
				State: text.Draw(t, "state"), Country: text.Draw(t, "country"), LegalName: text.Draw(t, "name"),
			}
		}
		return states
	})
}

// values are the fields as records name them.
func values(s *catalogapi.AdviserState) map[string]any {
	v := map[string]any{}
	for name, p := range map[string]*int64{
		"total_aum": s.TotalAUM, "employee_count": s.EmployeeCount, "fund_count": s.FundCount, "total_gav": s.TotalGAV,
	} {
		v[name] = nil
		if p != nil {
			v[name] = *p
		}
	}
	for name, text := range map[string]string{
		"primary_strategy": s.PrimaryStrategy, "city": s.City, "state": s.State, "country": s.Country, "legal_name": s.LegalName,
	} {
		v[name] = nil
		if text != "" {
			v[name] = text
		}
	}
	return v
}

// remembered is what was stated up to each state, where it omits a place itself.
func remembered(states []catalogapi.AdviserState) []catalogapi.AdviserState {
	var last catalogapi.AdviserState
	out := make([]catalogapi.AdviserState, 0, len(states))
	for _, s := range states {
		last.City, last.State, last.Country = cmp.Or(s.City, last.City), cmp.Or(s.State, last.State), cmp.Or(s.Country, last.Country)
		s.City, s.State, s.Country = last.City, last.State, last.Country
		out = append(out, s)
	}
	return out
}

// base is the state that the first record starts from: that of the first filing, not of evidence that it is the better of.
func base(states []catalogapi.AdviserState) *catalogapi.AdviserState {
	best := 0
	for _, s := range states {
		if s.Filing.FiledOn.Equal(states[0].Filing.FiledOn) {
			best = max(best, weights[s.Filing.Source])
		}
	}
	for i, s := range states {
		if w := weights[s.Filing.Source]; w == 0 || w == best {
			last := &states[i]
			for j := i + 1; j < len(states) && states[j].Filing.FiledOn.Equal(s.Filing.FiledOn); j++ {
				if w := weights[states[j].Filing.Source]; w == 0 || w == best {
					break
				}
				last = &states[j]
			}
			return last
		}
	}
	return nil
}

// alike reports whether two values are one, but for letter case.
func alike(a, b any) bool {
	x, isText := a.(string)
	y, both := b.(string)
	if isText && both {
		return strings.EqualFold(x, y)
	}
	return a == b
}

// The records, applied in order to what the first filing said, give what the last said. Each names at least one field and
// each of its fields differs, takes up where the last record of the field left off, and has an amount that fits.
func TestRecordsAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		states := timelines().Draw(t, "timeline")
		records := change.Changes(states)
		if len(states) == 0 {
			require.Empty(t, records)
			return
		}
		states = remembered(states)
		now := values(base(states))
		for _, r := range records {
			require.NotEmpty(t, r.FieldsChanged)
			for _, f := range r.FieldsChanged {
				require.Equal(t, now[f.Field], f.Before, "%s of %s", f.Field, r.AccessionNumber)
				require.False(t, alike(f.Before, f.After), "%s does not change", f.Field)
				require.False(t, f.After == nil && slices.Contains([]string{"city", "state", "country"}, f.Field), "%s is omitted", f.Field)
				checkAmounts(t, f)
				now[f.Field] = f.After
			}
		}
		for field, want := range values(&states[len(states)-1]) {
			require.True(t, alike(want, now[field]), "%s: %v is not %v", field, now[field], want)
		}
	})
}

func checkAmounts(t *rapid.T, f change.FieldChange) {
	before, ok := f.Before.(int64)
	after, both := f.After.(int64)
	if !ok || !both {
		require.Nil(t, f.ChangeAmount)
		require.Nil(t, f.ChangePercent)
		return
	}
	require.Equal(t, after > before, *f.ChangeAmount > 0)
	if d := after - before; (after >= before) == (d >= 0) {
		require.Equal(t, d, *f.ChangeAmount)
	} else {
		require.Contains(t, []int64{math.MaxInt64, math.MinInt64}, *f.ChangeAmount)
	}
	require.Equal(t, change.Percent(&before, &after), f.ChangePercent)
	require.Equal(t, before == 0, f.ChangePercent == nil)
}

// A timeline of forms alone starts from its very first state.
func TestRecordsOfFormsStartFromTheFirst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		states := timelines().Draw(t, "timeline")
		for i := range states {
			states[i].Filing.Source = catalogapi.SourceADVArchive
		}
		records := change.Changes(states)
		states = remembered(states)
		seen := map[string]bool{}
		for _, r := range records {
			for _, f := range r.FieldsChanged {
				if !seen[f.Field] {
					require.Equal(t, values(&states[0])[f.Field], f.Before)
				}
				seen[f.Field] = true
			}
		}
		if len(states) > 0 {
			first, last := values(&states[0]), values(&states[len(states)-1])
			for field := range first {
				require.True(t, seen[field] || alike(first[field], last[field]), "%s changed without a record", field)
			}
		}
	})
}
