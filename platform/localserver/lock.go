package localserver

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"gpatlas/platform/apperr"
)

// takeLock takes the folder's owner lock. If another process has it the file is nil and owner names that process. The kernel
// releases the lock when its holder ends, so a lock is never stale.
func takeLock(path, command string) (file *os.File, owner string, err error) {
	file, err = openLock(path)
	if err != nil {
		return nil, "", err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer func() { _ = file.Close() }()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, "", fmt.Errorf("cannot lock %s: %w", path, err)
		}
		text, _ := io.ReadAll(io.LimitReader(file, 200)) // the name is informative only
		if owner = strings.TrimSpace(string(text)); owner == "" {
			owner = "another gpatlas"
		}
		return nil, owner, nil
	}
	err = file.Truncate(0)
	if err == nil {
		_, err = fmt.Fprintf(file, "%s (pid %d)\n", command, os.Getpid())
	}
	if err != nil {
		return nil, "", errors.Join(fmt.Errorf("cannot write %s: %w", path, err), file.Close())
	}
	return file, "", nil
}

// shareLock marks this process as a borrower, until the file is closed.
func shareLock(path string) (*os.File, error) {
	file, err := openLock(path)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_SH); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot lock %s: %w", path, err), file.Close())
	}
	return file, nil
}

// usersLeft returns whether a borrower holds the shared lock.
func usersLeft(path string) bool {
	file, err := openLock(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}

func openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot open lock file %s: %w; choose another folder with --data-dir", path, apperr.Cause(err))
	}
	return file, nil
}

func closeLock(file **os.File) error {
	if *file == nil {
		return nil
	}
	err := (*file).Close()
	*file = nil
	return err
}
