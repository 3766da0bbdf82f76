package localserver

import (
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"gpatlas/platform/apperr"
)

// osUser is the user of the operating system that the servers run as: the current one, or another one for root (drop).
type osUser struct {
	uid, gid uint32
	name     string
	drop     bool
}

// chooseUser is the current user, unless that is root: then the owner of an existing cluster, else the first of names that
// exists.
func chooseUser(dir string, names []string) (osUser, error) {
	if uid := os.Geteuid(); uid != 0 {
		return osUser{uid: uint32(uid), gid: uint32(os.Getegid()), name: userName(uint32(uid))}, nil
	}
	if info, err := os.Stat(filepath.Join(dir, "postgres", "PG_VERSION")); err == nil && ownerOf(info) != 0 {
		return osUser{uid: ownerOf(info), gid: groupOf(info), name: userName(ownerOf(info)), drop: true}, nil
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 != nil || err2 != nil || uid == 0 {
			continue
		}
		return osUser{uid: uint32(uid), gid: uint32(gid), name: name, drop: true}, nil
	}
	return osUser{}, fmt.Errorf("PostgreSQL refuses to run as root and there is no user %s on this machine: run gpatlas as an ordinary user",
		strings.Join(names, " or "))
}

// passes returns whether the user may pass through (not list) a folder, by its mode.
func (a osUser) passes(info fs.FileInfo) bool {
	switch mode := info.Mode().Perm(); {
	case a.uid == 0:
		return true
	case ownerOf(info) == a.uid:
		return mode&0o100 != 0
	case groupOf(info) == a.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

// reaches reports which folder on the way to path, including path, the user cannot enter; nil if none.
func (a osUser) reaches(path string) error {
	for _, dir := range append(parents(path), path) {
		info, err := os.Stat(dir)
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("cannot use folder %s: %w: %s", path, apperr.Cause(err), adviceDir)
		}
		if !a.passes(info) {
			hint := ""
			if a.drop {
				hint = ", such as /var/lib/gpatlas"
			}
			return fmt.Errorf("the servers run as user %s, who has no access to %s (mode %04o), so %s is out of reach: %s%s",
				a.name, dir, info.Mode().Perm(), path, adviceDir, hint)
		}
	}
	return nil
}

func userName(uid uint32) string {
	if u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10)); err == nil {
		return u.Username
	}
	return fmt.Sprintf("number %d", uid)
}
