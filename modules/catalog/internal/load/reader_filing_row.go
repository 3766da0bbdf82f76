package load

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// accession names a filing. ADV filings have no EDGAR accession number: theirs is made of the firm and the FilingID,
// that of a roster row, a fund list or a row of the feed of the firm and the day.
func accession(source catalogapi.Source, f *catalogapi.AdviserFiling) string {
	switch source {
	case catalogapi.SourceADVArchive:
		return "ADV-" + f.CRD + "-" + f.FilingID
	case catalogapi.SourceFundList:
		return "LIST-" + f.CRD + "-" + f.Submitted.UTC().Format("20060102")
	case catalogapi.SourceFeed:
		return "FEED-" + f.CRD + "-" + f.Submitted.UTC().Format("20060102")
	default:
		return "ROSTER-" + f.CRD + "-" + f.Submitted.UTC().Format("20060102")
	}
}

// filingFault says why a filing cannot be loaded, or nothing.
func filingFault(source catalogapi.Source, f *catalogapi.AdviserFiling) string {
	switch {
	case !catalogapi.IsCRD(f.CRD):
		return "CRD " + strconv.Quote(f.CRD) + " is not 1 to 10 digits without leading zeros"
	case f.Submitted.IsZero():
		return "the filing date is missing"
	case f.Submitted.Year() < 1900 || f.Submitted.Year() > 2200:
		return "the filing date " + f.Submitted.Format(time.DateOnly) + " cannot be right"
	case f.LegalName == "" && catalogapi.TextOf(f.BusinessName) == "":
		return "legal name (1A) and business name (1B) are both missing"
	case source == catalogapi.SourceADVArchive && !catalogapi.IsNumber(f.FilingID, 18):
		return "FilingID " + strconv.Quote(f.FilingID) + " is not a number"
	}
	switch registration := catalogapi.Registration(catalogapi.TextOf(f.Registration)); registration {
	case "", catalogapi.Registered, catalogapi.ExemptReporting:
	default:
		return "registration " + strconv.Quote(string(registration)) + " is unknown"
	}
	return cmp.Or(longName("legal name (1A)", f.LegalName), longName("business name (1B)", catalogapi.TextOf(f.BusinessName)))
}

// filing checks a filing and appends its row. Of two rows with one key the first stays. A later row with other
// values is rejected, because it is unknown which one is right.
func (d *filingReader) filing(f *catalogapi.AdviserFiling) error {
	d.count()
	r := &d.rowsKept.rows
	raw := []string{f.Key, f.CRD, f.LegalName}
	_, keyTaken := d.byKey[f.Key]
	if fault := filingFault(d.doc.Source, f); fault != "" {
		d.reject(f.File, f.Line, raw, "%s", fault)
		if !keyTaken {
			d.byKey[strings.Clone(f.Key)] = refused
		}
		return nil
	}
	name := accession(d.doc.Source, f)
	r.begin()
	own := d.appendFiling(r, name, f)
	first, seen := d.sight(name, own)
	if seen == contradicts {
		d.reject(f.File, f.Line, raw, "%s has an earlier row with other values in this document", name)
		first = refused
	}
	switch {
	case seen != fresh && !keyTaken:
		d.byKey[strings.Clone(f.Key)] = first
	case seen == fresh && keyTaken:
		d.repeated++
		d.reject(f.File, f.Line, raw, "key %q has an earlier row of another adviser in this document", f.Key)
	}
	if seen != fresh || keyTaken {
		r.drop()
		return nil
	}
	r.end()
	no, err := d.add(name, own)
	if err != nil {
		return err
	}
	d.byKey[strings.Clone(f.Key)] = no
	crd := strings.Clone(f.CRD)
	d.filings = append(d.filings, filingState{
		crd: crd, listed: f.FundsListed, owesFunds: f.AdvisesFunds != nil && *f.AdvisesFunds, owesSites: f.HasWebsites,
		owesOrg: catalogapi.TextOf(f.Registration) == string(catalogapi.Registered),
	})
	d.silent(no, f)
	d.crds[crd] = struct{}{}
	if site, ok := derive.Website(catalogapi.TextOf(f.Website)); ok {
		d.setWebsite(no, site)
	}
	return d.rowsKept.spill()
}

// silent notes the missing columns of the document. They count in the filing's digest: an empty column is an answer, a missing
// one is not.
func (d *filingReader) silent(no int32, f *catalogapi.AdviserFiling) {
	state := &d.filings[no]
	if state.silent = f.Silent; catalogapi.TextOf(f.Registration) == "" {
		state.silent = append(slices.Clone(f.Silent), catalogapi.FieldRegistration)
	}
	if len(f.Silent) > 0 {
		d.heads[no].all.add(d.silentDigest(f.Silent))
	}
}

// silentDigest is what a list of silent fields adds to the digest of its record.
func (d *filingReader) silentDigest(fields []string) digest {
	d.scratch.buf = d.scratch.buf[:0]
	d.scratch.list(fields)
	return d.scratch.fingerprint(tagSilent, 0)
}

