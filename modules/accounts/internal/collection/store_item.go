package collection

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// gp is what the catalogue tells of a GP.
type gp struct {
	LegalName string
	City      *string
	State     *string
}

// findGP finds a GP in the catalogue; nil for none.
func (s *store) findGP(ctx context.Context, crd string) (*gp, error) {
	var list []gp
	err := s.db.From(ctx).Raw("SELECT legal_name, nullif(city, '') AS city, nullif(state, '') AS state FROM catalog.pub_gp WHERE crd = ?", crd).
		Scan(&list).Error
	if err != nil || len(list) == 0 {
		return nil, database.Failure("look for a GP", err)
	}
	return &list[0], nil
}

// items reads a part of what is in a collection, the last added first.
func (s *store) items(ctx context.Context, id string, limit, offset int) ([]Item, error) {
	var found []struct {
		AdviserCRD string  `gorm:"column:adviser_crd"`
		GPName     *string `gorm:"column:gp_name"`
		City       *string
		State      *string
		AddedAt    time.Time
	}
	// The page is cut before the catalogue is asked, which then looks up its rows alone.
	err := s.db.From(ctx).Raw(`
		WITH part AS MATERIALIZED (
			SELECT * FROM accounts.collection_items WHERE collection_id = @id ORDER BY added_at DESC, adviser_crd LIMIT @limit OFFSET @offset)
		SELECT p.adviser_crd, g.legal_name AS gp_name, nullif(g.city, '') AS city, nullif(g.state, '') AS state, p.added_at
		FROM part p LEFT JOIN catalog.pub_gp g ON g.crd = p.adviser_crd
		ORDER BY p.added_at DESC, p.adviser_crd`, map[string]any{"id": id, "limit": limit, "offset": offset}).Scan(&found).Error
	items := make([]Item, len(found))
	for i, f := range found {
		items[i] = Item{CRD: f.AdviserCRD, GPName: f.GPName, City: f.City, State: f.State, AddedAt: f.AddedAt.UTC()}
	}
	return items, database.Failure("read a collection", err)
}

// holds says whether a GP is in a collection, and how many there are in it.
func (s *store) holds(ctx context.Context, id, crd string) (in bool, n int, err error) {
	var found struct {
		There bool
		N     int
	}
	err = s.db.From(ctx).Raw("SELECT coalesce(bool_or(adviser_crd = ?), false) AS there, count(*) AS n FROM accounts.collection_items WHERE collection_id = ?", crd, id).
		Scan(&found).Error
	return found.There, found.N, database.Failure("count what is in a collection", err)
}

// addItem stores what was looked for under the collection's lock.
func (s *store) addItem(ctx context.Context, r itemRow) error {
	return database.Failure("add to a collection", s.db.From(ctx).Create(&r).Error)
}

// removeItem removes a GP from a collection: it says whether it was there.
func (s *store) removeItem(ctx context.Context, id, crd string) (bool, error) {
	tx := s.db.From(ctx).Where("collection_id = ? AND adviser_crd = ?", id, crd).Delete(&itemRow{})
	return tx.RowsAffected == 1, database.Failure("remove from a collection", tx.Error)
}
