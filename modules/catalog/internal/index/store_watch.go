package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// ChangeChannel is the PostgreSQL channel on which a publication of the catalogue is announced.
const ChangeChannel = "catalog_changed"

const (
	// answerTimeout bounds the small questions to the database: a connection whose other end vanished without a word
	// is given up after it.
	answerTimeout = 10 * time.Second
	// debounceMax bounds how long a storm of notices can put off a rebuild.
	debounceMax = 2 * time.Second
)

// Store is the catalogue in PostgreSQL.
type Store struct {
	db    *database.DB
	clock clock.Clock
}

// NewStore makes the catalogue of a database.
func NewStore(db *database.DB, clk clock.Clock) *Store { return &Store{db: db, clock: clk} }

// Load builds a snapshot of the catalogue as it stands.
func (s *Store) Load(ctx context.Context) (*Snapshot, error) { return Load(ctx, s.db, s.clock) }

// Watch holds one connection of the pool, listens on it, and asks it for the newest publication. It listens before it
// first asks, so that no change falls in between.
func (s *Store) Watch(ctx context.Context, tick, debounce time.Duration, changed func(newest int64) error) error {
	return s.db.Conn(ctx, func(c *pgx.Conn) error {
		if err := exec(ctx, c, "LISTEN "+ChangeChannel); err != nil {
			return fmt.Errorf("listen for changes: %w", err)
		}
		for {
			newest, err := newestOn(ctx, c)
			if err != nil {
				return err
			}
			if err := changed(newest); err != nil {
				return err
			}
			heard, err := notice(ctx, c, tick)
			if err != nil {
				return err
			}
			if heard {
				if err := quiet(ctx, c, debounce); err != nil {
					return err
				}
			}
		}
	})
}

// quiet waits until no notice has come for the time given, or the storm has lasted too long.
func quiet(ctx context.Context, c *pgx.Conn, debounce time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, debounceMax)
	defer cancel()
	for {
		heard, err := notice(ctx, c, debounce)
		if err != nil || !heard {
			return err
		}
	}
}

func exec(ctx context.Context, c *pgx.Conn, sql string) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	_, err := c.Exec(ctx, sql)
	return err
}

func newestOn(ctx context.Context, c *pgx.Conn) (newest int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	if err = c.QueryRow(ctx, newestPublicationSQL).Scan(&newest); err != nil {
		return 0, fmt.Errorf("read the newest publication: %w", err)
	}
	return newest, nil
}

// notice waits for one change notice, but not longer than within. The end of ctx's own time is no error either.
func notice(ctx context.Context, c *pgx.Conn, within time.Duration) (heard bool, err error) {
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_, err = c.WaitForNotification(limited)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(limited.Err(), context.DeadlineExceeded) && !c.IsClosed():
		return false, nil
	default:
		return false, fmt.Errorf("wait for changes: %w", err)
	}
}
