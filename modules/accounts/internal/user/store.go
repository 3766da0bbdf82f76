package user

import (
	"context"

	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// Store reads and writes accounts. Inside database.DB.InTx it is part of that transaction.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// FindByEmail finds an account by its address, deleted ones too; nil when there is none.
func (s *Store) FindByEmail(ctx context.Context, email string) (*User, error) {
	return s.find(ctx, false, "email_key = ?", Key(email))
}

// FindByID finds an account, deleted ones too; nil when there is none.
func (s *Store) FindByID(ctx context.Context, id int64) (*User, error) {
	return s.find(ctx, false, "id = ?", id)
}

// Lock finds an account and keeps others from changing it until the transaction ends.
func (s *Store) Lock(ctx context.Context, id int64) (*User, error) {
	return s.find(ctx, true, "id = ?", id)
}

func (s *Store) find(ctx context.Context, lock bool, where string, arg any) (*User, error) {
	tx := s.db.From(ctx)
	if lock {
		tx = tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	var rows []User
	if err := tx.Where(where, arg).Limit(1).Find(&rows).Error; err != nil {
		return nil, database.Failure("read an account", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // Find: may not be there
	}
	return &rows[0], nil
}

// Update writes the given columns of an account, by their names.
func (s *Store) Update(ctx context.Context, id int64, columns map[string]any) error {
	err := s.db.From(ctx).Model(&User{}).Where("id = ?", id).Updates(columns).Error
	return database.Failure("write an account", err)
}
