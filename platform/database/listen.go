package database

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/clock"
)

const (
	// listenPatience bounds the small questions on a connection that listens: one whose other end vanished without a word
	// is given up after it.
	listenPatience = 10 * time.Second
	// aliveEvery is how often Follow asks a silent connection whether it is still there.
	aliveEvery = 30 * time.Second
	// relistenMin and relistenMax are the waits before Follow listens again.
	relistenMin, relistenMax = 250 * time.Millisecond, 5 * time.Second
)

// Notice is what a transaction announced on a channel when it committed.
type Notice struct{ Channel, Payload string }

// Listener waits for notices on the connection that Listen lends.
type Listener struct{ Conn *pgx.Conn }

// Listen takes a connection, listens on PostgreSQL channels and runs fn, whose error it returns. Notices of transactions
// that commit after fn begins are not missed.
func (db *DB) Listen(ctx context.Context, fn func(l Listener) error, channels ...string) error {
	return db.Conn(ctx, func(c *pgx.Conn) error {
		l := Listener{c}
		if err := l.exec(ctx, "LISTEN "+strings.Join(channels, "; LISTEN ")); err != nil {
			return fmt.Errorf("listen on %s: %w", strings.Join(channels, ", "), err)
		}
		return fn(l)
	})
}

// Next waits for one notice, but not longer than within: then it gives nil.
func (l Listener) Next(ctx context.Context, within time.Duration) (*Notice, error) {
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	n, err := l.Conn.WaitForNotification(limited)
	switch {
	case err == nil:
		return &Notice{Channel: n.Channel, Payload: n.Payload}, nil
	case errors.Is(limited.Err(), context.DeadlineExceeded) && !l.Conn.IsClosed():
		return nil, nil //nolint:nilnil // there was none
	default:
		return nil, fmt.Errorf("wait for notices: %w", err)
	}
}

func (l Listener) exec(ctx context.Context, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, listenPatience)
	defer cancel()
	_, err := l.Conn.Exec(ctx, sql)
	return err
}

// Follower is told of notices. Its functions are called one after another.
type Follower struct {
	Listening func()          // from now on no notice is missed; those before are not known
	Heard     func(n Notice)  // one notice
	Lost      func(err error) // notices do not come; said once for each outage
}

// Follow listens on PostgreSQL channels until ctx ends. After an outage it listens again.
func (db *DB) Follow(ctx context.Context, f Follower, channels ...string) {
	wait, said := relistenMin, false
	for ctx.Err() == nil {
		err := db.Listen(ctx, func(l Listener) error {
			wait, said = relistenMin, false
			f.Listening()
			return l.follow(ctx, f.Heard)
		}, channels...)
		if ctx.Err() != nil {
			return
		}
		if !said {
			said = true
			f.Lost(err)
		}
		_ = clock.Sleep(ctx, wait) // the loop asks ctx
		wait = min(2*wait, relistenMax)
	}
}

// follow hears notices until ctx ends or the connection is lost.
func (l Listener) follow(ctx context.Context, heard func(n Notice)) error {
	for {
		n, err := l.Next(ctx, aliveEvery)
		switch {
		case err != nil:
			return err
		case n != nil:
			heard(*n)
		default:
			if err := l.exec(ctx, "SELECT 1"); err != nil {
				return fmt.Errorf("ask whether notices can come: %w", err)
			}
		}
	}
}
