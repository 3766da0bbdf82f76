package load

import (
	"context"
	"fmt"
	"io"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// lists says whether the document is an edition of a list of advisers, of a known day.
func (s *staging) lists() bool { return s.doc.List != "" && !s.edition().IsZero() }

// name puts the advisers that the document names into l_named.
func (s *session) name(ctx context.Context, st *staging) error {
	if !st.lists() {
		return nil
	}
	var rows rowBuffer
	for crd := range st.crds {
		rows.begin()
		rows.plain(crd)
		rows.end()
	}
	if err := s.exec(ctx, "name advisers", `CREATE TEMP TABLE l_named (crd text COLLATE "C" PRIMARY KEY) ON COMMIT DROP`); err != nil {
		return err
	}
	if err := s.copyIn(ctx, temporary("l_named"), &feed{rows: rows, err: io.EOF}); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE l_named")
}

// gone counts whom the edition before listed, and who of them is not named any more.
func (s *session) gone(ctx context.Context, st *staging) (listed, gone int64, err error) {
	if !st.lists() {
		return 0, 0, nil
	}
	params := []string{"$series$", literal(st.doc.List), "$day$", literal(st.edition().Format(time.DateOnly))}
	err = s.one(ctx, "listed_before", params, &listed, &gone)
	if err != nil {
		return 0, 0, fmt.Errorf("catalog load: count who is gone: %w", err)
	}
	return listed, gone, nil
}

// list takes in whom a whole edition of a list names. It says how many advisers are listed otherwise than before: they are
// noted in b_listed, to be derived.
func (s *session) list(ctx context.Context, st *staging) (changed int64, err error) {
	if !st.lists() {
		return 0, nil
	}
	if st.opts.Whole == nil || st.opts.Whole() {
		params := []string{"$series$", literal(st.doc.List), "$day$", literal(st.edition().Format(time.DateOnly))}
		if err := s.run(ctx, "listed", params...); err != nil {
			return 0, err
		}
		if err := s.run(ctx, "unlisted", "$crds$", "(SELECT DISTINCT crd FROM catalog.listings WHERE series = "+literal(st.doc.List)+")"); err != nil {
			return 0, err
		}
		tag, err := s.do(ctx, "listed_otherwise", params...)
		if err != nil {
			return 0, err
		}
		changed = tag.RowsAffected()
	}
	return changed, s.exec(ctx, "listed", "DROP TABLE IF EXISTS l_named, l_near, l_joined, n_unlisted")
}

// accept asks the load's owner, if he wants to be asked, whether what is staged may be merged.
func (s *session) accept(ctx context.Context, st *staging) error {
	if err := s.name(ctx, st); err != nil {
		return err
	}
	if st.opts.Accept == nil {
		return nil
	}
	listed, gone, err := s.gone(ctx, st)
	if err != nil {
		return err
	}
	return st.opts.Accept(ctx, catalogapi.Staged{
		Rows: st.rows, Filings: int64(len(st.filings)), Advisers: int64(len(st.crds)), Funds: int64(len(st.fundsNamed)),
		Duplicates: st.repeated, Listed: listed, Gone: gone,
	})
}
