package lp

import (
	"context"
	_ "embed"
	"iter"
	"slices"
	"strings"
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
	//go:embed compared.sql
	comparedSQL string
	//go:embed renamed.sql
	renamedSQL string
	//go:embed moved_funds.sql
	movedFundsSQL string
	//go:embed taken_back.sql
	takenBackSQL string
)

const stageSQL = `CREATE TEMPORARY TABLE lp_list (
	line bigint, name_key text COLLATE "C", state text COLLATE "C", name text, entity_type text, pension boolean, city text, country text,
	fund_key text COLLATE "C", fund_name text, gp_name text, vintage_year smallint,
	committed bigint, contributed bigint, distributed bigint, nav bigint, net_irr_percent double precision, multiple double precision, as_of date
) ON COMMIT DROP`

// before is the rows n of a staged list with the figures c of the same investment, of the list's day and of all days before it.
var before = strings.NewReplacer("{{before}}", `lp_list n
	JOIN people.lps l USING (name_key, state)
	JOIN people.lp_investments i ON i.lp_id = l.id AND i.fund_key = n.fund_key
	JOIN people.lp_commitments c ON c.investment_id = i.id AND c.as_of <= n.as_of`)

var sourcesSQL = before.Replace(`SELECT run_id FROM (SELECT DISTINCT ON (i.id) c.run_id FROM {{before}} ORDER BY i.id, c.as_of DESC) x
GROUP BY run_id ORDER BY count(*) DESC, run_id DESC`)

// sources returns the runs that brought the figures which a staged list replaces or follows.
func (s *store) sources(ctx context.Context) ([]int64, error) {
	return database.Values[int64](ctx, s.db, "look for the lists before", sourcesSQL, nil)
}

// compared counts the figures of a staged list that differ from those that they replace or follow.
func (s *store) compared(ctx context.Context) ([]peopleapi.ChangedFigures, error) {
	return database.Select[peopleapi.ChangedFigures](ctx, s.db, "compare the lists before", before.Replace(comparedSQL), nil)
}

// renamed returns the LPs that a staged list lacks, most of whose commitments it has under another name or state.
func (s *store) renamed(ctx context.Context) ([]peopleapi.Renamed, error) {
	return database.Select[peopleapi.Renamed](ctx, s.db, "look for renamed LPs", renamedSQL, nil)
}

// movedFunds returns the funds that a staged list lacks and may have under another name of the same LP.
func (s *store) movedFunds(ctx context.Context) ([]peopleapi.RenamedFund, error) {
	return database.Select[peopleapi.RenamedFund](ctx, s.db, "look for renamed funds", movedFundsSQL, nil)
}

const lackingSQL = `SELECT l.name AS lp, l.state, b.fund_name AS fund, b.as_of::text AS as_of, b.shared AS restored
FROM lp_taken_back b JOIN people.lps l ON l.id = b.lp_id
WHERE NOT b.listed
ORDER BY l.name_key, l.state, b.fund_name, b.as_of`

// takenBack finds what earlier documents of its name brought of a staged list, and what of it the list lacks.
func (s *store) takenBack(ctx context.Context, list peopleapi.List) (brought int64, lacking []peopleapi.TakenBack, err error) {
	brought, err = database.Run(ctx, s.db, "look for what earlier lists brought", takenBackSQL, database.Args{"before": list.Before, "dated": list.Dated})
	if err != nil {
		return 0, nil, err
	}
	if lacking, err = database.Select[peopleapi.TakenBack](ctx, s.db, "read what a list lacks", lackingSQL, nil); len(lacking) == 0 {
		lacking = nil
	}
	return brought, lacking, err
}

// keep lets what a list lacks stay.
func (s *store) keep(ctx context.Context) error {
	_, err := database.Run(ctx, s.db, "keep what a list lacks", "DELETE FROM lp_taken_back WHERE NOT listed", database.Args{})
	return err
}

