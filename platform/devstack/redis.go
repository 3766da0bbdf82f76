package devstack

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// redisSettings go to redis-server's standard input: no file to look after, and names with spaces can be quoted.
const redisSettings = `port 0
unixsocket %q
unixsocketperm 700
dir %q
pidfile %q
daemonize no
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
`

func (f *folder) redisLog() string    { return filepath.Join(f.logDir(), "redis.log") }
func (f *folder) redisSocket() string { return filepath.Join(f.runDir(), "redis.sock") }
func (f *folder) redisPid() string    { return filepath.Join(f.redisDir(), "redis.pid") }

// startRedis starts the folder's Redis, or adopts the one that runs on it.
func (f *folder) startRedis(ctx context.Context, cfg Config) (*server, error) {
	for wait := (backoff{}); ; {
		pid, found := f.runningRedis()
		if found == statusReady {
			cfg.Log.Info("using the Redis server that an earlier start left running", "pid", pid)
			return &server{name: "Redis", pid: pid, log: f.redisLog()}, nil
		}
		if found == statusAbsent {
			break
		}
		if err := wait.sleep(ctx); err != nil {
			return nil, err
		}
	}
	rotate(f.redisLog())
	from := logSize(f.redisLog())
	cmd := command(ctx, f.as, f.redisDir(), f.redis, "-")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(redisSettings, f.redisSocket(), f.redisDir(), f.redisPid()))
	s, err := launch(ctx, "Redis", f.redisLog(), cmd)
	if err != nil {
		return nil, err
	}
	for wait := (backoff{}); ; {
		if !s.running() {
			return s, fmt.Errorf("redis-server did not start: %s (more in %s)", complaint(f.redisLog(), from, "# "), f.redisLog())
		}
		if pid, found := f.runningRedis(); found == statusReady && pid == s.pid {
			return s, nil
		}
		if err := wait.sleep(ctx); err != nil {
			return s, err
		}
	}
}

// runningRedis asks the server behind the folder's socket for its pid. One that does not answer, because it is
// starting, stopping or hung, is known by its pid file.
func (f *folder) runningRedis() (int, status) {
	pid, err := askRedis(f.redisSocket())
	if err == nil {
		return pid, statusReady
	}
	text, readErr := os.ReadFile(f.redisPid())
	if readErr != nil {
		return 0, statusAbsent
	}
	pid, readErr = strconv.Atoi(strings.TrimSpace(string(text)))
	if readErr != nil || (!ours(pid, "redis", f.redisDir()) && !ours(pid, "valkey", f.redisDir())) {
		return 0, statusAbsent
	}
	return pid, statusBusy
}

// askRedis gives the pid of the server that listens on a socket, once it has loaded its data.
func askRedis(socket string) (pid int, err error) {
	conn, err := (&net.Dialer{Timeout: time.Second}).Dial("unix", socket)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return 0, err
	}
	if _, err := io.WriteString(conn, "PING\r\nINFO server\r\n"); err != nil {
		return 0, err
	}
	lines := bufio.NewScanner(conn)
	if !lines.Scan() || lines.Text() != "+PONG" {
		return 0, errors.New("not ready: " + lines.Text())
	}
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), "process_id:"); ok {
			return strconv.Atoi(text)
		}
	}
	return 0, errors.New("no process_id in its answer")
}

// stopRedis stops whichever server runs in the folder now. SIGTERM writes the append-only file out first.
func (f *folder) stopRedis(ctx context.Context, s *server) error {
	steps := []step{{syscall.SIGTERM, 15 * time.Second}, {syscall.SIGINT, 2 * time.Second}, {syscall.SIGKILL, 5 * time.Second}}
	if s != nil {
		if err := s.stop(ctx, steps...); err != nil {
			return err
		}
	}
	if pid, found := f.runningRedis(); found != statusAbsent {
		return (&server{name: "Redis", pid: pid, log: f.redisLog()}).stop(ctx, steps...)
	}
	return nil
}
