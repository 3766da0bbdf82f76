package index_test

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
)

const allFactors = catalogapi.FactorStrategy | catalogapi.FactorAUMBand | catalogapi.FactorGeography | catalogapi.FactorFundCount

// TestAggregatesAgreeWithSQL asks every grouping with random filters of the index and, in plain SQL, of the tables that
// it was loaded from. A factor of 3 in GPATLAS_TEST_ROUNDS asks the 600 questions of old.
func TestAggregatesAgreeWithSQL(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261123, 160, true)
	gps := g.gps(1_500)
	funds := g.funds(9_000, gps)
	db := dbtest.New(t)
	seed(t, db, gps, funds)
	s, err := index.Load(t.Context(), db, clock.System{})
	require.NoError(t, err)
	filled, rounds := 0, testscale.Rounds(t, 200)
	for range rounds {
		q := randomAggregate(g, gps)
		got := summary(s.Aggregate(&q))
		want := aggregateBySQL(t.Context(), t, db, &q)
		require.Equal(t, want, got, "%s %+v %v %v %v", q.GroupBy, q, show(q.MinAUM), show(q.MinVintage), show(q.MaxVintage))
		require.Equal(t, got, summary(s.Aggregate(&q)), "the same again")
		if len(got) > 1 {
			filled++
		}
	}
	require.Greater(t, filled, rounds/3)
}

func show(p *int64) any {
	if p == nil {
		return nil
	}
	return *p
}

func randomAggregate(g *generator, gps []index.GP) index.AggregateQuery {
	q := index.AggregateQuery{GroupBy: pick(g, index.GroupStrategy, index.GroupVintage, index.GroupGeography,
		index.GroupState, index.GroupAUMBand)}
	gp := &gps[g.IntN(len(gps))]
	if g.IntN(3) == 0 {
		q.Country = gp.CountryCode
	}
	if g.IntN(3) == 0 && gp.PrimaryStrategy != "" {
		q.Strategies = []string{gp.PrimaryStrategy, "venture"}[:1+g.IntN(2)]
	}
	if g.IntN(3) == 0 && gp.TotalAUM != index.Unknown {
		q.MinAUM = &gp.TotalAUM
	}
	if g.IntN(3) == 0 {
		from := int64(1995 + g.IntN(30))
		q.MinVintage = &from
	}
	if g.IntN(3) == 0 {
		to := int64(1995 + g.IntN(30))
		q.MaxVintage = &to
	}
	if g.IntN(3) == 0 {
		q.VintageQuality = pick(g, catalogapi.VintageFormD, catalogapi.VintageFirstFiling, catalogapi.VintageList)
	}
	return q
}

// summary makes rows comparable: one line each, in the order of the lines.
func summary(rows []index.AggregateRow) []string {
	out := make([]string, 0, len(rows))
	for _, r := range rows {
		if r.GPCount > 0 || r.FundCount > 0 {
			out = append(out, fmt.Sprintf("%s|%d|%s|%s|%s gps=%d known=%d aum=%d funds=%d known=%d gav=%d by=%d/%d/%d", r.Strategy, r.VintageYear,
				r.CountryCode, r.State, r.Band, r.GPCount, r.KnownAUM, r.TotalAUM, r.FundCount, r.KnownGAV, r.TotalGAV,
				r.FormDFunds, r.FirstFilingFunds, r.ListFunds))
		}
	}
	slices.Sort(out)
	return out
}

