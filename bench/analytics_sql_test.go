package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"sync"
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
		return metricsStatement(), []any{crd}
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
				floor(avg(f.gross_asset_value)) AS avg_fund_size,
				json_build_object('form_d', count(*) FILTER (WHERE f.vintage_quality = 'form_d'),
					'first_filing', count(*) FILTER (WHERE f.vintage_quality = 'first_filing'),
					'list', count(*) FILTER (WHERE f.vintage_quality = 'list')) AS vintage_quality
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

// metricsStatement works out the figures of $1. A test of the service compares the two of the whole sample.
var metricsStatement = sync.OnceValue(func() string {
	statement, err := os.ReadFile(fromRoot("cmd/gpatlas/testdata/metrics.sql"))
	if err != nil {
		panic(err)
	}
	return string(statement)
})
