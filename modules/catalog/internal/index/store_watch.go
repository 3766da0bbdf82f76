package index

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/publish"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// A standby that lacks a publication is asked this often, and so many times.
const (
	standbyPoll  = 100 * time.Millisecond
	standbyPolls = 20
)

// debounceMax bounds how long a series of notices can delay a rebuild.
const debounceMax = 2 * time.Second

// Store is the catalog in PostgreSQL.
type Store struct {
	db     *database.DB
	clock  clock.Clock
	folder string
	log    *slog.Logger
}

// NewStore makes the catalog of a database. Loads keep the rows of the newest publications in folder, unless it is empty, and take them from
// there if another process has kept them.
func NewStore(db *database.DB, clk clock.Clock, folder string, log *slog.Logger) *Store {
	return &Store{db: db, clock: clk, folder: folder, log: log}
}

// Load builds a snapshot of the current catalog: of the standby, unless that lacks the newest publication for a while.
func (s *Store) Load(ctx context.Context) (*Snapshot, error) {
	reader := s.db.Reader()
	if reader.OfStandby(ctx) && !s.reaches(ctx, reader) {
		reader = s.db
	}
	if kept := s.kept(ctx, reader); kept != nil {
		return kept, nil
	}
	return s.load(ctx, reader)
}

// reaches waits up to two seconds for reader to have the primary's newest publication, and reports whether it has. If the primary is
// unavailable, it does not wait.
func (s *Store) reaches(ctx context.Context, reader *database.DB) bool {
	newest, err := publication(ctx, s.db)
	if err != nil {
		return true
	}
	for range standbyPolls {
		if has, err := publication(ctx, reader); err != nil {
			return false
		} else if has >= newest {
			return true
		}
		if clock.Sleep(ctx, standbyPoll) != nil {
			return false
		}
	}
	return false
}

func publication(ctx context.Context, db *database.DB) (seq int64, err error) {
	err = db.Snapshot(ctx, func(c *pgx.Conn) error {
		seq, err = publish.Latest(ctx, c)
		return err
	})
	return seq, err
}

// Watch holds one connection of the pool, listens on it, and asks it for the newest publication. It listens before it
// first asks, so that no change falls in between.
func (s *Store) Watch(ctx context.Context, tick, debounce time.Duration, changed func(newest int64) error) error {
	return s.db.Listen(ctx, func(l database.Listener) error {
		for {
			var newest int64
			err := l.Ask(ctx, func(ctx context.Context) (err error) {
				newest, err = publish.Latest(ctx, l.Conn)
				return err
			})
			if err != nil {
				return err
			}
			if err := changed(newest); err != nil {
				return err
			}
			heard, err := l.Next(ctx, tick)
			if err != nil {
				return err
			}
			if heard != nil {
				if err := quiet(ctx, l, debounce); err != nil {
					return err
				}
			}
		}
	}, publish.Channel)
}

// quiet waits until no notice has come for the time given, or debounceMax has passed.
func quiet(ctx context.Context, l database.Listener, debounce time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, debounceMax)
	defer cancel()
	for {
		heard, err := l.Next(ctx, debounce)
		if err != nil || heard == nil {
			return err
		}
	}
}