func aggregateBySQL(ctx context.Context, t *testing.T, db *database.DB, q *index.AggregateQuery) []string {
	t.Helper()
	s := &statement{}
	const band = `CASE WHEN total_aum < 100000000 THEN '<100M' WHEN total_aum < 500000000 THEN '100M-500M'
		WHEN total_aum < 1000000000 THEN '500M-1B' WHEN total_aum < 10000000000 THEN '1B-10B' ELSE '>10B' END`
	const code = "CASE a.country_code WHEN 'UK' THEN 'GB' ELSE a.country_code END"
	if q.Country != "" {
		s.and(code+" = %s", strings.Replace(q.Country, "UK", "GB", 1))
	}
	if q.MinAUM != nil {
		s.and("total_aum >= %s", *q.MinAUM)
	}
	vintage := "f.status <> 'closed'"
	if q.MinVintage != nil {
		vintage += fmt.Sprintf(" AND f.vintage_year >= %d", *q.MinVintage)
	}
	if q.MaxVintage != nil {
		vintage += fmt.Sprintf(" AND f.vintage_year <= %d", *q.MaxVintage)
	}
	from := "catalog.advisers a"
	if q.VintageQuality != "" {
		vintage += fmt.Sprintf(" AND f.vintage_quality = '%s'", q.VintageQuality)
	}
	var line, group string
	gpsums := "count(*), count(total_aum), coalesce(sum(total_aum), 0)"
	fundsums, byQuality := "0, 0, 0", "0, 0, 0"
	switch q.GroupBy {
	case index.GroupVintage:
		from = "catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd"
		s.where = append(s.where, vintage)
		if len(q.Strategies) > 0 {
			s.and("f.strategy = ANY (%s)", q.Strategies)
		}
		line, group = "'|' || f.vintage_year || '|||'", "f.vintage_year"
		gpsums, fundsums = "0, 0, 0", "count(*), count(gross_asset_value), coalesce(sum(gross_asset_value), 0)"
		byQuality = "count(*) FILTER (WHERE f.vintage_quality = 'form_d'), count(*) FILTER (WHERE f.vintage_quality = 'first_filing'), count(*) FILTER (WHERE f.vintage_quality = 'list')"
	default:
		if len(q.Strategies) > 0 {
			s.and("primary_strategy = ANY (%s)", q.Strategies)
		}
		matching := "(SELECT count(*) FROM catalog.funds f WHERE f.adviser_crd = a.crd AND " + vintage + ")"
		bounded := q.MinVintage != nil || q.MaxVintage != nil || q.VintageQuality != ""
		if bounded {
			s.where = append(s.where, matching+" > 0")
		}
		switch q.GroupBy {
		case index.GroupStrategy:
			line, group = "coalesce(primary_strategy, '') || '|0|||'", "primary_strategy"
			if bounded {
				fundsums = "sum(" + matching + "), 0, 0"
			} else {
				fundsums = "coalesce(sum(fund_count), 0), 0, 0"
			}
		case index.GroupAUMBand:
			s.where = append(s.where, "total_aum IS NOT NULL")
			line, group = "'|0|||' || "+band, band
		default:
			group = "coalesce(" + code + ", ''), coalesce(upper(btrim(state)), ''), CASE WHEN country_code IS NULL THEN country END"
			line = "'|0|' || coalesce(" + code + ", '') || '|' || coalesce(upper(btrim(state)), '') || '|'"
			if q.GroupBy == index.GroupState {
				s.where = append(s.where, code+" = 'US'", "btrim(state) <> ''")
			}
		}
	}
	sql := "SELECT " + line + ", " + gpsums + ", " + fundsums + ", " + byQuality + " FROM " + from
	if len(s.where) > 0 {
		sql += " WHERE " + strings.Join(s.where, " AND ")
	}
	sql += " GROUP BY " + group
	out := []string{}
	require.NoError(t, db.Conn(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, sql, s.args...)
		if err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
		var name string
		n := make([]int64, 7)
		var aum, gav string
		_, err = pgx.ForEachRow(rows, []any{&name, &n[0], &n[1], digits(&aum), &n[2], &n[3], digits(&gav), &n[4], &n[5], &n[6]}, func() error {
			out = append(out, fmt.Sprintf("%s gps=%d known=%d aum=%s funds=%d known=%d gav=%s by=%d/%d/%d", name, n[0], n[1], capped(aum), n[2], n[3], capped(gav), n[4], n[5], n[6]))
			return nil
		})
		return err
	}))
	slices.Sort(out)
	return out
}

// digits scans a number of any size as text.
func digits(s *string) any { return (*numberText)(s) }

type numberText string

func (n *numberText) ScanBytes(b []byte) error { *n = numberText(b); return nil }

