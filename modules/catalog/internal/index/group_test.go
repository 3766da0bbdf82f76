package index_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
)

// groupings are all single ones, and all pairs that may be asked for.
func groupings() (all [][]index.Grouping) {
	place := func(g index.Grouping) bool { return g == index.GroupGeography || g == index.GroupState }
	for _, a := range index.Groupings {
		all = append(all, []index.Grouping{a})
		for _, b := range index.Groupings {
			if a != b && (!place(a) || !place(b)) {
				all = append(all, []index.Grouping{a, b})
			}
		}
	}
	return all
}

// The questions ask all filters of managers.
func (a *asker) withoutText() *index.GPQuery {
	for a.question++; a.question%2 == 1 && a.question%5 < 2; a.question++ { // these have text: see kind
	}
	q, _ := a.gpQuery()
	return q
}

// Guarantee: groups by one and by two dimensions, over all filters of managers, count and describe what SQL does: quantiles as
// percentile_disc.
func TestGroupsAgreeWithSQL(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261126, 160, true)
	gps := g.gps(1_200)
	funds := g.funds(6_000, gps)
	db := dbtest.New(t)
	seed(t, db, gps, funds)
	seedDisclosures(t, db, gps)
	seedServices(t, db, funds)
	oracle(t, db, gps, funds, nil)
	s, err := index.Load(t.Context(), db, clock.System{})
	require.NoError(t, err)
	a := newAsker(newGenerator(7, 1, true), gps, funds, nil)
	pairs, filled := groupings(), 0
	rounds := testscale.Rounds(t, 3) * len(pairs)
	for i := range rounds {
		q := &index.GroupQuery{By: pairs[i%len(pairs)], GPs: *a.withoutText(), Quantities: index.Quantities, Key: strconv.Itoa(i)}
		if i%4 == 0 {
			q.GPs = index.GPQuery{}
		}
		if ofFunds(q) {
			q.Quantities = []index.Quantity{index.QuantityFundGAV}
		}
		rows := s.Group(q)
		if got := groupLines(q, rows); len(got) > 2 {
			filled++
		} else if len(got) == 0 {
			require.NotNil(t, rows)
		}
		require.Equal(t, groupsBySQL(t, db, q), groupLines(q, rows), "%v %s", q.By, dump(&q.GPs))
		require.Equal(t, rows, s.Group(q), "the same again")
		if by := q.By[0]; len(q.By) > 1 || by != index.GroupVintage && by != index.GroupAUMBand {
			require.True(t, slices.IsSortedFunc(rows, func(a, b index.AggregateRow) int {
				return (b.GPCount - a.GPCount) + map[bool]int{true: b.FundCount - a.FundCount}[ofFunds(q)]
			}), "the largest are not first")
		}
	}
	require.Greater(t, filled, rounds/4)
}

func ofFunds(q *index.GroupQuery) bool { return slices.Contains(q.By, index.GroupVintage) }

// groupLines makes rows comparable: one line each, in the order of the lines.
func groupLines(q *index.GroupQuery, rows []index.AggregateRow) []string {
	out := []string{}
	for i := range rows {
		r := &rows[i]
		if r.GPCount+r.FundCount == 0 {
			continue
		}
		var b strings.Builder
		for _, by := range q.By {
			switch by {
			case index.GroupStrategy:
				b.WriteString(r.Strategy)
			case index.GroupVintage:
				fmt.Fprint(&b, r.VintageYear)
			case index.GroupGeography, index.GroupState:
				country := r.Country
				if r.CountryCode != "" {
					country = r.CountryCode
				}
				b.WriteString(country + "/" + r.State)
			case index.GroupAUMBand:
				b.WriteString(r.Band)
			case index.GroupRegistration:
				b.WriteString(r.Registration)
			case index.GroupManagerType:
				b.WriteString(r.ManagerType)
			}
			b.WriteByte('|')
		}
		if ofFunds(q) {
			fmt.Fprintf(&b, "%d %d %d %d/%d/%d", r.FundCount, r.KnownGAV, r.TotalGAV, r.FormDFunds, r.FirstFilingFunds, r.ListFunds)
		} else {
			fmt.Fprintf(&b, "%d %d %d", r.GPCount, r.KnownAUM, r.TotalAUM)
		}
		for _, f := range r.Figures {
			fmt.Fprintf(&b, " [%d %d %d %d %d %d %d]", f.Known, f.Sum, f.Min, f.P25, f.Median, f.P75, f.Max)
		}
		out = append(out, b.String())
	}
	slices.Sort(out)
	return out
}

// groupSQL has the values of a grouping.
var groupSQL = map[index.Grouping]string{
	index.GroupStrategy:     "coalesce(a.primary_strategy, '')",
	index.GroupVintage:      "f.vintage_year::text",
	index.GroupGeography:    "coalesce(replace(a.country_code, 'UK', 'GB'), a.country, '') || '/' || coalesce(upper(btrim(a.state)), '')",
	index.GroupState:        "'US/' || upper(btrim(a.state))",
	index.GroupAUMBand:      "CASE WHEN a.total_aum IS NULL THEN '' WHEN a.total_aum < 100000000 THEN '<100M' WHEN a.total_aum < 500000000 THEN '100M-500M' WHEN a.total_aum < 1000000000 THEN '500M-1B' WHEN a.total_aum < 10000000000 THEN '1B-10B' ELSE '>10B' END",
	index.GroupRegistration: "coalesce(a.registration_status, '')",
	index.GroupManagerType:  "coalesce(a.manager_type, '')",
}

