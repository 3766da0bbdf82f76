package related

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/charge"
	"gpatlas/platform/moment"
)

func drawGP(t *rapid.T, label string) catalogapi.RelatedGP {
	number := func(name string) *int64 {
		return rapid.Ptr(rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 2_000_000_000)), true).Draw(t, label+name)
	}
	return catalogapi.RelatedGP{
		CRD: rapid.StringMatching(`[1-9][0-9]{0,9}`).Draw(t, label+"crd"), LegalName: rapid.String().Draw(t, label+"name"),
		Strategy: rapid.SampledFrom([]string{"", "venture", `odd "one"`}).Draw(t, label+"strategy"),
		City:     rapid.SampledFrom([]string{"", "Boston", "Montréal", `"quoted"`, "\u2028"}).Draw(t, label+"city"),
		State:    rapid.SampledFrom([]string{"", "MA", " ma ", "ON", `"`}).Draw(t, label+"state"),
		Country:  rapid.SampledFrom([]string{"", "United States", "USA", "Canada", "Ruritania & \"K\""}).Draw(t, label+"country"),
		AUM:      number("aum"), FundCount: number("funds"),
	}
}

// The bytes of an answer are what encoding/json makes of the type that the operation declares.
func TestEncoding(t *testing.T) {
	t.Parallel()
	s := NewService(nil, catalogtest.Vocabulary(), nil)
	rapid.Check(t, func(t *rapid.T) {
		r := catalogapi.Related{Source: drawGP(t, "source "), BuiltAt: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "built"), 0)}
		wanted := catalogapi.Factor(rapid.IntRange(1, 15).Draw(t, "factors"))
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			r.Similar = append(r.Similar, catalogapi.Similar{
				RelatedGP: drawGP(t, "similar "), Score: rapid.IntRange(0, 100).Draw(t, "score"), Matched: catalogapi.Factor(rapid.IntRange(1, 15).Draw(t, "matched")),
			})
		}
		at := catalogapi.Moment{}
		if rapid.Bool().Draw(t, "past") {
			at.Day = time.Date(2025, time.June, 30, 0, 0, 0, 0, time.UTC)
		}
		basis := moment.NewBasis(r.BuiltAt, s.pricing, at.Day, at.Known)

		want := Related{SourceGP: asGP(&r.Source), SimilarGPs: []SimilarGP{}, Meta: RelatedMeta{SimilarityFactors: names(wanted), Basis: moment.NewBasis(r.BuiltAt, charge.NewPricing(150_000, "request"), at.Day, at.Known)}}
		for _, f := range factors {
			if wanted&f.bit != 0 {
				want.Meta.MaxScore += f.bit.Points()
			}
		}
		for i := range r.Similar {
			gp := &r.Similar[i]
			row := SimilarGP{RelatedGP: asGP(&gp.RelatedGP), SimilarityScore: gp.Score, SimilarityBreakdown: SimilarityBreakdown{Score: gp.Score}}
			for _, f := range factors {
				if gp.Matched&f.bit != 0 {
					row.SimilarityBreakdown.Reasons = append(row.SimilarityBreakdown.Reasons, string(appendReason(nil, f.bit, &gp.RelatedGP, &r.Source)))
				}
			}
			want.SimilarGPs = append(want.SimilarGPs, row)
		}
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		require.NoError(t, encoder.Encode(want))
		require.Equal(t, strings.TrimSpace(b.String()), string(s.append(nil, &r, wanted, &basis)))
	})
}

// asGP shows an adviser as the contract wants it: said again, slowly.
func asGP(g *catalogapi.RelatedGP) RelatedGP {
	second := g.Country
	if code, _ := catalogtest.Vocabulary().Country(g.Country); code == "US" && g.State != "" || second == "" {
		second = g.State
	}
	known := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	place := g.City
	if place != "" && second != "" {
		place += ", "
	}
	return RelatedGP{CRD: g.CRD, LegalName: g.LegalName, Strategy: known(g.Strategy), AUM: g.AUM, Location: known(place + second), FundCount: g.FundCount}
}

func TestDollars(t *testing.T) {
	t.Parallel()
	for v, want := range map[int64]string{
		0: "$0", 1: "$1", 999: "$999", 1_000: "$1K", 1_049: "$1K", 1_050: "$1.1K", 12_300: "$12.3K", 999_949: "$999.9K", 999_950: "$1M",
		120_000_000: "$120M", 123_456_789: "$123.5M", 999_949_999: "$999.9M", 999_950_000: "$1B", 2_500_000_000: "$2.5B", 12_000_000_000_000: "$12T",
		9_223_372_036_854_775_807: "$9223372T", -9_223_372_036_854_775_808: "-$9223372T", -1_500: "-$1.5K",
	} {
		require.Equal(t, want, string(appendDollars(nil, &v)), v)
	}
	require.Equal(t, "unknown", string(appendDollars(nil, nil)))
}

// An amount is told with an error of at most a twentieth of its unit, and never with four digits before the point.
func TestDollarsAreNear(t *testing.T) {
	t.Parallel()
	units := map[byte]float64{'K': 1e3, 'M': 1e6, 'B': 1e9, 'T': 1e12}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(rapid.Int64Range(0, 999_949_999_999_999), rapid.Int64Range(0, 2_000_000)).Draw(t, "v")
		text := string(appendDollars(nil, &v))
		unit, ok := units[text[len(text)-1]]
		number := strings.TrimRight(strings.TrimPrefix(text, "$"), "KMBT")
		if !ok {
			unit = 1
		}
		var said float64
		_, err := fmt.Sscan(number, &said)
		require.NoError(t, err)
		require.Less(t, said, 1000.0, text)
		require.InDelta(t, float64(v), said*unit, unit/20+1e-6*unit, text)
	})
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	type place struct{ state, country string }
	for _, c := range []struct {
		gp, source place
		want       string
	}{
		{place{"MA", "United States"}, place{"MA", "United States"}, "Same state: MA"},
		{place{"ma", ""}, place{"MA", "United States"}, "Same state: MA"},
		{place{"NY", "United States"}, place{"MA", "United States"}, "Same country: United States"},
		{place{"NY", "United States"}, place{"MA", ""}, "Same country: United States"},
		{place{"NY", ""}, place{"MA", ""}, "Same country: United States"},
		{place{"", "United Kingdom"}, place{"", "United Kingdom"}, "Same country: United Kingdom"},
	} {
		got := appendReason(nil, catalogapi.FactorGeography, &catalogapi.RelatedGP{State: c.gp.state, Country: c.gp.country},
			&catalogapi.RelatedGP{State: c.source.state, Country: c.source.country})
		require.Equal(t, c.want, string(got))
	}
}

func TestParseFactors(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]catalogapi.Factor{
		"strategy": 1, "strategy , strategy": 1, "fund_count,strategy": 9, "strategy,aum_band,geography,fund_count": 15,
	} {
		got, fault := parseFactors(list)
		require.Nil(t, fault, list)
		require.Equal(t, want, got, list)
	}
	for _, list := range []string{"", ",", "strategy,", "Strategy", "size"} {
		_, fault := parseFactors(list)
		require.NotNil(t, fault, list)
		require.Contains(t, fault.Message, "the factors are strategy, aum_band, geography, fund_count")
	}
}
