package load

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// mergeChildren writes the rows of the child tables for the filings that are new or say otherwise. A table that the
// document does not have, for all filings or for those of one kind, is left as it is: an edition without it says nothing of
// it. A fund that a restated list no longer names takes its children along all the same.
func (s *session) mergeChildren(ctx context.Context, st *staging, m merged) error {
	for _, t := range childTables() {
		if m.filingsChanged > 0 && t.present(&st.doc) {
			err := s.run(ctx, "restated_children", "$table$", t.name, "$list$", t.list("o"))
			if err != nil {
				return err
			}
		}
		if err := s.dropOrphans(ctx, &t, m); err != nil {
			return err
		}
		added := st.childRows[t.name]
		if added == 0 {
			continue
		}
		err := s.run(ctx, "merge_children", "$table$", t.name, "$list$", t.list("c"), "$columns$", quoteList("", t.allColumns()),
			"$c_columns$", quoteList("c.", slices.Concat([]string{t.parent()}, t.columns)))
		if err != nil {
			return err
		}
		if err := s.analyzeGrown(ctx, "catalog."+t.name, added); err != nil {
			return err
		}
	}
	return nil
}

// dropOrphans ends the children of funds that a restated filing no longer names.
func (s *session) dropOrphans(ctx context.Context, t *childTable, m merged) error {
	if !t.ofFund || m.filingsChanged == 0 {
		return nil
	}
	return s.run(ctx, "orphaned_children", "$table$", t.name)
}

// keepMissing completes restated filings of an archive from their earlier editions, where the document lacks the whole
// table that a field comes from: its absence is the document's, not the filing's. What is said of the adviser is completed
// before (sql/complete.sql).
func (s *session) keepMissing(ctx context.Context, st *staging, m merged) error {
	if m.filingsChanged == 0 || st.doc.Source != catalogapi.SourceADVArchive || st.doc.Types != nil {
		return nil
	}
	return s.run(ctx, "keep_types")
}
