package source

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm/clause"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/platform/database"
	"gpatlas/platform/plaintext"
)

// LockClass is the first half of the advisory lock that a source is used under; a hash of its name is the second.
const LockClass = 0x6770_6173

// Store is the state of the sources in PostgreSQL.
type Store struct{ db *database.DB }

// NewStore makes a store.
func NewStore(db *database.DB) *Store { return &Store{db: db} }

// row is dataops.sources.
type row struct {
	Name        string `gorm:"primaryKey"`
	LastChecked *time.Time
	LastSuccess *time.Time
	LastError   *string
	Failures    int32
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.sources" }

// fetched is dataops.fetched.
type fetched struct {
	SourceName   string  `gorm:"primaryKey"`
	Address      string  `gorm:"primaryKey"`
	ETag         *string `gorm:"column:etag"`
	LastModified *string
	Bytes        *int64
	SHA256       *string `gorm:"column:sha256"`
	UploadedOn   *string
	RunID        *int64
	FetchedAt    time.Time
}

// TableName is the table with its schema.
func (fetched) TableName() string { return "dataops.fetched" }

// Models are the GORM models of this slice, for the test that compares them with the database.
func Models() []any { return []any{&row{}, &fetched{}} }

// copyOf is what was fetched of an address before.
type copyOf struct {
	edition fetch.Edition
	mark    string // the index's own
	stopped int64  // the run in which the quality gate stopped it; 0 = it was loaded
}

// lockPatience is how long a process waits for one that uses a source.
const lockPatience = 24 * time.Hour

// exclusively runs fn while no other process uses the source, and waits for one that does.
func (s *Store) exclusively(ctx context.Context, name string, fn func(ctx context.Context) error) error {
	args := database.Args{"class": LockClass, "source": name}
	return s.db.Conn(ctx, func(c *pgx.Conn) error {
		// The wait may take as long as a source takes. The settings go with the connection's return to the pool.
		if _, err := c.Exec(ctx, "SET statement_timeout = 0"); err != nil {
			return fmt.Errorf("lock source %s: %w", name, err)
		}
		lctx := database.WithStatementLimit(ctx, lockPatience)
		if _, err := c.Exec(lctx, "SELECT pg_advisory_lock(@class, hashtext(@source))", args); err != nil {
			return fmt.Errorf("lock source %s: %w", name, err)
		}
		return fn(ctx)
	})
}

const fetchedSQL = `SELECT f.address, coalesce(f.etag, '') AS etag, coalesce(f.last_modified, '') AS last_modified, coalesce(f.uploaded_on, '') AS uploaded_on,
	coalesce((SELECT r.id FROM dataops.ingestion_runs r WHERE r.id = f.run_id AND r.state = 'failed'), 0) AS stopped
FROM dataops.fetched f WHERE f.source_name = @source`

// known returns what was fetched from a source, by address.
func (s *Store) known(ctx context.Context, name string) (map[string]copyOf, error) {
	type edition struct {
		Address, ETag, LastModified, UploadedOn string
		Stopped                                 int64
	}
	rows, err := database.Select[edition](ctx, s.db, "look what was fetched from "+name, fetchedSQL, database.Args{"source": name})
	if err != nil {
		return nil, err
	}
	out := make(map[string]copyOf, len(rows))
	for _, r := range rows {
		out[r.Address] = copyOf{edition: fetch.Edition{ETag: r.ETag, LastModified: r.LastModified}, mark: r.UploadedOn, stopped: r.Stopped}
	}
	return out, nil
}

// remember keeps what was fetched of a source's addresses, all of it or nothing.
func (s *Store) remember(ctx context.Context, files []fetched) error {
	err := s.db.From(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&files).Error
	if err != nil {
		return fmt.Errorf("remember what was fetched from %s: %w", files[0].SourceName, err)
	}
	return nil
}

// mark keeps the index's new mark of an edition whose bytes turned out to be the same.
func (s *Store) mark(ctx context.Context, name, address, mark string) error {
	tx := s.db.From(ctx).Model(&fetched{}).Where("source_name = ? AND address = ?", name, address).Update("uploaded_on", catalogapi.Text(mark))
	if tx.Error != nil {
		return fmt.Errorf("remember what was fetched from %s: %w", name, tx.Error)
	}
	return nil
}

// begin makes sure that the source has a row.
func (s *Store) begin(ctx context.Context, name string) error {
	if err := s.db.From(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row{Name: name}).Error; err != nil {
		return fmt.Errorf("begin source %s: %w", name, err)
	}
	return nil
}

// failuresAlert is how many failures in a row make an alert: fewer pass by themselves.
const failuresAlert = 3

const failsSQL = `UPDATE dataops.sources SET last_checked = @at, last_error = @error, failures = failures + 1 WHERE name = @source RETURNING failures`

// Notes that a source works, and resolves the alerts about its failures and its lateness.
const worksSQL = `WITH source AS (
	UPDATE dataops.sources SET last_checked = @at, last_success = @at, last_error = NULL, failures = 0 WHERE name = @source
)
UPDATE dataops.alerts SET resolved_at = @at, resolution = 'the source works'
WHERE source_name = @source AND kind IN (@kind, 'source_late') AND resolved_at IS NULL`

// end notes how it went, and raises an alert when a source has failed too often in a row. One that works again is no
// longer alarming.
func (s *Store) end(ctx context.Context, name string, fault error, at time.Time) error {
	what := "note how source " + name + " did"
	if fault == nil {
		_, err := database.Run(ctx, s.db, what, worksSQL, database.Args{"source": name, "at": at, "kind": alert.SourceFailed})
		return err
	}
	text := plaintext.Storable(fault.Error())
	failures, err := database.Values[int](ctx, s.db, what, failsSQL, database.Args{"source": name, "at": at, "error": text})
	if err != nil || len(failures) == 0 || failures[0] < failuresAlert {
		return err
	}
	return alert.NewStore(s.db).Raise(ctx, []alert.Raise{
		{Source: name, Kind: alert.SourceFailed, Reason: fmt.Sprintf("%s failed %d times in a row: %s", name, failures[0], text), At: at},
	})
}

// states returns the last state of every source that was ever used.
func (s *Store) states(ctx context.Context) (map[string]row, error) {
	var rows []row
	if err := s.db.From(ctx).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("look how the sources did: %w", err)
	}
	out := make(map[string]row, len(rows))
	for _, r := range rows {
		out[r.Name] = r
	}
	return out, nil
}
