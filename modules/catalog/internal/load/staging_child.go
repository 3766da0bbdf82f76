package load

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
)

// childTable is a table of rows that hang on a filing, or on one of its funds: catalog.<name>, staged in s_<name>. Its
// rows have no key of their own but their place in the filing, so a filing that says otherwise replaces them all.
type childTable struct {
	name    string
	ofFund  bool
	columns []string // less accession, seq and the parent's own number (crd, or fund_id of a fund's child)
	parts   []string // of the column partColumn: each part comes from a table of its own; nil = all rows come from one
	present func(d *catalogapi.Document) bool
	stage   func(ctx context.Context, s *session, st *staging, t *childTable) error
}

// parent is the column beside accession and seq.
func (t *childTable) parent() string {
	if t.ofFund {
		return "fund_id"
	}
	return "crd"
}

// allColumns are those of the table, in the order in which rows are written.
func (t *childTable) allColumns() []string {
	return slices.Concat([]string{"accession", "seq", t.parent()}, t.columns)
}

// partColumns are the columns that say from which table of an archive a row comes.
var partColumns = map[string]string{"identifiers": "kind", "disclosures": "family", "fund_providers": "role"}

// lists are the names of what a filing is silent about when its document lacks the table.
func (t *childTable) lists() []string {
	if t.parts == nil {
		return []string{catalogapi.SilentTable + t.name}
	}
	names := make([]string, len(t.parts))
	for i, part := range t.parts {
		names[i] = catalogapi.OfPart(catalogapi.SilentTable+t.name, part)
	}
	return names
}

// list is the name of the list that a row belongs to, in SQL.
func (t *childTable) list(alias string) string {
	if t.parts == nil {
		return literal(catalogapi.SilentTable + t.name)
	}
	return "(" + literal(catalogapi.SilentTable+t.name+":") + " || " + alias + "." + partColumns[t.name] + ")"
}

// of says from which parts the rows of a table come.
func (t childTable) of(parts ...string) childTable {
	t.parts = parts
	return t
}

func (t *childTable) into() target { return into("s_"+t.name, "catalog."+t.name, t.allColumns()) }

// childRow is where a row of a child table stands and what it hangs on.
type childRow struct {
	filing, reference string // the reference is the fund's, for its children
	file              string
	line              int
}

// childKind says how the rows of one child table are read.
type childKind[T any] struct {
	tag byte // in fingerprints; never another table's
	of  func(d *catalogapi.Document) iter.Seq2[T, error]
	at  func(v T) childRow
	raw func(v T) []string // what is left of a refused row to find it by
	// put appends the columns, or says why the row cannot be loaded.
	put func(r *rowBuffer, v T) (fault string)
}

// newChildTable ties a table to its rows.
func newChildTable[T any](name string, ofFund bool, columns []string, kind childKind[T]) childTable {
	return childTable{
		name: name, ofFund: ofFund, columns: columns,
		present: func(d *catalogapi.Document) bool { return kind.of(d) != nil },
		stage: func(ctx context.Context, s *session, st *staging, t *childTable) error {
			return drainInto(ctx, s, t.into(), kind.of(&st.doc), childStager(st, t, kind))
		},
	}
}

// placedRow is a row in its filing, for finding it again.
type placedRow struct {
	filing int32
	row    digest
}

// childStager gives what puts one row after another: it finds the parent, refuses what cannot be loaded, keeps of equal
// rows of a filing the first, numbers the others, and adds them to their filing's digest.
func childStager[T any](s *staging, t *childTable, kind childKind[T]) func(r *rowBuffer, v T) error {
	count := make([]int32, len(s.filings))
	seen := map[placedRow]struct{}{}
	return func(r *rowBuffer, v T) error {
		s.read()
		at := kind.at(v)
		filing, fund, ok := s.childParent(at, t.ofFund, func() []string { return kind.raw(v) })
		if !ok {
			return nil
		}
		r.begin()
		f := &s.filings[filing]
		r.plain(f.name)
		r.integer(int64(count[filing]) + 1)
		if !t.ofFund {
			r.plain(f.crd)
		}
		from := len(r.buf)
		if t.ofFund {
			r.fundID(s.fundIDs[fund])
		}
		if fault := kind.put(r, v); fault != "" {
			r.drop()
			s.reject(at.file, at.line, kind.raw(v), "%s", fault)
			return nil
		}
		row := r.fingerprint(kind.tag, from)
		if _, again := seen[placedRow{filing, row}]; again {
			r.drop()
			return nil
		}
		r.end()
		seen[placedRow{filing, row}] = struct{}{}
		count[filing]++
		s.childRows[t.name]++
		f.all.add(row)
		return nil
	}
}

// childParent finds what a row hangs on, or refuses it. The common case allocates nothing.
func (s *staging) childParent(at childRow, ofFund bool, raw func() []string) (filing, fund int32, ok bool) {
	filing, known := s.filingOf(at.filing)
	if !known || filing == refused {
		return s.refuseOrphan(at, false, raw)
	}
	if !ofFund {
		return filing, 0, true
	}
	fund, known = s.fundOf(refKey{filing, at.reference})
	if !known || fund == refused {
		return s.refuseOrphan(at, true, raw)
	}
	return filing, fund, true
}

func (s *staging) refuseOrphan(at childRow, ofFund bool, raw func() []string) (filing, fund int32, ok bool) {
	if ofFund {
		return s.fundChild(at.filing, at.reference, at.file, at.line, raw())
	}
	filing, ok = s.parent(at.filing, at.file, at.line, raw())
	return filing, 0, ok
}

// stageChildren drains the document's tables of the names given; a table that the document does not have is not staged.
func (s *session) stageChildren(ctx context.Context, st *staging, names ...string) error {
	for _, name := range names {
		t, err := childTableOf(name)
		if err != nil {
			return err
		}
		if !t.present(&st.doc) {
			continue
		}
		if err := s.createStaged(ctx, &t); err != nil {
			return err
		}
		if err := t.stage(ctx, s, st, &t); err != nil {
			return err
		}
		if err := s.exec(ctx, "analyze", "ANALYZE s_"+name); err != nil {
			return err
		}
	}
	return nil
}

// createStaged makes the temporary table of a child table. Its columns have the types of that table's.
func (s *session) createStaged(ctx context.Context, t *childTable) error {
	return s.exec(ctx, "stage "+t.name, "CREATE TEMP TABLE s_"+t.name+" ON COMMIT DROP AS SELECT "+
		quoteList("", t.allColumns())+" FROM catalog."+t.name+" WITH NO DATA")
}

// fundID appends a Fund ID from its number.
func (r *rowBuffer) fundID(n uint64) {
	const digits = 10
	text := strconv.FormatUint(n, 10)
	r.buf = append(append(r.buf, "805-0000000000"[:4+digits-len(text)]...), text...)
	r.buf = append(r.buf, '\t')
}
