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

// What text is looked for in; one trigram index is on each.
const (
	searchedGPs   = `lower(a.legal_name || ' ' || coalesce(a.business_name, '') || ' ' || coalesce(a.city, ''))`
	searchedFunds = `lower(f.name)`
)

// text wants each word somewhere, or something like it.
func (c *condition) text(typed, searched string, add func(sql string, arg any)) {
	for word := range strings.FieldsSeq(typed) {
		add("("+searched+" LIKE '%%' || %[1]s::text || '%%' OR %[1]s::text <%% "+searched+")", word)
	}
	c.typed = typed
}

// statement answers a search of GPs or funds: the page, and with each row the exact total. It completes the arguments:
// once a question.
func (q *question) statement() string {
	if q.path == "/v1/funds" {
		return q.fundStatement()
	}
	where := append([]string{"a.withdrawn_on IS NULL"}, q.sql.advisers...)
	if len(q.sql.funds) > 0 {
		where = append(where, "EXISTS (SELECT FROM catalog.funds f WHERE f.adviser_crd = a.crd AND f.status <> 'closed' AND "+
			strings.Join(q.sql.funds, " AND ")+")")
	}
	order := q.orderBy("a.total_aum", "a.crd", searchedGPs, map[string]string{
		"name": "a.legal_name", "aum": "a.total_aum", "fund_count": "a.fund_count", "employees": "a.employee_count",
	})
	return fmt.Sprintf(`SELECT count(*) OVER (), a.crd, a.legal_name, a.business_name, a.city, a.state, a.country, a.country_code,
		a.total_aum, a.primary_strategy, a.manager_type, a.employee_count, a.fund_count, a.canonical_gp_id, a.registration_status,
		a.website, a.latest_filed_on FROM catalog.advisers a WHERE %s ORDER BY %s`, strings.Join(where, " AND "), order)
}

func (q *question) fundStatement() string {
	where := append([]string{"f.status <> 'closed'", "a.withdrawn_on IS NULL"}, q.sql.funds...)
	order := q.orderBy("f.gross_asset_value", "f.fund_id", searchedFunds, map[string]string{
		"name": "f.name", "gav": "f.gross_asset_value", "vintage_year": "f.vintage_year",
	})
	return fmt.Sprintf(`SELECT count(*) OVER (), f.fund_id, f.name, f.adviser_crd, a.legal_name, f.strategy, f.vintage_year, f.gross_asset_value,
		f.jurisdiction, f.is_3c1, f.is_3c7, f.is_master, f.is_feeder, f.beneficial_owners_count, f.auditors, f.exemptions, f.status,
		f.first_filed_on FROM catalog.funds f JOIN catalog.advisers a ON a.crd = f.adviser_crd WHERE %s ORDER BY %s`,
		strings.Join(where, " AND "), order)
}

// orderBy is the order asked for, else by likeness to the text, else by size; and the page.
func (q *question) orderBy(size, key, searched string, columns map[string]string) string {
	order := size + " DESC NULLS LAST"
	if by, ok := columns[q.params.Get("sort")]; ok {
		order = by + " " + q.params.Get("order") + " NULLS LAST"
	} else if q.sql.typed != "" {
		order = fmt.Sprintf("word_similarity(%s::text, %s) DESC, %s", q.sql.arg(q.sql.typed), searched, order)
	}
	offset := 0
	if page := q.params.Get("page"); page != "" {
		offset = 25 * int(page[0]-'1')
	}
	return fmt.Sprintf("%s, %s LIMIT 25 OFFSET %d", order, key, offset)
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
CREATE INDEX IF NOT EXISTS bench_fund_strategy ON catalog.funds (strategy, gross_asset_value);
CREATE INDEX IF NOT EXISTS bench_fund_gav ON catalog.funds (gross_asset_value);
CREATE INDEX IF NOT EXISTS bench_fund_vintage ON catalog.funds (vintage_year);
CREATE INDEX IF NOT EXISTS bench_fund_country ON catalog.funds (country_code);
CREATE INDEX IF NOT EXISTS bench_fund_state ON catalog.funds (state);
CREATE INDEX IF NOT EXISTS bench_fund_name ON catalog.funds (name);
CREATE INDEX IF NOT EXISTS bench_fund_text ON catalog.funds USING gin (lower(name) gin_trgm_ops);
ANALYZE catalog.advisers, catalog.funds`

// withoutPeerIndexes takes them away again: no ingestion has to keep them.
const withoutPeerIndexes = `
DO $$ DECLARE i regclass; BEGIN
	FOR i IN SELECT indexrelid FROM pg_index WHERE indexrelid::regclass::text LIKE 'catalog.bench\_%' LOOP EXECUTE 'DROP INDEX ' || i; END LOOP;
END $$`

// peerStack is PostgreSQL beside the service, asked by pgx with no HTTP around it.
type peerStack struct{ pool *pgxpool.Pool }

func openPeers(ctx context.Context, databaseURL string) (*peerStack, error) {
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
	return &peerStack{pool}, nil
}

func (s *peerStack) close(ctx context.Context) error {
	defer s.pool.Close()
	_, err := s.pool.Exec(ctx, withoutPeerIndexes)
	return err
}

// peer is PostgreSQL answering one operation's questions.
type peer struct {
	pool       *pgxpool.Pool
	questions  []question
	statements []string
}

func (s *peerStack) peer(questions []question) *peer {
	p := &peer{pool: s.pool, questions: questions}
	for i := range questions {
		p.statements = append(p.statements, questions[i].statement())
	}
	return p
}

// compare checks that PostgreSQL finds as many as the service, so that both do the same work. Text is looked for in
// another way there, so it is left out, and so are the questions that remain when it takes too long.
func (p *peer) compare(ctx context.Context, totals []int) error {
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for i := range p.questions {
		if p.questions[i].params.Has("q") {
			continue
		}
		total, err := p.ask(limited, i)
		switch {
		case limited.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%s: %w", p.statements[i], err)
		case total >= 0 && total != totals[i]:
			return fmt.Errorf("%s finds %d, PostgreSQL %d", p.questions[i].url(), totals[i], total)
		}
	}
	return nil
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

// drive asks the questions in turn on all connections at once.
func (p *peer) drive(ctx context.Context, howLong time.Duration) (load, error) {
	return drive(ctx, len(p.questions), howLong, func(ctx context.Context, i int) error {
		if _, err := p.ask(ctx, i); err != nil {
			return fmt.Errorf("%s: %w", p.statements[i], err)
		}
		return nil
	})
}

// drive asks PostgreSQL n questions in turn on all connections at once. A question that is under way when the time is over
// is given up, and counted as half.
func drive(ctx context.Context, n int, howLong time.Duration, ask func(ctx context.Context, i int) error) (load, error) {
	limited, cancel := context.WithTimeout(ctx, howLong)
	defer cancel()
	var wg sync.WaitGroup
	took := make([][]time.Duration, connections)
	errs := make([]error, connections)
	began := time.Now()
	for c := range connections {
		wg.Go(func() {
			for i := c * n / connections; limited.Err() == nil; i++ {
				began := time.Now()
				err := ask(limited, i%n)
				if limited.Err() != nil {
					return
				}
				if err != nil {
					errs[c] = err
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
