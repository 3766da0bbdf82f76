package catalog

import (
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/module"
)

func TestAnalysisAnswersFromTheIndexInUse(t *testing.T) {
	t.Parallel()
	holder := new(index.Holder)
	a := newAnalysis(holder, past.NewBuilder(nil, clock.System{}, slog.New(slog.DiscardHandler), false))
	_, _, err := a.Related(t.Context(), catalogapi.RelatedQuery{CRD: "900001", Limit: 3}, catalogapi.Moment{})
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)

	built := time.Date(2026, time.March, 1, 9, 30, 0, 0, time.UTC)
	holder.Swap(index.Build([]index.GP{
		{CRD: "900001", LegalName: "Harbor Ridge Partners LLC", PrimaryStrategy: "venture", TotalAUM: 100_000_000, FundCount: 2},
		{CRD: "900002", LegalName: "Mossgate Ventures LLC", PrimaryStrategy: "venture", TotalAUM: 140_000_000, FundCount: 9},
		{CRD: "900003", LegalName: "Larkspur Credit LLC", PrimaryStrategy: "credit", TotalAUM: index.Unknown, FundCount: index.Unknown},
	}, nil, index.Freshness{BuiltAt: built}))

	near, ok, err := a.Related(t.Context(), catalogapi.RelatedQuery{
		CRD: "900001", Factors: catalogapi.FactorStrategy | catalogapi.FactorAUMBand | catalogapi.FactorFundCount, Limit: 3,
	}, catalogapi.Moment{})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "Harbor Ridge Partners LLC", near.Source.LegalName)
	require.Equal(t, built, near.BuiltAt)
	require.Len(t, near.Similar, 1)
	require.Equal(t, 70, near.Similar[0].Score)
	require.Equal(t, catalogapi.FactorStrategy|catalogapi.FactorAUMBand, near.Similar[0].Matched)

	_, ok, err = a.Related(t.Context(), catalogapi.RelatedQuery{CRD: "1", Limit: 3}, catalogapi.Moment{})
	require.NoError(t, err)
	require.False(t, ok)
}

// The fixture's first filing of Harbor Ridge is of 2019: it was smaller then, in another city and under another name.
func TestAnalysisOfAMomentInThePast(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	a := newAnalysis(c.Index, past.NewBuilder(c.DB, c.Clock, slog.New(slog.DiscardHandler), false))
	at := func(s string) catalogapi.Moment {
		day, err := time.Parse(time.DateOnly, s)
		require.NoError(t, err)
		return catalogapi.Moment{Day: day}
	}
	q := catalogapi.RelatedQuery{CRD: "900001", Factors: catalogapi.FactorStrategy, Limit: 3}

	then, ok, err := a.Related(t.Context(), q, at("2020-01-01"))
	require.NoError(t, err)
	require.True(t, ok)
	aum, funds := int64(1_000_000_000), int64(2)
	require.Equal(t, catalogapi.RelatedGP{
		CRD: "900001", LegalName: "Harbor Ridge Partners LLC", Strategy: then.Source.Strategy, City: "Providence", State: "RI",
		Country: "United States", AUM: &aum, FundCount: &funds,
	}, then.Source)
	require.Equal(t, c.Clock.Now(), then.BuiltAt)

	now, ok, err := a.Related(t.Context(), q, at(fixture.Today.Now().Format(time.DateOnly)))
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "Harbor Ridge Capital Partners LLC", now.Source.LegalName)

	_, _, err = a.Related(t.Context(), q, at("2019-03-27"))
	requireNotFound(t, err, "GP with CRD 900001 is in no filing up to 2019-03-27")
	known := time.Date(2018, time.January, 1, 0, 0, 0, 0, time.UTC)
	_, _, err = a.Related(t.Context(), q, catalogapi.Moment{Known: known})
	requireNotFound(t, err, "GP with CRD 900001 was in no filing processed by 2018-01-01T00:00:00Z")
	q.CRD = "1"
	_, ok, err = a.Related(t.Context(), q, at("2020-01-01"))
	require.NoError(t, err)
	require.False(t, ok, "there is none at any time")
}

// What the container makes is stopped with it: after that no index of the past is built, as a build holds a connection.
func TestTheContainerStopsTheBuilder(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	var answers catalogapi.Analysis
	app := fxtest.New(t, fx.NopLogger, Module,
		fx.Supply(c.DB, slog.New(slog.DiscardHandler), module.Process{}, fx.Annotate(c.Clock, fx.As(new(clock.Clock))),
			fx.Annotate(prometheus.NewRegistry(), fx.As(new(prometheus.Registerer)))),
		fx.Decorate(func() *index.Holder { return c.Index }),
		fx.Populate(&answers))
	app.RequireStart()
	q, day := catalogapi.RelatedQuery{CRD: "900001", Limit: 1}, time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC)
	_, _, err := answers.Related(t.Context(), q, catalogapi.Moment{Day: day})
	require.NoError(t, err)
	app.RequireStop()
	_, _, err = answers.Related(t.Context(), q, catalogapi.Moment{Day: day.AddDate(0, 0, 1)})
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}
