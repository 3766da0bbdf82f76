package delivery

import (
	"context"
	"strings"
	"time"

	"gpatlas/modules/notifications/internal/linkkey"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// bouncesMost is how many bounces it takes until an address gets no mail that can be refused.
const bouncesMost = 2

// keepBounce is how long a bounce counts: an address may get a new owner, or work again.
//
// Spec: not shown; a year.
const keepBounce = 365 * 24 * time.Hour

// Bounces is the list of addresses that mail servers have refused for good. It has their hashes alone.
type Bounces struct {
	db    *database.DB
	clock clock.Clock
	key   *linkkey.Key
}

// NewBounces works on db.
func NewBounces(db *database.DB, clk clock.Clock, key *linkkey.Key) *Bounces {
	return &Bounces{db, clk, key}
}

func (l *Bounces) hash(ctx context.Context, address string) ([]byte, error) {
	return l.key.Code(ctx, "bounce", strings.ToLower(strings.TrimSpace(address)))
}

const bouncedSQL = `INSERT INTO notifications.bounces AS b (address_hash, bounces, first_at, last_at, last_mail)
VALUES (@hash, 1, @now, @now, @mail)
ON CONFLICT (address_hash) DO UPDATE
SET bounces = CASE WHEN b.last_at > @since THEN b.bounces + 1 ELSE 1 END, last_at = @now, last_mail = @mail
WHERE b.last_mail <> @mail`

// Bounced counts that a mail server has refused the address of a mail with a 5xx reply. The same mail counts once.
func (l *Bounces) Bounced(ctx context.Context, address string, mailID int64) error {
	hash, err := l.hash(ctx, address)
	if err != nil {
		return err
	}
	_, err = database.Run(ctx, l.db, "count a bounce", bouncedSQL, database.Args{
		"hash": hash, "mail": mailID, "now": l.clock.Now().UTC(), "since": l.clock.Now().UTC().Add(-keepBounce),
	})
	return err
}

// Suppressed reports whether an address gets no mail that can be refused.
func (l *Bounces) Suppressed(ctx context.Context, address string) (bool, error) {
	hash, err := l.hash(ctx, address)
	if err != nil {
		return false, err
	}
	const statement = `SELECT bounces FROM notifications.bounces WHERE address_hash = @hash AND last_at > @since`
	counts, err := database.Values[int](ctx, l.db, "look for bounces", statement, database.Args{"hash": hash, "since": l.clock.Now().UTC().Add(-keepBounce)})
	return len(counts) > 0 && counts[0] >= bouncesMost, err
}

// Forget removes an address from the list.
func (l *Bounces) Forget(ctx context.Context, address string) error {
	hash, err := l.hash(ctx, address)
	if err != nil {
		return err
	}
	_, err = database.Run(ctx, l.db, "forget bounces", "DELETE FROM notifications.bounces WHERE address_hash = @hash", database.Args{"hash": hash})
	return err
}
