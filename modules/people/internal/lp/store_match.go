package lp

import (
	"context"
	_ "embed"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/changes"
	"gpatlas/platform/database"
)

var (
	//go:embed set_matches.sql
	setMatchesSQL string
	//go:embed changed.sql
	changedSQL string
)

const wantedSQL = `SELECT i.id, f.fund_name AS fund, coalesce(f.gp_name, '') AS manager
FROM people.lp_investments i
JOIN people.lp_figures f ON f.investment_id = i.id
ORDER BY i.id`

const dueSQL = `SELECT p.seq AS publication,
	NOT EXISTS (SELECT FROM people.lp_matched m WHERE m.publication = p.seq) AND EXISTS (SELECT FROM people.lp_figures) AS due
FROM catalog.pub_publication p`

const matchedSQL = `INSERT INTO people.lp_matched (publication) VALUES (@publication)
ON CONFLICT (only_row) DO UPDATE SET publication = excluded.publication`

const firmsSQL = `SELECT crd, canonical_gp_id, legal_name, coalesce(business_name, ''), coalesce(fund_count, 0) > 0
FROM catalog.pub_gp`

// due reports whether matching is due: the catalog has changed since the last one, or some investments were never matched.
func (s *store) due(ctx context.Context) (publication int64, due bool, err error) {
	type state struct {
		Publication int64
		Due         bool
	}
	rows, err := database.Select[state](ctx, s.db, "look whether investments are to be matched", dueSQL, database.Args{})
	if err != nil {
		return 0, false, err
	}
	return rows[0].Publication, rows[0].Due, nil
}

const noteBeforeSQL = `CREATE TEMPORARY TABLE lp_before ON COMMIT DROP AS SELECT id, match_crd, match_fund_id FROM people.lp_investments`

// noteBefore records the matches, for logChanges.
func (s *store) noteBefore(ctx context.Context) error {
	return s.steps(ctx, nil, []step{{"note the matches before", noteBeforeSQL}})
}

// logChanges appends an event for each fund whose commitments have changed. It is the last write of a matching: a list is loaded in a transaction of
// others, which may take the lock of loads after it.
func (s *store) logChanges(ctx context.Context) error {
	if _, err := changes.AppendQuery(ctx, s.db, changedSQL, database.Args{"kind": catalogapi.ChangeCommitment}); err != nil {
		return err
	}
	return s.steps(ctx, nil, []step{{"forget which commitments have changed", "DELETE FROM people.lp_changed"}})
}

// matched records the catalog's position up to which investments were matched.
func (s *store) matched(ctx context.Context, publication int64) error {
	_, err := database.Run(ctx, s.db, "note that investments were matched", matchedSQL, database.Args{"publication": publication})
	return err
}

func (s *store) wanted(ctx context.Context) ([]wanted, error) {
	type row struct {
		ID            int64
		Fund, Manager string
	}
	rows, err := database.Select[row](ctx, s.db, "read the investments of LPs", wantedSQL, database.Args{})
	if err != nil {
		return nil, err
	}
	list := make([]wanted, len(rows))
	for i, r := range rows {
		list[i] = wanted{ID: r.ID, Fund: r.Fund, Manager: r.Manager}
	}
	return list, nil
}

// eachFirm goes through the advisers of the catalog.
func (s *store) eachFirm(ctx context.Context, fn func(crd string, canonical int64, legal, business string, funds bool)) error {
	err := s.db.Conn(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, firmsSQL)
		if err != nil {
			return err
		}
		var crd, legal, business string
		var canonical int64
		var funds bool
		_, err = pgx.ForEachRow(rows, []any{&crd, &canonical, &legal, &business, &funds}, func() error {
			fn(crd, canonical, legal, business, funds)
			return nil
		})
		return err
	})
	return database.Failure("read the names of advisers", err)
}

// eachFund goes through the funds of the catalog.
func (s *store) eachFund(ctx context.Context, fn func(fundID, crd, name string)) error {
	const statement = "SELECT coalesce(fund_id, ''), adviser_crd, name FROM catalog.pub_fund"
	err := s.db.Conn(ctx, func(c *pgx.Conn) error {
		rows, err := c.Query(ctx, statement)
		if err != nil {
			return err
		}
		var fundID, crd, name string
		_, err = pgx.ForEachRow(rows, []any{&fundID, &crd, &name}, func() error {
			fn(fundID, crd, name)
			return nil
		})
		return err
	})
	return database.Failure("read the names of funds", err)
}

// setMatches writes the matches that changed, and returns how many did.
func (s *store) setMatches(ctx context.Context, list []wanted, found []match) (int64, error) {
	ids, methods, crds := make([]int64, len(list)), make([]string, len(list)), make([]string, len(list))
	funds, confidences := make([]string, len(list)), make([]float64, len(list))
	for i, m := range found {
		ids[i], methods[i], crds[i], funds[i], confidences[i] = list[i].ID, m.Method, m.CRD, m.FundID, m.Confidence
	}
	args := database.Args{"ids": ids, "methods": methods, "crds": crds, "funds": funds, "confidences": confidences, "operator": byOperator}
	return database.Run(ctx, s.db, "write the matches of investments", setMatchesSQL, args)
}
