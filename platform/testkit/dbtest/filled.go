package dbtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"gpatlas/platform/database"
)

// Template is a migrated database that is filled once for all tests of a process, which use clones of it. It is useful if
// filling takes much longer than cloning.
type Template struct {
	fill func(ctx context.Context, db *database.DB) error

	once        sync.Once
	admin, name string
	err         error
}

// NewTemplate is a template that fill fills when the first test asks for a clone. TestMain drops it at the end.
func NewTemplate(fill func(ctx context.Context, db *database.DB) error) *Template {
	return &Template{fill: fill}
}

// New is a clone that belongs to this test alone, as [New] is.
func (t *Template) New(tb testing.TB) *database.DB {
	tb.Helper()
	return open(tb, t.NewURL(tb))
}

// NewURL is New for tests that open the database themselves.
func (t *Template) NewURL(tb testing.TB) string {
	tb.Helper()
	return create(tb, func(ctx context.Context, admin string) (string, error) {
		t.once.Do(func() {
			t.admin = admin
			t.err = t.build(context.WithoutCancel(ctx))
		})
		return t.name, t.err
	})
}

func (t *Template) build(ctx context.Context) error {
	from, err := ensureTemplate(ctx, t.admin)
	if err != nil {
		return err
	}
	t.name = fmt.Sprintf("gpt_%d_%d_filled", os.Getpid(), time.Now().UnixNano()%1e9)
	if err := clone(ctx, t.admin, from, t.name); err != nil {
		return err
	}
	url, err := withDatabase(t.admin, t.name)
	if err != nil {
		return err
	}
	db, err := database.Open(ctx, database.Config{URL: url, MaxConns: 8, TimeZone: TimeZone})
	if err != nil {
		return err
	}
	err = t.fill(ctx, db)
	db.Close()
	if err != nil {
		return fmt.Errorf("fill the template database: %w", err)
	}
	return execAdmin(ctx, t.admin, "ALTER DATABASE "+quote(t.name)+" WITH ALLOW_CONNECTIONS false") // a visitor would hinder cloning
}

// Drop drops the template. It does nothing if no test has asked for a clone.
func (t *Template) Drop() error {
	if t.name == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), adminTimeout)
	defer cancel()
	return execAdmin(ctx, t.admin, "DROP DATABASE IF EXISTS "+quote(t.name)+" WITH (FORCE)")
}
