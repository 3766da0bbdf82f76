package load

import (
	"context"
	"strings"
	"unique"

	"gpatlas/modules/catalog/catalogapi"
)

// Tags of the tables in fingerprints.
const (
	tagFiling byte = iota + 1
	tagOrganization
	tagWebsite
	tagTypes
	tagFund
	tagAuditor
	tagFormD
	tagLists
	tagSilent
	tagListed
)

// filingReader reads the filings of advisers, with their funds and all other rows that belong to them.
type filingReader struct {
	*reader

	filings  []filingState    // by number
	byKey    map[string]int32 // the document's key → number
	crds     map[string]struct{}
	last     foundFiling
	rowsKept spillFile // the filings' own, in the order of their numbers, up to what the other tables complete

	funds      []digest  // fingerprint by number
	fundIDs    []uint64  // Fund ID by number
	fundsKept  spillFile // likewise
	byFund     map[fundKey]int32
	byRef      map[refKey]int32
	lastFund   foundFund
	fundsNamed map[uint64]struct{}
	silences   silences
	auditors   *lists // by fund
	numbers    *lists // Form D's, by fund

	childRows     map[string]int64 // rows sent by child table
	missingTables []string         // the lists whose tables the document does not have

	own    *columns[catalogapi.AdviserFiling]   // ownColumns
	org    *columns[catalogapi.OrganizationRow] // catalogapi.InBaseB
	ofFund *columns[catalogapi.FundRow]

	scratch rowBuffer
	texts   [2][]string
}

// filingState is what is gathered of a filing while its document passes.
type filingState struct {
	crd     string
	org     *organization
	types   []string
	typed   bool
	website string
	silent  []string
	listed  bool // the document has its whole list of funds, unless that comes into doubt (see doubt)

	// Its answers announce rows, or it must have one, and none has come.
	owesFunds, owesSites, owesOrg bool
}

// organization is a row of base B.
type organization struct {
	row   digest
	texts []unique.Handle[string] // in COPY's format, of catalogapi.InBaseB
}

type fundKey struct {
	filing int32
	fund   uint64
}

type refKey struct {
	filing int32
	ref    string
}

// The filing and the fund found last, because the rows of one mostly follow one another.
type (
	foundFiling struct {
		key string
		no  int32
	}
	foundFund struct {
		ref refKey
		no  int32
	}
)

func newFilingReader(r *reader) *filingReader {
	d := &filingReader{
		reader: r, byKey: map[string]int32{}, crds: map[string]struct{}{},
		byFund: map[fundKey]int32{}, byRef: map[refKey]int32{}, fundsNamed: map[uint64]struct{}{},
		auditors: newLists(), numbers: newLists(), childRows: map[string]int64{},
		own: columnsOf[catalogapi.AdviserFiling](ownColumns...), org: columnsOf[catalogapi.OrganizationRow](catalogapi.InBaseB...),
		ofFund: columnsOf[catalogapi.FundRow](ownFundColumns...),
		texts:  [2][]string{make([]string, 0, 8), make([]string, 0, 8)},
	}
	d.tables = []*table{filingTable, versionTable, fundTable}
	for _, t := range childTables {
		if t.present(&d.doc) {
			d.tables = append(d.tables, &t.table)
		} else {
			d.missingTables = append(d.missingTables, t.lists()...)
		}
	}
	return d
}

