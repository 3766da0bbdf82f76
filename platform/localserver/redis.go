package localserver

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

	"gpatlas/platform/clock"
)

func (f *dataFolder) redisLog() string    { return filepath.Join(f.logDir(), "redis.log") }
func (f *dataFolder) redisSocket() string { return filepath.Join(f.runDir(), "redis.sock") }
func (f *dataFolder) redisPid() string    { return filepath.Join(f.redisDir(), "redis.pid") }

// startRedis starts the folder's Redis. A server that has lost its owner is stopped.
func (f *dataFolder) startRedis(ctx context.Context, _ Config) (*server, error) {
	if err := f.stopRedis(ctx, nil); err != nil {
		return nil, err
	}
	rotate(f.redisLog())
	for tries := 1; ; tries++ {
		s, err := f.tryRedis(ctx)
		// Another process may take the port of a temporary server between our asking for a free one and its use.
		if err == nil || !f.temporary || tries == 5 || ctx.Err() != nil {
			return s, err
		}
	}
}

func (f *dataFolder) tryRedis(ctx context.Context) (*server, error) {
	settings := []string{"--port", "0", "--unixsocket", f.redisSocket(), "--unixsocketperm", "700", "--appendonly", "yes"}
	if f.temporary {
		var err error
		if f.redisAddr, err = freeAddr(ctx); err != nil {
			return nil, err
		}
		_, port, _ := net.SplitHostPort(f.redisAddr)
		settings = []string{"--port", port, "--bind", "127.0.0.1", "--databases", "1024", "--appendonly", "no"}
	}
	settings = append(settings, "--save", "", "--dir", f.redisDir(), "--pidfile", f.redisPid(), "--daemonize", "no")
	from := logSize(f.redisLog())
	s, err := f.launch(ctx, "Redis", f.redisLog(), f.redisDir(), "", append([]string{f.redis}, settings...)...)
	if err != nil {
		return nil, err
	}
	for {
		if !s.running() {
			return s, fmt.Errorf("redis-server did not start: %s (more in %s)", complaint(f.redisLog(), from, "# "), f.redisLog())
		}
		if pid, found := f.runningRedis(); found == statusReady && pid == s.pid {
			return s, nil
		}
		if err := clock.Sleep(ctx, poll); err != nil {
			return s, err
		}
	}
}

func freeAddr(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// runningRedis asks the server behind the folder's socket for its pid. If it does not answer, because it is starting, stopping
// or hanging, the pid file counts.
func (f *dataFolder) runningRedis() (int, status) {
	pid, err := askRedis("unix", f.redisSocket())
	if f.redisAddr != "" {
		pid, err = askRedis("tcp", f.redisAddr)
	}
	if err == nil {
		return pid, statusReady
	}
	text, readErr := os.ReadFile(f.redisPid())
	if readErr != nil {
		return 0, statusAbsent
	}
	pid, readErr = strconv.Atoi(strings.TrimSpace(string(text)))
	if readErr != nil || (!isServer(pid, "redis", f.redisDir()) && !isServer(pid, "valkey", f.redisDir())) {
		return 0, statusAbsent
	}
	return pid, statusBusy
}

// askRedis returns the pid of the server that listens on an address, once it has loaded its data.
func askRedis(network, addr string) (pid int, err error) {
	conn, err := (&net.Dialer{Timeout: time.Second}).Dial(network, addr)
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
func (f *dataFolder) stopRedis(ctx context.Context, s *server) error {
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
