package main

import (
	"context"
	"log/slog"
	"os"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops"
	"gpatlas/modules/people"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/sample"
)

// sampleDB is a database with the small sample, loaded once as `gpatlas dev` loads it into an empty one. Loading it takes longer
// than most of the tests that read it. TestSampleIsCompleted holds the command itself to its figures.
var sampleDB = dbtest.NewTemplate(func(ctx context.Context, db *database.DB) error {
	dir, err := os.MkdirTemp("", "gpc")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	log := slog.New(slog.DiscardHandler)
	deps := dataops.Deps{
		DB: db, Loader: catalogtest.NewLoader(db, clock.System{}), People: people.NewResolver(db, clock.System{}, log),
		Lists: people.NewLists(db, clock.System{}, log), Clock: clock.System{}, Log: log,
	}
	return sample.Load(ctx, dir, func(ctx context.Context, paths []string) error {
		_, err := dataops.Ingest(ctx, deps, paths, dataops.IngestOptions{AnyDate: true})
		return err
	}, func(ctx context.Context, boards []string) error {
		if _, err := people.LoadBoards(ctx, db, clock.System{}, boards); err != nil {
			return err
		}
		// The people of the manager that the documentation shows can be found by search.
		if _, err := db.Pool().Exec(ctx, "INSERT INTO people.enriched_firms (crd, first_at, last_at) VALUES ($1, now(), now())", shownGP); err != nil {
			return err
		}
		// A load has its quality measured at the next full ten minutes: a test at work then would find figures that it did not make.
		_, err := db.Pool().Exec(ctx, "DELETE FROM platform.outbox WHERE type = 'dataops.measure_quality'")
		return err
	})
})
