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
			err := s.exec(ctx, "restated "+t.name, `DELETE FROM catalog.`+t.name+` o USING m_filing m
				WHERE m.state IN ('changed', 'completed') AND o.accession = m.accession
				  AND NOT EXISTS (SELECT 1 FROM m_said k WHERE k.accession = m.accession AND `+t.list("o")+` = ANY (k.kept_tables))`)
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
	return s.exec(ctx, "children of dropped funds", `DELETE FROM catalog.`+t.name+` c USING m_filing m
		WHERE m.state = 'changed' AND c.accession = m.accession
		  AND NOT EXISTS (SELECT 1 FROM catalog.fund_versions v WHERE v.fund_id = c.fund_id AND v.accession = c.accession)`)
}

// keepMissing completes restated filings of an archive from their earlier editions, where the document lacks the whole
// table that a field comes from: its absence is the document's, not the filing's. What is said of the adviser is completed
// before (sql/complete.sql).
func (s *session) keepMissing(ctx context.Context, st *staging, m merged) error {
	d := &st.doc
	if m.filingsChanged == 0 || d.Source != catalogapi.SourceADVArchive {
		return nil
	}
	statements := ""
	if d.Types == nil {
		statements += `UPDATE s_filing x SET filing_types = f.filing_types FROM m_filing m JOIN catalog.filings f USING (accession)
			WHERE m.accession = x.accession AND m.state = 'changed'`
	}
	if statements == "" {
		return nil
	}
	return s.exec(ctx, "keep what the document has no table of", statements)
}
