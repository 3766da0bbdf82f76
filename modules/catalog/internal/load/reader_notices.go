package load

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// Tags of the tables in fingerprints of notices.
const (
	tagOffering byte = iota + 101
	tagIssuer
	tagPerson
	tagRecipient
)

// noticeReader reads notices of Form D, with their issuers, the people related to them and who was paid for the sale.
type noticeReader struct {
	*reader

	noticesKept spillFile // in the order of their numbers, up to what the others complete
	children    map[childKey]digest

	offerings  *columns[catalogapi.OfferingRow]
	issuers    *columns[issuerRow]
	people     *columns[catalogapi.RelatedPersonRow]
	recipients *columns[catalogapi.RecipientRow]
}

type childKey struct {
	notice int32
	seq    int32
	table  byte
}

func newNoticeReader(r *reader) *noticeReader {
	d := &noticeReader{
		reader: r, children: map[childKey]digest{},
		offerings: columnsOf[catalogapi.OfferingRow](), issuers: columnsOf[issuerRow](issuerColumns...),
		people: columnsOf[catalogapi.RelatedPersonRow](), recipients: columnsOf[catalogapi.RecipientRow](),
	}
	d.tables = []*table{offeringTable, issuerTable, personTable, recipientTable}
	return d
}

// read goes through the document. The notices wait until all that belongs to them has passed.
func (d *noticeReader) read(ctx context.Context) error {
	defer d.noticesKept.close()
	if err := drain(ctx, d.doc.Offerings, d.offering); err != nil {
		return err
	}
	close(d.named)
	if err := drainInto(ctx, d.reader, issuerTable, d.doc.Issuers, d.issuer); err != nil {
		return err
	}
	if err := drainInto(ctx, d.reader, personTable, d.doc.RelatedPersons, d.person); err != nil {
		return err
	}
	if err := drainInto(ctx, d.reader, recipientTable, d.doc.Recipients, d.recipient); err != nil {
		return err
	}
	return d.sendKept(offeringTable, &d.noticesKept, d.noticeRow)
}

// staged is what the quality check gets before the merge.
func (d *noticeReader) staged() catalogapi.Staged {
	return catalogapi.Staged{
		Rows: d.rows, Keyed: int64(len(d.heads)+len(d.children)) + d.repeated, Filings: int64(len(d.heads)), Duplicates: d.repeated,
	}
}

// isAccession is the form of EDGAR's key: ten digits, two of the year, six of a number.
func isAccession(s string) bool {
	return len(s) == 20 && s[10] == '-' && s[13] == '-' && catalogapi.IsNumber(s[:10], 10) && catalogapi.IsNumber(s[11:13], 2) && catalogapi.IsNumber(s[14:], 6)
}

// offeringFault says why a notice cannot be loaded, or nothing.
func offeringFault(o *catalogapi.OfferingRow) string {
	switch {
	case !isAccession(o.Accession):
		return "ACCESSIONNUMBER " + strconv.Quote(o.Accession) + " is not of the form 0000000000-00-000000"
	case o.Form != "D" && o.Form != "D/A":
		return "SUBMISSIONTYPE " + strconv.Quote(o.Form) + " is neither D nor D/A"
	case o.Filed.IsZero():
		return "the filing date is missing"
	case o.Filed.Year() < 1900 || o.Filed.Year() > 2200:
		return "FILING_DATE " + o.Filed.Format(time.DateOnly) + " cannot be right"
	}
	return ""
}

// offering checks a notice and appends its row. Of two rows with one accession the first stays; a later one that says
// otherwise is refused.
func (d *noticeReader) offering(o *catalogapi.OfferingRow) error {
	d.count()
	r := &d.noticesKept.rows
	raw := []string{o.Accession, o.FileNumber, o.Form}
	if fault := offeringFault(o); fault != "" {
		d.reject(o.File, o.Line, raw, "%s", fault)
		if _, taken := d.names[o.Accession]; !taken {
			d.names[strings.Clone(o.Accession)] = refused
		}
		return nil
	}
	r.begin()
	d.offerings.Value = *o
	d.offerings.append(r)
	own := r.fingerprint(tagOffering, r.start)
	_, seen := d.sight(o.Accession, own)
	if seen == contradicts {
		d.reject(o.File, o.Line, raw, "ACCESSIONNUMBER %q has an earlier row with other values in this document", o.Accession)
	}
	if seen != fresh {
		r.drop()
		return nil
	}
	r.end()
	if _, err := d.add(strings.Clone(o.Accession), own); err != nil {
		return err
	}
	return d.noticesKept.spill()
}

