package bench_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// condition is a GP search as SQL: what it asks of the adviser, and what it asks of one of its funds.
type condition struct {
	advisers, funds []string
	args            []any
	typed           string // a text, by likeness to which answers are ordered where no order is asked for
}

func (c *condition) arg(v any) string {
	c.args = append(c.args, v)
	return fmt.Sprintf("$%d", len(c.args))
}

func (c *condition) adviser(sql string, arg any) {
	c.advisers = append(c.advisers, fmt.Sprintf(sql, c.arg(arg)))
}

func (c *condition) fund(sql string, arg any) {
	c.funds = append(c.funds, fmt.Sprintf(sql, c.arg(arg)))
}

// searched is what text is looked for in; one trigram index is on it.
const searched = `lower(a.legal_name || ' ' || coalesce(a.business_name, '') || ' ' || coalesce(a.city, ''))`

// text wants each word somewhere, or something like it.
func (c *condition) text(typed string) {
	for word := range strings.FieldsSeq(typed) {
		n := c.arg(word)
		c.advisers = append(c.advisers, fmt.Sprintf("(%[1]s LIKE '%%' || %[2]s::text || '%%' OR %[2]s::text <%% %[1]s)", searched, n))
	}
	c.typed = typed
}

// statement answers a GP search: the page, and with each row the exact total. It completes the arguments: once a question.
func (q *question) statement() string {
	where := append([]string{}, q.sql.advisers...)
	if len(q.sql.funds) > 0 {
		where = append(where, "EXISTS (SELECT FROM catalog.funds f WHERE f.adviser_crd = a.crd AND f.status <> 'closed' AND "+
			strings.Join(q.sql.funds, " AND ")+")")
	}
	column := map[string]string{"name": "a.legal_name", "aum": "a.total_aum", "fund_count": "a.fund_count", "employees": "a.employee_count"}
	order := "a.total_aum DESC NULLS LAST"
	if by, ok := column[q.params.Get("sort")]; ok {
		order = by + " " + q.params.Get("order") + " NULLS LAST"
	} else if q.sql.typed != "" {
		order = fmt.Sprintf("word_similarity(%s::text, %s) DESC, %s", q.sql.arg(q.sql.typed), searched, order)
	}
	offset := 0
	if page := q.params.Get("page"); page != "" {
		offset = 25 * int(page[0]-'1')
	}
	return fmt.Sprintf(`SELECT count(*) OVER (), a.crd, a.legal_name, a.business_name, a.city, a.state, a.country, a.country_code,
		a.total_aum, a.primary_strategy, a.manager_type, a.employee_count, a.fund_count, a.canonical_gp_id, a.registration_status,
		a.website, a.latest_filed_on FROM catalog.advisers a WHERE %s ORDER BY %s, a.crd LIMIT 25 OFFSET %d`,
		strings.Join(where, " AND "), order, offset)
}

// The indexes that somebody would give the tables who had to answer from PostgreSQL.
const peerIndexes = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX IF NOT EXISTS bench_state ON catalog.advisers (state);
CREATE INDEX IF NOT EXISTS bench_city ON catalog.advisers (lower(city));
CREATE INDEX IF NOT EXISTS bench_country ON catalog.advisers (country_code);
CREATE INDEX IF NOT EXISTS bench_strategy ON catalog.advisers (primary_strategy, total_aum);
CREATE INDEX IF NOT EXISTS bench_aum ON catalog.advisers (total_aum);
CREATE INDEX IF NOT EXISTS bench_name ON catalog.advisers (legal_name);
CREATE INDEX IF NOT EXISTS bench_employees ON catalog.advisers (employee_count);
CREATE INDEX IF NOT EXISTS bench_fund_count ON catalog.advisers (fund_count);
CREATE INDEX IF NOT EXISTS bench_text ON catalog.advisers USING gin (lower(legal_name || ' ' || coalesce(business_name, '') || ' ' || coalesce(city, '')) gin_trgm_ops);
CREATE INDEX IF NOT EXISTS bench_fund ON catalog.funds (adviser_crd, vintage_year, gross_asset_value) INCLUDE (is_3c7, status);
ANALYZE catalog.advisers, catalog.funds`

// peer is PostgreSQL answering GP searches, asked by pgx with no HTTP around it.
type peer struct {
	pool       *pgxpool.Pool
	questions  []question
	statements []string
}

func newPeer(ctx context.Context, databaseURL string, questions []question) (*peer, error) {
	cfg, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	cfg.MaxConns = connections
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, peerIndexes); err != nil {
		pool.Close()
		return nil, err
	}
	p := &peer{pool: pool, questions: questions}
	for i := range questions {
		p.statements = append(p.statements, questions[i].statement())
	}
	return p, nil
}

// ask answers one question and gives the total; -1 where the page is beyond the end and no row tells.
func (p *peer) ask(ctx context.Context, i int) (total int, err error) {
	rows, err := p.pool.Query(ctx, p.statements[i], p.questions[i].sql.args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	total = -1
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return 0, err
		}
		n, _ := values[0].(int64)
		total = int(n)
	}
	return total, rows.Err()
}

// drive asks the questions in turn on all connections at once. A question that is under way when the time is over is
// given up, and counted as half.
func (p *peer) drive(ctx context.Context, howLong time.Duration) (load, error) {
	limited, cancel := context.WithTimeout(ctx, howLong)
	defer cancel()
	var wg sync.WaitGroup
	took := make([][]time.Duration, connections)
	errs := make([]error, connections)
	began := time.Now()
	for c := range connections {
		wg.Go(func() {
			for i := c * len(p.questions) / connections; limited.Err() == nil; i++ {
				began := time.Now()
				_, err := p.ask(limited, i%len(p.questions))
				if limited.Err() != nil {
					return
				}
				if err != nil {
					errs[c] = fmt.Errorf("%s: %w", p.statements[i%len(p.questions)], err)
					return
				}
				took[c] = append(took[c], time.Since(began))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return load{}, err
	}
	var all []time.Duration
	for _, t := range took {
		all = append(all, t...)
	}
	l := measured(all, time.Since(began))
	l.rate += connections / 2.0 / time.Since(began).Seconds()
	return l, nil
}
