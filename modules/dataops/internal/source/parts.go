package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"gpatlas/modules/dataops/internal/fetch"
)

// together fetches an archive that its publisher split: a folder with all of its parts is one document. Parts that are already
// here are kept while one is missing. If one part has changed, all are loaded again, because each may have rows that belong to
// those of another.
func (u *use) together(ctx context.Context, f found, known map[string]copyOf, index, of int) error {
	pieces, changed, err := u.pieces(ctx, f, known)
	if err != nil {
		return err
	}
	if changed == 0 {
		return u.wholeUnchanged(ctx, f, pieces)
	}
	if changed < len(pieces) {
		// What is fetched is kept, and found again in turn: two that fetch the same parts must not wait for each other.
		if err := keepForRetry(pieces); err != nil {
			return err
		}
		if pieces, _, err = u.pieces(ctx, f, nil); err != nil {
			return err
		}
	}
	folder, remove, err := f.folder(pieces)
	if err != nil {
		return errors.Join(err, keepForRetry(pieces))
	}
	return errors.Join(u.load(ctx, f, folder, pieces, index, of), remove())
}

// pieces fetches the parts of an archive whose editions are not the known ones, and counts them.
func (u *use) pieces(ctx context.Context, f found, known map[string]copyOf) (pieces []piece, changed int, err error) {
	for _, at := range f.parts {
		p := piece{at: at, had: known[at.String()]}
		part := found{name: path.Base(at.Path)}
		if p.file, err = u.fetch.Fetch(ctx, u.request(part, at, p.had)); err != nil {
			return nil, 0, errors.Join(err, keepForRetry(pieces))
		}
		if !p.file.Unchanged {
			changed++
		}
		pieces = append(pieces, p)
	}
	return pieces, changed, nil
}

// wholeUnchanged notes that no part of an archive has changed.
func (u *use) wholeUnchanged(ctx context.Context, f found, pieces []piece) error {
	for _, p := range pieces {
		if p.had.stopped != 0 {
			u.skipStopped(f, p.had) // one run had them all
			return nil
		}
	}
	var faults []error
	for _, p := range pieces {
		faults = append(faults, u.unchanged(ctx, f, p.at, p.had))
	}
	return errors.Join(faults...)
}

// keepForRetry releases the fetched files and keeps them for the next try.
func keepForRetry(pieces []piece) error {
	var faults []error
	for _, p := range pieces {
		if !p.file.Unchanged {
			faults = append(faults, p.file.Keep())
		}
	}
	return errors.Join(faults...)
}

// folder puts the parts of an archive side by side, by links: parts may have gigabytes. The folder is called like the archive.
func (f *found) folder(pieces []piece) (at string, remove func() error, err error) {
	base, err := os.MkdirTemp("", "gpatlas-parts-*")
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for the parts: %w", err)
	}
	remove = func() error { return os.RemoveAll(base) }
	name := f.name
	if safeName(name) != nil {
		name = "archive"
	}
	at = filepath.Join(base, name)
	err = os.Mkdir(at, 0o700)
	for _, p := range pieces {
		if err == nil {
			err = link(p.file, at)
		}
	}
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("put the parts into one folder: %w", err), remove())
	}
	return at, remove, nil
}

// link makes a fetched file appear in a folder.
func link(file fetch.File, folder string) error {
	whole, err := filepath.Abs(file.Path)
	if err != nil {
		return err
	}
	return os.Symlink(whole, filepath.Join(folder, filepath.Base(file.Path)))
}
