package load

import (
	"context"
	"iter"
	"slices"
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
)

// childTable is a table of rows that belong to a filing, or to one of its funds: catalog.<name>, staged in s_<name>. The only key
// of a row is its place in the filing, so a changed filing replaces all of them.
type childTable struct {
	table
	name    string
	ofFund  bool
	parts   []string // of the column partColumn: each part comes from a table of its own; nil = all rows come from one
	present func(doc *catalogapi.Document) bool
	read    func(ctx context.Context, d *filingReader) error
}

// parent is the column beside accession and seq.
func (t *childTable) parent() string {
	if t.ofFund {
		return "fund_id"
	}
	return "crd"
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
func (t *childTable) of(parts ...string) *childTable {
	t.parts = parts
	return t
}

// childRow is the file and line of a row of a child table, and the filing and fund that it belongs to.
type childRow struct {
	filing, reference string // the reference is the fund's, for its children
	file              string
	line              int
}

// childKind says how the rows of one child table are read.
type childKind[T any] struct {
	tag byte // in fingerprints; never another table's
	of  func(d *catalogapi.Document) iter.Seq2[*T, error]
	at  func(v *T) childRow
	raw func(v *T) []string // what is left of a refused row to find it by
	// check returns why a row cannot be loaded, or nothing. It may complete the row. Nil: all rows can.
	check func(v *T) (fault string)
	// put appends the columns. Nil: they are the fields of T that its tags name.
	put func(r *rowBuffer, v *T)
}

// newChildTable ties a table to its rows. columns are those after accession, seq and the parent's own number (crd, or
// fund_id of a fund's child); the ones that the tags of T name if none are given.
func newChildTable[T any](name string, ofFund bool, kind childKind[T], columns ...string) *childTable {
	if columns == nil {
		columns = catalogapi.ColumnNames[T]()
	}
	t := &childTable{name: name, ofFund: ofFund, present: func(doc *catalogapi.Document) bool { return kind.of(doc) != nil }}
	t.table = table{
		staged: "s_" + name, final: "catalog." + name, like: "catalog." + name,
		columns: slices.Concat([]string{"accession", "seq", t.parent()}, columns),
	}
	t.read = func(ctx context.Context, d *filingReader) error {
		return drainInto(ctx, d.reader, &t.table, kind.of(&d.doc), childEncoder(d, t, kind))
	}
	return t
}

// children sends the document's tables of the names given.
func (d *filingReader) children(ctx context.Context, names ...string) error {
	for _, name := range names {
		t, err := childTableOf(name)
		if err != nil {
			return err
		}
		if !t.present(&d.doc) {
			continue
		}
		if err := t.read(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// placedRow is a row in its filing, for finding it again.
type placedRow struct {
	filing int32
	row    digest
}

// childEncoder returns a function that encodes one row after another. It finds the parent, rejects rows that cannot be loaded,
// keeps the first of equal rows of a filing, numbers the kept rows, and adds them to their filing's digest.
func childEncoder[T any](d *filingReader, t *childTable, kind childKind[T]) func(r *rowBuffer, v *T) error {
	own := columnsOf[T]()
	count := make([]int32, len(d.heads))
	seen := map[placedRow]struct{}{}
	return func(r *rowBuffer, v *T) error {
		d.count()
		at := kind.at(v)
		filing, fund, ok := d.childParent(at, t.ofFund, func() []string { return kind.raw(v) })
		if !ok {
			return nil
		}
		if own.Value = *v; kind.check != nil {
			if fault := kind.check(&own.Value); fault != "" {
				d.reject(at.file, at.line, kind.raw(v), "%s", fault)
				return nil
			}
		}
		r.begin()
		r.plain(d.heads[filing].name)
		r.integer(int64(count[filing]) + 1)
		if !t.ofFund {
			r.plain(d.filings[filing].crd)
		}
		from := len(r.buf)
		if t.ofFund {
			r.fundID(d.fundIDs[fund])
		}
		if kind.put != nil {
			kind.put(r, v)
		} else {
			own.append(r)
		}
		row := r.fingerprint(kind.tag, from)
		before := len(seen)
		if seen[placedRow{filing, row}] = struct{}{}; len(seen) == before {
			r.drop()
			return nil
		}
		r.end()
		count[filing]++
		d.childRows[t.name]++
		if kind.tag == tagSubAdvised {
			d.filings[filing].owesFunds = false
		}
		d.heads[filing].all.add(row)
		return nil
	}
}

// childParent finds the filing or fund that a row belongs to, or rejects the row. The common case allocates nothing.
func (d *filingReader) childParent(at childRow, ofFund bool, raw func() []string) (filing, fund int32, ok bool) {
	filing, known := d.filingOf(at.filing)
	if !known || filing == refused {
		return d.refuseOrphan(at, false, raw)
	}
	if !ofFund {
		return filing, 0, true
	}
	fund, known = d.fundOf(refKey{filing, at.reference})
	if !known || fund == refused {
		return d.refuseOrphan(at, true, raw)
	}
	return filing, fund, true
}

func (d *filingReader) refuseOrphan(at childRow, ofFund bool, raw func() []string) (filing, fund int32, ok bool) {
	if ofFund {
		return d.fundChild(at.filing, at.reference, at.file, at.line, raw())
	}
	filing, ok = d.parent(at.filing, at.file, at.line, raw())
	return filing, 0, ok
}

// fundID appends a Fund ID from its number.
func (r *rowBuffer) fundID(n uint64) {
	const digits = 10
	text := strconv.FormatUint(n, 10)
	r.buf = append(append(r.buf, "805-0000000000"[:4+digits-len(text)]...), text...)
	r.buf = append(r.buf, '\t')
}
