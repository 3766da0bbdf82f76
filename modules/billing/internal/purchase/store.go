package purchase

import (
	"context"
	_ "embed"

	"gpatlas/platform/database"
)

// store reads the ledger.
type store struct{ db *database.DB }

//go:embed totals.sql
var totalsSQL string

func (s *store) totals(ctx context.Context, f Filter) (Totals, error) {
	rows, err := database.Select[Totals](ctx, s.db, "add up purchases", totalsSQL, database.Args{"user": f.UserID, "crd": f.CRD, "month": f.Month})
	if err != nil {
		return Totals{}, err
	}
	return rows[0], nil
}

//go:embed list.sql
var listSQL string

func (s *store) list(ctx context.Context, f Filter, limit, offset int) ([]Purchase, error) {
	args := database.Args{"user": f.UserID, "crd": f.CRD, "month": f.Month, "limit": limit, "offset": offset}
	list, err := database.Select[Purchase](ctx, s.db, "read purchases", listSQL, args)
	for i := range list {
		list[i].CreatedAt = list[i].CreatedAt.UTC()
	}
	return list, err
}
