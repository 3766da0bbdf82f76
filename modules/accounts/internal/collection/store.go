package collection

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"gpatlas/platform/database"
)

// row is a row of accounts.collections.
type row struct {
	ID          string    `gorm:"column:id;primaryKey"`
	UserID      int64     `gorm:"column:user_id"`
	Name        string    `gorm:"column:name"`
	NameKey     string    `gorm:"column:name_key"`
	Description *string   `gorm:"column:description"`
	CreatedAt   time.Time `gorm:"column:created_at"`
	UpdatedAt   time.Time `gorm:"column:updated_at"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "accounts.collections" }

// itemRow is a row of accounts.collection_items.
type itemRow struct {
	CollectionID string    `gorm:"column:collection_id;primaryKey"`
	AdviserCRD   string    `gorm:"column:adviser_crd;primaryKey"`
	AddedAt      time.Time `gorm:"column:added_at"`
}

// TableName is the table with its schema.
func (itemRow) TableName() string { return "accounts.collection_items" }

// store reads and writes collections. Inside database.DB.InTx it is part of that transaction.
type store struct{ db *database.DB }

// lockAccount keeps others from creating collections of the account until the transaction ends, and reports whether the account
// exists.
func (s *store) lockAccount(ctx context.Context, userID int64) (bool, error) {
	const statement = "SELECT FROM accounts.users WHERE id = @user AND deleted_at IS NULL FOR NO KEY UPDATE"
	locked, err := database.Run(ctx, s.db, "lock an account", statement, database.Args{"user": userID})
	return locked == 1, err
}

func (s *store) count(ctx context.Context, userID int64) (int, error) {
	var n int64
	err := s.db.From(ctx).Model(&row{}).Where("user_id = ?", userID).Count(&n).Error
	return int(n), database.Failure("count collections", err)
}

func (s *store) insert(ctx context.Context, r row) error {
	return failure("make a collection", s.db.From(ctx).Create(&r).Error)
}

// failure is database.Failure, with its own error for a taken name.
func failure(what string, err error) error {
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return errTaken
	}
	return database.Failure(what, err)
}

const listSQL = `SELECT c.id, c.name, c.description, c.created_at, c.updated_at,
	(SELECT count(*) FROM accounts.collection_items i WHERE i.collection_id = c.id) AS item_count
FROM accounts.collections c
WHERE c.user_id = @user AND (@id = '' OR c.id = nullif(@id, '')::uuid)
ORDER BY c.created_at DESC, c.id`

// list reads the collections of a person, the newest first: all of them, or the one of an id that is not "".
func (s *store) list(ctx context.Context, userID int64, id string) ([]Collection, error) {
	list, err := database.Select[Collection](ctx, s.db, "read collections", listSQL, database.Args{"user": userID, "id": id})
	for i := range list {
		list[i].CreatedAt, list[i].UpdatedAt = list[i].CreatedAt.UTC(), list[i].UpdatedAt.UTC()
	}
	return list, err
}

func rowToCollection(r row, items int) Collection {
	return Collection{
		ID: r.ID, Name: r.Name, Description: r.Description, ItemCount: items, CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

// update writes columns of one of the person's collections, locks it until the transaction ends, and reports whether it exists.
func (s *store) update(ctx context.Context, userID int64, id string, columns map[string]any) (bool, error) {
	tx := s.db.From(ctx).Model(&row{}).Where("id = ? AND user_id = ?", id, userID).Updates(columns)
	return tx.RowsAffected == 1, failure("change a collection", tx.Error)
}

// remove removes one of the person's collections, and reports whether it existed.
func (s *store) remove(ctx context.Context, userID int64, id string) (bool, error) {
	tx := s.db.From(ctx).Where("id = ? AND user_id = ?", id, userID).Delete(&row{})
	return tx.RowsAffected == 1, database.Failure("delete a collection", tx.Error)
}
