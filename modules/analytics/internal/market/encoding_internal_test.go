package market

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/charge"
)

var groupings = []catalogapi.Grouping{catalogapi.ByStrategy, catalogapi.ByVintage, catalogapi.ByGeography, catalogapi.ByAUMBand, catalogapi.ByState}

func drawRow(t *rapid.T) catalogapi.AggregateRow {
	word := rapid.SampledFrom([]string{"", "venture", "MA", "United States", `"odd" & \`, "Côte d'Ivoire", "\u2029"})
	count := rapid.IntRange(0, 1000)
	amount := rapid.OneOf(rapid.Int64Min(0), rapid.Int64Range(0, 1000))
	return catalogapi.AggregateRow{
		Strategy: word.Draw(t, "strategy"), VintageYear: rapid.Int64Range(1900, 2200).Draw(t, "vintage"), Country: word.Draw(t, "country"),
		CountryCode: "US", State: word.Draw(t, "state"), Band: rapid.SampledFrom([]string{"<100M", ">10B"}).Draw(t, "band"),
		GPCount: count.Draw(t, "gps"), KnownAUM: rapid.IntRange(0, 3).Draw(t, "known"), TotalAUM: amount.Draw(t, "aum"),
		FundCount: count.Draw(t, "funds"), KnownFunds: rapid.IntRange(0, 3).Draw(t, "known counts"), KnownGAV: rapid.IntRange(0, 3).Draw(t, "known funds"), TotalGAV: amount.Draw(t, "gav"),
		FormDFunds: count.Draw(t, "by form D"), FirstFilingFunds: count.Draw(t, "by filing"), ListFunds: count.Draw(t, "by list"),
	}
}

// asRow shows a row as the contract wants it: said again, slowly.
func asRow(by catalogapi.Grouping, r *catalogapi.AggregateRow) AggregateRow {
	known := func(s string) **string {
		var shown *string
		if s != "" {
			shown = &s
		}
		return &shown
	}
	mean := func(total int64, of int) **int64 {
		var shown *int64
		if of > 0 {
			shown = new(total / int64(of))
		}
		return &shown
	}
	amount := func(n int64, of int) **int64 {
		var shown *int64
		if of > 0 {
			shown = &n
		}
		return &shown
	}
	funds := new(&r.FundCount)
	if by == catalogapi.ByStrategy && r.KnownFunds == 0 {
		funds = new((*int)(nil))
	}
	assets := amount(r.TotalAUM, r.KnownAUM+max(0, 1-r.GPCount)) // of nobody they are 0
	switch by {
	case catalogapi.ByStrategy:
		return AggregateRow{Strategy: known(r.Strategy), GPCount: &r.GPCount, TotalAUM: assets, AvgAUM: mean(r.TotalAUM, r.KnownAUM), FundCount: funds}
	case catalogapi.ByVintage:
		return AggregateRow{
			VintageYear: &r.VintageYear, FundCount: funds, TotalGAV: amount(r.TotalGAV, r.KnownGAV), AvgFundSize: mean(r.TotalGAV, r.KnownGAV),
			VintageQuality: &VintageQualities{r.FormDFunds, r.FirstFilingFunds, r.ListFunds},
		}
	case catalogapi.ByAUMBand:
		return AggregateRow{AUMBand: &r.Band, GPCount: &r.GPCount, TotalAUM: assets}
	case catalogapi.ByGeography, catalogapi.ByState:
	}
	location := r.State
	if location != "" && r.Country != "" {
		location += ", "
	}
	return AggregateRow{
		Country: known(r.Country), State: known(r.State), Location: known(location + r.Country),
		GPCount: &r.GPCount, TotalAUM: assets, AvgAUM: mean(r.TotalAUM, r.KnownAUM),
	}
}

// The bytes of an answer are what encoding/json makes of the type that the operation declares.
func TestEncoding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SampledFrom(groupings).Draw(t, "by")
		counted := catalogapi.Aggregation{BuiltAt: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "built"), 0)}
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			counted.Rows = append(counted.Rows, drawRow(t))
		}
		number := func(name string) *int64 { return rapid.Ptr(rapid.Int64(), true).Draw(t, name) }
		word := rapid.Ptr(rapid.SampledFrom([]string{"US", `Ruritania & "K"`, "buyout,growth"}), true)
		filters := AggregateFilters{
			Country: word.Draw(t, "country"), Former: rapid.Ptr(rapid.Bool(), true).Draw(t, "former"), MaxVintage: number("max"), MinAUM: number("aum"), MinVintage: number("min"), Strategy: word.Draw(t, "strategy"), VintageQuality: word.Draw(t, "quality"),
		}
		at := catalogapi.Moment{}
		if rapid.Bool().Draw(t, "past") {
			at.Known = time.Unix(1_700_000_000, 0)
		}
		basis := ask.NewBasis(counted.BuiltAt, charge.NewPricing(priceMicros, charge.PerRequest), at)

		want := Aggregate{AggregationType: string(by), Data: []AggregateRow{}, Meta: AggregateMeta{Filters: filters, Basis: basis}}
		for i := range counted.Rows {
			want.Data = append(want.Data, asRow(by, &counted.Rows[i]))
		}
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		require.NoError(t, encoder.Encode(want))
		require.Equal(t, strings.TrimSpace(b.String()), string(appendAnswer(nil, by, &counted, &filters, &basis)))
	})
}