func capped(s string) string {
	n, ok := new(big.Int).SetString(s, 10)
	if ok && !n.IsInt64() {
		return "9223372036854775807"
	}
	return s
}

// TestRelatedAgreesWithAScan compares with scoring every adviser one by one.
func TestRelatedAgreesWithAScan(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261124, 160, true)
	gps := g.gps(1_200)
	s := index.Build(slices.Clone(gps), g.funds(4_000, gps), index.Freshness{})
	for range testscale.Rounds(t, 200) { // 400 once
		source := &gps[g.IntN(len(gps))]
		wanted := catalogapi.Factor(1 + g.IntN(int(allFactors)))
		limit := 1 + g.IntN(25)
		id, ok := s.FindGP(source.CRD)
		require.True(t, ok)
		got := s.Related(id, wanted, limit)
		want := relatedByScan(gps, source, wanted, limit)
		require.Equal(t, want, got, "%s %b", source.CRD, wanted)
	}
}

func relatedByScan(gps []index.GP, source *index.GP, wanted catalogapi.Factor, limit int) []catalogapi.Similar {
	type scored struct {
		gp      *index.GP
		score   int
		matched catalogapi.Factor
	}
	var all []scored
	for i := range gps {
		gp := &gps[i]
		if gp.CRD == source.CRD {
			continue
		}
		matched := matchedFactors(gp, source) & wanted
		k := scored{gp: gp, matched: matched}
		for f := catalogapi.Factor(1); f <= allFactors; f <<= 1 {
			k.score += (matched & f).Points()
		}
		if k.score > 0 {
			all = append(all, k)
		}
	}
	far := func(gp *index.GP) *big.Int {
		switch {
		case gp.TotalAUM == index.Unknown && source.TotalAUM == index.Unknown:
			return big.NewInt(0)
		case gp.TotalAUM == index.Unknown || source.TotalAUM == index.Unknown:
			return new(big.Int).Lsh(big.NewInt(1), 70)
		}
		d := new(big.Int).Sub(big.NewInt(gp.TotalAUM), big.NewInt(source.TotalAUM))
		return d.Abs(d)
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), far(a.gp).Cmp(far(b.gp)), cmp.Compare(crdNumber(a.gp.CRD), crdNumber(b.gp.CRD)))
	})
	out := []catalogapi.Similar{}
	number := func(v int64) *int64 {
		if v == index.Unknown {
			return nil
		}
		return &v
	}
	for _, k := range all[:min(limit, len(all))] {
		out = append(out, catalogapi.Similar{
			RelatedGP: catalogapi.RelatedGP{
				CRD: k.gp.CRD, LegalName: k.gp.LegalName, Strategy: k.gp.PrimaryStrategy, City: k.gp.City, State: k.gp.State,
				Country: k.gp.Country, AUM: number(k.gp.TotalAUM), FundCount: number(k.gp.FundCount),
			},
			Score: k.score, Matched: k.matched,
		})
	}
	return out
}

func matchedFactors(gp, source *index.GP) (m catalogapi.Factor) {
	near := func(a, b int64, share float64) bool {
		if a == index.Unknown || b == index.Unknown {
			return false
		}
		d := float64(a) - float64(b)
		return d <= float64(b)*share && -d <= float64(b)*share
	}
	if gp.PrimaryStrategy != "" && gp.PrimaryStrategy == source.PrimaryStrategy {
		m |= catalogapi.FactorStrategy
	}
	if near(gp.TotalAUM, source.TotalAUM, 0.5) {
		m |= catalogapi.FactorAUMBand
	}
	code := func(c string) string { return strings.Replace(strings.ToUpper(c), "UK", "GB", 1) }
	switch {
	case source.CountryCode != "":
		if code(gp.CountryCode) == code(source.CountryCode) {
			m |= catalogapi.FactorGeography
		}
	case source.State != "" && gp.CountryCode == "" && strings.EqualFold(gp.State, source.State): // see TestPlaceWorksBothWays
		m |= catalogapi.FactorGeography
	}
	if near(gp.FundCount, source.FundCount, 0.3) {
		m |= catalogapi.FactorFundCount
	}
	return m
}
