package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// sqlPeer is PostgreSQL doing the work of one operation of the analytics: it answers with the JSON of the part that holds
// the figures.
type sqlPeer struct {
	pool       *pgxpool.Pool
	questions  []question
	statements []string
	args       [][]any
	part       func(body []byte) (any, error) // the same part of the service's answer
}

func (s *peerStack) analysis(op *operation) *sqlPeer {
	p := &sqlPeer{pool: s.pool, questions: op.questions, part: map[string]func(body []byte) (any, error){
		"related": relatedPart, "aggregate": dataPart, "metrics": metricsPart,
	}[op.unit]}
	for i := range op.questions {
		statement, args := analysisStatement(&op.questions[i])
		p.statements, p.args = append(p.statements, statement), append(p.args, args)
	}
	return p
}

func (p *sqlPeer) ask(ctx context.Context, i int) (answer string, err error) {
	if err = p.pool.QueryRow(ctx, p.statements[i], p.args[i]...).Scan(&answer); err != nil {
		err = fmt.Errorf("%s: %w", p.statements[i], err)
	}
	return answer, err
}

func (p *sqlPeer) drive(ctx context.Context, howLong time.Duration) (load, error) {
	return drive(ctx, len(p.questions), howLong, func(ctx context.Context, i int) error {
		_, err := p.ask(ctx, i)
		return err
	})
}

// compare checks that both answer the same, so that they do the same work: all questions, or those that twenty seconds are
// enough for. It gives how many.
func (p *sqlPeer) compare(ctx context.Context, addr string) (compared int, err error) {
	limited, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for i := range p.questions {
		text, err := p.ask(limited, i)
		if limited.Err() != nil && compared > 0 {
			return compared, ctx.Err()
		}
		if err != nil {
			return compared, err
		}
		status, body, err := get(ctx, addr, p.questions[i].url())
		if err == nil && status != 200 {
			err = fmt.Errorf("status %d: %s", status, body)
		}
		if err != nil {
			return compared, fmt.Errorf("%s: %w", p.questions[i].url(), err)
		}
		ours, err := p.part(body)
		if err != nil {
			return compared, fmt.Errorf("%s: %w", p.questions[i].url(), err)
		}
		var theirs any
		if err := json.Unmarshal([]byte(text), &theirs); err != nil {
			return compared, err
		}
		if !reflect.DeepEqual(ours, theirs) {
			return compared, fmt.Errorf("%s answers %v, PostgreSQL %v", p.questions[i].url(), ours, theirs)
		}
		compared++
	}
	return compared, nil
}

var errShape = errors.New("an answer of another shape")

func dataPart(body []byte) (any, error) {
	var a struct{ Data any }
	err := json.Unmarshal(body, &a)
	return a.Data, err
}

func metricsPart(body []byte) (any, error) {
	var a struct{ GP, Metrics any }
	err := json.Unmarshal(body, &a)
	return map[string]any{"gp": a.GP, "metrics": a.Metrics}, err
}

