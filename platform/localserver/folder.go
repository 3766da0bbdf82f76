package localserver

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"gpatlas/platform/apperr"
)

// dataFolder is a data folder: its paths, and the user of its servers.
type dataFolder struct {
	dir string // absolute, links resolved
	as  osUser
	// The owner's programs, once located.
	pg    installation
	redis string

	lock      *os.File // the owner's
	temporary bool     // removed with its server
	redisAddr string   // HOST:PORT of a temporary Redis
}

const adviceDir = "choose another folder with --data-dir"

func (f *dataFolder) lockPath() string  { return filepath.Join(f.dir, "gpatlas.lock") }
func (f *dataFolder) usersPath() string { return filepath.Join(f.dir, "users.lock") }
func (f *dataFolder) pgDir() string     { return filepath.Join(f.dir, "postgres") }
func (f *dataFolder) redisDir() string  { return filepath.Join(f.dir, "redis") }
func (f *dataFolder) logDir() string    { return filepath.Join(f.dir, "log") }
func (f *dataFolder) runLink() string   { return filepath.Join(f.dir, "run") }

// runDir is the folder of the sockets: DIR/run, or its target.
func (f *dataFolder) runDir() string {
	if target, err := os.Readlink(f.runLink()); err == nil {
		return target
	}
	return f.runLink()
}

func (f *dataFolder) databaseURL() string {
	q := url.Values{"host": {f.runDir()}, "port": {"5432"}, "sslmode": {"disable"}}
	return "postgres://" + databaseUser + "@/" + databaseName + "?" + q.Encode()
}

func (f *dataFolder) redisURL() string {
	if f.redisAddr != "" {
		return "redis://" + f.redisAddr + "/0"
	}
	return (&url.URL{Scheme: "unix", Path: f.redisSocket(), RawQuery: "db=0"}).String()
}

// DefaultDir is the default data folder: one that the servers' user can reach. An ordinary user's is the same on macOS, whose
// usual folder has a space in its name and paths too long for sockets.
func DefaultDir(getenv func(string) string) (string, error) {
	if os.Geteuid() == 0 {
		return "/var/lib/gpatlas", nil
	}
	if base := getenv("XDG_DATA_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "gpatlas"), nil
	}
	home := getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", errors.New("no home folder for the data (HOME is not set): set a data folder with --data-dir")
	}
	return filepath.Join(home, ".local", "share", "gpatlas"), nil
}

// resolveFolder finds the path of a data folder, without creating or checking anything.
func resolveFolder(dir string) (*dataFolder, error) {
	if dir == "" {
		return nil, errors.New("no data folder: set one with --data-dir")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot use data folder %s: %w", dir, err)
	}
	if target, err := filepath.EvalSymlinks(abs); err == nil {
		abs = target
	}
	return &dataFolder{dir: abs}, nil
}

// openFolder creates the data folder if it is missing and sets the servers' user.
func openFolder(cfg Config) (*dataFolder, error) {
	f, err := resolveFolder(cfg.Dir)
	if err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711 // the servers' user passes through; the lock stays root's
	}
	if err := os.MkdirAll(f.dir, mode); err != nil {
		return nil, fmt.Errorf("cannot create data folder %s: %w: %s", f.dir, apperr.Cause(err), adviceDir)
	}
	if f, err = resolveFolder(f.dir); err != nil {
		return nil, err
	}
	if f.as, err = chooseUser(f.dir, cfg.dropUser); err != nil {
		return nil, err
	}
	if !f.as.drop {
		return f, f.checkMine()
	}
	if err := f.checkOurs(); err != nil {
		return nil, err
	}
	if err := f.openUp(); err != nil {
		return nil, err
	}
	return f, f.as.reaches(f.dir)
}

// Claim creates a data folder without servers: for a command that keeps only its own files there.
func Claim(dir string) error {
	f, err := resolveFolder(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("cannot create data folder %s: %w: %s", f.dir, apperr.Cause(err), adviceDir)
	}
	if err := f.checkOurs(); err != nil {
		return err
	}
	mark, err := openLock(f.lockPath())
	if err != nil {
		return err
	}
	return mark.Close()
}

// checkOurs rejects a folder that has files but none of ours: a mistyped path must not fill another folder with servers' data.
// Every start creates the lock file first; a signing key may be older. A new file system's lost+found does not count.
func (f *dataFolder) checkOurs() error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return fmt.Errorf("cannot read data folder %s: %w: %s", f.dir, apperr.Cause(err), adviceDir)
	}
	foreign := len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() == "gpatlas.lock" || e.Name() == "jwt.keys"
	})
	if foreign && (len(entries) > 1 || entries[0].Name() != "lost+found") {
		return fmt.Errorf("data folder %s is not empty and was not made by gpatlas: choose a new or empty folder with --data-dir", f.dir)
	}
	return nil
}

