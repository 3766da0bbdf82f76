package market_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/market"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
)

// bench is a market in a database of its own, and the operation over a real index of it.
type bench struct {
	host *httpapitest.Host
	db   *database.DB
	gone []string // advisers that have withdrawn
}

func newBench(t *testing.T, seed uint64) *bench {
	t.Helper()
	m := catalogtest.NewMarket(seed, 60)
	db := dbtest.New(t)
	loader := catalogtest.NewLoader(db, noon)
	for i, doc := range m.Documents {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{
			RunID: int64(i + 1), Reject: func(r catalogapi.Rejected) { require.Fail(t, "the market has a bad row", "%+v", r) },
		})
		require.NoError(t, err)
	}
	snapshot, err := index.Load(t.Context(), db, noon)
	require.NoError(t, err)
	holder := new(index.Holder)
	holder.Swap(snapshot)
	require.NotEmpty(t, m.Withdrawn)
	before := past.NewBuilder(db, noon, slog.New(slog.DiscardHandler), false)
	return &bench{host: httpapitest.New(t, market.Routes(market.NewService(holder, before, noon))...), db: db, gone: m.Withdrawn}
}

func (b *bench) ask(t *testing.T, query url.Values) (data string) {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?" + query.Encode()})
	var answer struct {
		Data json.RawMessage `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
	return string(answer.Data)
}

// query asks the views; $1 is always the advisers that have withdrawn.
func (b *bench) query(t *testing.T, sql string, into ...any) {
	t.Helper()
	require.NoError(t, b.db.Conn(t.Context(), func(c *pgx.Conn) error {
		if err := c.QueryRow(t.Context(), sql, b.gone).Scan(into...); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
		return nil
	}))
}

// The advisers and funds that count, and the countries of the fixture under their usual names.
const tables = `WITH gp AS (SELECT *, upper(btrim(coalesce(state, ''))) AS place FROM catalog.pub_gp WHERE crd <> ALL ($1)),
	fund AS (SELECT f.*, q.vintage_quality, g.country_code, g.total_aum FROM catalog.pub_fund f JOIN catalog.funds q USING (fund_id) JOIN gp g ON g.crd = f.adviser_crd WHERE f.status <> 'closed'),
	names (country_code, name) AS (VALUES ('US', 'United States'), ('GB', 'United Kingdom'), ('CA', 'Canada'), ('SG', 'Singapore')) `

// filter is one choice of filters, as they are sent and as conditions on an adviser g and a fund f.
type filter struct {
	send        url.Values
	gp          string // of advisers
	fund        string // strategy of funds, by vintage
	strategy    string // the same of advisers
	withinYears string // of funds
}

var filters = []filter{
	{send: url.Values{}},
	{send: url.Values{"country": {"us"}}, gp: "g.country_code = 'US'"},
	{send: url.Values{"country": {"Ruritania & Kravonia"}}, gp: "g.country = 'Ruritania & Kravonia'"},
	{send: url.Values{"strategy": {"VC,hedge"}}, strategy: "g.primary_strategy IN ('venture', 'hedge')", fund: "f.strategy IN ('venture', 'hedge')"},
	{send: url.Values{"min_aum": {"150000000"}}, gp: "g.total_aum >= 150000000"},
	{send: url.Values{"min_vintage": {"2026"}}, withinYears: "f.vintage_year >= 2026"},
	{send: url.Values{"vintage_quality": {"form_d"}}, withinYears: "f.vintage_quality = 'form_d'"},
	{send: url.Values{"vintage_quality": {"first_filing"}, "country": {"US"}}, gp: "g.country_code = 'US'", withinYears: "f.vintage_quality = 'first_filing'"},
	{
		send: url.Values{"max_vintage": {"2025"}, "country": {"US"}, "strategy": {"PE"}, "min_aum": {"0"}},
		gp:   "g.country_code = 'US' AND g.total_aum >= 0", strategy: "g.primary_strategy IN ('buyout', 'growth', 'secondaries')",
		fund: "f.strategy IN ('buyout', 'growth', 'secondaries')", withinYears: "f.vintage_year <= 2025",
	},
	{send: url.Values{"min_aum": {"9000000000000"}}, gp: "g.total_aum >= 9000000000000"},
}

func and(conditions ...string) string {
	all := []string{"true"}
	for _, c := range conditions {
		if c != "" {
			all = append(all, c)
		}
	}
	return strings.Join(all, " AND ")
}

// statement counts one grouping in plain SQL and gives its rows as one JSON list.
func (f *filter) statement(by string) string {
	years := "f.adviser_crd = g.crd AND " + and(f.withinYears)
	member := and(f.gp, f.strategy)
	if f.withinYears != "" {
		member += " AND EXISTS (SELECT FROM fund f WHERE " + years + ")"
	}
	const average = "floor(sum(total_aum) / nullif(count(total_aum), 0))"
	place := `SELECT coalesce(n.name, g.country) AS country, nullif(g.place, '') AS state,
			nullif(concat_ws(', ', nullif(g.place, ''), coalesce(n.name, g.country)), '') AS location,
			count(*) AS gp_count, sum(total_aum) AS total_aum, ` + average + ` AS avg_aum
		FROM gp g LEFT JOIN names n USING (country_code) WHERE ` + member + `%s GROUP BY 1, 2, 3
		ORDER BY 4 DESC, coalesce(coalesce(n.name, g.country), '') COLLATE "C", coalesce(nullif(g.place, ''), '') COLLATE "C"`
	rows := map[string]string{
		"strategy": `SELECT primary_strategy AS strategy, count(*) AS gp_count, sum(total_aum) AS total_aum, ` + average + ` AS avg_aum,
				sum((SELECT count(*) FROM fund f WHERE ` + years + `)) AS fund_count
			FROM gp g WHERE ` + member + ` GROUP BY 1 ORDER BY 2 DESC, coalesce(primary_strategy, '') COLLATE "C"`,
		"vintage": `SELECT f.vintage_year, count(*) AS fund_count, sum(f.gross_asset_value) AS total_gav,
				floor(sum(f.gross_asset_value) / nullif(count(f.gross_asset_value), 0)) AS avg_fund_size,
				json_build_object('form_d', count(*) FILTER (WHERE f.vintage_quality = 'form_d'), 'first_filing', count(*) FILTER (WHERE f.vintage_quality = 'first_filing'),
					'list', count(*) FILTER (WHERE f.vintage_quality = 'list')) AS vintage_quality
			FROM fund f JOIN gp g ON g.crd = f.adviser_crd WHERE ` + and(f.gp, f.fund, f.withinYears) + ` GROUP BY 1 ORDER BY 1`,
		"geography": fmt.Sprintf(place, ""),
		"state":     fmt.Sprintf(place, " AND country_code = 'US' AND g.place <> ''"),
		"aum_band": `SELECT b.aum_band, count(g.crd) AS gp_count, coalesce(sum(g.total_aum), 0) AS total_aum
			FROM (VALUES ('<100M', 0, 1e8), ('100M-500M', 1e8, 5e8), ('500M-1B', 5e8, 1e9), ('1B-10B', 1e9, 1e10), ('>10B', 1e10, 1e19)) AS b (aum_band, low, high)
			LEFT JOIN (SELECT * FROM gp g WHERE ` + member + `) g ON g.total_aum >= b.low AND g.total_aum < b.high GROUP BY b.aum_band, b.low ORDER BY b.low`,
	}[by]
	return tables + "SELECT coalesce(json_agg(r), '[]')::text FROM (" + rows + ") r"
}

// Every grouping with every choice of filters says what plain SQL over the views says, row by row and in order.
func TestRowsAgreeWithSQL(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		b := newBench(t, seed)
		filled, left := 0, 0
		for _, by := range []string{"strategy", "vintage", "geography", "state", "aum_band"} {
			for _, f := range filters {
				send := url.Values{"group_by": {by}}
				maps.Copy(send, f.send)
				var want, former string
				b.query(t, f.statement(by), &want)
				got := b.ask(t, send)
				require.JSONEq(t, want, got, send.Encode())
				if strings.Contains(got, "},{") {
					filled++
				}
				send.Set("former", "true") // the same over those that have left
				b.query(t, strings.Replace(f.statement(by), "crd <> ALL ($1)", "crd = ANY ($1)", 1), &former)
				got = b.ask(t, send)
				require.JSONEq(t, former, got, send.Encode())
				if former != want && got != "[]" {
					left++
				}
			}
		}
		require.Greater(t, filled, 25, "hardly any answer has two rows")
		require.Greater(t, left, 10, "hardly any answer counts a former manager")
	}
}

// The rows of a grouping sum up to the whole market.
func TestRowsSumUp(t *testing.T) {
	t.Parallel()
	b := newBench(t, 7)
	var gps, known, located, aum, funds, gav, closed int64
	b.query(t, tables+`SELECT (SELECT count(*) FROM gp), (SELECT count(total_aum) FROM gp), (SELECT count(*) FROM gp WHERE country_code = 'US' AND place <> ''),
		(SELECT sum(total_aum)::bigint FROM gp), (SELECT count(*) FROM fund), (SELECT sum(gross_asset_value)::bigint FROM fund),
		(SELECT count(*) FROM catalog.pub_fund WHERE status = 'closed')`, &gps, &known, &located, &aum, &funds, &gav, &closed)
	require.Positive(t, closed, "the market has no closed fund")
	require.Less(t, known, gps, "the market has no adviser of unknown assets")
	type sums struct{ GPs, AUM, Funds, GAV int64 }
	sum := func(by string) (s sums) {
		var rows []struct {
			GPCount   int64 `json:"gp_count"`
			TotalAUM  int64 `json:"total_aum"`
			FundCount int64 `json:"fund_count"`
			TotalGAV  int64 `json:"total_gav"`
		}
		require.NoError(t, json.Unmarshal([]byte(b.ask(t, url.Values{"group_by": {by}})), &rows))
		for _, r := range rows {
			s.GPs, s.AUM, s.Funds, s.GAV = s.GPs+r.GPCount, s.AUM+r.TotalAUM, s.Funds+r.FundCount, s.GAV+r.TotalGAV
		}
		return s
	}
	require.Equal(t, sums{GPs: gps, AUM: aum, Funds: funds}, sum("strategy"))
	require.Equal(t, sums{Funds: funds, GAV: gav}, sum("vintage"))
	require.Equal(t, sums{GPs: gps, AUM: aum}, sum("geography"))
	require.Equal(t, sums{GPs: known, AUM: aum}, sum("aum_band"))
	require.Equal(t, located, sum("state").GPs)
}

// Guarantee: one grouping without measures, with the contract's filters, answers byte for byte as it did before there were two. The golden
// file has queries and their answers in turn, of the code of that time.
func TestOneGroupingKeepsItsBytes(t *testing.T) {
	t.Parallel()
	b := newBench(t, 3)
	golden, err := os.ReadFile("testdata/one.golden.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(golden)), "\n")
	require.Len(t, lines, 2*5*6)
	for i := 0; i < len(lines); i += 2 {
		got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/search/aggregate?" + lines[i]})
		require.Equal(t, lines[i+1], got.Body, lines[i])
	}
}