var quantitySQL = map[index.Quantity]string{
	index.QuantityAUM: "total_aum", index.QuantityFundGAV: "gross_asset_value", index.QuantityFundCount: "fund_count", index.QuantityEmployees: "employee_count",
	index.QuantityGrowth1: "aum_growth_1y", index.QuantityGrowth3: "aum_growth_3y",
}

func figuresSQL(column string) string {
	quantile := func(p string) string {
		return "coalesce(percentile_disc(" + p + ") WITHIN GROUP (ORDER BY " + column + "), 0)"
	}
	return fmt.Sprintf("format(' [%%s %%s %%s %%s %%s %%s %%s]', count(%[1]s), coalesce(sum(%[1]s), 0), coalesce(min(%[1]s), 0), %s, %s, %s, coalesce(max(%[1]s), 0))",
		column, quantile("0.25"), quantile("0.5"), quantile("0.75"))
}

func groupsBySQL(t *testing.T, db *database.DB, q *index.GroupQuery) []string {
	t.Helper()
	s := &statement{}
	ofGP, ofFund := []string{"true"}, []string{"f.status <> 'closed'"}
	asked := q.GPs
	if ofFunds(q) {
		asked.Strategies = index.Asked{}
		s.asked(q.GPs.Strategies, func(word string) string { return s.render("f.strategy = %s", word) })
		ofFund, s.where = append(ofFund, s.where...), nil
	}
	byFund, ofEvent := len(ofFund), []string(nil)
	for _, f := range gpFilters {
		f.sql(s, &asked)
		switch {
		case f.ofFund:
			ofFund = append(ofFund, s.where...)
		case f.ofEvent:
			ofEvent = append(ofEvent, s.where...)
		default:
			ofGP = append(ofGP, s.where...)
		}
		s.where = nil
	}
	if len(ofEvent) > 0 {
		ofGP = append(ofGP, "EXISTS (SELECT FROM diff.reported e WHERE e.crd = a.crd AND "+strings.Join(ofEvent, " AND ")+")")
	}
	keys := make([]string, len(q.By))
	for i, by := range q.By {
		keys[i] = groupSQL[by] + " || '|'"
		switch {
		case by == index.GroupStrategy && ofFunds(q):
			keys[i] = "f.strategy || '|'"
		case by == index.GroupState:
			ofGP = append(ofGP, "a.country_code = 'US'", "btrim(a.state) <> ''")
		case by == index.GroupAUMBand && len(q.By) == 1:
			ofGP = append(ofGP, "a.total_aum IS NOT NULL")
		case by == index.GroupVintage:
			ofFund = append(ofFund, "f.vintage_year BETWEEN 1900 AND 2200")
		}
	}
	key, and := strings.Join(keys, " || "), func(list []string) string { return strings.Join(list, " AND ") }
	var sql string
	if ofFunds(q) {
		sql = "SELECT key || format('%s %s %s %s/%s/%s', count(*), count(gross_asset_value), coalesce(sum(gross_asset_value), 0)" +
			", count(*) FILTER (WHERE vintage_quality = 'form_d'), count(*) FILTER (WHERE vintage_quality = 'first_filing'), count(*) FILTER (WHERE vintage_quality = 'list')) || " +
			figuresSQL("gross_asset_value") + " FROM (SELECT " + key + " AS key, f.* FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd WHERE " +
			and(ofGP) + " AND " + and(ofFund) + ") m GROUP BY key"
	} else {
		member := and(ofGP)
		if len(ofFund) > byFund {
			member += " AND EXISTS (SELECT FROM catalog.funds f WHERE f.adviser_crd = a.crd AND " + and(ofFund) + ")"
		}
		shown := []string{"key || format('%s %s %s', count(*), count(total_aum), coalesce(sum(total_aum), 0))"}
		for _, quantity := range q.Quantities {
			if quantity == index.QuantityFundGAV {
				shown = append(shown, "(SELECT "+figuresSQL("f.gross_asset_value")+" FROM member o JOIN catalog.funds f ON f.adviser_crd = o.crd AND "+and(ofFund)+" WHERE o.key = m.key)")
			} else {
				shown = append(shown, figuresSQL(quantitySQL[quantity]))
			}
		}
		sql = "WITH member AS (SELECT " + key + " AS key, a.* FROM catalog.advisers a WHERE " + member + ") SELECT " + strings.Join(shown, " || ") + " FROM member m GROUP BY key"
	}
	out := []string{}
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		rows, err := c.Query(t.Context(), sql, append([]any{pgx.QueryExecModeExec}, s.args...)...)
		if err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
		out = append(out, found...)
		return nil
	}))
	slices.Sort(out)
	return out
}

