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

// checksum is the SHA-256 of a file; of a folder, that of its files' names and contents in the order of their names. A link
// counts as the file that it points to, because that file is read.
func checksum(ctx context.Context, path string) (string, error) {
	h := sha256.New()
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("checksum: %w", err)
	}
	if info.IsDir() {
		err = fs.WalkDir(os.DirFS(path), ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil || !isFile(path, name, d) {
				return err
			}
			_, _ = io.WriteString(h, name+"\x00")
			return add(h, path, name)
		})
	} else {
		err = add(h, filepath.Dir(path), filepath.Base(path))
	}
	if err != nil {
		return "", fmt.Errorf("checksum: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// isFile reports whether an entry of a folder is a file, or a link that leads to one.
func isFile(dir, name string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular()
}

// add hashes the contents of a file of a folder.
func add(h io.Writer, dir, name string) error {
	f, err := os.DirFS(dir).Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	_, err = io.Copy(h, f)
	return err
}
