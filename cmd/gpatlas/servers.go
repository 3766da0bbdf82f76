package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"syscall"
	"time"

	"gpatlas/platform/database"
	"gpatlas/platform/devstack"
)

// stopLimit is how long private servers may take to stop in order; PostgreSQL writes out everything it holds.
const stopLimit = 75 * time.Second

// dataDir is the data folder that a flag names, or the default one.
func (p *program) dataDir(flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	return devstack.DefaultDir(p.getenv)
}

// database says where the database of a one-off command is: DATABASE_URL, or else the private server of a data folder,
// a running `gpatlas dev`'s or one started until release is called. Private says which.
func (p *program) database(ctx context.Context, command, flag string, log *slog.Logger) (url string, private bool, release func() error, err error) {
	none := func() error { return nil }
	if url := p.getenv("DATABASE_URL"); url != "" {
		if flag != "" {
			return "", false, none, usageError{errors.New("--data-dir and DATABASE_URL are both set: use one of them")}
		}
		return url, false, none, nil
	}
	dir, err := p.dataDir(flag)
	if err != nil {
		return "", false, none, err
	}
	stack, err := devstack.Open(ctx, devstack.Config{Dir: dir, Command: "gpatlas " + command, NoRedis: true, Log: log})
	if err != nil {
		return "", false, none, err
	}
	return stack.DatabaseURL(), true, func() error { return p.stopServers(stack) }, nil
}

// withCatalogue runs a one-off command on the database that the environment or a flag names, or on the private one, whose
// schema is brought up to date: nobody else does that. Private says which.
func (p *program) withCatalogue(
	ctx context.Context, command, flag string, s settings, fn func(db *database.DB, private bool, log *slog.Logger) error,
) (err error) {
	log := p.plainLog()
	url, private, release, err := p.database(ctx, command, flag, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if private {
		if err := database.MigrateUp(ctx, url); err != nil {
			return err
		}
	}
	if p.getenv("LOG_LEVEL") == "" {
		log = slog.New(slog.DiscardHandler) // what the command prints tells everything already
	}
	s.Database.URL, s.Database.Logger, s.Database.ApplicationName = url, log, "gpatlas "+command
	db, err := database.Open(ctx, s.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := hasSchema(ctx, db); err != nil {
		return err
	}
	return fn(db, private, log)
}

// stopServers stops private servers in order, and by force when that is asked for.
func (p *program) stopServers(stack *devstack.Stack) error {
	ctx, cancel := context.WithTimeout(p.stops.force, stopLimit)
	defer cancel()
	return stack.Stop(ctx)
}

// checkAddr says whether an address can be served, before anything else is started, and gives it with a real port where
// 0 was asked for. The web server opens it itself, later: until then connections are refused, not kept waiting.
func checkAddr(ctx context.Context, addr string) (string, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err == nil {
		return ln.Addr().String(), ln.Close()
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return "", fmt.Errorf("address %s is in use: stop the program that listens there, or choose another HOST:PORT with --addr", addr)
	}
	cause := err
	if e, ok := errors.AsType[*net.OpError](err); ok {
		cause = e.Err
	}
	return "", fmt.Errorf("cannot listen on %q: %w: choose another with --addr HOST:PORT", addr, cause)
}
