package provider

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"gpatlas/platform/database"
)

//go:embed changes.sql
var changesSQL string

// filedChange is a change as a load keeps it, with the ids of names.
type filedChange struct {
	CRD, LegalName, Accession string
	Seq                       int
	FilingDate                time.Time
	Role                      int
	Before, After             []int32
	Changed, FundsInFiling    int
}

// changes reads the next changes.
func (s *Service) changes(ctx context.Context, q *changesQuery, after *changePlace, limit int) ([]filedChange, error) {
	args := database.Args{
		"from": q.from, "to": q.to, "roles": q.roles, "crds": q.crds, "states": q.states, "strategies": q.strategies, "names": q.names, "limit": limit,
	}
	var where string
	also := func(asked bool, condition string) {
		if asked {
			where += " AND " + condition
		}
	}
	also(q.roles != nil, "c.role = ANY (@roles)")
	also(q.crds != nil, "c.crd = ANY (@crds)")
	also(q.states != nil, "upper(a.state) = ANY (@states)")
	also(q.strategies != nil, "EXISTS (SELECT FROM catalog.funds f WHERE f.fund_id = ANY (c.funds) AND f.strategy = ANY (@strategies))")
	also(q.providers != nil, "(c.before && @names::integer[] OR c.after && @names::integer[])")
	if after != nil {
		args["day"], args["accession"], args["seq"] = after.day, after.accession, after.seq
		also(true, "(c.filing_date, c.accession, c.seq) < (@day, @accession, @seq)")
	}
	return database.Select[filedChange](ctx, s.db, "read changes of providers", strings.Replace(changesSQL, "{{where}}", where, 1), args)
}
