package localserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
)

// supervisor runs a server and waits on descriptor 3, a pipe that only we hold open: when we close it, or end in any way, the
// server is stopped. It reports the server's pid and exit status on descriptor 4. When there is no reader left, it removes the
// folder in its first argument, "" for none. A shell does it because it works on every system, outlives us, and needs no binary
// of ours.
const supervisor = `
folder=$1; shift
exec 5<&0 </dev/null
"$@" 3<&- 4>&- <&5 5<&- &
pid=$!
trap '' PIPE
echo "$pid" >&4
( exec 4>&- 5<&-; while read -r _ <&3; do :; done; kill -INT "$pid" ) 2>/dev/null &
watch=$!
wait "$pid"; code=$?
kill "$watch"
echo "$code" 2>/dev/null >&4 && exit
[ "$code" -le 128 ] || sleep 1 # the children of a killed server
[ -z "$folder" ] || { cd / && rm -rf "$folder"; }
`

// server is one running server process: a child of ours, or one whose supervisor was killed (then exited is nil).
type server struct {
	name   string
	pid    int
	log    string
	exited chan struct{} // closed when a child of ours has ended
	result string        // of a child of ours, once exited; "" = well
}

// launch starts a program of the folder's user in dir, without our environment variables that could affect it (PGPORT and
// similar), in a process group of its own, so that Ctrl-C in the terminal reaches only us. The end of ctx does not kill it.
func (f *dataFolder) launch(ctx context.Context, name, log, dir, input string, program ...string) (*server, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", log, apperr.Cause(err))
	}
	defer func() { _ = out.Close() }()
	held, hold, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	defer func() { _ = held.Close() }()
	report, reporting, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot start %s: %w", name, err), hold.Close())
	}
	removed := ""
	if f.temporary {
		removed = f.dir
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "/bin/sh", append([]string{"-c", supervisor, "supervisor", removed}, program...)...) //nolint:gosec // a server's binary that we found
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC", "HOME=" + dir, "PATH=" + filepath.Dir(program[0]) + ":/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if f.as.drop {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: f.as.uid, Gid: f.as.gid}
	}
	cmd.Stdout, cmd.Stderr = out, out
	if input != "" {
		cmd.Stdin = strings.NewReader(input)
	}
	cmd.ExtraFiles = []*os.File{held, reporting}
	err = cmd.Start()
	_ = reporting.Close()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot start %s: %w", name, err), hold.Close(), report.Close())
	}
	s := &server{name: name, log: log, exited: make(chan struct{})}
	_, err = fmt.Fscanln(report, &s.pid)
	go func() {
		defer close(s.exited)
		code := 0
		switch _, err := fmt.Fscanln(report, &code); {
		case err != nil:
			s.result = "its supervisor was killed"
		case code > 128:
			s.result = "signal: " + syscall.Signal(code-128).String()
		case code > 0:
			s.result = fmt.Sprintf("exit status %d", code)
		}
		_, _ = hold.Close(), report.Close()
		_ = cmd.Wait()
		runtime.KeepAlive(f.lock) // if the file were collected it would be closed, and other processes would sweep the folder
	}()
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: its supervisor has ended", name)
	}
	return s, nil
}

func (s *server) running() bool {
	if s.exited == nil {
		return alive(s.pid)
	}
	select {
	case <-s.exited:
		return false
	default:
		return true
	}
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

// await returns true once the server has ended, false after a time.
func (s *server) await(ctx context.Context, most time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for s.running() {
		if clock.Sleep(ctx, poll) != nil {
			return !s.running()
		}
	}
	return true
}

// isServer returns whether a pid read from a file is still the server of this folder: it must be called program, and work in
// dir or have it in its arguments.
func isServer(pid int, program, dir string) bool {
	if !alive(pid) {
		return false
	}
	args := commandLine(pid)
	if !strings.Contains(args, program) {
		return false
	}
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && cwd == dir {
		return true
	}
	return strings.Contains(args+" ", dir+" ")
}

// poll is how often a starting or stopping server, or another process's lock, is checked.
const poll = 10 * time.Millisecond

// logSize is the present end of a server's log.
func logSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// complaint finds the line in which a server reported why it could not start: the last one that contains one of marks, else the
// last one.
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
	return cmp.Or(marked, last)
}

// rotate keeps a log from growing for ever: over 8 MiB it becomes PATH.1.
func rotate(path string) {
	if logSize(path) > 8<<20 {
		_ = os.Rename(path, path+".1") // a log that cannot be moved is still a log
	}
}
