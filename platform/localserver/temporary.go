package localserver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	temporaryPrefix = "gpatlas-test-"
	memory          = "/dev/shm"
	// roomForCluster is the free space that a memory file system must have to be used: containers often have 64 MB.
	roomForCluster = 1 << 30
	roomForScratch = 4 << 30
)

// TemporaryPostgres starts an empty PostgreSQL without durability, for tests, in a folder of its own.
func TemporaryPostgres(ctx context.Context) (*Stack, error) {
	return startTemporary(ctx, Config{NoRedis: true})
}

// TemporaryRedis starts an empty Redis without durability, for tests, on a free port of this machine.
func TemporaryRedis(ctx context.Context) (*Stack, error) {
	return startTemporary(ctx, Config{NoDB: true})
}

func startTemporary(ctx context.Context, cfg Config) (*Stack, error) {
	cfg.withDefaults()
	Sweep(ctx)
	as, err := chooseUser("", cfg.dropUser)
	if err != nil {
		return nil, err
	}
	dir, lock, err := temporaryFolder(as)
	if err != nil {
		return nil, err
	}
	cfg.Dir = dir
	f, err := openFolder(cfg)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir), lock.Close())
	}
	f.temporary = true
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	s, err := start(ctx, cfg, f, lock)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// temporaryFolder makes an empty folder, in memory if there is room, else in the first temporary folder that the servers' user
// can reach and whose paths are short enough.
func temporaryFolder(as osUser) (dir string, lock *os.File, err error) {
	var tried []error
	for _, base := range []string{memory, os.TempDir(), "/tmp", "/var/tmp"} {
		fault := as.reaches(base)
		if long := socketFault(filepath.Join(base, temporaryPrefix+"0123456789", "run")); long != "" {
			fault = errors.New(long)
		}
		if base == memory && free(base) < roomForCluster {
			fault = errors.New(base + " has too little room")
		}
		if fault == nil {
			if dir, lock, fault = newTemporary(base, as); fault == nil {
				return dir, lock, nil
			}
		}
		tried = append(tried, fault)
	}
	return "", nil, fmt.Errorf("no folder for a test server: %v", tried)
}

// newTemporary makes a folder that Sweep skips as long as its lock is held. Sweep does not see it before that. It belongs to
// the servers' user, whose supervisor removes it.
func newTemporary(base string, as osUser) (string, *os.File, error) {
	draft, err := os.MkdirTemp(base, "new-"+temporaryPrefix)
	if err != nil {
		return "", nil, err
	}
	dir := filepath.Join(base, strings.TrimPrefix(filepath.Base(draft), "new-"))
	lock, _, err := takeLock((&dataFolder{dir: draft}).lockPath(), "test")
	if err == nil && as.drop {
		err = os.Chown(draft, int(as.uid), int(as.gid))
	}
	if err == nil {
		err = os.Rename(draft, dir)
	}
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(draft))
	}
	return dir, lock, nil
}

// Scratch makes a folder in memory for the temporary files of a whole test run, if there is room: creating, syncing and
// deleting many files takes several times as long on a disk. Without room its name is "".
func Scratch() (dir string, remove func() error, err error) {
	if free(memory) < roomForScratch {
		return "", nil, nil
	}
	dir, lock, err := newTemporary(memory, osUser{})
	if err != nil {
		return "", nil, err
	}
	remove = func() error { return errors.Join(os.RemoveAll(dir), lock.Close()) }
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil { // like /tmp: servers run as other users
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}

// Sweep stops and removes what earlier test processes left behind because their supervisor was killed as well. A folder is
// skipped while the process that made it lives.
func Sweep(ctx context.Context) {
	for _, base := range []string{memory, os.TempDir(), "/tmp", "/var/tmp"} {
		dirs, _ := filepath.Glob(filepath.Join(base, temporaryPrefix+"*")) // the pattern is well formed
		for _, dir := range dirs {
			f := &dataFolder{dir: dir}
			lock, err := os.OpenFile(f.lockPath(), os.O_RDWR|syscall.O_NOFOLLOW, 0)
			if err != nil {
				continue // another user's
			}
			if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil &&
				errors.Join(f.stopPostgres(ctx, nil), f.stopRedis(ctx, nil)) == nil {
				_ = os.RemoveAll(dir) // the next sweep tries again
			}
			_ = lock.Close()
		}
	}
}

// free is how many bytes of a file system are free; 0 if there is none.
func free(dir string) uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}
