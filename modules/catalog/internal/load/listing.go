package load

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
)

// lists reports whether the document is an edition of a list of advisers and its day is known.
func (d *filingReader) lists() bool { return d.doc.List != "" && !d.edition().IsZero() }

// name puts the advisers that the document names into l_named.
func (s *session) name(ctx context.Context, d *filingReader) error {
	if !d.lists() {
		return nil
	}
	var rows rowBuffer
	for crd := range d.crds {
		rows.begin()
		rows.plain(crd)
		rows.end()
	}
	if err := s.exec(ctx, "name advisers", `CREATE TEMP TABLE l_named (crd text COLLATE "C" PRIMARY KEY) ON COMMIT DROP`); err != nil {
		return err
	}
	if err := s.copyIn(ctx, "l_named", rows.reader()); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE l_named")
}

// gone counts the advisers in the previous edition, and those of them that the document no longer names.
func (s *session) gone(ctx context.Context, d *filingReader) (listed, gone int64, err error) {
	if !d.lists() {
		return 0, 0, nil
	}
	params := []string{"$series$", literal(d.doc.List), "$day$", literal(d.edition().Format(time.DateOnly))}
	err = s.one(ctx, "listed_before", params, &listed, &gone)
	if err != nil {
		return 0, 0, fmt.Errorf("catalog load: count who is gone: %w", err)
	}
	return listed, gone, nil
}

// list records the advisers of a complete edition of a list. It returns how many advisers' listing has changed: they are
// noted in b_listed, to be derived.
func (s *session) list(ctx context.Context, d *filingReader) (changed int64, err error) {
	if !d.lists() {
		return 0, nil
	}
	if d.opts.Whole == nil || d.opts.Whole() {
		params := []string{"$series$", literal(d.doc.List), "$day$", literal(d.edition().Format(time.DateOnly))}
		if err := s.run(ctx, "listed", params...); err != nil {
			return 0, err
		}
		listed := "SELECT crd FROM catalog.listings WHERE series = " + literal(d.doc.List) + " UNION SELECT crd FROM l_cut"
		tag, err := s.do(ctx, "listed_otherwise", "$unlisted$", unlistedNow(" AND l.crd IN ("+listed+")"), "$listed$", listed)
		if err != nil {
			return 0, err
		}
		changed = tag.RowsAffected()
	}
	return changed, s.exec(ctx, "listed", "DROP TABLE IF EXISTS l_named, l_near, l_cut, l_joined")
}

// unlistedNow returns a statement for the advisers that are no longer in any list.
func unlistedNow(of string) string {
	return strings.ReplaceAll(history.UnlistedSQL(of, ""), "@day", "date 'infinity'")
}

// listed compares the advisers in the document with those in the previous edition, for the quality check.
func (s *session) listed(ctx context.Context, d *filingReader) (staged catalogapi.Staged, err error) {
	staged = d.staged()
	if err := s.name(ctx, d); err != nil || d.opts.Accept == nil {
		return staged, err
	}
	staged.Listed, staged.Gone, err = s.gone(ctx, d)
	return staged, err
}
