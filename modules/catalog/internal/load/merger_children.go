package load

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
)

// mergeChildren writes the rows of the child tables for the filings that are new or say otherwise. A table that the
// document does not have, for all filings or for those of one kind, is left as it is: an edition without it says nothing of
// it. A fund that a restated list no longer names takes its children along all the same.
func (m *merger) mergeChildren(ctx context.Context) error {
	for _, t := range childTables {
		if m.changed > 0 && t.present(&m.from.doc) {
			err := m.run(ctx, "restated_children", "$table$", t.name, "$list$", t.list("o"))
			if err != nil {
				return err
			}
		}
		if err := m.dropOrphans(ctx, t); err != nil {
			return err
		}
		added := m.from.childRows[t.name]
		if added == 0 {
			continue
		}
		err := m.run(ctx, "merge_children", "$table$", t.name, "$list$", t.list("c"), "$columns$", quoteList("", t.columns),
			"$c_columns$", quoteList("c.", t.columns[2:]))
		if err != nil {
			return err
		}
		if err := m.analyzeGrown(ctx, "catalog."+t.name, added); err != nil {
			return err
		}
	}
	return nil
}

// shownLists are the lists that are answered as of an instant, so that what restated filings listed before is kept.
var shownLists = []string{"offices", "affiliates", "sub_advised_funds", "websites", "owners", "fund_providers"}

// keepReplaced keeps the editions that the document restates, before they are overwritten.
func (m *merger) keepReplaced(ctx context.Context) error {
	if err := m.run(ctx, "keep_replaced"); err != nil || m.changed == 0 {
		return err
	}
	for _, list := range shownLists {
		if err := m.run(ctx, "keep_replaced_children", "$table$", list); err != nil {
			return err
		}
	}
	return nil
}

// dropOrphans ends the children of funds that a restated filing no longer names.
func (m *merger) dropOrphans(ctx context.Context, t *childTable) error {
	if !t.ofFund || m.changed == 0 {
		return nil
	}
	return m.run(ctx, "orphaned_children", "$table$", t.name)
}

// keepMissing completes restated filings of an archive from their earlier editions, where the document lacks the whole
// table that a field comes from: the table is missing from the document, not from the filing. The adviser's fields are completed
// before (sql/complete.sql).
func (m *merger) keepMissing(ctx context.Context) error {
	if m.changed == 0 || m.from.doc.Source != catalogapi.SourceADVArchive || m.from.doc.Types != nil {
		return nil
	}
	return m.run(ctx, "keep_types")
}