// Guarantee: the cells of two dimensions sum up to the rows of one, and to all managers that a search finds: what is not known is
// counted, too.
func TestCellsSumUp(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261127, 160, true)
	gps := g.gps(900)
	funds := g.funds(5_000, gps)
	s := index.Build(slices.Clone(gps), funds, index.Freshness{})
	a := newAsker(newGenerator(8, 1, true), gps, funds, nil)
	whole := 0
	for i, by := range groupings() {
		if len(by) == 1 || by[1] == index.GroupState || by[1] == index.GroupVintage || by[0] == index.GroupStrategy && by[1] == index.GroupVintage {
			continue // these leave out managers, or count others
		}
		for round := range testscale.Rounds(t, 4) {
			q := index.GroupQuery{GPs: *a.withoutText(), Quantities: []index.Quantity{index.QuantityFundGAV}}
			if !slices.Contains(by, index.GroupVintage) {
				q.Quantities = index.Quantities
			}
			ask := func(by ...index.Grouping) map[string]index.AggregateRow {
				q.By, q.Key = by, fmt.Sprint(i, round, by)
				sums := map[string]index.AggregateRow{}
				for _, r := range s.Group(&q) {
					one := index.GroupQuery{By: by[:1]}
					key, _, _ := strings.Cut(strings.Join(groupLines(&one, []index.AggregateRow{{
						Strategy: r.Strategy, VintageYear: r.VintageYear, Country: r.Country, CountryCode: r.CountryCode, State: r.State, Band: r.Band,
						Registration: r.Registration, ManagerType: r.ManagerType, GPCount: 1,
					}}), ""), "|")
					sum := sums[key]
					sum.GPCount, sum.KnownAUM, sum.TotalAUM = sum.GPCount+r.GPCount, sum.KnownAUM+r.KnownAUM, sum.TotalAUM+r.TotalAUM
					sum.FundCount, sum.KnownGAV, sum.TotalGAV = sum.FundCount+r.FundCount, sum.KnownGAV+r.KnownGAV, sum.TotalGAV+r.TotalGAV
					sum.Figures = append([]index.Figures{}, sum.Figures...)
					for k, f := range r.Figures {
						if k == len(sum.Figures) {
							sum.Figures = append(sum.Figures, index.Figures{})
						}
						sum.Figures[k].Known += f.Known
						sum.Figures[k].Sum += f.Sum
					}
					if sum.GPCount+sum.FundCount > 0 {
						sums[key] = sum
					}
				}
				return sums
			}
			one, two := ask(by[0]), ask(by...)
			if by[0] == index.GroupAUMBand {
				delete(two, "")
			}
			require.Equal(t, one, two, "%v %s", by, dump(&q.GPs))
			if by[0] == index.GroupVintage || by[0] == index.GroupState || by[0] == index.GroupAUMBand {
				continue
			}
			total := 0
			for _, r := range two {
				total += r.GPCount
			}
			require.Equal(t, s.SearchGPs(&q.GPs).Total, total)
			if total > 0 {
				whole++
			}
		}
	}
	require.Greater(t, whole, 20)
}

// Guarantee: one dimension alone is counted as before, whichever way.
func TestOneDimensionIsAsBefore(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261128, 160, true)
	gps := g.gps(900)
	s := index.Build(slices.Clone(gps), g.funds(5_000, gps), index.Freshness{})
	for i := range testscale.Rounds(t, 300) {
		q := randomAggregate(g, gps)
		group := &index.GroupQuery{By: []index.Grouping{q.GroupBy}, Key: strconv.Itoa(i)}
		group.GPs.Strategies.Any, group.GPs.Numbers[index.GPAUM].Min = q.Strategies, q.MinAUM
		group.GPs.Fund.Numbers[index.MatchVintage] = index.Range{Min: q.MinVintage, Max: q.MaxVintage}
		if q.Country != "" {
			group.GPs.Words[index.GPCountry] = index.One(q.Country)
		}
		if q.VintageQuality != "" {
			group.GPs.Fund.Words[index.MatchQuality] = []string{string(q.VintageQuality)}
		}
		require.Equal(t, s.Aggregate(&q), s.Group(group), "%+v", q)
	}
}

// Guarantee: what is remembered of aggregates is bounded in bytes, whatever is asked.
func TestRememberedAnswersAreBounded(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261129, 160, true)
	gps := g.gps(600)
	s := index.Build(slices.Clone(gps), g.funds(4_000, gps), index.Freshness{})
	most, forgotten := 0, false
	for i := range 600 {
		s.Group(&index.GroupQuery{
			By: []index.Grouping{index.GroupGeography, index.GroupStrategy}, Quantities: index.Quantities, Key: strconv.Itoa(i),
		})
		n := s.AnswerBytes()
		require.LessOrEqual(t, n, index.AnswersBytes)
		forgotten, most = forgotten || n < most, max(n, most)
	}
	require.True(t, forgotten, "the questions fill too little")
	require.Greater(t, most, index.AnswersBytes/2)
}
