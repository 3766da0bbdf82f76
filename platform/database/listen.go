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
	// listenPatience bounds short queries on a listening connection: after it, a connection whose other end has vanished is
	// given up.
	listenPatience = 3 * time.Second
	// AliveEvery is how often a silent connection that listens is checked.
	AliveEvery = 5 * time.Second
	// relistenMin and relistenMax are the waits before Follow listens again.
	relistenMin, relistenMax = 250 * time.Millisecond, 5 * time.Second
)

// Notice is a transaction's notification on a channel at commit.
type Notice struct{ Channel, Payload string }

// Listener waits for notices on the connection of Listen.
type Listener struct{ Conn *pgx.Conn }

// Listen takes a connection to PostgreSQL itself, listens on PostgreSQL channels and runs fn, whose error it returns. Notices of transactions
// that commit after fn begins are not missed.
func (db *DB) Listen(ctx context.Context, fn func(l Listener) error, channels ...string) error {
	pc, err := db.direct.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("take a connection: %w", err)
	}
	return lend(ctx, pc, func(c *pgx.Conn) error {
		l := Listener{c}
		if err := l.exec(ctx, "LISTEN "+strings.Join(channels, "; LISTEN ")); err != nil {
			return fmt.Errorf("listen on %s: %w", strings.Join(channels, ", "), err)
		}
		return fn(l)
	})
}

// Ask runs a short query on the listening connection. A server that does not answer in a few seconds is given up.
func (l Listener) Ask(ctx context.Context, fn func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, listenPatience)
	defer cancel()
	return fn(ctx)
}

// Next waits for one notice, at most for within: then it returns nil.
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
	return l.Ask(ctx, func(ctx context.Context) error {
		_, err := l.Conn.Exec(ctx, sql)
		return err
	})
}

// Follower handles notices. Its functions are called one after another.
type Follower struct {
	Listening func()          // from now on no notice is missed; earlier ones are lost
	Heard     func(n Notice)  // one notice
	Lost      func(err error) // notices no longer arrive; called once for each outage
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
		// Other connections may be lost too. New ones cost less than to ping each idle one until the server has not answered.
		db.pool.Reset()
		db.direct.Reset()
		if !said {
			said = true
			f.Lost(err)
		}
		_ = clock.Sleep(ctx, wait) // the loop checks ctx
		wait = min(2*wait, relistenMax)
	}
}

// follow receives notices until ctx ends or the connection is lost.
func (l Listener) follow(ctx context.Context, heard func(n Notice)) error {
	for {
		n, err := l.Next(ctx, AliveEvery)
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