// read goes through the document. Rows of child tables are sent as they come. Filings and funds wait until all that
// belongs to them has passed: only then are they complete, and their digests known.
func (d *filingReader) read(ctx context.Context) error {
	defer d.rowsKept.close()
	defer d.fundsKept.close()
	doc := &d.doc
	steps := []func() error{
		func() error { return drain(ctx, doc.Filings, d.filing) },
		func() error { close(d.named); return nil },
		func() error { return drain(ctx, doc.Organization, d.organization) },
		func() error { return d.websites(ctx) },
		func() error { return drain(ctx, doc.Types, d.types) },
		func() error {
			return d.children(ctx, "identifiers", "offices", "affiliates", "owners", "disclosures", "disclosure_affiliates")
		},
		func() error { return drain(ctx, doc.Funds, d.fund) },
		func() error { return d.children(ctx, "sub_advised_funds") },
		func() error { return drain(ctx, doc.Auditors, d.auditor) },
		func() error { return drain(ctx, doc.FormDNumbers, d.formD) },
		func() error { return d.children(ctx, "fund_feeders", "fund_providers") },
		func() error { return d.sendKept(fundTable, &d.fundsKept, d.fundRow) },
		func() error { return d.sendKept(versionTable, &d.rowsKept, d.versionRow) },
		func() error { return d.sendKept(filingTable, &d.rowsKept, d.filingRow) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// staged is what the quality check gets before the merge.
func (d *filingReader) staged() catalogapi.Staged {
	return catalogapi.Staged{
		Rows: d.rows, Keyed: int64(len(d.heads)+len(d.funds)) + d.repeated, Filings: int64(len(d.heads)), Advisers: int64(len(d.crds)),
		Funds: int64(len(d.fundsNamed)), Duplicates: d.repeated,
	}
}

// filingOf finds the number of a filing by the document's key.
func (d *filingReader) filingOf(key string) (no int32, known bool) {
	if key == d.last.key && key != "" {
		return d.last.no, true
	}
	if no, known = d.byKey[key]; known {
		d.last = foundFiling{key, no}
	}
	return no, known
}

// fundOf finds the number of a filing's fund by its reference.
func (d *filingReader) fundOf(ref refKey) (no int32, known bool) {
	if ref == d.lastFund.ref && ref.ref != "" {
		return d.lastFund.no, true
	}
	if no, known = d.byRef[ref]; known {
		d.lastFund = foundFund{ref, no}
	}
	return no, known
}

// parent finds the number of a child's filing, or refuses the child.
func (d *filingReader) parent(key, file string, line int, raw []string) (int32, bool) {
	no, known := d.filingOf(key)
	switch {
	case !known:
		d.reject(file, line, raw, "FilingID %q is not among the filings of this document", key)
		return 0, false
	case no == refused:
		d.reject(file, line, raw, "the filing %q that the row belongs to was rejected", key)
		return 0, false
	}
	return no, true
}

// organization keeps base B with its filing. A second row of a filing must repeat the first.
func (d *filingReader) organization(o *catalogapi.OrganizationRow) error {
	d.count()
	r := &d.scratch
	r.buf = r.buf[:0]
	d.org.Value = *o
	raw, texts, row := []string{o.FilingKey}, make([]unique.Handle[string], len(d.org.Fields)), digest{}
	for i, field := range d.org.Fields {
		from := len(r.buf)
		said := r.stated(field)
		texts[i] = unique.Make(string(r.buf[from:]))
		raw = append(raw, strings.TrimSuffix(strings.TrimSuffix(texts[i].Value(), "\t"), string(null)))
		if i == orgFirst-1 || i >= orgFirst && said {
			row = r.fingerprint(tagOrganization, 0)
		}
	}
	no, ok := d.parent(o.FilingKey, o.File, o.Line, raw)
	if !ok {
		return nil
	}
	f := &d.filings[no]
	if f.org != nil {
		if f.org.row != row {
			d.reject(o.File, o.Line, raw, "FilingID %q has an earlier row with other values", o.FilingKey)
		}
		return nil
	}
	f.org, f.owesOrg = &organization{row, texts}, false
	d.heads[no].all.add(row)
	return nil
}

// types keeps what the filing-types table marks. A second row of a filing must repeat the first.
func (d *filingReader) types(t *catalogapi.FilingTypeRow) error {
	d.count()
	joined := strings.Join(t.Types, ",")
	no, ok := d.parent(t.FilingKey, t.File, t.Line, []string{t.FilingKey, joined})
	if !ok {
		return nil
	}
	f := &d.filings[no]
	if f.typed {
		if strings.Join(f.types, ",") != joined {
			d.reject(t.File, t.Line, []string{t.FilingKey, joined}, "FilingID %q has an earlier row with other types", t.FilingKey)
		}
		return nil
	}
	f.typed, f.types = true, make([]string, 0, len(t.Types))
	for _, name := range t.Types {
		f.types = append(f.types, unique.Make(name).Value())
	}
	var r rowBuffer
	r.list(f.types)
	d.heads[no].all.add(r.fingerprint(tagTypes, 0))
	return nil
}
