package apikey

import (
	"context"
	"encoding/hex"
	"time"

	"gpatlas/modules/keys/internal/secret"
	"gpatlas/platform/database"
)

// row is a row of keys.api_keys. The secret itself is in no column.
type row struct {
	ID         string     `gorm:"column:id;primaryKey"`
	UserID     int64      `gorm:"column:user_id"`
	Name       string     `gorm:"column:name"`
	Tier       string     `gorm:"column:tier"`
	Mode       string     `gorm:"column:mode"`
	Hash       []byte     `gorm:"column:hash"`
	LastFour   string     `gorm:"column:last_four"`
	CreatedAt  time.Time  `gorm:"column:created_at"`
	RevokedAt  *time.Time `gorm:"column:revoked_at"`
	LastUsedAt *time.Time `gorm:"column:last_used_at"`
}

// TableName is where keys stand.
func (row) TableName() string { return "keys.api_keys" }

// Models are the structures that mirror tables, for the test that compares the two.
func Models() []any { return []any{row{}} }

// Store reads and writes keys. Inside database.DB.InTx it is part of that transaction.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// owner is what accounts tells of an account.
type owner struct {
	APITier       string
	EmailVerified bool
}

// findOwner finds the account; nil for none, or a deleted one.
func (s *Store) findOwner(ctx context.Context, userID int64) (*owner, error) {
	var list []owner
	err := s.db.From(ctx).Raw("SELECT api_tier, email_verified FROM accounts.pub_account WHERE id = ?", userID).Scan(&list).Error
	if err != nil || len(list) == 0 {
		return nil, database.Failure("read the account of a key", err)
	}
	return &list[0], nil
}

// add stores a key, unless the account has as many as it may: it says whether it did. Additions of one account wait for
// each other.
func (s *Store) add(ctx context.Context, r row) (added bool, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.db.From(ctx).Exec("SELECT pg_advisory_xact_lock(hashtextextended('keys.api_keys', ?))", r.UserID).Error; err != nil {
			return err
		}
		var active int64
		if err := s.db.From(ctx).Model(&row{}).Where("user_id = ? AND revoked_at IS NULL", r.UserID).Count(&active).Error; err != nil {
			return err
		}
		if added = active < ActiveMax; !added {
			return nil
		}
		return s.db.From(ctx).Create(&r).Error
	})
	return added, err
}

// list reads the account's keys, the newest first.
func (s *Store) list(ctx context.Context, userID int64, revoked bool) (rows []row, err error) {
	tx := s.db.From(ctx).Where("user_id = ?", userID)
	if !revoked {
		tx = tx.Where("revoked_at IS NULL")
	}
	err = tx.Order("revoked_at IS NOT NULL, created_at DESC, id").Limit(listMax).Find(&rows).Error
	return rows, database.Failure("read API keys", err)
}

// find reads one of the account's keys; nil for none.
func (s *Store) find(ctx context.Context, userID int64, id string) (*row, error) {
	var rows []row
	err := s.db.From(ctx).Where("id = ? AND user_id = ?", id, userID).Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, database.Failure("read an API key", err)
	}
	return &rows[0], nil
}

// rename names one of the account's keys and gives it back; nil for none.
func (s *Store) rename(ctx context.Context, userID int64, id, name string) (*row, error) {
	var rows []row
	err := s.db.From(ctx).Raw("UPDATE keys.api_keys SET name = ? WHERE id = ? AND user_id = ? RETURNING *", name, id, userID).Scan(&rows).Error
	if err != nil || len(rows) == 0 {
		return nil, database.Failure("name an API key", err)
	}
	return &rows[0], nil
}

// revoke revokes one of the account's keys, or all of them where id is "", and announces each to every process when the
// transaction commits. It gives the hashes of those that were active.
func (s *Store) revoke(ctx context.Context, userID int64, id string, now time.Time) ([]secret.Hash, error) {
	return s.drop(ctx, "revoke API keys", "UPDATE keys.api_keys SET revoked_at = @now WHERE user_id = @user"+
		" AND (@id = '' OR id::text = @id) AND revoked_at IS NULL RETURNING hash", map[string]any{"now": now, "user": userID, "id": id})
}

// purge removes what is kept about a person's keys and what they did.
func (s *Store) purge(ctx context.Context, userID int64) (hashes []secret.Hash, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		for _, table := range []string{"keys.usage_minutes", "keys.usage_days"} {
			err := s.db.From(ctx).Exec("DELETE FROM "+table+" WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = ?)", userID).Error
			if err != nil {
				return database.Failure("remove the usage of an account", err)
			}
		}
		if err := s.db.From(ctx).Exec("DELETE FROM keys.free_calls WHERE user_id = ?", userID).Error; err != nil {
			return database.Failure("remove the free calls of an account", err)
		}
		hashes, err = s.drop(ctx, "remove API keys", "DELETE FROM keys.api_keys WHERE user_id = @user RETURNING hash", map[string]any{"user": userID})
		return err
	})
	return hashes, err
}

// drop runs a statement that ends keys, and announces them.
func (s *Store) drop(ctx context.Context, what, statement string, args map[string]any) (hashes []secret.Hash, err error) {
	var list []struct{ Hash string }
	err = s.db.From(ctx).Raw("WITH ended AS ("+statement+") SELECT encode(hash, 'hex') AS hash, pg_notify('"+RevokedChannel+
		"', encode(hash, 'hex')) FROM ended", args).Scan(&list).Error
	if err != nil {
		return nil, database.Failure(what, err)
	}
	for _, ended := range list {
		if h, ok := parseHash(ended.Hash); ok {
			hashes = append(hashes, h)
		}
	}
	return hashes, nil
}

func parseHash(text string) (h secret.Hash, ok bool) {
	sum, err := hex.DecodeString(text)
	return h, err == nil && copy(h[:], sum) == len(h) && len(sum) == len(h)
}

// identity is a key with what its account has at the moment.
type identity struct {
	ID               string
	UserID           int64
	Tier             string
	Mode             string
	SubscriptionPlan string
	APITier          string
	TrialEndsAt      *time.Time
	IsAdmin          bool
}

// identify finds the key of a hash; nil for one that does not exist, was revoked, or is a deleted account's.
func (s *Store) identify(ctx context.Context, hash secret.Hash) (*identity, error) {
	var list []identity
	err := s.db.From(ctx).Raw(`SELECT k.id, k.user_id, k.tier, k.mode, a.subscription_plan, a.api_tier, a.trial_ends_at, a.is_admin
		FROM keys.api_keys k JOIN accounts.pub_account a ON a.id = k.user_id
		WHERE k.hash = ? AND k.revoked_at IS NULL`, hash[:]).Scan(&list).Error
	if err != nil || len(list) == 0 {
		return nil, database.Failure("look an API key up", err)
	}
	return &list[0], nil
}
