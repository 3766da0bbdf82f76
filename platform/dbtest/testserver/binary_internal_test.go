package testserver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// program makes an executable file, and its folders.
func program(t *testing.T, elements ...string) string {
	t.Helper()
	path := filepath.Join(elements...)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755))
	return path
}

// Guarantee: among the packages found, the newest complete server wins; a client-only package is passed over.
func TestNewestServer(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, dir := range []string{"lib/postgresql/9/bin", "lib/postgresql/15/bin", "opt/postgresql@14/bin"} {
		program(t, root, dir, "initdb")
		program(t, root, dir, "postgres")
	}
	program(t, root, "lib/postgresql/17/bin", "psql") // clients only
	patterns := []string{root + "/lib/postgresql/*/bin", root + "/opt/postgresql*/bin", root + "/nowhere/*"}
	require.Equal(t, filepath.Join(root, "lib/postgresql/15/bin"), newestServer(patterns))
	require.Empty(t, newestServer(patterns[2:]))
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]int{
		"/usr/lib/postgresql/9/bin": 9, "/opt/homebrew/opt/postgresql@17/bin": 17, "/usr/pgsql-16/bin": 16,
		"/opt/homebrew/opt/postgresql/bin": 0,
	} {
		require.Equal(t, want, version(path), path)
	}
}

// Guarantee: PATH comes first, through symbolic links to where the server really is; without a server, one line that says
// what to do.
func TestFind(t *testing.T) { // not parallel: it changes PATH
	root := t.TempDir()
	link := filepath.Join(root, "bin", "initdb")
	require.NoError(t, os.Mkdir(filepath.Dir(link), 0o755))
	require.NoError(t, os.Symlink(program(t, root, "server", "initdb"), link))
	program(t, root, "server", "postgres")
	redis := program(t, root, "bin", "redis-server")
	t.Setenv("PATH", filepath.Dir(link))
	dir, err := FindPostgres()
	require.NoError(t, err)
	want, err := filepath.EvalSymlinks(filepath.Join(root, "server"))
	require.NoError(t, err)
	require.Equal(t, want, dir)
	path, err := FindRedis()
	require.NoError(t, err)
	require.Equal(t, redis, path)

	t.Setenv("PATH", t.TempDir())
	saved, savedRedis := postgresDirs, redisNames
	t.Cleanup(func() { postgresDirs, redisNames = saved, savedRedis })
	postgresDirs, redisNames = []string{root + "/nowhere/*"}, []string{"redis-server"}
	_, err = FindPostgres()
	require.ErrorContains(t, err, "scripts/install.sh")
	_, err = StartPostgres()
	require.ErrorContains(t, err, "scripts/install.sh")
	_, err = StartRedis()
	require.ErrorContains(t, err, "scripts/install.sh")
}