// noticeRow completes the row of a notice. Until its chain is known it is one of its own.
func (d *noticeReader) noticeRow(r *rowBuffer, no int32, row []byte) {
	n := &d.heads[no]
	r.begin()
	r.buf = append(append(r.buf, row...), '\t')
	r.plain(n.name)
	r.text(d.doc.Name)
	r.integer(d.opts.RunID)
	r.bytes(n.all.bytes())
	r.end()
}

// child finds the notice of an issuer, a person or a recipient and sees that the row is not there yet. put writes the
// columns after the notice's number.
func (d *noticeReader) child(r *rowBuffer, table byte, at childPlace, put func(r *rowBuffer)) error {
	d.count()
	no, known := d.names[at.accession]
	switch {
	case !known:
		d.reject(at.file, at.line, at.raw, "ACCESSIONNUMBER %q is not among the notices of this document", at.accession)
		return nil
	case no == refused:
		d.reject(at.file, at.line, at.raw, "the notice %q that the row belongs to was rejected", at.accession)
		return nil
	case at.seq < 1 || at.seq > math.MaxInt32:
		d.reject(at.file, at.line, at.raw, "the sequence number %d is not one", at.seq)
		return nil
	case strings.TrimSpace(clean(at.name)) == "":
		d.reject(at.file, at.line, at.raw, "the %s is blank", at.field)
		return nil
	}
	if fault := cmp.Or(at.fault, longName("the "+at.field, at.name)); fault != "" {
		d.reject(at.file, at.line, at.raw, "%s", fault)
		return nil
	}
	r.begin()
	r.plain(d.heads[no].name)
	from := len(r.buf)
	r.integer(int64(at.seq))
	put(r)
	row := r.fingerprint(table, from)
	key := childKey{no, int32(at.seq), table} // within the bounds, see above
	if earlier, taken := d.children[key]; taken {
		r.drop()
		d.repeated++
		if earlier != row {
			d.reject(at.file, at.line, at.raw, "sequence number %d of notice %q has an earlier row with other values", at.seq, at.accession)
		}
		return nil
	}
	r.end()
	d.children[key] = row
	d.heads[no].all.add(row)
	return nil
}

// childPlace is the notice and number of a child, and what it must have.
type childPlace struct {
	accession   string
	seq         int
	name, field string // what must not be blank
	fault       string // what is wrong with the rest of the row; empty if nothing is
	file        string
	line        int
	raw         []string
}

func (d *noticeReader) issuer(r *rowBuffer, i *catalogapi.IssuerRow) error {
	at := childPlace{i.Accession, i.Seq, i.Name, "ENTITYNAME", "", i.File, i.Line, []string{i.Accession, i.CIK, i.Name}}
	key, from := derive.NameKey(i.Name), len(r.buf)
	d.issuers.Value = issuerRow{*i, key.Name, key.Form}
	err := d.child(r, tagIssuer, at, d.issuers.append)
	if key.Form == "" && len(r.buf) > from { // the column knows no null, but the fingerprint does
		before, _ := cutColumns(r.buf[from:], formAt)
		from += len(before)
		r.buf = slices.Delete(r.buf, from, from+len(null))
	}
	return err
}

func (d *noticeReader) person(r *rowBuffer, p *catalogapi.RelatedPersonRow) error {
	at := childPlace{
		p.Accession, p.Seq, p.LastName, "LASTNAME", cmp.Or(longName("the FIRSTNAME", p.FirstName), longName("the MIDDLENAME", p.MiddleName)),
		p.File, p.Line,
		[]string{p.Accession, strconv.Itoa(p.Seq)},
	}
	d.people.Value = *p
	return d.child(r, tagPerson, at, d.people.append)
}

func (d *noticeReader) recipient(r *rowBuffer, p *catalogapi.RecipientRow) error {
	at := childPlace{p.Accession, p.Seq, p.Name, "RECIPIENTNAME", "", p.File, p.Line, []string{p.Accession, p.CRD, p.Name}}
	d.recipients.Value = *p
	return d.child(r, tagRecipient, at, d.recipients.append)
}
