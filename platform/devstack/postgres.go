package devstack

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gpatlas/platform/oserr"
)

const (
	databaseUser = "gpatlas"
	databaseName = "gpatlas"
	settingsFile = "gpatlas.conf"
)

// What a server's own files and answers say of it.
type status int

const (
	statusAbsent status = iota
	statusBusy          // starting, recovering or stopping
	statusReady
)

// settings are modest: a laptop's, not a server's. What makes PostgreSQL durable stays on.
const settings = `# Written by gpatlas at each start. Make changes in postgresql.conf, above its include of this file.
listen_addresses = ''
port = 5432
unix_socket_directories = '%s'
unix_socket_permissions = 0700
fsync = on
synchronous_commit = on
full_page_writes = on
shared_buffers = 256MB
effective_cache_size = 1GB
work_mem = 32MB
maintenance_work_mem = 256MB
max_wal_size = 4GB
checkpoint_timeout = 15min
wal_compression = on
random_page_cost = 1.1
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_line_prefix = '%%m [%%p] '
`

func (f *folder) pgLog() string       { return filepath.Join(f.logDir(), "postgres.log") }
func (f *folder) versionPath() string { return filepath.Join(f.pgDir(), "PG_VERSION") }

// startPostgres starts the folder's cluster, made first when there is none, or adopts the server that runs on it.
func (f *folder) startPostgres(ctx context.Context, cfg Config) (*server, error) {
	wait := backoff{}
	for {
		pid, found := f.runningPostgres()
		if found == statusReady {
			cfg.Log.Info("using the PostgreSQL server that an earlier start left running", "pid", pid)
			return &server{name: "PostgreSQL", pid: pid, log: f.pgLog()}, nil
		}
		if found == statusAbsent {
			break
		}
		if err := wait.sleep(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := os.Stat(f.versionPath()); err != nil {
		cfg.Log.Info("setting up a PostgreSQL cluster", "folder", f.pgDir(), "version", f.pg.major)
		if err := f.initCluster(ctx); err != nil {
			return nil, err
		}
	}
	conf := fmt.Sprintf(settings, f.runDir())
	if err := f.write(filepath.Join(f.pgDir(), settingsFile), conf); err != nil {
		return nil, err
	}
	f.clearStale()
	rotate(f.pgLog())
	wait = backoff{}
	for began := time.Now(); ; {
		from := logSize(f.pgLog())
		cmd := command(ctx, f.as, f.pgDir(), filepath.Join(f.pg.bin, "postgres"), "-D", f.pgDir())
		s, err := launch(ctx, "PostgreSQL", f.pgLog(), cmd)
		if err != nil {
			return nil, err
		}
		err = f.awaitPostgres(ctx, s, from, cfg.Log)
		// A killed postmaster's last children keep its memory for a moment.
		if err == nil || !strings.Contains(err.Error(), "still in use") || time.Since(began) > 30*time.Second || wait.sleep(ctx) != nil {
			return s, err
		}
	}
}

func (f *folder) awaitPostgres(ctx context.Context, s *server, from int64, log *slog.Logger) error {
	began, said := time.Now(), false
	for wait := (backoff{}); ; {
		if !s.running() {
			return fmt.Errorf("PostgreSQL did not start: %s (more in %s)", complaint(f.pgLog(), from, "FATAL:", "PANIC:"), f.pgLog())
		}
		if pid, found := f.runningPostgres(); found == statusReady && pid == s.pid {
			return nil
		}
		if !said && time.Since(began) > 2*time.Second {
			log.Info("PostgreSQL is still starting: it recovers after a crash", "log", f.pgLog())
			said = true
		}
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// runningPostgres reads postmaster.pid as pg_ctl does: the pid stands in its first line, the state in its eighth.
// A file left behind by a server that is gone, or whose number another process has now, counts as none.
func (f *folder) runningPostgres() (int, status) {
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
	if err != nil || !ours(pid, "postgres", f.pgDir()) {
		return 0, statusAbsent
	}
	if len(lines) >= 8 && lines[7] == "ready" {
		return pid, statusReady
	}
	return pid, statusBusy
}

// clearStale removes what a killed server left: PostgreSQL itself would refuse to start when the pid in these files
// has been given to any other process of its user. The cluster's memory is still guarded by its shared segment.
func (f *folder) clearStale() {
	for _, path := range []string{
		filepath.Join(f.pgDir(), "postmaster.pid"),
		filepath.Join(f.runDir(), ".s.PGSQL.5432"),
		filepath.Join(f.runDir(), ".s.PGSQL.5432.lock"),
	} {
		_ = os.Remove(path) // mostly not there; what cannot be removed PostgreSQL will complain of
	}
}

// initCluster builds the cluster beside its place and moves it there when it is whole: a set-up that was cut short
// leaves nothing that looks like a cluster.
func (f *folder) initCluster(ctx context.Context) (err error) {
	draft := f.pgDir() + ".new"
	if err := os.RemoveAll(draft); err != nil {
		return fmt.Errorf("cannot clear %s: %w: %s", draft, oserr.Cause(err), adviceDir)
	}
	if err := f.own(draft, true); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(draft) // the next start clears it too
		}
	}()
	initdb := command(ctx, f.as, draft, filepath.Join(f.pg.bin, "initdb"), "--pgdata="+draft, "--username="+databaseUser,
		"--auth-local=trust", "--auth-host=reject", "--encoding=UTF8", "--locale=C")
	if err := f.run(ctx, initdb); err != nil {
		return fmt.Errorf("cannot set up PostgreSQL in %s: %w", f.pgDir(), err)
	}
	include := "\n# gpatlas: its settings, written at each start\ninclude_if_exists '" + settingsFile + "'\n"
	if err := appendTo(filepath.Join(draft, "postgresql.conf"), include); err != nil {
		return err
	}
	create := command(ctx, f.as, draft, filepath.Join(f.pg.bin, "postgres"), "--single", "-F", "-D", draft, "postgres")
	create.Stdin = strings.NewReader("CREATE DATABASE " + databaseName + "\n")
	if err := f.run(ctx, create); err != nil {
		return fmt.Errorf("cannot set up PostgreSQL in %s: %w", f.pgDir(), err)
	}
	_ = os.Remove(f.pgDir()) // an empty folder may stand there
	if err := os.Rename(draft, f.pgDir()); err != nil {
		return fmt.Errorf("cannot set up PostgreSQL: %s is in the way: %s", f.pgDir(), adviceDir)
	}
	return nil
}

// run runs a set-up program to its end; its words go to PostgreSQL's log.
func (f *folder) run(ctx context.Context, cmd *exec.Cmd) error {
	from := logSize(f.pgLog())
	s, err := launch(ctx, filepath.Base(cmd.Path), f.pgLog(), cmd)
	if err != nil {
		return err
	}
	select {
	case <-s.exited:
	case <-ctx.Done():
		stopErr := s.stop(ctx, step{syscall.SIGTERM, 5 * time.Second}, step{syscall.SIGKILL, 5 * time.Second})
		return errors.Join(ctx.Err(), stopErr)
	}
	if said := complaint(f.pgLog(), from, "FATAL:", "ERROR:", "error:"); s.result != nil {
		return fmt.Errorf("%s failed: %s (more in %s)", s.name, said, f.pgLog())
	}
	return nil
}

// stopPostgres stops whichever server runs on the cluster now, ours or one started by hand since: fast, which rolls
// open transactions back and writes a checkpoint; then immediately, which the next start recovers from.
func (f *folder) stopPostgres(ctx context.Context, s *server) error {
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

// write replaces a file of the servers' user's. It goes by way of a new file, so no link that stands there is followed.
func (f *folder) write(path, text string) error {
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
		return fmt.Errorf("cannot write %s: %w: %s", path, oserr.Cause(err), adviceDir)
	}
	return nil
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, oserr.Cause(err))
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}
