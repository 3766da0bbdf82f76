package mailtoken

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// Row is a row of accounts.mail_tokens.
type Row struct {
	Hash      []byte     `gorm:"column:hash;primaryKey"`
	UserID    int64      `gorm:"column:user_id"`
	Purpose   string     `gorm:"column:purpose"`
	EmailKey  string     `gorm:"column:email_key"`
	IssuedAt  time.Time  `gorm:"column:issued_at"`
	ExpiresAt time.Time  `gorm:"column:expires_at"`
	UsedAt    *time.Time `gorm:"column:used_at"`
}

// TableName is the table with its schema.
func (Row) TableName() string { return "accounts.mail_tokens" }

// Store keeps the hashes of tokens. Inside database.DB.InTx it is part of that transaction.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// End ends the unused tokens of an account for a purpose.
func (s *Store) End(ctx context.Context, userID int64, purpose Purpose, now time.Time) error {
	err := s.db.From(ctx).Model(&Row{}).Where("user_id = ? AND purpose = ? AND used_at IS NULL AND expires_at > ?", userID, string(purpose), now).
		Update("expires_at", now).Error
	return database.Failure("end mailed tokens", err)
}

// Use marks a token as used; false if it was used before or has expired. Of concurrent calls one succeeds.
func (s *Store) Use(ctx context.Context, row *Row, now time.Time) (bool, error) {
	result := s.db.From(ctx).Model(&Row{}).Where("hash = ? AND used_at IS NULL AND expires_at > ?", row.Hash, now).Update("used_at", now)
	return result.RowsAffected == 1, database.Failure("use a mailed token", result.Error)
}

// List returns all tokens of an account, oldest first.
func (s *Store) List(ctx context.Context, userID int64) ([]Row, error) {
	var rows []Row
	err := s.db.From(ctx).Where("user_id = ?", userID).Order("issued_at, hash").Find(&rows).Error
	return rows, database.Failure("read mailed tokens", err)
}

func (s *Store) add(ctx context.Context, row *Row) error {
	return database.Failure("write a mailed token", s.db.From(ctx).Create(row).Error)
}

func (s *Store) find(ctx context.Context, purpose Purpose, hash []byte) (*Row, error) {
	var rows []Row
	if err := s.db.From(ctx).Where("hash = ? AND purpose = ?", hash, string(purpose)).Limit(1).Find(&rows).Error; err != nil {
		return nil, database.Failure("read a mailed token", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // may not be there
	}
	return &rows[0], nil
}

func (s *Store) sweep(ctx context.Context, before time.Time) (int64, error) {
	result := s.db.From(ctx).Where("expires_at < ?", before).Delete(&Row{})
	return result.RowsAffected, database.Failure("sweep mailed tokens", result.Error)
}