// stage copies a list into a temporary table, and counts its rows.
func (s *store) stage(ctx context.Context, rows iter.Seq2[*peopleapi.Commitment, error]) (n int64, err error) {
	for _, statement := range []string{"DROP TABLE IF EXISTS pg_temp.lp_list, pg_temp.lp_list_lps, pg_temp.lp_taken_back, pg_temp.lp_touched", stageSQL} {
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
	if _, err = database.Run(ctx, s.db, "read the LPs of a list", stageLPsSQL, database.Args{}); err != nil {
		return 0, err
	}
	return n, s.unify(ctx)
}

func values(line int64, c *peopleapi.Commitment) []any {
	lp, fund := c.Keys()
	return []any{
		line, lp, c.State, c.LP, stated(c.EntityType), c.Pension, stated(c.City), stated(c.Country), fund, c.Fund, stated(c.Manager), c.Vintage,
		c.Committed, c.Contributed, c.Distributed, c.NAV, c.IRR, c.Multiple, c.AsOf,
	}
}

var (
	//go:embed touch.sql
	touchSQL string
	//go:embed list_lps.sql
	listLPsSQL string
	//go:embed update_lps.sql
	updateLPsSQL string
	//go:embed write.sql
	writeSQL string
	//go:embed state.sql
	stateSQL string
	//go:embed figures.sql
	figuresSQL string
	//go:embed sum.sql
	sumSQL string
)

// By name, so that the IDs of a first load do not depend on the order of its rows.
const addLPsSQL = `INSERT INTO people.lps (name_key, state, name, as_of, created_at)
SELECT name_key, state, min(name), max(as_of), @now
FROM lp_list_lps n
WHERE NOT EXISTS (SELECT FROM people.lps l WHERE l.name_key = n.name_key AND l.state = n.state)
GROUP BY name_key, state
ORDER BY name_key, state`

const addInvestmentsSQL = `INSERT INTO people.lp_investments (lp_id, fund_key)
SELECT DISTINCT l.id, n.fund_key
FROM lp_list n
JOIN people.lps l USING (name_key, state)
WHERE NOT EXISTS (SELECT FROM people.lp_investments i WHERE i.lp_id = l.id AND i.fund_key = n.fund_key)
ORDER BY l.id, n.fund_key`

// LPs and investments without figures stay, so that they keep their IDs if a list names them again. No response shows them.
const withoutFiguresSQL = `WITH removed AS (
	DELETE FROM people.lp_figures f USING lp_touched t
	WHERE f.investment_id = t.investment_id AND NOT EXISTS (SELECT FROM people.lp_commitments c WHERE c.investment_id = t.investment_id)
	RETURNING f.investment_id
)
INSERT INTO people.lp_changed SELECT investment_id FROM removed ON CONFLICT DO NOTHING`

// merge updates what is stored from the list. lacking is taken back.
func (s *store) merge(ctx context.Context, list peopleapi.List, now time.Time, lacking []peopleapi.TakenBack) (peopleapi.ListResult, error) {
	var r peopleapi.ListResult
	args := database.Args{"now": now, "run_id": list.RunID, "before": list.Before, "dated": list.Dated, "lacks": slices.Sorted(slices.Values(list.Lacks))}
	if err := s.steps(ctx, args, []step{
		{"add LPs", addLPsSQL},
		{"add investments", addInvestmentsSQL},
		{"note the investments of a list", touchSQL},
		{"keep what a list states", stateSQL},
	}); err != nil {
		return r, err
	}
	rows, err := database.Select[peopleapi.ListResult](ctx, s.db, "write commitments", writeSQL, args)
	if err != nil {
		return r, err
	}
	r = rows[0]
	r.TakenBack = lacking
	if err := s.steps(ctx, args, []step{
		{"write what a list states of LPs", listLPsSQL},
		{"forget what is not stated of LPs any more", forgetLPsSQL},
		{"update LPs", updateLPsSQL},
	}); err != nil {
		return r, err
	}
	if r.New+r.Changed == 0 && len(lacking) == 0 {
		return r, nil
	}
	return r, s.steps(ctx, args, []step{
		{"keep the newest figures of investments", figuresSQL},
		{"remove the figures of investments", withoutFiguresSQL},
		{"sum the commitments of LPs", sumSQL},
		{"ask for matches", "DELETE FROM people.lp_matched"},
	})
}

// forgetLPsSQL deletes what a list states of an LP (type, city, country) on a day, if the list has no commitments of the LP on that day any more.
const forgetLPsSQL = `DELETE FROM people.lp_listings k
WHERE k.lp_id IN (SELECT lp_id FROM lp_touched) AND NOT EXISTS (
	SELECT FROM people.lp_investments i
	JOIN people.lp_statements s ON s.investment_id = i.id
	WHERE i.lp_id = k.lp_id AND s.as_of = k.as_of AND s.run_id = k.run_id)`

type step struct{ what, statement string }

func (s *store) steps(ctx context.Context, args database.Args, steps []step) error {
	for _, step := range steps {
		if _, err := database.Run(ctx, s.db, step.what, step.statement, args); err != nil {
			return err
		}
	}
	return nil
}
