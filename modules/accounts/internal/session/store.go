package session

import (
	"context"
	"time"

	"gpatlas/platform/database"
)

// Row is a row of accounts.sessions.
type Row struct {
	ID         string     `gorm:"column:id;primaryKey"`
	UserID     int64      `gorm:"column:user_id"`
	Device     string     `gorm:"column:device"`
	IPAddress  string     `gorm:"column:ip_address"`
	Location   *string    `gorm:"column:location"`
	CreatedAt  time.Time  `gorm:"column:created_at"`
	LastActive time.Time  `gorm:"column:last_active"`
	ExpiresAt  time.Time  `gorm:"column:expires_at"`
	EndedAt    *time.Time `gorm:"column:ended_at"`
	EndedBy    *string    `gorm:"column:ended_by"`
	// BrowserHash is the SHA-256 of the secret in a browser's cookie; nil of sessions that have tokens.
	BrowserHash []byte `gorm:"column:browser_hash"`
}

// TableName is the table with its schema.
func (Row) TableName() string { return "accounts.sessions" }

// RefreshRow is a row of accounts.refresh_tokens.
type RefreshRow struct {
	Hash      []byte     `gorm:"column:hash;primaryKey"`
	SessionID string     `gorm:"column:session_id"`
	IssuedAt  time.Time  `gorm:"column:issued_at"`
	ExpiresAt time.Time  `gorm:"column:expires_at"`
	UsedAt    *time.Time `gorm:"column:used_at"`
}

// TableName is the table with its schema.
func (RefreshRow) TableName() string { return "accounts.refresh_tokens" }

// Store keeps sessions and the hashes of their refresh tokens.
type Store struct{ db *database.DB }

// NewStore works on db.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// alive is the condition for sessions that are current at an instant.
const alive = "ended_at IS NULL AND expires_at > ?"

func (s *Store) add(ctx context.Context, row *Row) error {
	return database.Failure("write a session", s.db.From(ctx).Create(row).Error)
}

// list returns the current sessions of an account, the last used first.
func (s *Store) list(ctx context.Context, userID int64, now time.Time) ([]Row, error) {
	var rows []Row
	err := s.db.From(ctx).Where("user_id = ? AND "+alive, userID, now).Order("last_active DESC, id").Find(&rows).Error
	return rows, database.Failure("read sessions", err)
}

// end ends one session of an account. It returns false if the account has no current session with that ID.
func (s *Store) end(ctx context.Context, userID int64, id string, reason Reason, now time.Time) (bool, error) {
	result := s.db.From(ctx).Model(&Row{}).Where("id = ? AND user_id = ? AND "+alive, id, userID, now).
		Updates(map[string]any{"ended_at": now, "ended_by": string(reason)})
	return result.RowsAffected > 0, database.Failure("end a session", result.Error)
}

// endAll ends the sessions of an account but one, and returns how many it ended.
func (s *Store) endAll(ctx context.Context, userID int64, reason Reason, except string, now time.Time) (int, error) {
	result := s.db.From(ctx).Model(&Row{}).Where("user_id = ? AND id <> ? AND "+alive, userID, except, now).
		Updates(map[string]any{"ended_at": now, "ended_by": string(reason)})
	return int(result.RowsAffected), database.Failure("end sessions", result.Error)
}

// endReplaced ends the sessions that a sign-in replaces: all for a browser's, else those that have tokens.
func (s *Store) endReplaced(ctx context.Context, userID int64, browser bool, now time.Time) error {
	err := s.db.From(ctx).Model(&Row{}).Where("user_id = ? AND (? OR browser_hash IS NULL) AND "+alive, userID, browser, now).
		Updates(map[string]any{"ended_at": now, "ended_by": string(ByLogin)}).Error
	return database.Failure("end sessions", err)
}

// caller is the part of a session that its requests need.
type caller struct {
	LastActive time.Time
	Plan       string
	TrialEnds  *time.Time
	APITier    string
	Admin      bool
	Unverified bool
}

// currentSQL reads the caller of a current session whose account is not deleted.
const currentSQL = `s.last_active, u.subscription_plan AS plan, u.trial_ends_at AS trial_ends, u.api_tier, u.is_admin AS admin, u.email_verified_at IS NULL AS unverified
FROM accounts.sessions s JOIN accounts.users u ON u.id = s.user_id
WHERE s.ended_at IS NULL AND s.expires_at > @now AND u.deleted_at IS NULL AND `

const callerSQL = "SELECT " + currentSQL + "s.id = @id AND s.user_id = @user"

// caller finds a current session whose account is not deleted, or nil. Every request of a session runs this one statement.
func (s *Store) caller(ctx context.Context, id string, userID int64, now time.Time) (*caller, error) {
	args := database.Args{"id": id, "user": userID, "now": now}
	list, err := database.Select[caller](ctx, s.db, "read a session", callerSQL, args)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// touch writes the last use of a session, unless another request just has.
func (s *Store) touch(ctx context.Context, id string, now time.Time) error {
	err := s.db.From(ctx).Model(&Row{}).Where("id = ? AND last_active <= ?", id, now.Add(-touchInterval)).Update("last_active", now).Error
	return database.Failure("write a session's last use", err)
}
