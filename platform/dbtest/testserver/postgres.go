package testserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
)

// clusterSettings trade every safety for speed: nothing in such a cluster is worth keeping.
const clusterSettings = `
listen_addresses = ''
unix_socket_directories = '%s'
unix_socket_permissions = 0700
port = 5432
max_connections = 400
shared_buffers = 64MB
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 4GB
checkpoint_timeout = 1h
jit = off
log_min_messages = warning
log_timezone = 'UTC'
`

// Postgres is a running private cluster that listens on a unix socket only.
type Postgres struct {
	// URL reaches its database "postgres" as a superuser.
	URL string
	p   *process
}

// StartPostgres makes an empty cluster and starts it: about a second.
func StartPostgres() (*Postgres, error) {
	bin, err := FindPostgres()
	if err != nil {
		return nil, err
	}
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	Sweep()
	dir, err := newFolder(owner)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(dir, "data")
	if err := initCluster(bin, dir, data, owner); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	u := url.URL{Scheme: "postgres", User: url.User("postgres"), Path: "/postgres", RawQuery: url.Values{"host": {dir}, "port": {"5432"}}.Encode()}
	ready := func(ctx context.Context) error {
		if _, err := os.Stat(filepath.Join(dir, ".s.PGSQL.5432")); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, u.String())
		if err != nil {
			return err
		}
		return c.Close(ctx)
	}
	p, err := launch(dir, "INT", owner, ready, filepath.Join(bin, "postgres"), "-D", data)
	if err != nil {
		return nil, err
	}
	return &Postgres{URL: u.String(), p: p}, nil
}

// Stop ends the cluster and removes it. It may be called twice.
func (p *Postgres) Stop() error { return p.p.stop() }

// initCluster runs initdb. C.UTF-8 sorts by code point and still knows upper and lower case; a system that lacks it gets C.
func initCluster(bin, dir, data string, owner *osUser) error {
	var faults []error
	for _, locale := range []string{"C.UTF-8", "C"} {
		ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, filepath.Join(bin, "initdb"),
			"-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale="+locale, "--no-sync")
		cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, environment(), owner.attributes()
		out, err := cmd.CombinedOutput()
		if err == nil {
			return configure(dir, data)
		}
		faults = append(faults, fmt.Errorf("initdb (%s): %w: %s", locale, err, out))
		if err := os.RemoveAll(data); err != nil {
			return err
		}
	}
	return errors.Join(faults...)
}

func configure(dir, data string) error {
	conf := fmt.Sprintf(clusterSettings, dir)
	if filepath.Dir(dir) != "/dev/shm" {
		conf += "dynamic_shared_memory_type = mmap\n" // /dev/shm is missing or small
	}
	f, err := os.OpenFile(filepath.Join(data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(conf)
	return errors.Join(err, f.Close())
}
