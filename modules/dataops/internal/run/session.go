package run

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/platform/database"
)

// Session keeps runs whose fate is decided together: while it is open, a lock for each run that it began says that its
// process lives.
type Session struct {
	store *Store
	conn  *pgx.Conn
}

// Session opens one for as long as fn takes. It is for one goroutine.
func (s *Store) Session(ctx context.Context, fn func(ctx context.Context, runs *Session) error) error {
	return s.db.Conn(ctx, func(c *pgx.Conn) error {
		// The locks go with the connection's return to the pool.
		return fn(ctx, &Session{store: s, conn: c})
	})
}

const beginSQL = `INSERT INTO dataops.ingestion_runs (source, document, location, state, started_at, source_name, extraction_id)
VALUES (@kind, @document, @location, 'running', @at, nullif(@source, ''), nullif(@extraction::bigint, 0)) RETURNING id`

// Begin records a run as running and returns its number.
func (s *Session) Begin(ctx context.Context, start Start) (id int64, err error) {
	// Begun and locked in one statement each, in this order in one transaction: a run that can be seen is locked.
	err = pgx.BeginFunc(ctx, s.conn, func(tx pgx.Tx) error {
		args := database.Args{
			"kind": UnknownSource, "document": start.Document, "location": start.Location, "at": start.At, "source": start.Source,
			"extraction": start.Extraction,
		}
		if err := tx.QueryRow(ctx, beginSQL, args).Scan(&id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "SELECT pg_advisory_lock(@class, @id::int)", database.Args{"class": lockClass, "id": id})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("begin the ingestion run: %w", err)
	}
	return id, nil
}

// pingLimit is how long the database may take to show that a session's connection still works.
const pingLimit = 5 * time.Second

// Lost reports whether the session's connection is gone. Its runs are no longer locked then, and it can begin no others.
func (s *Session) Lost(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingLimit)
	defer cancel()
	return s.conn.Ping(ctx) != nil
}

// Finish writes what came of a run, also when ctx is over by then.
func (s *Session) Finish(ctx context.Context, id int64, start Start, end End) error {
	return s.store.finish(context.WithoutCancel(ctx), id, start, end)
}
