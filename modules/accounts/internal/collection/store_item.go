package collection

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// gp is a GP's catalog data.
type gp struct {
	LegalName string
	City      *string
	State     *string
}

// findGP finds a GP in the catalog; nil for none.
func (s *store) findGP(ctx context.Context, crd string) (*gp, error) {
	const statement = "SELECT legal_name, nullif(city, '') AS city, nullif(state, '') AS state FROM catalog.pub_gp WHERE crd = @crd"
	list, err := database.Select[gp](ctx, s.db, "look for a GP", statement, database.Args{"crd": crd})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// The page is selected first, so that the catalog is read only for its rows.
const itemsSQL = `WITH part AS MATERIALIZED (
	SELECT * FROM accounts.collection_items WHERE collection_id = @id ORDER BY added_at DESC, adviser_crd LIMIT @limit OFFSET @offset
)
SELECT p.adviser_crd AS crd, g.legal_name AS gp_name, nullif(g.city, '') AS city, nullif(g.state, '') AS state, p.added_at
FROM part p LEFT JOIN catalog.pub_gp g ON g.crd = p.adviser_crd
ORDER BY p.added_at DESC, p.adviser_crd`

// items reads a page of a collection's items, the last added first.
func (s *store) items(ctx context.Context, id string, limit, offset int) ([]Item, error) {
	args := database.Args{"id": id, "limit": limit, "offset": offset}
	items, err := database.Select[Item](ctx, s.db, "read a collection", itemsSQL, args)
	for i := range items {
		items[i].AddedAt = items[i].AddedAt.UTC()
	}
	return items, err
}

const holdsSQL = `SELECT coalesce(bool_or(adviser_crd = @crd), false) AS there, count(*) AS n
FROM accounts.collection_items
WHERE collection_id = @id`

// holds reports whether a GP is in a collection, and how many items the collection has.
func (s *store) holds(ctx context.Context, id, crd string) (in bool, n int, err error) {
	type membership struct {
		There bool
		N     int
	}
	found, err := database.Select[membership](ctx, s.db, "count what is in a collection", holdsSQL, database.Args{"id": id, "crd": crd})
	if err != nil {
		return false, 0, err
	}
	return found[0].There, found[0].N, nil
}

// addItem stores an item. The caller must hold the collection's lock since its checks.
func (s *store) addItem(ctx context.Context, r itemRow) error {
	return database.Failure("add to a collection", s.db.From(ctx).Create(&r).Error)
}

const addItemsSQL = `INSERT INTO accounts.collection_items (collection_id, adviser_crd, added_at)
SELECT @id, crd, @at FROM unnest(@crds::text[]) crd
ON CONFLICT DO NOTHING
RETURNING adviser_crd`

// addItems stores the GPs that are not in a collection yet, and returns them. The caller must hold the collection's lock.
func (s *store) addItems(ctx context.Context, id string, crds []string, at time.Time) ([]string, error) {
	return database.Values[string](ctx, s.db, "add to a collection", addItemsSQL, database.Args{"id": id, "crds": crds, "at": at})
}

// size counts the GPs in a collection.
func (s *store) size(ctx context.Context, id string) (int, error) {
	var n int64
	err := s.db.From(ctx).Model(&itemRow{}).Where("collection_id = ?", id).Count(&n).Error
	return int(n), database.Failure("count what is in a collection", err)
}

// removeItem removes a GP from a collection, and reports whether it was there.
func (s *store) removeItem(ctx context.Context, id, crd string) (bool, error) {
	tx := s.db.From(ctx).Where("collection_id = ? AND adviser_crd = ?", id, crd).Delete(&itemRow{})
	return tx.RowsAffected == 1, database.Failure("remove from a collection", tx.Error)
}
