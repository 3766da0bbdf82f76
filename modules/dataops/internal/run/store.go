package run

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/platform/database"
	"gpatlas/platform/plaintext"
)

// lockClass is the first half of the advisory lock that a running run holds; its id is the second.
const lockClass = 0x6770_6164

// Store keeps the runs in PostgreSQL.
type Store struct {
	db     *database.DB
	alerts *alert.Store
}

// NewStore makes a store.
func NewStore(db *database.DB) *Store { return &Store{db: db, alerts: alert.NewStore(db)} }

// row is dataops.ingestion_runs.
type row struct {
	ID                int64 `gorm:"primaryKey;->"`
	Source            string
	Document          string
	Location          string
	SHA256            *string `gorm:"column:sha256"`
	Bytes             *int64
	State             string
	StartedAt         time.Time
	FinishedAt        *time.Time
	RowsRead          int64
	FilingsNew        int64
	FilingsChanged    int64
	FilingsUnchanged  int64
	AdvisersNew       int64
	AdvisersChanged   int64
	AdvisersUnchanged int64
	FundsNew          int64
	FundsChanged      int64
	FundsUnchanged    int64
	Quarantined       int64
	Error             *string
	Series            *string
	SourceName        *string
	AdvisersSeen      *int64
	Duplicates        *int64
	Layout            []byte `gorm:"type:jsonb"`
	ExtractionID      *int64
	Edition           *time.Time `gorm:"type:date"`
	KeyedRows         *int64
	TableRows         []byte `gorm:"type:jsonb"`
	Filled            []byte `gorm:"type:jsonb"`
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.ingestion_runs" }

// quarantined is dataops.quarantine.
type quarantined struct {
	ID     int64 `gorm:"primaryKey;->"`
	RunID  int64
	File   string
	Line   int64
	Reason string
	Raw    string
}

// TableName is the table with its schema.
func (quarantined) TableName() string { return "dataops.quarantine" }

// filedRow is dataops.filed_rows.
type filedRow struct {
	Kind      string `gorm:"primaryKey"`
	CRD       string `gorm:"primaryKey;column:crd"`
	FilingID  string `gorm:"primaryKey"`
	Submitted time.Time
	Rows      []byte `gorm:"type:jsonb"`
	Carried   []byte `gorm:"type:jsonb"`
}

// TableName is the table with its schema.
func (filedRow) TableName() string { return "dataops.filed_rows" }

// Models are the GORM models of this slice, for the test that compares them with the database.
func Models() []any { return []any{&row{}, &quarantined{}, &filedRow{}} }

// Marks runs as failed if no process works on them. A process holds the lock of its run; if the lock is free, the process is gone.
// OFFSET 0 keeps the planner from asking for the locks of runs that are over.
const abandonSQL = `UPDATE dataops.ingestion_runs SET state = 'failed', finished_at = greatest(@now, started_at), error = @error
WHERE id IN (
	SELECT id FROM (SELECT id FROM dataops.ingestion_runs WHERE state = 'running' OFFSET 0) r
	WHERE pg_try_advisory_xact_lock(@class, id::int)
)`

// RecoverStale marks runs failed that stand as running although no process works on them, and returns how many there were.
func (s *Store) RecoverStale(ctx context.Context, now time.Time) (int64, error) {
	args := database.Args{"now": now, "error": abandoned, "class": lockClass}
	return database.Run(ctx, s.db, "look for abandoned ingestion runs", abandonSQL, args)
}

// Quarantine writes rows that could not be used. It has a connection of its own: the rows stay when the load fails.
func (s *Store) Quarantine(ctx context.Context, runID int64, rejected []catalogapi.Rejected) error {
	err := s.db.Conn(ctx, func(c *pgx.Conn) error {
		_, err := c.CopyFrom(ctx, pgx.Identifier{"dataops", "quarantine"}, []string{"run_id", "file", "line", "reason", "raw"},
			pgx.CopyFromSlice(len(rejected), func(i int) ([]any, error) {
				r := rejected[i]
				return []any{runID, plaintext.Storable(r.File), int64(r.Line), plaintext.Storable(r.Reason), plaintext.Storable(r.Raw)}, nil
			}))
		return err
	})
	if err != nil {
		return fmt.Errorf("write quarantined rows: %w", err)
	}
	return nil
}
