package devstack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"gpatlas/platform/oserr"
	"gpatlas/platform/osproc"
)

// server is one running server process: a child of ours, or one that was adopted (then exited is nil).
type server struct {
	name   string
	pid    int
	log    string
	exited chan struct{} // closed when a child of ours was reaped
	result error         // of a child of ours, once exited
}

// launch starts a server in a process group of its own, so that Ctrl-C in the terminal reaches only us.
func launch(ctx context.Context, name, log string, cmd *exec.Cmd) (*server, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", log, oserr.Cause(err))
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	s := &server{name: name, pid: cmd.Process.Pid, log: log, exited: make(chan struct{})}
	go func() {
		s.result = cmd.Wait()
		close(s.exited)
	}()
	return s, nil
}

// command prepares a program that runs as the folder's user, in dir, with nothing of our environment that could
// steer it (PGPORT and its like). It is not killed when ctx ends: stopping a server is Stop's business.
func command(ctx context.Context, as osUser, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, args...) //nolint:gosec // a server's binary that we found
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "HOME=" + dir, "PATH=" + filepath.Dir(program) + ":/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if as.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: as.uid, Gid: as.gid}
	}
	return cmd
}

func (s *server) running() bool {
	if s.exited == nil {
		return osproc.Alive(s.pid)
	}
	select {
	case <-s.exited:
		return false
	default:
		return true
	}
}

// state says how a server ended, if it is a child of ours.
func (s *server) state() string {
	switch {
	case s.exited == nil:
		return "an earlier start had left it running"
	case s.result == nil:
		return "exit status 0"
	}
	return s.result.Error()
}

// step is one way of asking a server to stop, and how long to wait for it.
type step struct {
	signal syscall.Signal
	wait   time.Duration
}

// stop asks s to end by each step in turn. When ctx ends only the last step but one (quick but orderly) is taken.
func (s *server) stop(ctx context.Context, steps ...step) error {
	for i, st := range steps {
		if ctx.Err() != nil && i < len(steps)-2 {
			continue
		}
		if !s.running() {
			return nil
		}
		if err := syscall.Kill(s.pid, st.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("cannot stop %s (pid %d): %w", s.name, s.pid, err)
		}
		waitCtx := ctx
		if i >= len(steps)-2 {
			waitCtx = context.WithoutCancel(ctx)
		}
		if s.await(waitCtx, st.wait) {
			return nil
		}
	}
	return fmt.Errorf("%s (pid %d) does not stop", s.name, s.pid)
}

// await waits until the server has ended, and says whether it has.
func (s *server) await(ctx context.Context, most time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	if s.exited != nil {
		select {
		case <-s.exited:
			return true
		case <-ctx.Done():
			return !s.running()
		}
	}
	wait := backoff{}
	for s.running() {
		if wait.sleep(ctx) != nil {
			return !s.running()
		}
	}
	return true
}

// ours says whether a pid read from a file is the server of this folder and not a process that got its number since:
// it must be called program, and work in dir or name it in its arguments.
func ours(pid int, program, dir string) bool {
	if !osproc.Alive(pid) {
		return false
	}
	args := osproc.CommandLine(pid)
	if !strings.Contains(args, program) {
		return false
	}
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && cwd == dir {
		return true
	}
	return strings.Contains(args+" ", dir+" ")
}

// backoff sleeps a little longer each time: readiness is found within a few milliseconds without busy polling.
type backoff struct{ last, most time.Duration }

// sleep returns the context's error when that ends first.
func (b *backoff) sleep(ctx context.Context) error {
	if b.most == 0 {
		b.most = 50 * time.Millisecond
	}
	b.last = min(max(b.last*3/2, 2*time.Millisecond), b.most)
	timer := time.NewTimer(b.last)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// logSize is where a server's next words will stand in its log.
func logSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// complaint finds the line in which a server said why it could not start: the last one that holds one of marks, else
// the last one.
func complaint(path string, from int64, marks ...string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.NewSectionReader(file, from, 1<<20))
	if err != nil {
		return ""
	}
	last, marked := "", ""
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		last = line
		for _, mark := range marks {
			if _, after, ok := strings.Cut(line, mark); ok {
				marked = strings.TrimSpace(after)
			}
		}
	}
	if marked != "" {
		return marked
	}
	return last
}

// rotate keeps a log from growing for ever: over 8 MiB it becomes PATH.1.
func rotate(path string) {
	if logSize(path) > 8<<20 {
		_ = os.Rename(path, path+".1") // a log that cannot be moved is still a log
	}
}
