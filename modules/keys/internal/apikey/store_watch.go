package apikey

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/keys/internal/secret"
)

// RevokedChannel is the PostgreSQL channel on which each key that is revoked is announced, by its hash.
const RevokedChannel = "keys_revoked"

const (
	// answerTimeout bounds the small questions to the database: a connection whose other end vanished without a word is
	// given up after it.
	answerTimeout = 10 * time.Second
	// aliveEvery is how often a silent connection is asked whether it is still there.
	aliveEvery = 30 * time.Second
)

// watch holds one connection of the pool and listens on it until ctx is over or the connection is lost, which is its
// error. It calls listening once notices can be missed no more.
func (s *Store) watch(ctx context.Context, listening func(), revoked func(secret.Hash)) error {
	return s.db.Conn(ctx, func(c *pgx.Conn) error {
		if err := exec(ctx, c, "LISTEN "+RevokedChannel); err != nil {
			return fmt.Errorf("listen for revoked keys: %w", err)
		}
		listening()
		for {
			payload, heard, err := notice(ctx, c)
			if err != nil {
				return err
			}
			if !heard {
				if err := exec(ctx, c, "SELECT 1"); err != nil {
					return fmt.Errorf("ask whether notices can come: %w", err)
				}
			} else if h, ok := parseHash(payload); ok {
				revoked(h)
			}
		}
	})
}

func exec(ctx context.Context, c *pgx.Conn, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	_, err := c.Exec(ctx, sql)
	return err
}

// notice waits for one, but not for ever. The end of its own time is no error.
func notice(ctx context.Context, c *pgx.Conn) (payload string, heard bool, err error) {
	limited, cancel := context.WithTimeout(ctx, aliveEvery)
	defer cancel()
	n, err := c.WaitForNotification(limited)
	switch {
	case err == nil:
		return n.Payload, true, nil
	case limited.Err() != nil && ctx.Err() == nil && !c.IsClosed():
		return "", false, nil
	default:
		return "", false, fmt.Errorf("wait for revoked keys: %w", err)
	}
}