// silence is what the filing says nothing of: the fields without a column, and in an archive those of a table that is
// missing altogether, or in which the row is missing that the filing must have.
func (d *filingReader) silence(f *filingState, own []byte) []string {
	fields := f.silent
	if len(fields) == 0 {
		fields = nil
	}
	lost := d.doc.Organization == nil || f.owesOrg
	if d.doc.Source != catalogapi.SourceADVArchive || len(d.missingTables) == 0 && !lost && d.doc.Websites != nil && !f.owesSites {
		return fields
	}
	fields = slices.Clone(fields)
	lists := d.missingTables
	if f.owesSites { // its rows are lost
		lists = append(slices.Clip(lists), catalogapi.TableWebsites)
	}
	for _, list := range lists {
		if !slices.Contains(fields, list) {
			fields = append(fields, list)
		}
	}
	for i, name := range catalogapi.InBaseB {
		if lost && bytes.Equal(column(own, orgAt[i]), null) && !slices.Contains(fields, name) {
			fields = append(fields, name)
		}
	}
	if (d.doc.Websites == nil || f.owesSites) && f.website == "" && !slices.Contains(fields, catalogapi.FieldWebsite) {
		fields = append(fields, catalogapi.FieldWebsite)
	}
	slices.Sort(fields) // as editions that complete one another leave them
	return fields
}

// edition is the day of the document's edition; zero = not known.
func (d *filingReader) edition() time.Time {
	if d.doc.Edition == nil {
		return time.Time{}
	}
	return d.doc.Edition()
}

// appendFiling writes what a filing's own row says, and returns its fingerprint; see versionRow and filingRow.
func (d *filingReader) appendFiling(r *rowBuffer, name string, f *catalogapi.AdviserFiling) (own digest) {
	r.text(name)
	r.text(f.CRD)
	r.text(string(d.doc.Source))
	r.text(f.FilingID)
	r.date(f.Submitted)
	r.instant(f.Submitted)
	r.flag(f.FundsListed)
	r.text(cmp.Or(f.LegalName, catalogapi.TextOf(f.BusinessName)))
	d.own.Value = *f
	for i, field := range d.own.Fields {
		if i == 0 {
			continue // the legal name
		}
		if said := r.stated(field); i == ownFirst-1 || i >= ownFirst && said {
			own = r.fingerprint(tagFiling, r.start)
		}
	}
	return own
}

// The positions of the parts of a filing's own row (see appendFiling), in columns.
const (
	listedAt = 6
	statedAt = 7 // ownColumns
)

var (
	ownFirst = len(strings.Fields(statedFirst))

	// Base B may state these columns, where the filing's own row does not. It was known with the first of them.
	orgAt = func() (places []int) {
		for _, name := range catalogapi.InBaseB {
			places = append(places, slices.Index(ownColumns, name))
		}
		return places
	}()
	fiscalYearEnd = slices.Index(catalogapi.InBaseB, catalogapi.FieldFiscalYearEnd)
)

const orgFirst = 4

// cutColumns parts a row behind its first n columns, which keep the tab at their end.
func cutColumns(row []byte, n int) (columns, rest []byte) {
	at := 0
	for range n {
		at += bytes.IndexByte(row[at:], '\t') + 1
	}
	return row[:at], row[at:]
}

// column is one of a row's columns, without the tab.
func column(row []byte, n int) []byte {
	_, row = cutColumns(row, n)
	text, _, _ := bytes.Cut(row, tab)
	return text
}

var null, tab = []byte(`\N`), []byte{'\t'}

// organized appends a column that base B may state.
func (r *rowBuffer) organized(own []byte, o *organization, n int) {
	if o != nil && bytes.Equal(own, null) {
		r.buf = append(r.buf, o.texts[n].Value()...)
		return
	}
	r.buf = append(append(r.buf, own...), '\t')
}

// versionRow makes the row of s_version: a filing's version of its adviser, from its own row and the tables beside it.
func (d *filingReader) versionRow(r *rowBuffer, no int32, row []byte) {
	f := &d.filings[no]
	_, own := cutColumns(row, statedAt)
	r.begin()
	r.plain(f.crd)
	r.plain(d.heads[no].name)
	rest, at := own, 0
	for i, place := range orgAt {
		var before, text []byte
		before, rest = cutColumns(rest, place-at)
		text, rest, _ = bytes.Cut(rest, tab)
		r.buf = append(r.buf, before...)
		r.organized(text, f.org, i)
		at = place + 1
	}
	if at < len(ownColumns) {
		r.buf = append(append(r.buf, rest...), '\t')
	}
	r.text(f.website)
	r.list(d.silence(f, own))
	r.bytes(d.heads[no].all.bytes())
	r.end()
}

// filingRow makes the row of s_filing: what places a filing among others.
func (d *filingReader) filingRow(r *rowBuffer, no int32, row []byte) {
	f := &d.filings[no]
	place, _ := cutColumns(row, listedAt)
	r.begin()
	r.buf = append(r.buf, place...)
	r.flag(f.listed && !f.owesFunds) // a filing that announces funds and names none has lost its list
	r.list(f.types)
	r.organized(column(row, statedAt+orgAt[fiscalYearEnd]), f.org, fiscalYearEnd)
	r.text(d.doc.Name)
	r.integer(d.opts.RunID)
	r.date(d.edition())
	r.end()
}
