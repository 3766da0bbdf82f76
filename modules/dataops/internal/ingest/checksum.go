package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// checksum is the SHA-256 of a file; of a folder, that of its files' names and contents in the order of their names.
func checksum(ctx context.Context, path string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !d.Type().IsRegular() && name != path || d.IsDir() {
			return err
		}
		if name != path {
			rel, err := filepath.Rel(path, name)
			if err != nil {
				return err
			}
			_, _ = io.WriteString(h, filepath.ToSlash(rel)+"\x00")
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		_, err = io.Copy(h, f)
		return firstOf(err, f.Close())
	})
	if err != nil {
		return "", fmt.Errorf("checksum: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
