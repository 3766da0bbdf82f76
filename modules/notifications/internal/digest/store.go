package digest

import (
	"context"
	_ "embed"
	"errors"
	"strings"
	"time"

	"gorm.io/gorm"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/platform/database"
)

// reached is a row of notifications.digests.
type reached struct {
	UserID int64     `gorm:"column:user_id;primaryKey;autoIncrement:false"`
	Day    time.Time `gorm:"column:day;type:date"`
	Low    int64     `gorm:"column:low"`
	LowAt  time.Time `gorm:"column:low_at"`
	High   int64     `gorm:"column:high"`
	HighAt time.Time `gorm:"column:high_at"`
	Mail   *string   `gorm:"column:mail"`
}

// TableName is the table with its schema.
func (reached) TableName() string { return "notifications.digests" }

type store struct{ db *database.DB }

// lockKey is the advisory lock of a batch of digests; the number is arbitrary.
const lockKey = 5_200_001

// lock waits until no other run processes a batch. It ends with the transaction.
func (s *store) lock(ctx context.Context) error {
	_, err := database.Run(ctx, s.db, "wait for other runs of the digest", "SELECT pg_advisory_xact_lock(@key)", database.Args{"key": lockKey})
	return err
}

// newest is the newest arrival of the catalog; 0 if nothing has arrived.
func (s *store) newest(ctx context.Context) (int64, error) {
	const statement = "SELECT coalesce(max(arrival), 0) FROM catalog.pub_arrival"
	rows, err := database.Values[int64](ctx, s.db, "read the newest arrival", statement, nil)
	if err != nil {
		return 0, err
	}
	return rows[0], nil
}

// The point of accounts without digests moves on: once they turn digests on, the time between is left out.
const beginSQL = `UPDATE notifications.digests d SET day = @day::date, low = @high, low_at = @now, high = @high, high_at = @now, mail = NULL
FROM notifications.preferences p
WHERE p.user_id = d.user_id AND NOT p.activity_digest AND d.day < @day::date`

func (s *store) begin(ctx context.Context, day string, high int64, now time.Time) error {
	_, err := database.Run(ctx, s.db, "pass over accounts without digests", beginSQL, database.Args{"day": day, "high": high, "now": now})
	return err
}

// candidate is an account that may get a digest.
type candidate struct {
	UserID int64
	Low    int64
	Since  time.Time
}

//go:embed due.sql
var dueSQL string

func (s *store) due(ctx context.Context, day string, after int64, now time.Time) ([]candidate, error) {
	statement := strings.Replace(dueSQL, "{{wants}}", preference.WantsSQL(kind.ActivityDigest), 1)
	return database.Select[candidate](ctx, s.db, "read accounts for digests", statement, database.Args{
		"day": day, "after": after, "limit": batch, "oldest": now.Add(-reach), "oldest_new": now.Add(-firstReach),
	})
}

// watch is a GP that an account watches.
type watch struct {
	UserID    int64
	CRD       string
	CreatedAt time.Time
}

// The GPs that some accounts watch with alerts on, and since when.
const watchedSQL = `SELECT user_id, adviser_crd AS crd, created_at FROM accounts.pub_watch
WHERE user_id = ANY(@users::bigint[]) AND alert_enabled
ORDER BY user_id`

func (s *store) watched(ctx context.Context, list []candidate) ([]watch, error) {
	users := make([]int64, len(list))
	for i, c := range list {
		users[i] = c.UserID
	}
	return database.Select[watch](ctx, s.db, "read watched GPs", watchedSQL, database.Args{"users": users})
}

// row is one item of news about a GP.
type row struct {
	CRD     string
	Name    string
	Rank    int64
	Funds   int64 // up to this row
	Ends    bool  // the last of its arrival
	Fund    bool
	What    string
	At      time.Time
	Day     time.Time
	Arrival int64
	KnownAt *time.Time
}

//go:embed news.sql
var newsSQL string

func (s *store) news(ctx context.Context, crds []string, low, high int64) ([]row, error) {
	return database.Select[row](ctx, s.db, "read news of watched GPs", newsSQL, database.Args{
		"crds": crds, "low": low, "high": high, "most_news": mostNews,
	})
}

// Stores the new points of some accounts. mails is empty for an account without news.
const keepSQL = `INSERT INTO notifications.digests (user_id, day, low, low_at, high, high_at, mail)
SELECT k.user_id, @day::date, k.low, k.low_at, greatest(@high, k.low), @now, nullif(k.mail, '')
FROM unnest(@users::bigint[], @lows::bigint[], @sinces::timestamptz[], @mails::text[]) AS k(user_id, low, low_at, mail)
ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, low = excluded.low, low_at = excluded.low_at, high = excluded.high,
	high_at = excluded.high_at, mail = excluded.mail`

func (s *store) keep(ctx context.Context, list []candidate, mails []string, day string, high int64, now time.Time) error {
	users, lows, sinces := make([]int64, len(list)), make([]int64, len(list)), make([]time.Time, len(list))
	for i, c := range list {
		users[i], lows[i], sinces[i] = c.UserID, c.Low, c.Since
	}
	_, err := database.Run(ctx, s.db, "note how far digests have come", keepSQL, database.Args{
		"users": users, "lows": lows, "sinces": sinces, "mails": mails, "day": day, "high": high, "now": now,
	})
	return err
}

// find reads the point of an account's digests; nil if there was none.
func (s *store) find(ctx context.Context, userID int64) (*reached, error) {
	var r reached
	err := s.db.From(ctx).Where("user_id = ?", userID).Take(&r).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &r, database.Failure("read how far digests have come", err)
}

func (s *store) forget(ctx context.Context, userID int64) error {
	err := s.db.From(ctx).Where("user_id = ?", userID).Delete(&reached{}).Error
	return database.Failure("forget how far digests have come", err)
}
