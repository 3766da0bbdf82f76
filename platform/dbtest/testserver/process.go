package testserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	startTimeout = 60 * time.Second
	stopTimeout  = 30 * time.Second
	pollEvery    = 10 * time.Millisecond
)

// supervisor runs a server and waits on its own standard input, which is a pipe that only we hold open: when we close
// it, or die of anything, it ends, the server is told to stop, and the folder goes after the server. A shell does it
// because it works on every system, outlives us, and needs no binary of ours.
// Its arguments: the folder, the signal that stops the server, then the server's command.
const supervisor = `
dir=$1; sig=$2; shift 2
exec 3<&0 </dev/null
"$@" >>"$dir/log" 2>&1 3<&- &
pid=$!
echo "$pid" >"$dir/server.pid"
( while read -r _ <&3; do :; done; kill -"$sig" "$pid" ) 2>/dev/null &
watch=$!
wait "$pid"; code=$?
if [ ! -e "$dir/ready" ]; then
  echo "$code" >"$dir/failed"
  while read -r _ <&3; do :; done
fi
kill "$watch" 2>/dev/null
[ "$code" -le 128 ] || sleep 1
cd / && rm -rf "$dir"
`

// held keeps every running server's pipe reachable: a collected file is a closed one, and the server would stop.
var held sync.Map // *process → nil

// process is one supervised server in its folder.
type process struct {
	dir  string
	cmd  *exec.Cmd
	hold io.Closer // the supervisor's standard input
}

// launch starts a server under supervision in dir and waits until ready says that it answers. It takes over dir.
func launch(dir, stopSignal string, owner *osUser, ready func(context.Context) error, command ...string) (*process, error) {
	args := append([]string{"-c", supervisor, "supervisor", dir, stopSignal}, command...)
	cmd := exec.Command("/bin/sh", args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, environment(), owner.attributes()
	hold, err := cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", command[0], err), os.RemoveAll(dir))
	}
	p := &process{dir: dir, cmd: cmd, hold: hold}
	held.Store(p, nil)
	err = claim(dir, owner, cmd.Process.Pid)
	if err == nil {
		err = p.await(ready)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s did not start: %w", filepath.Base(command[0]), err), p.stop())
	}
	return p, nil
}

// await polls until the server answers, has failed, or has taken too long.
func (p *process) await(ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for {
		err := ready(ctx)
		if err == nil {
			return os.WriteFile(filepath.Join(p.dir, "ready"), nil, 0o600)
		}
		if _, failed := os.Stat(filepath.Join(p.dir, "failed")); failed == nil {
			return errors.New("it ended: " + p.lastLog())
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no answer in %s: %w; %s", startTimeout, err, p.lastLog())
		case <-time.After(pollEvery):
		}
	}
}

// stop ends the server and returns once it has been seen to end and its folder is gone. A second call does nothing.
func (p *process) stop() error {
	if p.cmd.ProcessState != nil {
		return nil
	}
	held.Delete(p)
	_ = p.hold.Close()
	kill := time.AfterFunc(stopTimeout, func() { killServer(p.dir) })
	defer kill.Stop()
	_ = p.cmd.Wait() // the server's own exit code is of no interest here
	if _, err := os.Stat(p.dir); err == nil {
		// The supervisor was killed before its work was done: do it in its place.
		return adopt(p.dir)
	}
	return nil
}

// lastLog is the end of what the server said.
func (p *process) lastLog() string {
	b, err := os.ReadFile(filepath.Join(p.dir, "log"))
	if err != nil {
		return "it left no log"
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " | ")
}

// environment is what a server needs and nothing of ours: no PG* variables, and messages in English.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC", "HOME=/"}
}

// serverPID is the process id in the folder's server.pid, 0 if there is none.
func serverPID(dir string) int {
	b, err := os.ReadFile(filepath.Join(dir, "server.pid"))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b)))
	return pid
}