// checkMine reports why an ordinary user cannot use a folder, in one line instead of the servers' messages.
func (f *dataFolder) checkMine() error {
	if syscall.Access(f.dir, 7) != nil {
		return fmt.Errorf("user %s cannot write to data folder %s: %s", userName(f.as.uid), f.dir, adviceDir)
	}
	if err := f.checkOurs(); err != nil {
		return err
	}
	for _, path := range []string{f.pgDir(), f.redisDir()} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("cannot use data folder %s: %w: %s", f.dir, apperr.Cause(err), adviceDir)
		}
		if owner := ownerOf(info); owner != f.as.uid {
			return fmt.Errorf("%s belongs to user %s, and you are %s: run gpatlas as that user, or %s", path, userName(owner), userName(f.as.uid), adviceDir)
		}
	}
	return nil
}

// openUp lets the servers' user pass through root's folder (0711: pass, not list). Another user's folder is left as it is.
func (f *dataFolder) openUp() error {
	info, err := os.Stat(f.dir)
	if err != nil {
		return fmt.Errorf("cannot use data folder %s: %w", f.dir, apperr.Cause(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("data folder %s is not a folder: %s", f.dir, adviceDir)
	}
	if f.as.passes(info) || ownerOf(info) != 0 {
		return nil
	}
	return os.Chmod(f.dir, info.Mode().Perm()|0o011)
}

// prepare makes the parts of the folder. Only the lock's holder calls it.
func (f *dataFolder) prepare(cfg Config) error {
	for _, path := range []string{f.redisDir(), f.logDir()} {
		if err := f.own(path, f.temporary || path != f.logDir()); err != nil {
			return err
		}
	}
	target := f.runLink()
	if reason := socketFault(target); reason != "" {
		target = shortRunDir(f.dir, f.as)
		cfg.Log.Info("sockets are kept in a short folder, for "+reason, "folder", target)
		if old, err := os.Readlink(f.runLink()); err != nil || old != target {
			_ = os.Remove(f.runLink()) // an old link, or an empty folder
			if err := os.Symlink(target, f.runLink()); err != nil {
				return fmt.Errorf("cannot link %s: %w: %s", f.runLink(), err, adviceDir)
			}
		}
	}
	if err := f.own(target, true); err != nil {
		return err
	}
	return f.as.reaches(target)
}

// own creates a folder of mode 0700, of the servers' user if theirs is true. An existing one must belong to that user: the
// short folder is in a place where any user may create one first.
func (f *dataFolder) own(path string, theirs bool) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("cannot create folder %s: %w: %s", path, apperr.Cause(err), adviceDir)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("cannot use folder %s: %w: %s", path, apperr.Cause(err), adviceDir)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is in the way: it is not a folder: %s", path, adviceDir)
	}
	owner := ownerOf(info)
	if theirs && f.as.drop && owner == 0 {
		if err := os.Lchown(path, int(f.as.uid), int(f.as.gid)); err != nil {
			return fmt.Errorf("cannot give folder %s to user %s: %w: %s", path, f.as.name, apperr.Cause(err), adviceDir)
		}
		owner = f.as.uid
	}
	if theirs && owner != f.as.uid {
		return fmt.Errorf("folder %s belongs to user %s and not to %s: remove it, or %s", path, userName(owner), f.as.name, adviceDir)
	}
	if info.Mode().Perm() != 0o700 {
		return os.Chmod(path, 0o700) //nolint:gosec // a folder needs its x bit
	}
	return nil
}

// socketPathMax is the maximum length of a socket's path in bytes.
func socketPathMax() int {
	if runtime.GOOS == "linux" {
		return 107
	}
	return 103
}

var plainPath = regexp.MustCompile(`^[A-Za-z0-9/._+@-]+$`)

// socketFault reports why a folder cannot hold sockets; "" if it can.
func socketFault(dir string) string {
	if longest := len(dir) + len("/.s.PGSQL.5432"); longest > socketPathMax() {
		return fmt.Sprintf("the path of a socket in the data folder would have %d bytes; the limit is %d", longest, socketPathMax())
	}
	if !plainPath.MatchString(dir) {
		return "the path of the data folder has characters that are not allowed in socket settings"
	}
	return ""
}

// shortRunDir is the folder for sockets if the data folder's path is too long: its name is derived from the data folder's, so
// that it can be found again.
func shortRunDir(dir string, as osUser) string {
	sum := sha256.Sum256([]byte(dir))
	name := "gpatlas-" + hex.EncodeToString(sum[:6])
	base := os.TempDir()
	if target, err := filepath.EvalSymlinks(base); err == nil {
		base = target
	}
	if candidate := filepath.Join(base, name); socketFault(candidate) == "" && as.reaches(candidate) == nil {
		return candidate
	}
	return filepath.Join("/tmp", name)
}

func ownerOf(info fs.FileInfo) uint32 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Uid
	}
	return 0
}

func groupOf(info fs.FileInfo) uint32 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Gid
	}
	return 0
}

// parents lists the folders above path, outermost first.
func parents(path string) []string {
	var up []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		up = append([]string{dir}, up...)
		if dir == filepath.Dir(dir) || strings.TrimLeft(dir, "/.") == "" {
			return up
		}
	}
}
