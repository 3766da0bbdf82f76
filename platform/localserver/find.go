package localserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/platform/apperr"
)

// oldestPostgres is the oldest major version that the schema supports.
const oldestPostgres = 15

// finder knows the folders of server binaries.
type finder struct {
	path     []string // the folders of PATH
	postgres []string // globs of further folders with PostgreSQL's binaries
	redis    []string // further folders with redis-server
}

func systemFinder() finder {
	return finder{
		path: filepath.SplitList(os.Getenv("PATH")),
		postgres: []string{
			"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
			"/usr/pgsql-*/bin",          // Red Hat
			"/opt/homebrew/opt/postgresql*/bin",
			"/usr/local/opt/postgresql*/bin",
			"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
			"/Applications/Postgres.app/Contents/Versions/*/bin",
		},
		redis: []string{"/opt/homebrew/bin", "/opt/homebrew/opt/redis/bin", "/usr/local/opt/redis/bin", "/home/linuxbrew/.linuxbrew/bin"},
	}
}

// FindPostgres returns the folder of PostgreSQL's programs.
func FindPostgres(ctx context.Context) (string, error) {
	found, err := systemFinder().findPostgres(ctx, 0)
	return found.bin, err
}

// FindRedis returns the path of redis-server, or of valkey-server, which speaks the same.
func FindRedis() (string, error) { return systemFinder().findRedis() }

// installation is one PostgreSQL on this machine.
type installation struct {
	bin   string // folder with postgres and initdb
	major int
}

// findPostgres returns the first installation of a major version, or with 0 the first that is new enough: PATH first, then the
// newest of the usual folders.
func (f finder) findPostgres(ctx context.Context, major int) (installation, error) {
	var found []int
	for _, bin := range f.postgresFolders() {
		version, err := postgresMajor(ctx, bin)
		if err != nil {
			continue
		}
		if version == major || (major == 0 && version >= oldestPostgres) {
			return installation{bin: bin, major: version}, nil
		}
		found = append(found, version)
	}
	switch {
	case len(found) == 0:
		return installation{}, errors.New("PostgreSQL is not installed (no postgres and initdb found): install it " +
			"(Debian: apt-get install postgresql; macOS: brew install postgresql@17), or set DATABASE_URL")
	case major == 0:
		return installation{}, fmt.Errorf("PostgreSQL %d is too old: install version %d or newer, or set DATABASE_URL", slices.Max(found), oldestPostgres)
	default:
		return installation{}, &versionError{want: major, have: slices.Max(found)}
	}
}

// versionError reports a cluster of a PostgreSQL version that is not installed.
type versionError struct {
	dir        string
	want, have int
}

func (e *versionError) Error() string {
	return fmt.Sprintf("data folder %s was created by PostgreSQL %d, but version %d is installed: install PostgreSQL %d, or %s",
		e.dir, e.want, e.have, e.want, adviceDir)
}

func (f finder) postgresFolders() []string {
	var folders []string
	add := func(dir string) {
		target, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres"))
		if err != nil {
			return
		}
		bin := filepath.Dir(target)
		if runnable(target) && runnable(filepath.Join(bin, "initdb")) && !slices.Contains(folders, bin) {
			folders = append(folders, bin)
		}
	}
	for _, dir := range f.path {
		if filepath.IsAbs(dir) {
			add(dir)
		}
	}
	var rest []string
	for _, pattern := range f.postgres {
		matches, _ := filepath.Glob(pattern) // the patterns are constants
		rest = append(rest, matches...)
	}
	slices.SortStableFunc(rest, func(a, b string) int { return pathVersion(b) - pathVersion(a) })
	for _, dir := range rest {
		add(dir)
	}
	return folders
}

func (f finder) findRedis() (string, error) {
	for _, dir := range append(slices.Clone(f.path), f.redis...) {
		for _, name := range []string{"redis-server", "valkey-server"} {
			if path := filepath.Join(dir, name); filepath.IsAbs(dir) && runnable(path) {
				return path, nil
			}
		}
	}
	return "", errors.New("redis-server is not installed: install it (Debian: apt-get install redis-server; macOS: brew install redis), or set REDIS_URL")
}

var number = regexp.MustCompile(`\d+`)

// pathVersion is the last number in a folder such as /usr/lib/postgresql/15/bin.
func pathVersion(path string) int {
	all := number.FindAllString(path, -1)
	if len(all) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(all[len(all)-1])
	return n
}

// postgresMajor asks `postgres --version`: "postgres (PostgreSQL) 15.14 (Debian …)".
func postgresMajor(ctx context.Context, bin string) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, filepath.Join(bin, "postgres"), "--version").Output() //nolint:gosec // a binary that we found
	if err != nil {
		return 0, err
	}
	_, version, _ := bytes.Cut(out, []byte(") "))
	return strconv.Atoi(number.FindString(string(version)))
}

func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// locate finds the binaries of every required server, before anything is started.
func (f *dataFolder) locate(ctx context.Context, cfg Config) error {
	if !cfg.NoRedis {
		var err error
		if f.redis, err = cfg.finder.findRedis(); err != nil {
			return err
		}
	}
	if cfg.NoDB {
		return nil
	}
	major := 0
	version, err := os.ReadFile(f.versionPath())
	switch {
	case err == nil:
		if major, err = strconv.Atoi(strings.TrimSpace(string(version))); err != nil {
			return fmt.Errorf("data folder %s contains no usable cluster (PG_VERSION contains %q): %s", f.dir, version, adviceDir)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("cannot use data folder %s: %w: %s", f.dir, apperr.Cause(err), adviceDir)
	}
	f.pg, err = cfg.finder.findPostgres(ctx, major)
	if wrong, ok := errors.AsType[*versionError](err); ok {
		wrong.dir = f.dir
	}
	return err
}
