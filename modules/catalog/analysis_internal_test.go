package catalog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
)

func TestAnalysisAnswersFromTheIndexInUse(t *testing.T) {
	t.Parallel()
	holder := new(index.Holder)
	a := newAnalysis(holder)
	_, err := a.Aggregate(t.Context(), catalogapi.AggregateQuery{GroupBy: catalogapi.ByAUMBand}, catalogapi.Moment{})
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	_, _, err = a.Related(t.Context(), catalogapi.RelatedQuery{CRD: "900001", Limit: 3}, catalogapi.Moment{})
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)

	built := time.Date(2026, time.March, 1, 9, 30, 0, 0, time.UTC)
	holder.Swap(index.Build([]index.GP{
		{CRD: "900001", LegalName: "Harbor Ridge Partners LLC", PrimaryStrategy: "venture", TotalAUM: 100_000_000, FundCount: 2},
		{CRD: "900002", LegalName: "Mossgate Ventures LLC", PrimaryStrategy: "venture", TotalAUM: 140_000_000, FundCount: 9},
		{CRD: "900003", LegalName: "Larkspur Credit LLC", PrimaryStrategy: "credit", TotalAUM: index.Unknown, FundCount: index.Unknown},
	}, nil, index.Freshness{BuiltAt: built}))

	got, err := a.Aggregate(t.Context(), catalogapi.AggregateQuery{GroupBy: catalogapi.ByStrategy}, catalogapi.Moment{})
	require.NoError(t, err)
	require.Equal(t, catalogapi.Aggregation{BuiltAt: built, Rows: []catalogapi.AggregateRow{
		{Strategy: "venture", GPCount: 2, KnownAUM: 2, TotalAUM: 240_000_000, FundCount: 11},
		{Strategy: "credit", GPCount: 1},
	}}, got)

	near, ok, err := a.Related(t.Context(), catalogapi.RelatedQuery{
		CRD: "900001", Factors: catalogapi.FactorStrategy | catalogapi.FactorAUMBand | catalogapi.FactorFundCount, Limit: 3,
	}, catalogapi.Moment{})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "Harbor Ridge Partners LLC", near.Source.LegalName)
	require.Len(t, near.Similar, 1)
	require.Equal(t, 70, near.Similar[0].Score)
	require.Equal(t, catalogapi.FactorStrategy|catalogapi.FactorAUMBand, near.Similar[0].Matched)

	_, ok, err = a.Related(t.Context(), catalogapi.RelatedQuery{CRD: "1", Limit: 3}, catalogapi.Moment{})
	require.NoError(t, err)
	require.False(t, ok)
}
