package testserver

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// postgresDirs are where packages put the server's binaries beside PATH: Debian, Red Hat, and Homebrew on both kinds of Mac.
var postgresDirs = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql*/bin",
	"/usr/local/opt/postgresql*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
}

// redisNames are what to try, in this order.
var redisNames = []string{
	"redis-server", "/opt/homebrew/bin/redis-server", "/usr/local/bin/redis-server", "/usr/bin/redis-server", "valkey-server",
}

// FindPostgres is the folder that holds initdb and postgres: the one of PATH, else the newest version found where the
// usual packages install it.
func FindPostgres() (string, error) {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if target, err := filepath.EvalSymlinks(initdb); err == nil && holdsServer(filepath.Dir(target)) {
			return filepath.Dir(target), nil
		}
	}
	if dir := newestServer(postgresDirs); dir != "" {
		return dir, nil
	}
	return "", fmt.Errorf("no PostgreSQL server binaries (initdb, postgres) on PATH or in %v: run scripts/install.sh", postgresDirs)
}

// FindRedis is the path of redis-server (or of valkey-server, which speaks the same).
func FindRedis() (string, error) {
	for _, name := range redisNames {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no redis-server on PATH: run scripts/install.sh")
}

// newestServer is the folder with the highest version in its path among those that match and hold a server.
func newestServer(patterns []string) string {
	var found []string
	for _, p := range patterns {
		dirs, _ := filepath.Glob(p) // the patterns are ours and well formed
		for _, d := range dirs {
			if holdsServer(d) {
				found = append(found, d)
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MaxFunc(found, func(a, b string) int { return cmp.Compare(version(a), version(b)) })
}

var versionInPath = regexp.MustCompile(`(?:postgresql/|postgresql@|pgsql-)(\d+)`)

// version is the major version that a path names, 0 where it names none.
func version(path string) int {
	m := versionInPath.FindStringSubmatch(path)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

func holdsServer(dir string) bool {
	for _, name := range []string{"initdb", "postgres"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return false
		}
	}
	return true
}
