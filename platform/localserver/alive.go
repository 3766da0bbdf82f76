package localserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// alive returns whether a process exists and is not merely waiting to be reaped by a parent that does not, as in a container
// without an init.
func alive(pid int) bool {
	if pid <= 1 {
		return false
	}
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) // pid (name) state …
	if err != nil {
		_, none := os.Stat("/proc/self") // a system without /proc
		return !os.IsNotExist(err) || none != nil
	}
	state := bytes.TrimSpace(stat[bytes.LastIndexByte(stat, ')')+1:])
	return len(state) == 0 || state[0] != 'Z' && state[0] != 'X'
}

// commandLine returns the command line of a process, its arguments separated by spaces; empty once it has ended. Linux has it in
// /proc; ps may be missing from a small image.
func commandLine(pid int) string {
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); err == nil {
		return string(bytes.ReplaceAll(text, []byte{0}, []byte{' '}))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	text, err := exec.CommandContext(ctx, "ps", "-ww", "-o", "stat=,command=", "-p", strconv.Itoa(pid)).Output() //nolint:gosec // a number
	if err != nil || bytes.HasPrefix(text, []byte("Z")) {
		return ""
	}
	return string(text)
}
