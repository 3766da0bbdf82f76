package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/internal/index/rowfile"
	"gpatlas/platform/database"
)

// edition identifies the contents of an index. A restored backup gives a number to a second publication, so the instant is part of it; a migration may
// change rows without a publication, so the version of the schema is too.
type edition struct {
	publication int64
	at          time.Time
	schema      int64
}

const editionSQL = `SELECT coalesce(max(seq), 0), coalesce(max(published_at), 'epoch'), (SELECT max(version_id) FROM goose_db_version WHERE is_applied)
FROM catalog.publications`

func editionOf(ctx context.Context, from interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
},
) (e edition, err error) {
	if err := from.QueryRow(ctx, editionSQL).Scan(&e.publication, &e.at, &e.schema); err != nil {
		return e, fmt.Errorf("read the newest publication: %w", err)
	}
	return e, nil
}

// path sorts the files of a folder by their age.
func (e edition) path(folder string) string {
	return filepath.Join(folder, fmt.Sprintf("index-%016x-%04d-%d.rows.zst", e.at.UnixMicro(), e.schema, e.publication))
}

// keptFiles is how many files stay: other processes may be reading that of the publication before.
const keptFiles = 2

// kept returns the index over the rows that another process kept of the newest publication, or nil.
func (s *Store) kept(ctx context.Context, db *database.DB) *Snapshot {
	if s.folder == "" {
		return nil
	}
	built, err := s.fromFile(ctx, db)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.log.WarnContext(ctx, "rows of the index not read from their file; the database is read", slog.Any("error", err))
	}
	return built
}

// withheldRows stands before the IDs of the providers that are withheld.
const withheldRows = "withheld providers"

func (s *Store) fromFile(ctx context.Context, db *database.DB) (built *Snapshot, err error) {
	var of edition
	if err := db.Snapshot(ctx, func(c *pgx.Conn) error {
		of, err = editionOf(ctx, c)
		return err
	}); err != nil {
		return nil, err
	}
	file, err := rowfile.Open(of.path(s.folder), database.Types())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c, err := read(ctx, file, of)
	if err != nil {
		return nil, err
	}
	rows, err := file.Query(ctx, withheldRows)
	if err != nil {
		return nil, err
	}
	withheld, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	if err := file.End(); err != nil {
		return nil, err
	}
	built = c.snapshot(s.clock)
	built.withhold(withheld)
	return built, nil
}

// recording is the file of the rows that are being loaded; nil = there is none.
type recording struct {
	*rowfile.Recorder
	store *Store
}

// record begins to keep the rows that tx returns.
func (s *Store) record(ctx context.Context, of edition, tx pgx.Tx) *recording {
	if s.folder == "" {
		return nil
	}
	file, err := rowfile.Record(of.path(s.folder), tx)
	if err != nil {
		s.log.WarnContext(ctx, "rows of the index are not kept", slog.Any("error", err))
		return nil
	}
	return &recording{file, s}
}

// or is where the rows are read.
func (r *recording) or(tx pgx.Tx) rowfile.Querier {
	if r == nil {
		return tx
	}
	return r
}

func (r *recording) withheld(ids []string) {
	if r != nil {
		r.Values(withheldRows, ids)
	}
}

// end keeps the file of a load that did not fail, and removes old ones.
func (r *recording) end(ctx context.Context, failed error) {
	if r == nil {
		return
	}
	if failed != nil {
		r.Drop()
		return
	}
	if err := errors.Join(r.Keep(), r.store.tidy()); err != nil {
		r.store.log.WarnContext(ctx, "rows of the index are not kept", slog.Any("error", err))
	}
}

// tidy removes old files, and what killed processes have left.
func (s *Store) tidy() (err error) {
	files, _ := filepath.Glob(filepath.Join(s.folder, "index-*.rows.zst")) // the patterns are well-formed
	slices.Sort(files)
	old := files[:max(0, len(files)-keptFiles)]
	begun, _ := filepath.Glob(filepath.Join(s.folder, rowfile.Begun))
	for _, path := range begun {
		if info, err := os.Stat(path); err == nil && s.clock.Now().Sub(info.ModTime()) > loadLimit {
			old = append(old, path)
		}
	}
	for _, path := range old {
		if e := os.Remove(path); e != nil && !errors.Is(e, fs.ErrNotExist) { // another process may have been faster
			err = errors.Join(err, e)
		}
	}
	return err
}
