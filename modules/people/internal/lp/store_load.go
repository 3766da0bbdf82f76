package lp

import (
	"context"
	_ "embed"
	"iter"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
)

// lockKey is the advisory lock of loads and matches; the number is arbitrary.
const lockKey = 0x6770_7065_6f70_6c70

// exclusively runs fn in a transaction, one at a time.
func (s *store) exclusively(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		const lock = "SELECT pg_advisory_xact_lock(@key)"
		if _, err := database.Run(ctx, s.db, "wait for other loads of LPs", lock, database.Args{"key": int64(lockKey)}); err != nil {
			return err
		}
		return fn(ctx)
	})
}

// staged are the columns of the temporary table for a list.
var staged = []string{
	"line", "name_key", "state", "name", "entity_type", "pension", "city", "country", "fund_key", "fund_name", "gp_name", "vintage_year",
	"committed", "contributed", "distributed", "nav", "net_irr_percent", "multiple", "as_of",
}

var (
	//go:embed stage_lps.sql
	stageLPsSQL string
	//go:embed sources.sql
	sourcesSQL string
	//go:embed compared.sql
	comparedSQL string
)

const stageSQL = `CREATE TEMPORARY TABLE lp_list (
	line bigint, name_key text COLLATE "C", state text COLLATE "C", name text, entity_type text, pension boolean, city text, country text,
	fund_key text COLLATE "C", fund_name text, gp_name text, vintage_year smallint,
	committed bigint, contributed bigint, distributed bigint, nav bigint, net_irr_percent double precision, multiple double precision, as_of date
) ON COMMIT DROP`

// sources returns the runs that brought the figures which a staged list replaces or follows.
func (s *store) sources(ctx context.Context) ([]int64, error) {
	return database.Values[int64](ctx, s.db, "look for the lists before", sourcesSQL, nil)
}

// compared counts the figures of a staged list that differ from those that they replace or follow.
func (s *store) compared(ctx context.Context) ([]peopleapi.ChangedFigures, error) {
	return database.Select[peopleapi.ChangedFigures](ctx, s.db, "compare the lists before", comparedSQL, nil)
}

// stage copies a list into a temporary table, and counts its rows.
func (s *store) stage(ctx context.Context, rows iter.Seq2[*peopleapi.Commitment, error]) (n int64, err error) {
	for _, statement := range []string{"DROP TABLE IF EXISTS pg_temp.lp_list, pg_temp.lp_list_lps", stageSQL} {
		if _, err := database.Run(ctx, s.db, "make the table of a list", statement, database.Args{}); err != nil {
			return 0, err
		}
	}
	next, stop := iter.Pull2(rows)
	defer stop()
	var fault error
	err = s.db.Conn(ctx, func(c *pgx.Conn) error {
		_, err := c.CopyFrom(ctx, pgx.Identifier{"pg_temp", "lp_list"}, staged, pgx.CopyFromFunc(func() ([]any, error) {
			row, err, ok := next()
			if !ok {
				return nil, nil
			}
			if err != nil {
				fault = err
				return nil, err
			}
			n++
			return values(n, row), nil
		}))
		return err
	})
	switch {
	case fault != nil:
		return 0, fault
	case err != nil:
		return 0, database.Failure("copy a list of commitments", err)
	}
	_, err = database.Run(ctx, s.db, "read the LPs of a list", stageLPsSQL, database.Args{})
	return n, err
}

func values(line int64, c *peopleapi.Commitment) []any {
	lp, fund := c.Keys()
	return []any{
		line, lp, c.State, c.LP, stated(c.EntityType), c.Pension, stated(c.City), stated(c.Country), fund, c.Fund, stated(c.Manager), c.Vintage,
		c.Committed, c.Contributed, c.Distributed, c.NAV, c.IRR, c.Multiple, c.AsOf,
	}
}

var (
	//go:embed update_lps.sql
	updateLPsSQL string
	//go:embed write.sql
	writeSQL string
	//go:embed figures.sql
	figuresSQL string
	//go:embed sum.sql
	sumSQL string
)

// By name, so that the IDs of a first load do not depend on the order of its rows.
const addLPsSQL = `INSERT INTO people.lps (name_key, state, name, entity_type, city, country, as_of, created_at)
SELECT name_key, state, name, coalesce(entity_type, CASE WHEN pension THEN 'pension' END), city, country, as_of, @now
FROM lp_list_lps n
WHERE NOT EXISTS (SELECT FROM people.lps l WHERE l.name_key = n.name_key AND l.state = n.state)
ORDER BY name_key, state`

const addInvestmentsSQL = `INSERT INTO people.lp_investments (lp_id, fund_key)
SELECT DISTINCT l.id, n.fund_key
FROM lp_list n
JOIN people.lps l USING (name_key, state)
WHERE NOT EXISTS (SELECT FROM people.lp_investments i WHERE i.lp_id = l.id AND i.fund_key = n.fund_key)
ORDER BY l.id, n.fund_key`

// merge updates what is stored from the list.
func (s *store) merge(ctx context.Context, list peopleapi.List, now time.Time) (peopleapi.ListResult, error) {
	var r peopleapi.ListResult
	args := database.Args{"now": now, "run_id": list.RunID, "lacks": slices.Sorted(slices.Values(list.Lacks))}
	for _, step := range []struct{ what, statement string }{
		{"add LPs", addLPsSQL}, {"update LPs", updateLPsSQL}, {"add investments", addInvestmentsSQL},
	} {
		if _, err := database.Run(ctx, s.db, step.what, step.statement, args); err != nil {
			return r, err
		}
	}
	rows, err := database.Select[peopleapi.ListResult](ctx, s.db, "write commitments", writeSQL, args)
	if err != nil {
		return r, err
	}
	r = rows[0]
	if r.New+r.Changed == 0 {
		return r, nil
	}
	for _, step := range []struct{ what, statement string }{
		{"keep the newest figures of investments", figuresSQL},
		{"sum the commitments of LPs", sumSQL},
		{"ask for matches", "DELETE FROM people.lp_matched"},
	} {
		if _, err := database.Run(ctx, s.db, step.what, step.statement, args); err != nil {
			return r, err
		}
	}
	return r, nil
}
