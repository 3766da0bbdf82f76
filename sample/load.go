package sample

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Load writes the small sample into a temporary folder below dir (empty = the system's), hands the paths of its files to
// ingest in the order to ingest them in, those of the recorded job boards to boards after it, and removes the folder. boards may be
// left out.
func Load(ctx context.Context, dir string, ingest func(ctx context.Context, paths []string) error, boards ...func(ctx context.Context, paths []string) error) (err error) {
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
	if err := ingest(ctx, paths); err != nil {
		return err
	}
	for _, load := range boards {
		if err := load(ctx, written.Boards); err != nil {
			return err
		}
	}
	return nil
}

// Lines writes a line to out for each archive that is complete.
func Lines(out io.Writer) func(Progress) {
	return func(p Progress) { _, _ = fmt.Fprintf(out, "[%d/%d] %s\n", p.Done, p.Archives, p.Archive) }
}
