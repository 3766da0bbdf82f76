package testserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisDatabases is how many tests can have one of their own at the same time.
const redisDatabases = 1024

// Redis is a running private redis-server on a loopback port that keeps nothing.
type Redis struct {
	// Addr is its host and port.
	Addr string
	p    *process
}

// StartRedis starts an empty redis-server: some hundredths of a second.
func StartRedis() (*Redis, error) {
	bin, err := FindRedis()
	if err != nil {
		return nil, err
	}
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	// Another process may take the port between our asking for a free one and the server's binding it.
	for range 5 {
		var r *Redis
		if r, err = startRedis(bin, owner); err == nil {
			return r, nil
		}
	}
	return nil, err
}

// URL is the address of one of its numbered databases, as go-redis and asynq read it.
func (r *Redis) URL(database int) string { return fmt.Sprintf("redis://%s/%d", r.Addr, database) }

// Stop ends the server. It may be called twice.
func (r *Redis) Stop() error { return r.p.stop() }

func startRedis(bin string, owner *osUser) (*Redis, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	dir, err := newFolder(owner)
	if err != nil {
		return nil, err
	}
	port := addr[strings.LastIndex(addr, ":")+1:]
	ready := func(ctx context.Context) error {
		probe, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", addr) // go-redis would log each refusal
		if err != nil {
			return err
		}
		_ = probe.Close()
		c := redis.NewClient(&redis.Options{Addr: addr, MaxRetries: -1, DialTimeout: time.Second})
		defer func() { _ = c.Close() }()
		got, err := c.ConfigGet(ctx, "dir").Result()
		if err != nil {
			return err
		}
		if got["dir"] != dir { // somebody else's server answers on this port
			return fmt.Errorf("port %s belongs to another server", port)
		}
		return nil
	}
	// redis-server shows the name that it was called by in the process list, where Sweep looks for the folder.
	name := filepath.Join(dir, "redis-server")
	if err := os.Symlink(bin, name); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	p, err := launch(dir, "TERM", owner, ready, name, "--bind", "127.0.0.1", "--port", port, "--dir", dir,
		"--databases", strconv.Itoa(redisDatabases), "--save", "", "--appendonly", "no", "--daemonize", "no")
	if err != nil {
		return nil, err
	}
	return &Redis{Addr: addr, p: p}, nil
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	addr := l.Addr().String()
	return addr, l.Close()
}
