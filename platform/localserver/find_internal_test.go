package localserver

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// program makes an executable file, and its folders.
func program(t *testing.T, text string, elements ...string) string {
	t.Helper()
	path := filepath.Join(elements...)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755))
	return path
}

// PATH comes first, through symbolic links to where the server really is; then the newest complete server among the usual
// folders. A package of clients and a version that is too old are passed over.
func TestFind(t *testing.T) { //nolint:paralleltest // a child that another test forks would keep the written programs busy
	root := t.TempDir()
	install := func(dir, version string) {
		program(t, "", root, dir, "initdb")
		program(t, "echo 'postgres (PostgreSQL) "+version+".1 (Debian)'", root, dir, "postgres")
	}
	install("lib/9/bin", "9")
	install("lib/15/bin", "15")
	install("lib/16/bin", "16")
	program(t, "", root, "lib/17/bin/psql")
	install("old", "9")
	link := filepath.Join(root, "bin", "postgres")
	redis := program(t, "", root, "bin", "valkey-server")
	require.NoError(t, os.Symlink(filepath.Join(root, "lib/15/bin/postgres"), link))
	resolved, err := filepath.EvalSymlinks(root)
	require.NoError(t, err)

	f := finder{path: []string{filepath.Join(root, "old"), "relative"}, postgres: []string{filepath.Join(root, "lib/*/bin")}}
	found, err := f.findPostgres(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, installation{bin: filepath.Join(resolved, "lib/16/bin"), major: 16}, found)
	found, err = f.findPostgres(t.Context(), 9)
	require.NoError(t, err)
	require.Equal(t, installation{bin: filepath.Join(resolved, "old"), major: 9}, found)
	_, err = f.findRedis()
	require.ErrorContains(t, err, "redis-server is not installed")

	f.path = []string{filepath.Join(root, "bin")}
	found, err = f.findPostgres(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, installation{bin: filepath.Join(resolved, "lib/15/bin"), major: 15}, found)
	got, err := f.findRedis()
	require.NoError(t, err)
	require.Equal(t, redis, got)

	_, err = finder{path: []string{filepath.Join(root, "old")}}.findPostgres(t.Context(), 0)
	require.EqualError(t, err, "PostgreSQL 9 is too old: install version 15 or newer, or set DATABASE_URL")
}
