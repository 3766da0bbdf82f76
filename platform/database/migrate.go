package database

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"gpatlas/migrations"
)

// A second process that migrates at the same time waits for the first: it checks once a second, for ten minutes.
const (
	lockEverySeconds = 1
	lockAttempts     = 600
)

// Migration is one schema file, and whether this database has it.
type Migration struct {
	Version   int64
	File      string
	Applied   bool
	AppliedAt time.Time // zero while not applied
}

// MigrateUp applies every migration that the database at url lacks, each file in its own transaction. Any number of processes
// may call it at once: one applies, the others wait.
func MigrateUp(ctx context.Context, url string) error {
	return withMigrations(url, func(p *goose.Provider) error {
		if _, err := p.Up(ctx); err != nil {
			return fmt.Errorf("migrate up: %w", err)
		}
		return nil
	})
}

// MigrateDown reverts the migrations newer than version, newest first. Version 0 reverts all of them, and so deletes all data.
func MigrateDown(ctx context.Context, url string, version int64) error {
	return withMigrations(url, func(p *goose.Provider) error {
		if _, err := p.DownTo(ctx, version); err != nil {
			return fmt.Errorf("migrate down to %d: %w", version, err)
		}
		return nil
	})
}

// MigrateStatus lists the migrations in order and whether each is applied.
func MigrateStatus(ctx context.Context, url string) ([]Migration, error) {
	var list []Migration
	err := withMigrations(url, func(p *goose.Provider) error {
		status, err := p.Status(ctx)
		if err != nil {
			return fmt.Errorf("migration status: %w", err)
		}
		for _, s := range status {
			list = append(list, Migration{
				Version: s.Source.Version, File: s.Source.Path,
				Applied: s.State == goose.StateApplied, AppliedAt: s.AppliedAt,
			})
		}
		return nil
	})
	return list, err
}

// withMigrations passes fn a provider over its own short-lived connection: migrations have no time limit, so the pool's
// statement timeout does not apply, and the session lock ends with the connection.
func withMigrations(url string, fn func(p *goose.Provider) error) (err error) {
	cc, err := pgx.ParseConfig(url)
	if err := badURL(url, cc, err); err != nil {
		return err
	}
	cc.RuntimeParams["application_name"] = DefaultApplicationName + " migrate"
	cc.RuntimeParams["timezone"] = "UTC"
	cc.RuntimeParams["statement_timeout"] = "0"
	if cc.ConnectTimeout == 0 {
		cc.ConnectTimeout = DefaultConnectTimeout
	}
	db := stdlib.OpenDB(*cc)
	defer func() { _ = db.Close() }()
	p, err := provider(db)
	if err != nil {
		return err
	}
	return unreachable(fn(p), cc)
}

func provider(db *sql.DB) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockEverySeconds, lockAttempts))
	if err != nil {
		return nil, fmt.Errorf("migration lock: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}
