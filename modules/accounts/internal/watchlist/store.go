package watchlist

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// row is a row of accounts.watchlist_items.
type row struct {
	ID            string    `gorm:"column:id;primaryKey"`
	UserID        int64     `gorm:"column:user_id"`
	AdviserCRD    string    `gorm:"column:adviser_crd"`
	CanonicalGPID int64     `gorm:"column:canonical_gp_id"`
	AlertEnabled  bool      `gorm:"column:alert_enabled"`
	CreatedAt     time.Time `gorm:"column:created_at"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "accounts.watchlist_items" }

// store reads and writes watchlists.
type store struct{ db *database.DB }

// gp is a GP's catalog data.
type gp struct {
	CanonicalGPID int64
	LegalName     string
	City          *string
	State         *string
}

const gpSQL = `SELECT canonical_gp_id, legal_name, nullif(city, '') AS city, nullif(state, '') AS state
FROM catalog.pub_gp
WHERE crd = @crd`

// findGP finds a GP in the catalog; nil for none.
func (s *store) findGP(ctx context.Context, crd string) (*gp, error) {
	list, err := database.Select[gp](ctx, s.db, "look for a GP", gpSQL, database.Args{"crd": crd})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// add stores an item, unless the GP is on the watchlist, and reports whether it did.
func (s *store) add(ctx context.Context, r row) (bool, error) {
	tx := s.db.From(ctx).Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "user_id"}, {Name: "adviser_crd"}}, DoNothing: true}).Create(&r)
	if errors.Is(tx.Error, gorm.ErrForeignKeyViolated) { // the account was purged meanwhile
		return false, errGone
	}
	return tx.RowsAffected == 1, database.Failure("add a watchlist item", tx.Error)
}

// foreignKeyViolated is the code of PostgreSQL.
const foreignKeyViolated = "23503"

// Rows are stored in one order, so that two requests at a time cannot wait for one another.
const addManySQL = `INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, alert_enabled, created_at)
SELECT gen_random_uuid(), @user, crd, canonical_gp_id, true, @at
FROM catalog.pub_gp WHERE crd = ANY (@crds) ORDER BY crd COLLATE "C"
ON CONFLICT (user_id, adviser_crd) DO NOTHING
RETURNING adviser_crd`

// addMany stores the GPs that are not on the watchlist yet, and returns them.
func (s *store) addMany(ctx context.Context, userID int64, crds []string, at time.Time) ([]string, error) {
	added, err := database.Values[string](ctx, s.db, "add watchlist items", addManySQL, database.Args{"user": userID, "crds": crds, "at": at})
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == foreignKeyViolated { // the account was purged meanwhile
		return nil, errGone
	}
	return added, err
}

func (s *store) count(ctx context.Context, userID int64, crd string) (int, error) {
	var n int64
	err := s.db.From(ctx).Model(&row{}).Where("user_id = ? AND ? IN ('', adviser_crd)", userID, crd).Count(&n).Error
	return int(n), database.Failure("count watchlist items", err)
}

// The page is selected first, so that the catalog is read only for its rows.
const listSQL = `WITH part AS MATERIALIZED (
	SELECT * FROM accounts.watchlist_items WHERE user_id = @user AND @crd IN ('', adviser_crd) ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset
)
SELECT p.id, p.adviser_crd, coalesce(g.canonical_gp_id, p.canonical_gp_id) AS canonical_gp_id, p.alert_enabled, p.created_at,
	g.legal_name AS gp_name, nullif(g.city, '') AS city, nullif(g.state, '') AS state
FROM part p LEFT JOIN catalog.pub_gp g ON g.crd = p.adviser_crd
ORDER BY p.created_at DESC, p.id`

// list reads a page of a watchlist, the newest items first; without a limit, all remaining ones.
func (s *store) list(ctx context.Context, userID int64, crd string, limit *int, offset int) ([]Item, error) {
	args := database.Args{"user": userID, "crd": crd, "limit": limit, "offset": offset}
	items, err := database.Select[Item](ctx, s.db, "read a watchlist", listSQL, args)
	for i := range items {
		items[i].CreatedAt = items[i].CreatedAt.UTC()
	}
	return items, err
}

// remove removes one of the person's items, and reports whether it existed.
func (s *store) remove(ctx context.Context, userID int64, id string) (bool, error) {
	tx := s.db.From(ctx).Where("id = ? AND user_id = ?", id, userID).Delete(&row{})
	return tx.RowsAffected == 1, database.Failure("remove a watchlist item", tx.Error)
}
