package testserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gpatlas/platform/osproc"
)

// Sweep stops and removes what earlier test processes left behind although their supervisor should have: it was killed
// as well. A folder is left alone while anyone who made it lives.
func Sweep() {
	for _, base := range []string{memory, os.TempDir(), "/tmp", "/var/tmp"} {
		dirs, _ := filepath.Glob(filepath.Join(base, folderPrefix+"*"))
		for _, dir := range dirs {
			if orphaned(dir) {
				_ = adopt(dir) // the next sweep tries again
			}
		}
	}
}

// orphaned says that a folder's owners have both gone. A folder without an owners file is being made this moment, or
// is another user's.
func orphaned(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, ownersFile))
	if err != nil {
		return false
	}
	owners := strings.Fields(string(b))
	for _, o := range owners {
		pid, err := strconv.Atoi(o)
		if err != nil || osproc.Alive(pid) {
			return false
		}
	}
	return len(owners) > 0
}

// adopt stops the server of a folder that nobody supervises, sees it stop, and removes the folder.
func adopt(dir string) error {
	if pid := serverPID(dir); pid > 0 && runsIn(pid, dir) {
		_ = syscall.Kill(pid, syscall.SIGTERM)
		_ = syscall.Kill(pid, syscall.SIGINT) // PostgreSQL: do not wait for clients
		deadline := time.Now().Add(stopTimeout)
		for runsIn(pid, dir) {
			if time.Now().After(deadline) {
				return fmt.Errorf("server %d in %s does not stop", pid, dir)
			}
			time.Sleep(pollEvery)
		}
	}
	return os.RemoveAll(dir)
}

// killServer ends a server that did not stop when told to. PostgreSQL's children notice and follow.
func killServer(dir string) {
	if pid := serverPID(dir); pid > 0 && runsIn(pid, dir) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// runsIn says whether process pid is still the server of dir, and not somebody who was given the number since.
func runsIn(pid int, dir string) bool {
	return osproc.Alive(pid) && strings.Contains(osproc.CommandLine(pid), dir)
}
