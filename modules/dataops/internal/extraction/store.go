package extraction

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/dataops/internal/source"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// row is dataops.extractions.
type row struct {
	ID          int64 `gorm:"primaryKey;->"`
	SourceName  string
	Trigger     string
	RequestedBy *int64
	Accept      []string `gorm:"type:text[]"`
	State       string
	CreatedAt   time.Time
	StartedAt   *time.Time
	FinishedAt  *time.Time
	Listed      int64
	Known       int64
	Loaded      int64
	Awaited     int64
	Error       *string
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.extractions" }

// Store keeps the extractions in PostgreSQL.
type Store struct{ db *database.DB }

// NewStore makes a store.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// The errors of extractions that no process has ended.
const (
	killed    = "the process ended before it was done; what was loaded by then stays"
	forgotten = "no worker began it within a day"
)

// queuedMax is how long an extraction may wait for a worker.
const queuedMax = 24 * time.Hour

//go:embed list.sql
var listSQL string

// Marks the extractions as failed that no process works on, and those that no worker began. One that runs has its source locked.
// OFFSET 0 keeps the planner from asking for the locks of extractions that are over.
const recoverSQL = `UPDATE dataops.extractions SET state = 'failed', finished_at = greatest(@now, created_at),
	error = CASE state WHEN 'queued' THEN @forgotten ELSE @killed END
WHERE (state = 'queued' AND created_at < @before) OR id IN (
	SELECT id FROM (SELECT id, source_name FROM dataops.extractions WHERE state = 'running' OFFSET 0) e
	WHERE pg_try_advisory_xact_lock(@class, hashtext(source_name))
)`

const queueSQL = `INSERT INTO dataops.extractions (source_name, trigger, requested_by, accept, state, created_at)
VALUES (@source, @trigger, @by, @accept, 'queued', @at)
ON CONFLICT (source_name) WHERE state IN ('queued', 'running') DO NOTHING RETURNING id`

// Begins the queued extraction of a number, or (0) that of a source.
const adoptSQL = `UPDATE dataops.extractions SET state = 'running', started_at = @now
WHERE state = 'queued' AND source_name = @source AND (@id::bigint = 0 OR id = @id) RETURNING id`

const beginSQL = `INSERT INTO dataops.extractions (source_name, trigger, accept, state, created_at, started_at)
VALUES (@source, @trigger, @accept, 'running', @now, @now) RETURNING id`

// We hold the lock of the source, so the process that ran it has ended.
const killSQL = `UPDATE dataops.extractions SET state = 'failed', finished_at = greatest(@now, created_at), error = @killed
WHERE source_name = @source AND state = 'running'`

const documentsSQL = `SELECT id, document, source AS kind, state, started_at, finished_at, rows_read, filings_new, filings_changed, quarantined, error
FROM dataops.ingestion_runs WHERE extraction_id = @id ORDER BY id LIMIT 1000`

// Recover marks extractions as failed that no process works on although they are marked as running, or that no worker has begun.
// It returns their number.
func (s *Store) Recover(ctx context.Context, now time.Time) (int64, error) {
	return database.Run(ctx, s.db, "look for killed extractions", recoverSQL, database.Args{
		"now": now, "class": source.LockClass, "killed": killed, "forgotten": forgotten, "before": now.Add(-queuedMax),
	})
}

// queue writes a queued extraction; 0 if the source has one that is queued or running.
func (s *Store) queue(ctx context.Context, r row) (id int64, err error) {
	ids, err := database.Values[int64](ctx, s.db, "queue an extraction", queueSQL, database.Args{
		"source": r.SourceName, "trigger": r.Trigger, "by": r.RequestedBy, "accept": r.Accept, "at": r.CreatedAt,
	})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// active returns the extraction of a source that waits or runs; 0 is none.
func (s *Store) active(ctx context.Context, name string) (id int64, err error) {
	const statement = "SELECT id FROM dataops.extractions WHERE source_name = @source AND state IN ('queued', 'running')"
	ids, err := database.Values[int64](ctx, s.db, "look for an extraction", statement, database.Args{"source": name})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// take begins an extraction of a source whose lock the caller holds: the one of a number if it waits, or else (0) the one that
// waits or a new one.
func (s *Store) take(ctx context.Context, name string, how How, now time.Time) (id int64, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		args := database.Args{"source": name, "id": how.ID, "trigger": how.Trigger, "accept": how.accept(), "now": now, "killed": killed}
		if _, err := database.Run(ctx, s.db, "mark a killed extraction", killSQL, args); err != nil {
			return err
		}
		ids, err := database.Values[int64](ctx, s.db, "begin a queued extraction", adoptSQL, args)
		if err == nil && len(ids) == 0 && how.ID == 0 {
			ids, err = database.Values[int64](ctx, s.db, "begin an extraction", beginSQL, args)
		}
		if len(ids) > 0 {
			id = ids[0]
		}
		return err
	})
	return id, err
}

// finish writes what came of a running extraction.
func (s *Store) finish(ctx context.Context, id int64, state string, report ingest.SourceReport, reason *string, now time.Time) error {
	values := map[string]any{
		"state": state, "listed": report.Listed, "known": report.Known, "loaded": report.Loaded, "awaited": report.Awaited, "error": reason,
		"finished_at": now,
	}
	if state == Queued {
		values["finished_at"], values["started_at"] = nil, nil
	}
	err := s.db.From(ctx).Model(&row{}).Where("id = ? AND state = ?", id, Running).Updates(values).Error
	return database.Failure("finish an extraction", err)
}

// List returns the newest extractions, newest first; source and state may be empty. id names one; 0 is none.
func (s *Store) List(ctx context.Context, name string, id int64, limit int) ([]Extraction, error) {
	list, err := database.Select[Extraction](ctx, s.db, "list extractions", listSQL, database.Args{"source": name, "id": id, "limit": limit})
	for i := range list {
		e := &list[i]
		e.CreatedAt, e.StartedAt, e.FinishedAt = e.CreatedAt.UTC(), clock.UTC(e.StartedAt), clock.UTC(e.FinishedAt)
		e.Files = Files{e.Listed, e.Known, e.Loaded, e.Awaited}
	}
	return list, err
}

// count counts the extractions; name may be empty.
func (s *Store) count(ctx context.Context, name string) (int, error) {
	const statement = "SELECT count(*) FROM dataops.extractions WHERE @source = '' OR source_name = @source"
	n, err := database.Values[int](ctx, s.db, "count extractions", statement, database.Args{"source": name})
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

func (s *Store) documents(ctx context.Context, id int64) ([]Document, error) {
	list, err := database.Select[Document](ctx, s.db, "list the documents of an extraction", documentsSQL, database.Args{"id": id})
	for i := range list {
		list[i].StartedAt, list[i].FinishedAt = list[i].StartedAt.UTC(), clock.UTC(list[i].FinishedAt)
	}
	return list, err
}
