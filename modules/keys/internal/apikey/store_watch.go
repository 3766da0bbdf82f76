package apikey

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/keys/internal/secret"
)

// notices is what announcements are told to.
type notices struct {
	listening func()                 // from now on none is missed
	revoked   func(hash secret.Hash) // a key was revoked
	changed   func(accountID int64)  // what an account may do has changed
}

// RevokedChannel is the PostgreSQL channel on which each key that is revoked is announced, by its hash.
const RevokedChannel = "keys_revoked"

const (
	// answerTimeout bounds the small questions to the database: a connection whose other end vanished without a word is
	// given up after it.
	answerTimeout = 10 * time.Second
	// aliveEvery is how often a silent connection is asked whether it is still there.
	aliveEvery = 30 * time.Second
)

// watch holds one connection of the pool and listens on it until ctx is over or the connection is lost, which is its error.
func (s *Store) watch(ctx context.Context, n notices) error {
	return s.db.Conn(ctx, func(c *pgx.Conn) error {
		if err := exec(ctx, c, "LISTEN "+RevokedChannel+"; LISTEN "+accountsapi.ChangedChannel); err != nil {
			return fmt.Errorf("listen for changes of keys: %w", err)
		}
		n.listening()
		for {
			heard, err := notice(ctx, c)
			if err != nil {
				return err
			}
			if heard != nil {
				n.tell(heard)
			} else if err := exec(ctx, c, "SELECT 1"); err != nil {
				return fmt.Errorf("ask whether notices can come: %w", err)
			}
		}
	})
}

func (n notices) tell(heard *pgconn.Notification) {
	switch heard.Channel {
	case RevokedChannel:
		if h, ok := parseHash(heard.Payload); ok {
			n.revoked(h)
		}
	case accountsapi.ChangedChannel:
		if id, err := strconv.ParseInt(heard.Payload, 10, 64); err == nil {
			n.changed(id)
		}
	}
}

func exec(ctx context.Context, c *pgx.Conn, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	_, err := c.Exec(ctx, sql)
	return err
}

// notice waits for one, but not for ever. The end of its own time is no error, and no notice.
func notice(ctx context.Context, c *pgx.Conn) (*pgconn.Notification, error) {
	limited, cancel := context.WithTimeout(ctx, aliveEvery)
	defer cancel()
	n, err := c.WaitForNotification(limited)
	switch {
	case err == nil:
		return n, nil
	case limited.Err() != nil && ctx.Err() == nil && !c.IsClosed():
		return nil, nil //nolint:nilnil // there was none
	default:
		return nil, fmt.Errorf("wait for changes of keys: %w", err)
	}
}
