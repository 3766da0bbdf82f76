package sample

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Load writes the small sample into a temporary folder below dir (empty = the system's), hands the paths of its files to
// ingest in the order to ingest them in, and removes the folder.
func Load(ctx context.Context, dir string, ingest func(ctx context.Context, paths []string) error) (err error) {
	folder, err := os.MkdirTemp(dir, "gpatlas-sample-*")
	if err != nil {
		return fmt.Errorf("make a folder for the sample: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	written, err := Write(ctx, Options{Scale: Small, Dir: folder})
	if err != nil {
		return fmt.Errorf("write the sample: %w", err)
	}
	paths := make([]string, len(written.Archives))
	for i, a := range written.Archives {
		paths[i] = a.Path
	}
	return ingest(ctx, paths)
}

// Lines writes a line to out for each archive that is complete.
func Lines(out io.Writer) func(Progress) {
	return func(p Progress) { _, _ = fmt.Fprintf(out, "[%d/%d] %s\n", p.Done, p.Archives, p.Archive) }
}
