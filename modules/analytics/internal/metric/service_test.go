package metric_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/metric"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/apperr"
)

func TestSources(t *testing.T) {
	t.Parallel()
	source := func(s catalogapi.Source) catalogapi.AdviserState {
		return as(state("A", "2026-03-28", 1, 1), func(a *catalogapi.AdviserState) { a.Filing.Source = s })
	}
	sold := fund(2020, 1, "2020-03-28")
	sold.VintageQuality = catalogapi.VintageFormD
	for name, c := range map[string]struct {
		timeline []catalogapi.AdviserState
		funds    []catalogapi.FundState
		want     []string
	}{
		"each once, sorted": {
			[]catalogapi.AdviserState{
				source(catalogapi.SourceRoster), source(catalogapi.SourceFundList), source(catalogapi.SourceADVArchive),
				source(catalogapi.SourceFeed), source(catalogapi.SourceADVArchive), source(catalogapi.SourceADVW),
			},
			[]catalogapi.FundState{fund(2020, 1, "2020-03-28")},
			[]string{"Form ADV archive", "IAPD firm feed", "List of private funds", "SEC adviser roster"},
		},
		"a vintage of Form D":         {nil, []catalogapi.FundState{sold}, []string{"Form D"}},
		"but not that of closed ones": {nil, []catalogapi.FundState{shut(sold)}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := metric.NewService(past{timeline: append(c.timeline, source(catalogapi.SourceADVW)), funds: c.funds}, today).
				Get(t.Context(), "900001", catalogapi.Moment{})
			require.NoError(t, err)
			require.Equal(t, c.want, r.Sources)
		})
	}
}

// What the history says of an adviser that it does not know is the answer.
func TestUnknownAdviser(t *testing.T) {
	t.Parallel()
	h := &catalogtest.History{Standings: map[string]catalogapi.AdviserWithFunds{"900002": {}}}
	_, err := metric.NewService(h, today).Get(t.Context(), "900001", catalogapi.Moment{})
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
}
