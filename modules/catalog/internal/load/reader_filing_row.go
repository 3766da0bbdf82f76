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
	case !isCRD(f.CRD):
		return "CRD " + strconv.Quote(f.CRD) + " is not 1 to 10 digits without leading zeros"
	case f.Submitted.IsZero():
		return "the filing date is missing"
	case f.Submitted.Year() < 1900 || f.Submitted.Year() > 2200:
		return "the filing date " + f.Submitted.Format(time.DateOnly) + " cannot be right"
	case f.LegalName == "" && f.BusinessName == "":
		return "legal name (1A) and business name (1B) are both missing"
	case source == catalogapi.SourceADVArchive && !isNumber(f.FilingID, 18):
		return "FilingID " + strconv.Quote(f.FilingID) + " is not a number"
	case f.Registration != "" && f.Registration != catalogapi.Registered && f.Registration != catalogapi.ExemptReporting:
		return "registration " + strconv.Quote(string(f.Registration)) + " is unknown"
	}
	return cmp.Or(longName("legal name (1A)", f.LegalName), longName("business name (1B)", f.BusinessName))
}

// filing checks a filing and appends its row. Of two rows with one key the first stays; a later one that says
// otherwise is refused, for nothing tells which is right.
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
	appendFiling(r, d.doc.Source, name, f)
	own := r.fingerprint(tagFiling, r.start)
	if r.counts(f.ReportedTypes); f.ReportedTypes != nil { // a column that came later: who does not have it is who it was
		own = r.fingerprint(tagFiling, r.start)
	}
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
	d.filings = append(d.filings, filingState{crd: crd, listed: f.FundsListed})
	d.silent(no, f)
	d.crds[crd] = struct{}{}
	if site, ok := derive.Website(f.Website); ok {
		d.setWebsite(no, site)
	}
	return d.rowsKept.spill()
}

