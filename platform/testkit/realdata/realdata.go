// Package realdata finds the real filings that some tests read. They are stored beside the repository and never in it. Names
// from them must not appear in tests or logs: only count and sum them.
package realdata

import (
	"os"
	"path/filepath"
	"testing"
)

// File is the path of a file or folder of the real data, such as "sec-roster/sec_advisers.csv". The test is skipped if it is
// missing.
func File(tb testing.TB, name string) string {
	tb.Helper()
	start, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	path, err := find(start, name)
	if err != nil {
		tb.Skipf("REAL FILES NOT TESTED: %v", err)
	}
	return path
}

// find looks in ../shared/data, beside the folder with go.mod that holds start.
func find(start, name string) (string, error) {
	root := start
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(root)
		if parent == root {
			return "", &os.PathError{Op: "find", Path: filepath.Join(start, "go.mod"), Err: os.ErrNotExist}
		}
		root = parent
	}
	path := filepath.Join(root, "..", "shared", "data", filepath.FromSlash(name))
	_, err := os.Stat(path)
	return path, err
}
