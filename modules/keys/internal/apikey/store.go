package apikey

import (
	"context"
	"encoding/hex"
	"time"

	"gorm.io/gorm/clause"

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
	CountedAs  *string    `gorm:"column:counted_as"` // see auth.Principal
}

// TableName is the table with its schema.
func (row) TableName() string { return "keys.api_keys" }

// Store reads and writes keys. Inside database.DB.InTx it is part of that transaction.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// owner is the part of an account that keys need.
type owner struct {
	APITier       string
	EmailVerified bool
}

// findOwner finds the account; nil for none, or a deleted one.
func (s *Store) findOwner(ctx context.Context, userID int64) (*owner, error) {
	const statement = "SELECT api_tier, email_verified FROM accounts.pub_account WHERE id = @user"
	list, err := database.Select[owner](ctx, s.db, "read the account of a key", statement, database.Args{"user": userID})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// madeSQL counts the account's keys: those that are active, and those created since an instant.
const madeSQL = `SELECT count(*) FILTER (WHERE revoked_at IS NULL) AS active, count(*) FILTER (WHERE created_at >= @since) AS recent
FROM keys.api_keys WHERE user_id = @user`

// windowsSQL finds the windows that no active key counts in, of the account's live key of a tier that was revoked last.
const windowsSQL = `SELECT coalesce(r.counted_as, r.id)::text FROM keys.api_keys r
WHERE r.user_id = @user AND r.tier = @tier AND r.mode = 'live' AND r.revoked_at IS NOT NULL AND NOT EXISTS (SELECT FROM keys.api_keys a
	WHERE a.user_id = r.user_id AND a.revoked_at IS NULL AND coalesce(a.counted_as, a.id) = coalesce(r.counted_as, r.id))
ORDER BY r.revoked_at DESC, r.id LIMIT 1`

// add stores a key, unless the account has reached a limit. A live key continues the windows of a revoked one. It locks the account,
// so that additions are serialized, and the account's deletion waits too, so that no key escapes the revocation: errNoAccount if
// the deletion was first.
func (s *Store) add(ctx context.Context, r row) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		args := database.Args{"user": r.UserID, "tier": r.Tier, "since": day(r.CreatedAt)}
		const lock = "SELECT 1 FROM accounts.pub_account WHERE id = @user FOR SHARE"
		held, err := database.Values[int](ctx, s.db, "lock the account of a key", lock, args)
		switch {
		case err != nil:
			return err
		case len(held) == 0:
			return errNoAccount
		}
		const queue = "SELECT pg_advisory_xact_lock(hashtextextended('keys.api_keys', @user))"
		if _, err := database.Run(ctx, s.db, "lock the keys of an account", queue, args); err != nil {
			return err
		}
		made, err := database.Select[struct{ Active, Recent int64 }](ctx, s.db, "count the keys of an account", madeSQL, args)
		switch {
		case err != nil:
			return err
		case made[0].Recent >= CreatedMax:
			return tooManyToday(r.CreatedAt)
		case made[0].Active >= ActiveMax:
			return errTooMany
		}
		if r.Mode == secret.Live {
			windows, err := database.Values[string](ctx, s.db, "find the windows of a revoked key", windowsSQL, args)
			if err != nil {
				return err
			}
			if len(windows) > 0 {
				r.CountedAs = &windows[0]
			}
		}
		added := s.db.From(ctx).Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoNothing: true}).Create(&r)
		if added.Error == nil && added.RowsAffected == 0 {
			return errMade
		}
		return added.Error
	})
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

// rename names one of the account's active keys and returns it; nil for none.
func (s *Store) rename(ctx context.Context, userID int64, id, name string) (*row, error) {
	var rows []row
	err := s.db.From(ctx).Model(&rows).Clauses(clause.Returning{}).Where("id = ? AND user_id = ? AND revoked_at IS NULL", id, userID).Update("name", name).Error
	if err != nil || len(rows) == 0 {
		return nil, database.Failure("name an API key", err)
	}
	return &rows[0], nil
}

const revokeSQL = `WITH ended AS (
	UPDATE keys.api_keys SET revoked_at = @now
	WHERE user_id = @user AND (@id = '' OR id::text = @id) AND revoked_at IS NULL
	RETURNING encode(hash, 'hex') AS hash
)
SELECT hash FROM ended, pg_notify(@channel, hash)`

// revoke revokes one of the account's keys, or all of them if id is "", and announces each to every process when the
// transaction commits. It returns the hashes of those that were active.
func (s *Store) revoke(ctx context.Context, userID int64, id string, now time.Time) ([]secret.Hash, error) {
	return s.drop(ctx, "revoke API keys", revokeSQL, database.Args{"now": now, "user": userID, "id": id})
}

const removeSQL = `WITH ended AS (DELETE FROM keys.api_keys WHERE user_id = @user RETURNING encode(hash, 'hex') AS hash)
SELECT hash FROM ended, pg_notify(@channel, hash)`

// purge removes a person's keys and their usage.
func (s *Store) purge(ctx context.Context, userID int64) (hashes []secret.Hash, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		args := database.Args{"user": userID}
		for _, table := range []string{"keys.usage_minutes", "keys.usage_days"} {
			statement := "DELETE FROM " + table + " WHERE key_id IN (SELECT id FROM keys.api_keys WHERE user_id = @user)"
			if _, err := database.Run(ctx, s.db, "remove the usage of an account", statement, args); err != nil {
				return err
			}
		}
		const statement = "DELETE FROM keys.free_calls WHERE user_id = @user"
		if _, err := database.Run(ctx, s.db, "remove the free calls of an account", statement, args); err != nil {
			return err
		}
		hashes, err = s.drop(ctx, "remove API keys", removeSQL, args)
		return err
	})
	return hashes, err
}

// drop runs a statement that ends keys, and announces them on @channel. The statement's rows are their hashes.
func (s *Store) drop(ctx context.Context, what, statement string, args database.Args) (hashes []secret.Hash, err error) {
	args["channel"] = RevokedChannel
	list, err := database.Values[string](ctx, s.db, what, statement, args)
	for _, ended := range list {
		if h, ok := parseHash(ended); ok {
			hashes = append(hashes, h)
		}
	}
	return hashes, err
}

func parseHash(text string) (h secret.Hash, ok bool) {
	sum, err := hex.DecodeString(text)
	return h, err == nil && copy(h[:], sum) == len(h) && len(sum) == len(h)
}

// identity is a key with its account's present state.
type identity struct {
	ID               string
	UserID           int64
	Tier             string
	Mode             string
	CountedAs        string
	SubscriptionPlan string
	APITier          string
	TrialEndsAt      *time.Time
	IsAdmin          bool
	EmailVerified    bool
}

const identifySQL = `SELECT k.id, k.user_id, k.tier, k.mode, coalesce(k.counted_as::text, '') AS counted_as, a.subscription_plan, a.api_tier, a.trial_ends_at, a.is_admin, a.email_verified
FROM keys.api_keys k JOIN accounts.pub_account a ON a.id = k.user_id
WHERE k.hash = @hash AND k.revoked_at IS NULL`

// identify finds the key of a hash; nil if it does not exist, was revoked, or belongs to a deleted account.
func (s *Store) identify(ctx context.Context, hash secret.Hash) (*identity, error) {
	list, err := database.Select[identity](ctx, s.db, "look an API key up", identifySQL, database.Args{"hash": hash[:]})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