// silent notes what the document says nothing of. It counts in the filing's digest: a column that is empty says something.
func (d *filingReader) silent(no int32, f *catalogapi.AdviserFiling) {
	state := &d.filings[no]
	if state.silent = f.Silent; f.Registration == "" {
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

// orgFields are the columns of base B.
var orgFields = [orgColumns]string{catalogapi.FieldOrgForm, catalogapi.FieldFiscalYearEnd, catalogapi.FieldOrgState, catalogapi.FieldOrgCountry}

// silence is what the filing says nothing of: the fields without a column, and in an archive those of a table that is
// missing altogether.
func (d *filingReader) silence(f *filingState, org [orgColumns][]byte) []string {
	fields := f.silent
	if len(fields) == 0 {
		fields = nil
	}
	if d.doc.Source != catalogapi.SourceADVArchive || len(d.missingTables) == 0 && d.doc.Organisation != nil && d.doc.Websites != nil {
		return fields
	}
	fields = slices.Clone(fields)
	for _, list := range d.missingTables {
		if !slices.Contains(fields, list) {
			fields = append(fields, list)
		}
	}
	for i, own := range org {
		if d.doc.Organisation == nil && bytes.Equal(own, nullColumn) && !slices.Contains(fields, orgFields[i]) {
			fields = append(fields, orgFields[i])
		}
	}
	if d.doc.Websites == nil && f.website == "" && !slices.Contains(fields, catalogapi.FieldWebsite) {
		fields = append(fields, catalogapi.FieldWebsite)
	}
	return fields
}

// edition is the day of the document's edition; zero = not known.
func (d *filingReader) edition() time.Time {
	if d.doc.Edition == nil {
		return time.Time{}
	}
	return d.doc.Edition()
}

// appendFiling writes what a filing's own row says but for its last column, the types of its funds; see versionRow and filingRow.
func appendFiling(r *rowBuffer, source catalogapi.Source, name string, f *catalogapi.AdviserFiling) {
	r.text(name)
	r.text(f.CRD)
	r.text(string(source))
	r.text(f.FilingID)
	r.date(f.Submitted)
	r.instant(f.Submitted)
	r.flag(f.FundsListed)
	legal := f.LegalName
	if legal == "" {
		legal = f.BusinessName
	}
	r.text(legal)
	r.text(f.BusinessName)
	r.text(f.SECNumber)
	r.text(string(f.Registration))
	r.text(f.SECStatus)
	r.date(f.StatusDate)
	r.text(f.Street1)
	r.text(f.Street2)
	r.text(f.City)
	r.text(f.State)
	r.text(f.Country)
	r.text(f.PostalCode)
	r.optFlag(f.Residence)
	r.text(f.Phone)
	r.text(f.LEI)
	r.text(f.FormVersion)
	r.optInteger(f.Employees)
	r.optInteger(f.RAUM)
	r.optInteger(f.RAUMDiscretion)
	r.optInteger(f.RAUMNonDiscr)
	r.text(f.OrgForm)
	r.text(f.FiscalYearEnd)
	r.text(f.OrgState)
	r.text(f.OrgCountry)
	r.optFlag(f.AdvisesFunds)
	r.optInteger(f.ReportedFunds)
	r.optInteger(f.ReportedFundsGAV)
}

// Where the parts of a filing's own row begin (see appendFiling), in columns.
const (
	listedAt    = 6
	legalNameAt = 7
	orgFormAt   = 27
	orgColumns  = 4 // the form, the fiscal year's end, the state, the country

	fiscalYearEnd = 1 // among them
)

// filingParts takes the row of a filing apart: what identifies and places it; what it says of the adviser up to the form of
// organisation; that form and what goes with it; the rest.
func filingParts(row []byte) (filing, adviser []byte, org [orgColumns][]byte, rest []byte) {
	filing, row = cutColumns(row, legalNameAt)
	adviser, row = cutColumns(row, orgFormAt-legalNameAt)
	for i := range org {
		org[i], row = cutColumns(row, 1)
	}
	return filing, adviser, org, row
}

// cutColumns parts a row behind its first n columns, which keep the tab at their end.
func cutColumns(row []byte, n int) (columns, rest []byte) {
	at := 0
	for range n {
		at += bytes.IndexByte(row[at:], '\t') + 1
	}
	return row[:at], row[at:]
}

// organised appends columns of base B, which a roster has in its own row.
func (r *rowBuffer) organised(own [orgColumns][]byte, o *organisation, columns ...int) {
	for _, i := range columns {
		if !bytes.Equal(own[i], nullColumn) || o == nil {
			r.buf = append(r.buf, own[i]...)
			continue
		}
		r.text(o.columns[i].Value())
	}
}

var nullColumn = []byte("\\N\t")

// versionRow makes the row of s_version: what a filing says of its adviser, from its own row and the tables beside it.
func (d *filingReader) versionRow(r *rowBuffer, no int32, row []byte) {
	f := &d.filings[no]
	_, adviser, org, rest := filingParts(row)
	r.begin()
	r.plain(f.crd)
	r.plain(d.heads[no].name)
	r.buf = append(r.buf, adviser...)
	r.organised(org, f.org, 0, fiscalYearEnd, 2, 3)
	r.buf = append(append(r.buf, rest...), '\t')
	r.text(f.website)
	r.list(d.silence(f, org))
	r.bytes(d.heads[no].all.bytes())
	r.end()
}

// filingRow makes the row of s_filing: what places a filing among others.
func (d *filingReader) filingRow(r *rowBuffer, no int32, row []byte) {
	f := &d.filings[no]
	filing, _, org, _ := filingParts(row)
	place, _ := cutColumns(filing, listedAt)
	r.begin()
	r.buf = append(r.buf, place...)
	r.flag(f.listed)
	r.list(f.types)
	r.organised(org, f.org, fiscalYearEnd)
	r.text(d.doc.Name)
	r.integer(d.opts.RunID)
	r.date(d.edition())
	r.end()
}

// isCRD is the form of a firm's key: 1 to 10 digits without a leading zero.
func isCRD(s string) bool { return isNumber(s, 10) && s[0] != '0' }

func isNumber(s string, most int) bool {
	if s == "" || len(s) > most {
		return false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
