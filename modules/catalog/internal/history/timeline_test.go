package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
)

// The timeline reads all versions once; a state as of a filing reads what counts then. Both say the same of every filing,
// and the last is how the adviser stands.
func timelineIsEveryFilingsState(t *testing.T, p *past) {
	t.Helper()
	states, withdrawn := 0, 0
	for _, crd := range crds {
		current := p.last().advisers[crd]
		timeline, err := p.store.Timeline(t.Context(), current, history.AsOf{Today: date("2026-11-21")})
		require.NoError(t, err)
		var last time.Time
		for i := range timeline {
			got := &timeline[i]
			require.False(t, got.Newest.FilingDate.Before(last))
			last = got.Newest.FilingDate
			asOf := history.AsOf{Point: catalogapi.Point{Accession: got.Newest.Accession}}
			if i == len(timeline)-1 {
				asOf = history.AsOf{Today: date("2026-11-21")}
			}
			want, err := p.store.AdviserAt(t.Context(), current, asOf)
			require.NoError(t, err)
			require.Equal(t, want.Newest, got.Newest)
			require.Empty(t, cmp.Diff(shown(want.Adviser), got.Adviser), "%s after %s", crd, got.Newest.Accession)
			states++
			if got.Newest.DocSource == catalogapi.SourceADVW {
				withdrawn++
			}
		}
	}
	require.Greater(t, states, 60)
	require.Greater(t, withdrawn, 10, "withdrawals are among the filings")
}

// shown is what the states of a timeline have of an adviser.
func shown(a fold.Adviser) fold.Adviser {
	a.NetGAV, a.TotalInvestors, a.FoundedYear, a.FoundedYearBasis, a.SECStatus, a.RegisteredOn, a.NotListedSince = nil, nil, nil, nil, nil, nil, nil
	a.CanonicalGPID = 0
	a.NewestFiledOn = time.Time{}
	return a
}

// A day cuts a timeline short.
func timelineUpToADay(t *testing.T, p *past) {
	t.Helper()
	store, current, day := p.store, p.last().advisers[crds[0]], p.states[len(p.states)/2].day
	all, err := store.Timeline(t.Context(), current, history.AsOf{})
	require.NoError(t, err)
	short, err := store.Timeline(t.Context(), current, asOf(day))
	require.NoError(t, err)
	require.NotEmpty(t, short)
	require.Less(t, len(short), len(all))
	require.Equal(t, all[:len(short)-1], short[:len(short)-1])
	require.Equal(t, all[len(short)-1].Newest, short[len(short)-1].Newest)
	require.True(t, all[len(short)].Newest.FilingDate.After(day))
	none, err := store.Timeline(t.Context(), current, asOf(date("2011-01-01")))
	require.NoError(t, err)
	require.Empty(t, none)
}