// relatedPart leaves out the sentences and what is put together of city, state and country.
func relatedPart(body []byte) (any, error) {
	var a struct {
		Similar []map[string]any `json:"similar_gps"`
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	list := make([]any, len(a.Similar))
	for i, gp := range a.Similar {
		kept := map[string]any{}
		for _, field := range []string{"crd", "legal_name", "strategy", "aum", "fund_count", "similarity_score"} {
			value, ok := gp[field]
			if !ok {
				return nil, errShape
			}
			kept[field] = value
		}
		list[i] = kept
	}
	return list, nil
}

// analysisStatement is a question as SQL.
func analysisStatement(q *question) (statement string, args []any) {
	crd := strings.TrimPrefix(q.path, "/v1/gps/")
	crd, operation, _ := strings.Cut(crd, "/")
	switch operation {
	case "related":
		return relatedStatement(q), []any{crd}
	case "metrics":
		return metricsStatement, []any{crd}
	}
	c := condition{}
	return aggregateStatement(q, &c), c.args
}

// relatedStatement scores every adviser against one.
func relatedStatement(q *question) string {
	wanted := q.params.Get("similarity_factors")
	if wanted == "" {
		wanted = "strategy,aum_band,geography"
	}
	limit := q.params.Get("limit")
	if limit == "" {
		limit = "10"
	}
	var score []string
	for name := range strings.SplitSeq(wanted, ",") {
		score = append(score, map[string]string{
			"strategy": "CASE WHEN a.primary_strategy = s.primary_strategy THEN 40 ELSE 0 END",
			"aum_band": "CASE WHEN a.total_aum BETWEEN s.total_aum - floor(s.total_aum * 0.5) AND s.total_aum + floor(s.total_aum * 0.5) THEN 30 ELSE 0 END",
			"geography": "CASE WHEN a.country_code = s.country_code OR s.country_code IS NULL AND s.state <> '' AND upper(a.state) = upper(s.state) " +
				"THEN 20 ELSE 0 END",
			"fund_count": "CASE WHEN a.fund_count BETWEEN s.fund_count - floor(s.fund_count * 0.3) AND s.fund_count + floor(s.fund_count * 0.3) THEN 10 ELSE 0 END",
		}[name])
	}
	return fmt.Sprintf(`SELECT coalesce(json_agg(r), '[]')::text FROM (
		SELECT crd, legal_name, primary_strategy AS strategy, total_aum AS aum, fund_count, score AS similarity_score FROM (
			SELECT a.*, %s AS score, abs(a.total_aum - s.total_aum) AS far, s.total_aum IS NULL AND a.total_aum IS NOT NULL AS known
			FROM catalog.advisers a JOIN catalog.advisers s ON s.crd = $1 WHERE a.crd <> $1 AND a.withdrawn_on IS NULL) scored
		WHERE score > 0 ORDER BY score DESC, known, far NULLS LAST, crd::bigint LIMIT %s) r`, strings.Join(score, " + "), limit)
}

// aggregateStatement counts one grouping.
func aggregateStatement(q *question, c *condition) string {
	by := q.params.Get("group_by")
	filter := func(name, sql string, add func(sql string, arg any)) {
		if value := q.params.Get(name); value != "" {
			add(sql, value)
		}
	}
	if by == "vintage" {
		filter("strategy", "f.strategy = %s", c.fund)
	} else {
		filter("strategy", "a.primary_strategy = %s", c.adviser)
	}
	filter("country", "a.country_code = %s", c.adviser)
	filter("min_aum", "a.total_aum >= %s::bigint", c.adviser)
	var years condition
	years.args = c.args
	filter("min_vintage", "f.vintage_year >= %s::int", years.fund)
	filter("max_vintage", "f.vintage_year <= %s::int", years.fund)
	c.args = years.args
	member := strings.Join(append([]string{"a.withdrawn_on IS NULL"}, c.advisers...), " AND ")
	open := strings.Join(append([]string{"f.status <> 'closed'"}, years.funds...), " AND ")
	if len(years.funds) > 0 && by != "vintage" {
		member += " AND EXISTS (SELECT FROM catalog.funds f WHERE f.adviser_crd = a.crd AND " + open + ")"
	}
	funds := "coalesce(sum(a.fund_count), 0)"
	if len(years.funds) > 0 {
		funds = "sum((SELECT count(*) FROM catalog.funds f WHERE f.adviser_crd = a.crd AND " + open + "))"
	}
	const sums = "count(*) AS gp_count, coalesce(sum(a.total_aum), 0) AS total_aum, floor(avg(a.total_aum)) AS avg_aum"
	const place = `SELECT a.country, nullif(upper(btrim(a.state)), '') AS state,
		nullif(concat_ws(', ', nullif(upper(btrim(a.state)), ''), a.country), '') AS location, ` + sums + `
		FROM catalog.advisers a WHERE %s%s GROUP BY 1, 2, 3, a.country_code
		ORDER BY 4 DESC, coalesce(a.country, '') COLLATE "C", coalesce(nullif(upper(btrim(a.state)), ''), '') COLLATE "C"`
	rows := map[string]string{
		"strategy": `SELECT a.primary_strategy AS strategy, ` + sums + `, ` + funds + ` AS fund_count
			FROM catalog.advisers a WHERE ` + member + ` GROUP BY 1 ORDER BY 2 DESC, coalesce(a.primary_strategy, '') COLLATE "C"`,
		"vintage": `SELECT f.vintage_year, count(*) AS fund_count, coalesce(sum(f.gross_asset_value), 0) AS total_gav,
				floor(avg(f.gross_asset_value)) AS avg_fund_size
			FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd
			WHERE ` + strings.Join(append([]string{member, open}, c.funds...), " AND ") + ` GROUP BY 1 ORDER BY 1`,
		"geography": fmt.Sprintf(place, member, ""),
		"state":     fmt.Sprintf(place, member, " AND a.country_code = 'US' AND btrim(a.state) <> ''"),
		"aum_band": `SELECT b.aum_band, count(a.crd) AS gp_count, coalesce(sum(a.total_aum), 0) AS total_aum
			FROM (VALUES ('<100M', 0, 1e8), ('100M-500M', 1e8, 5e8), ('500M-1B', 5e8, 1e9), ('1B-10B', 1e9, 1e10), ('>10B', 1e10, 1e19)) b (aum_band, low, high)
			LEFT JOIN (SELECT a.crd, a.total_aum FROM catalog.advisers a WHERE ` + member + `) a ON a.total_aum >= b.low AND a.total_aum < b.high
			GROUP BY b.aum_band, b.low ORDER BY b.low`,
	}[by]
	return "SELECT coalesce(json_agg(r), '[]')::text FROM (" + rows + ") r"
}

// metricsStatement works out the figures of $1: growth from the stored filings, the figures of the funds from the current
// ones. A fund that another adviser has reported since counts for its former one in the years before, which the sample does
// not have.
const metricsStatement = `
WITH filed AS MATERIALIZED (
	SELECT f.accession, f.filing_date, f.source, f.funds_listed, v.registration, v.raum, v.employee_count, row_number() OVER (
		ORDER BY f.filing_date, array_position(ARRAY['fund_list', 'roster', 'iapd_feed', 'adv_archive'], f.source), f.submitted_at, f.filing_id NULLS FIRST) AS n
	FROM catalog.filings f JOIN catalog.adviser_versions v ON v.crd = f.crd AND v.accession = f.accession WHERE f.crd = $1),
latest AS (SELECT n, filing_date FROM filed ORDER BY n DESC LIMIT 1),
points AS (
	SELECT y.years, p.n FROM latest l, (VALUES (0), (1), (3)) y (years), LATERAL (
		SELECT n FROM filed f WHERE abs(f.filing_date - (l.filing_date - make_interval(years => y.years))::date) <= 120
		ORDER BY abs(f.filing_date - (l.filing_date - make_interval(years => y.years))::date), n DESC LIMIT 1) p),
states AS (
	SELECT p.years, said.employees, CASE said.registration WHEN 'exempt_reporting' THEN (
		SELECT sum(v.gross_asset_value) FROM catalog.fund_versions v WHERE v.accession = (
			SELECT accession FROM filed WHERE funds_listed AND n <= p.n ORDER BY n DESC LIMIT 1)) ELSE said.raum END AS aum
	FROM points p, LATERAL (
		SELECT (array_agg(registration ORDER BY n DESC) FILTER (WHERE registration IS NOT NULL))[1] AS registration,
			(array_agg(raum ORDER BY n DESC) FILTER (WHERE raum IS NOT NULL))[1] AS raum,
			(array_agg(employee_count ORDER BY n DESC) FILTER (WHERE employee_count IS NOT NULL))[1] AS employees
		FROM filed WHERE n <= p.n AND n >= coalesce((SELECT max(n) FROM filed WHERE source = 'adv_archive' AND n <= p.n), 1)) said),
open AS (SELECT vintage_year, gross_asset_value AS gav FROM catalog.funds WHERE adviser_crd = $1 AND status <> 'closed'),
vintages AS (
	SELECT sum(gav) AS gav, count(*) AS funds, row_number() OVER (ORDER BY vintage_year) AS n, count(*) OVER () AS vintages
	FROM open WHERE gav IS NOT NULL GROUP BY vintage_year),
thirds AS (
	SELECT sum(gav) FILTER (WHERE n <= vintages / 3) / nullif(sum(funds) FILTER (WHERE n <= vintages / 3), 0) AS oldest,
		sum(gav) FILTER (WHERE n > vintages - vintages / 3) / nullif(sum(funds) FILTER (WHERE n > vintages - vintages / 3), 0) AS newest FROM vintages)
SELECT json_build_object('gp', json_build_object('crd', a.crd, 'legal_name', a.legal_name, 'total_aum', a.total_aum, 'employee_count', a.employee_count),
	'metrics', json_build_object(
		'aum_growth', json_build_object(
			'yoy_percent', round(100 * (now.aum - year.aum)::numeric / nullif(abs(year.aum), 0), 2),
			'cagr_3y_percent', CASE WHEN three.aum > 0 AND now.aum >= 0
				THEN round(((cbrt(now.aum::float8 / three.aum::float8) - 1) * 100)::numeric, 2) END),
		'employee_growth', json_build_object('yoy_percent', round(100 * (now.employees - year.employees)::numeric / nullif(abs(year.employees), 0), 2)),
		'fund_metrics', json_build_object(
			'fund_count', a.fund_count, 'avg_fund_size_usd', (SELECT floor(avg(gav)) FROM open),
			'avg_fund_size_trend_percent', round(100 * (newest - oldest) / nullif(oldest, 0), 2),
			'fund_launch_cadence_months', (
				SELECT CASE WHEN count(*) > 1 THEN round((max(first_filed_on) - min(first_filed_on)) / (count(*) - 1)::numeric / 30.4375, 2) END
				FROM catalog.funds WHERE adviser_crd = a.crd),
			'first_vintage', (SELECT min(vintage_year) FROM open), 'latest_vintage', (SELECT max(vintage_year) FROM open))))::text
FROM catalog.advisers a CROSS JOIN thirds LEFT JOIN states now ON now.years = 0 LEFT JOIN states year ON year.years = 1
	LEFT JOIN states three ON three.years = 3
WHERE a.crd = $1`
