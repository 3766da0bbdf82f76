package alert

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// row is dataops.alerts.
type row struct {
	ID             int64 `gorm:"primaryKey;->"`
	RunID          *int64
	SourceName     *string
	Kind           string
	Reason         string
	CreatedAt      time.Time
	ResolvedAt     *time.Time
	Subject        string
	Times          int64
	RaisedAt       time.Time
	AcknowledgedAt *time.Time
	AcknowledgedBy *int64
	ResolvedBy     *int64
	Resolution     *string
	Value          *float64   // the figure of a metric; forgotten once the metric is below its threshold
	MeasuredOn     *time.Time `gorm:"type:date"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.alerts" }

// Store keeps the alerts in PostgreSQL.
type Store struct{ db *database.DB }

// NewStore makes a store.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

//go:embed raise.sql
var raiseSQL string

// Resolves the open alert, and forgets the figures of those that operators resolved: what is raised next is new.
const closeSQL = `UPDATE dataops.alerts SET resolved_at = coalesce(resolved_at, @at), resolution = CASE WHEN resolved_at IS NULL THEN @why ELSE resolution END,
	value = CASE WHEN resolved_at IS NULL THEN value END
WHERE (resolved_at IS NULL OR value IS NOT NULL AND resolved_by IS NOT NULL)
	AND kind = @kind AND coalesce(source_name, '') = @source AND subject = @subject`

const listSQL = `SELECT id, kind, CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'open' END AS state,
	source_name AS source, nullif(subject, '') AS subject, reason, run_id, times, created_at, raised_at, acknowledged_at, acknowledged_by,
	resolved_at, resolved_by, resolution
FROM dataops.alerts
WHERE (NOT @unresolved OR resolved_at IS NULL) AND (@id::bigint IS NULL OR id = @id)
ORDER BY id DESC LIMIT @limit`

// accepted is the resolution of what the operator let pass.
const accepted = "accepted by the operator"

// Raise raises alerts.
func (s *Store) Raise(ctx context.Context, list []Raise) error {
	for _, r := range Merge(list) {
		args := database.Args{"run": r.RunID, "source": r.Source, "kind": r.Kind, "subject": r.Subject, "reason": r.Reason, "at": r.At, "resolution": nil, "value": nil, "day": nil, "since": nil}
		if r.Measured != nil {
			args["value"], args["day"], args["since"] = r.Measured.Value, r.Measured.Day, r.Measured.Since
		}
		if r.Passed {
			args["resolution"] = accepted
		}
		if _, err := database.Run(ctx, s.db, "raise an alert", raiseSQL, args); err != nil {
			return err
		}
	}
	return nil
}

// Close resolves the open alert of a kind, source and subject, if there is one, because its cause is over.
func (s *Store) Close(ctx context.Context, kind, source, subject, why string, at time.Time) error {
	args := database.Args{"kind": kind, "source": source, "subject": subject, "why": why, "at": at}
	_, err := database.Run(ctx, s.db, "close an alert", closeSQL, args)
	return err
}

// List returns the newest alerts, newest first, and how many there are.
func (s *Store) List(ctx context.Context, unresolved bool, limit int) (list []Alert, total int, err error) {
	list, err = s.read(ctx, database.Args{"unresolved": unresolved, "id": nil, "limit": limit})
	if err != nil {
		return nil, 0, err
	}
	n, err := database.Values[int](ctx, s.db, "count alerts",
		"SELECT count(*) FROM dataops.alerts WHERE NOT @unresolved OR resolved_at IS NULL", database.Args{"unresolved": unresolved})
	if err != nil {
		return nil, 0, err
	}
	return list, n[0], nil
}

func (s *Store) read(ctx context.Context, args database.Args) ([]Alert, error) {
	list, err := database.Select[Alert](ctx, s.db, "list alerts", listSQL, args)
	for i := range list {
		a := &list[i]
		a.CreatedAt, a.RaisedAt, a.AcknowledgedAt, a.ResolvedAt = a.CreatedAt.UTC(), a.RaisedAt.UTC(), clock.UTC(a.AcknowledgedAt), clock.UTC(a.ResolvedAt)
	}
	return list, err
}

// find reads an alert; nil where there is none.
func (s *Store) find(ctx context.Context, id int64) (*Alert, error) {
	list, err := s.read(ctx, database.Args{"unresolved": false, "id": id, "limit": 1})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// lock keeps an alert from others until the transaction of ctx ends.
func (s *Store) lock(ctx context.Context, id int64) error {
	_, err := database.Run(ctx, s.db, "lock an alert", "SELECT id FROM dataops.alerts WHERE id = @id FOR UPDATE", database.Args{"id": id})
	return err
}

func (s *Store) change(ctx context.Context, id int64, values map[string]any) error {
	return database.Failure("change an alert", s.db.From(ctx).Model(&row{}).Where("id = ?", id).Updates(values).Error)
}

// Count is the number of open alerts of a kind.
type Count struct {
	Kind string
	N    int64
}

// CountOpen counts the alerts that are not resolved, by kind.
func (s *Store) CountOpen(ctx context.Context) (map[string]int64, error) {
	const statement = "SELECT kind, count(*) AS n FROM dataops.alerts WHERE resolved_at IS NULL GROUP BY kind"
	rows, err := database.Select[Count](ctx, s.db, "count the open alerts", statement, nil)
	if err != nil {
		return nil, err
	}
	out := make(map[string]int64, len(rows))
	for _, r := range rows {
		out[r.Kind] = r.N
	}
	return out, nil
}
