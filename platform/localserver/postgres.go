package localserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

const (
	databaseUser = "gpatlas"
	databaseName = "gpatlas"
	settingsFile = "gpatlas.conf"
)

// The state of a server, by its own files and answers.
type status int

const (
	statusAbsent status = iota
	statusBusy          // starting, recovering or stopping
	statusReady
)

// settings of every cluster. The following ones suit a laptop, not a server.
const settings = `# Written by gpatlas at each start. Make changes in postgresql.conf, above its include of this file.
listen_addresses = ''
port = 5432
unix_socket_directories = '%s'
unix_socket_permissions = 0700
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
max_wal_size = 4GB
`

// durable settings keep PostgreSQL durable.
const durable = `fsync = on
synchronous_commit = on
full_page_writes = on
shared_buffers = 256MB
effective_cache_size = 1GB
work_mem = 32MB
maintenance_work_mem = 256MB
checkpoint_timeout = 15min
wal_compression = on
random_page_cost = 1.1
log_line_prefix = '%m [%p] '
`

// forgetful settings trade all durability for speed, for temporary clusters.
const forgetful = `fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
checkpoint_timeout = 1h
shared_buffers = 64MB
max_connections = 400
log_min_messages = warning
`

func (f *dataFolder) pgLog() string       { return filepath.Join(f.logDir(), "postgres.log") }
func (f *dataFolder) versionPath() string { return filepath.Join(f.pgDir(), "PG_VERSION") }

// startPostgres starts the folder's cluster, and creates it if there is none. A server that has lost its owner is stopped.
func (f *dataFolder) startPostgres(ctx context.Context, cfg Config) (*server, error) {
	if err := f.stopPostgres(ctx, nil); err != nil {
		return nil, err
	}
	if _, err := os.Stat(f.versionPath()); err != nil {
		cfg.Log.Info("setting up a PostgreSQL cluster", "folder", f.pgDir(), "version", f.pg.major)
		if err := f.initCluster(ctx); err != nil {
			return nil, err
		}
	}
	conf := fmt.Sprintf(settings, f.runDir()) + durable
	if f.temporary {
		conf = fmt.Sprintf(settings, f.runDir()) + forgetful
		if filepath.Dir(f.dir) != memory {
			conf += "dynamic_shared_memory_type = mmap\n" // memory is missing or small
		}
	}
	if err := f.write(filepath.Join(f.pgDir(), settingsFile), conf); err != nil {
		return nil, err
	}
	f.clearStale()
	rotate(f.pgLog())
	for began := cfg.Clock.Now(); ; {
		from := logSize(f.pgLog())
		s, err := f.launch(ctx, "PostgreSQL", f.pgLog(), f.pgDir(), "", filepath.Join(f.pg.bin, "postgres"), "-D", f.pgDir())
		if err != nil {
			return nil, err
		}
		err = f.awaitPostgres(ctx, cfg, s, from)
		// A killed postmaster's last children keep its memory for a moment.
		if err == nil || !strings.Contains(err.Error(), "still in use") || cfg.Clock.Now().Sub(began) > 30*time.Second || clock.Sleep(ctx, poll) != nil {
			return s, err
		}
	}
}

func (f *dataFolder) awaitPostgres(ctx context.Context, cfg Config, s *server, from int64) error {
	began, logged := cfg.Clock.Now(), false
	for {
		if !s.running() {
			return fmt.Errorf("PostgreSQL did not start: %s (more in %s)", complaint(f.pgLog(), from, "FATAL:", "PANIC:"), f.pgLog())
		}
		if pid, found := f.runningPostgres(); found == statusReady && pid == s.pid {
			return nil
		}
		if !logged && cfg.Clock.Now().Sub(began) > 2*time.Second {
			cfg.Log.Info("PostgreSQL is still starting: it recovers after a crash", "log", f.pgLog())
			logged = true
		}
		if err := clock.Sleep(ctx, poll); err != nil {
			return err
		}
	}
}

// runningPostgres reads postmaster.pid as pg_ctl does: the first line is the pid, the eighth the state. A file of a server that
// has ended, or whose pid another process has now, counts as none.
func (f *dataFolder) runningPostgres() (int, status) {
	file, err := os.Open(filepath.Join(f.pgDir(), "postmaster.pid"))
	if err != nil {
		return 0, statusAbsent
	}
	defer func() { _ = file.Close() }()
	var lines []string
	for scan := bufio.NewScanner(file); scan.Scan(); {
		lines = append(lines, strings.TrimSpace(scan.Text()))
	}
	if len(lines) == 0 {
		return 0, statusAbsent
	}
	pid, err := strconv.Atoi(lines[0])
	if err != nil || !isServer(pid, "postgres", f.pgDir()) {
		return 0, statusAbsent
	}
	if len(lines) >= 8 && lines[7] == "ready" {
		return pid, statusReady
	}
	return pid, statusBusy
}

