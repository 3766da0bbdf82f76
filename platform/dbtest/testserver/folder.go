package testserver

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

const (
	folderPrefix = "gpatlas-test-"
	ownersFile   = "owners" // the processes without which a folder is an orphan
	// maxSocketPath is the longest path of a unix socket that every system takes (Linux 107, macOS 103 bytes).
	maxSocketPath = 103
	// roomForCluster is how much must be free on a memory file system before it is used: containers often have 64 MB.
	roomForCluster = 1 << 30
	roomForScratch = 4 << 30
	memory         = "/dev/shm"
)

// Scratch makes a folder in memory for the temporary files of a whole run of tests, where there is room: clusters and other files
// that are made, synced and thrown away take several times as long on a disk. Its folder is "" where there is not. Sweep removes
// it once this process is gone.
func Scratch() (string, error) {
	if free(memory) < roomForScratch {
		return "", nil
	}
	dir, err := os.MkdirTemp(memory, folderPrefix)
	if err != nil {
		return "", err
	}
	if err := errors.Join(claim(dir, nil), os.Chmod(dir, 0o777|os.ModeSticky)); err != nil { // as /tmp is: servers run as other users
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

// newFolder makes an empty folder for one server, owned by the user that the server runs as, in memory where there is
// room, else in the first temporary folder that this user can reach and whose paths are short enough.
func newFolder(owner *osUser) (string, error) {
	var tried []string
	for _, base := range []string{memory, os.TempDir(), "/tmp", "/var/tmp"} {
		if err := usable(base, owner); err != nil {
			tried = append(tried, err.Error())
			continue
		}
		dir, err := os.MkdirTemp(base, folderPrefix)
		if err != nil {
			tried = append(tried, err.Error())
			continue
		}
		if err := claim(dir, owner); err != nil {
			return "", errors.Join(err, os.RemoveAll(dir))
		}
		return dir, nil
	}
	return "", fmt.Errorf("no folder for a test server: %v", tried)
}

// claim writes down for Sweep whose folder it is, and hands it to the server's user.
func claim(dir string, owner *osUser, supervisors ...int) error {
	pids := fmt.Append(nil, append([]int{os.Getpid()}, supervisors...)) // [1 2]
	if err := os.WriteFile(filepath.Join(dir, ownersFile), bytes.Trim(pids, "[]"), 0o600); err != nil {
		return err
	}
	if owner == nil {
		return nil
	}
	if err := os.Chown(dir, owner.uid, owner.gid); err != nil {
		return fmt.Errorf("hand user %s its folder: %w", owner.name, err)
	}
	return nil
}

// usable says why base cannot hold a server's folder, or nil.
func usable(base string, owner *osUser) error {
	info, err := os.Stat(base)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", base)
	}
	if n := len(filepath.Join(base, folderPrefix+"0123456789", ".s.PGSQL.5432")); n > maxSocketPath {
		return fmt.Errorf("%s makes socket paths of %d bytes, the limit is %d", base, n, maxSocketPath)
	}
	if base == memory && free(base) < roomForCluster {
		return fmt.Errorf("%s has too little room", base)
	}
	if owner == nil {
		return nil
	}
	for dir := filepath.Clean(base); ; dir = filepath.Dir(dir) { // another user must be able to pass through
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if info.Mode()&0o001 == 0 {
			return fmt.Errorf("%s cannot be entered by user %s", dir, owner.name)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// free is how many bytes a file system has left; 0 where there is none.
func free(dir string) uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0
	}
	return fs.Bavail * uint64(fs.Bsize)
}

// osUser is the user of the operating system that a server runs as when we are root.
type osUser struct {
	name     string
	uid, gid int
}

// serverUser is nil for an ordinary user, who runs servers as itself. PostgreSQL refuses root, so root lends them to
// user postgres, or to nobody where there is no postgres.
func serverUser() (*osUser, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // nil means the current user
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errU := strconv.Atoi(u.Uid)
		gid, errG := strconv.Atoi(u.Gid)
		if errU == nil && errG == nil && uid != 0 {
			return &osUser{name: name, uid: uid, gid: gid}, nil
		}
	}
	return nil, fmt.Errorf("running as root, and neither user postgres nor nobody exists to run servers as")
}

func (a *osUser) attributes() *syscall.SysProcAttr {
	// Its own process group: Ctrl-C in the terminal is for the tests, and the servers then follow them.
	attr := &syscall.SysProcAttr{Setpgid: true}
	if a != nil {
		attr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
	return attr
}