// clearStale removes files of a killed server: PostgreSQL itself would refuse to start if another process of its user has the
// pid in these files. The cluster's shared memory segment still guards it.
func (f *dataFolder) clearStale() {
	for _, path := range []string{
		filepath.Join(f.pgDir(), "postmaster.pid"),
		filepath.Join(f.runDir(), ".s.PGSQL.5432"),
		filepath.Join(f.runDir(), ".s.PGSQL.5432.lock"),
	} {
		_ = os.Remove(path) // mostly missing; PostgreSQL reports what cannot be removed
	}
}

// initCluster builds the cluster in a draft folder and moves it into place when it is complete: an interrupted set-up leaves
// nothing that looks like a cluster.
func (f *dataFolder) initCluster(ctx context.Context) (err error) {
	draft := f.pgDir() + ".new"
	if err := os.RemoveAll(draft); err != nil {
		return fmt.Errorf("cannot clear %s: %w: %s", draft, apperr.Cause(err), adviceDir)
	}
	if err := f.own(draft, true); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(draft) // the next start clears it too
		}
	}()
	initdb := []string{
		filepath.Join(f.pg.bin, "initdb"), "--pgdata=" + draft, "--username=" + databaseUser,
		"--auth-local=trust", "--auth-host=reject", "--encoding=UTF8", "--locale=C", "--no-sync",
	}
	if !f.temporary {
		initdb = initdb[:len(initdb)-1]
	}
	// Texts are sorted by code point, and case conversion covers all letters if the system has C.UTF-8.
	if f.run(ctx, draft, "", append(initdb, "--lc-ctype=C.UTF-8")...) != nil {
		if err := f.run(ctx, draft, "", initdb...); err != nil {
			return fmt.Errorf("cannot set up PostgreSQL in %s: %w", f.pgDir(), err)
		}
	}
	include := "\n# gpatlas: its settings, written at each start\ninclude_if_exists '" + settingsFile + "'\n"
	if err := appendTo(filepath.Join(draft, "postgresql.conf"), include); err != nil {
		return err
	}
	create := "CREATE DATABASE " + databaseName + "\n"
	if err := f.run(ctx, draft, create, filepath.Join(f.pg.bin, "postgres"), "--single", "-F", "-D", draft, "postgres"); err != nil {
		return fmt.Errorf("cannot set up PostgreSQL in %s: %w", f.pgDir(), err)
	}
	_ = os.Remove(f.pgDir()) // an empty folder may stand there
	if err := os.Rename(draft, f.pgDir()); err != nil {
		return fmt.Errorf("cannot set up PostgreSQL: %s is in the way: %s", f.pgDir(), adviceDir)
	}
	return nil
}

// run runs a set-up program; its output goes to PostgreSQL's log.
func (f *dataFolder) run(ctx context.Context, dir, input string, program ...string) error {
	from := logSize(f.pgLog())
	s, err := f.launch(ctx, filepath.Base(program[0]), f.pgLog(), dir, input, program...)
	if err != nil {
		return err
	}
	select {
	case <-s.exited:
	case <-ctx.Done():
		stopErr := s.stop(ctx, step{syscall.SIGTERM, 5 * time.Second}, step{syscall.SIGKILL, 5 * time.Second})
		return errors.Join(ctx.Err(), stopErr)
	}
	if said := complaint(f.pgLog(), from, "FATAL:", "ERROR:", "error:"); s.result != "" {
		return fmt.Errorf("%s failed: %s (more in %s)", s.name, said, f.pgLog())
	}
	return nil
}

// stopPostgres stops whichever server runs on the cluster now, ours or one started by hand since: fast, which rolls
// open transactions back and writes a checkpoint; then immediately, which the next start recovers from.
func (f *dataFolder) stopPostgres(ctx context.Context, s *server) error {
	steps := []step{{syscall.SIGINT, time.Minute}, {syscall.SIGQUIT, 10 * time.Second}, {syscall.SIGKILL, 5 * time.Second}}
	if s != nil {
		if err := s.stop(ctx, steps...); err != nil {
			return err
		}
	}
	if pid, found := f.runningPostgres(); found != statusAbsent {
		return (&server{name: "PostgreSQL", pid: pid, log: f.pgLog()}).stop(ctx, steps...)
	}
	return nil
}

// write replaces a file of the servers' user through a new file, so that an existing link is not followed.
func (f *dataFolder) write(path, text string) error {
	draft := path + ".new"
	_ = os.Remove(draft)
	err := os.WriteFile(draft, []byte(text), 0o600)
	if err == nil && f.as.drop {
		err = os.Lchown(draft, int(f.as.uid), int(f.as.gid))
	}
	if err == nil {
		err = os.Rename(draft, path)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w: %s", path, apperr.Cause(err), adviceDir)
	}
	return nil
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, apperr.Cause(err))
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
