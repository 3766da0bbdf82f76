package load

import (
	"fmt"
	"math"
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

// offeringStaging numbers a document's notices and refuses what cannot be loaded, as staging does for filings.
type offeringStaging struct {
	doc  catalogapi.Document
	opts catalogapi.LoadOptions
	rows int64

	notices     []noticeState
	rowsKept    spool // the notices, in the order of their numbers, up to what the others complete
	byAccession map[string]int32
	children    map[childKey]digest
	repeated    int64 // notices repeated word for word
	duplicates  int64 // rows of any table that repeat the key of an earlier one
}

type noticeState struct {
	accession string
	own, all  digest
}

type childKey struct {
	notice int32
	seq    int32
	table  byte
}

func newOfferingStaging(doc catalogapi.Document, opts catalogapi.LoadOptions) *offeringStaging {
	return &offeringStaging{doc: doc, opts: opts, byAccession: map[string]int32{}, children: map[childKey]digest{}}
}

// staged is what the quality check gets before the merge.
func (s *offeringStaging) staged() catalogapi.Staged {
	return catalogapi.Staged{Rows: s.rows, Filings: int64(len(s.notices)), Duplicates: s.duplicates}
}

func (s *offeringStaging) read() {
	s.rows++
	if s.rows%progressEvery == 0 && s.opts.Progress != nil {
		s.opts.Progress(s.rows)
	}
}

func (s *offeringStaging) reject(file string, line int, raw []string, reason string, args ...any) {
	if file == "" {
		file = s.doc.Name
	}
	s.opts.Reject(catalogapi.Rejected{File: file, Line: line, Raw: strings.Join(raw, ","), Reason: fmt.Sprintf(reason, args...)})
}

// isAccession is the form of EDGAR's key: ten digits, two of the year, six of a number.
func isAccession(s string) bool {
	return len(s) == 20 && s[10] == '-' && s[13] == '-' && isNumber(s[:10], 10) && isNumber(s[11:13], 2) && isNumber(s[14:], 6)
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
func (s *offeringStaging) offering(o *catalogapi.OfferingRow) error {
	s.read()
	r := &s.rowsKept.rows
	raw := []string{o.Accession, o.FileNumber, o.Form}
	first, taken := s.byAccession[o.Accession]
	if fault := offeringFault(o); fault != "" {
		s.reject(o.File, o.Line, raw, "%s", fault)
		if !taken {
			s.byAccession[strings.Clone(o.Accession)] = refused
		}
		return nil
	}
	if len(s.notices) == math.MaxInt32 {
		return errTooMany
	}
	no := int32(len(s.notices)) // its length is checked above
	r.begin()
	appendOffering(r, o)
	own := r.fingerprint(tagOffering, r.start)
	if taken {
		r.drop()
		s.duplicates++
		if first != refused && s.notices[first].own == own {
			s.repeated++
			return nil
		}
		s.reject(o.File, o.Line, raw, "ACCESSIONNUMBER %q has an earlier row with other values in this document", o.Accession)
		return nil
	}
	r.end()
	accession := strings.Clone(o.Accession)
	s.byAccession[accession] = no
	s.notices = append(s.notices, noticeState{accession: accession, own: own, all: own})
	return s.rowsKept.spill()
}

// noticeRow completes the row of a notice. Until its chain is known it is one of its own.
func (s *offeringStaging) noticeRow(r *rowBuffer, no int32, row []byte) {
	n := &s.notices[no]
	r.begin()
	r.buf = append(append(r.buf, row...), '\t')
	r.plain(n.accession)
	r.text(s.doc.Name)
	r.integer(s.opts.RunID)
	r.bytes(n.all.bytes())
	r.end()
}

// child finds the notice of an issuer, a person or a recipient and sees that the row is not there yet. put writes the
// columns after the notice's number.
func (s *offeringStaging) child(r *rowBuffer, table byte, at childPlace, put func()) error {
	s.read()
	no, known := s.byAccession[at.accession]
	switch {
	case !known:
		s.reject(at.file, at.line, at.raw, "ACCESSIONNUMBER %q is not among the notices of this document", at.accession)
		return nil
	case no == refused:
		s.reject(at.file, at.line, at.raw, "the notice %q that the row belongs to was rejected", at.accession)
		return nil
	case at.seq < 1 || at.seq > math.MaxInt32:
		s.reject(at.file, at.line, at.raw, "the sequence number %d is not one", at.seq)
		return nil
	case strings.TrimSpace(clean(at.name)) == "":
		s.reject(at.file, at.line, at.raw, "the %s is blank", at.field)
		return nil
	}
	r.begin()
	r.plain(s.notices[no].accession)
	from := len(r.buf)
	r.integer(int64(at.seq))
	put()
	row := r.fingerprint(table, from)
	key := childKey{no, int32(at.seq), table} // within the bounds, see above
	if earlier, taken := s.children[key]; taken {
		r.drop()
		s.duplicates++
		if earlier != row {
			s.reject(at.file, at.line, at.raw, "sequence number %d of notice %q has an earlier row with other values", at.seq, at.accession)
		}
		return nil
	}
	r.end()
	s.children[key] = row
	s.notices[no].all.add(row)
	return nil
}

// childPlace is where a child stands and what it must have.
type childPlace struct {
	accession   string
	seq         int
	name, field string // what must not be blank
	file        string
	line        int
	raw         []string
}

func (s *offeringStaging) issuer(r *rowBuffer, i *catalogapi.IssuerRow) error {
	at := childPlace{i.Accession, i.Seq, i.Name, "ENTITYNAME", i.File, i.Line, []string{i.Accession, i.CIK, i.Name}}
	key, formAt, kept := derive.NameKey(i.Name), 0, len(r.buf)
	err := s.child(r, tagIssuer, at, func() {
		r.text(i.CIK)
		r.text(i.Name)
		r.text(key.Name)
		formAt = len(r.buf)
		r.text(key.Form)
		r.list(i.PreviousNames)
		for _, v := range []string{i.Street1, i.Street2, i.City, i.State, i.StateName, i.PostalCode, i.Phone, i.Jurisdiction, i.EntityType} {
			r.text(v)
		}
		if i.YearFormed < 1 || i.YearFormed > 9999 { // not said, or no year
			r.null()
		} else {
			r.integer(int64(i.YearFormed))
		}
	})
	if key.Form == "" && len(r.buf) > kept { // the column knows no null
		r.buf = append(r.buf[:formAt], r.buf[formAt+len(`\N`):]...)
	}
	return err
}

func (s *offeringStaging) person(r *rowBuffer, p *catalogapi.RelatedPersonRow) error {
	at := childPlace{p.Accession, p.Seq, p.LastName, "LASTNAME", p.File, p.Line, []string{p.Accession, strconv.Itoa(p.Seq)}}
	return s.child(r, tagPerson, at, func() {
		r.text(p.FirstName)
		r.text(p.MiddleName)
		r.text(p.LastName)
		r.flag(p.Entity)
		r.text(p.City)
		r.text(p.State)
		r.text(p.Country)
		r.list(p.Relationships)
		r.text(p.Clarification)
	})
}

func (s *offeringStaging) recipient(r *rowBuffer, p *catalogapi.RecipientRow) error {
	at := childPlace{p.Accession, p.Seq, p.Name, "RECIPIENTNAME", p.File, p.Line, []string{p.Accession, p.CRD, p.Name}}
	return s.child(r, tagRecipient, at, func() {
		for _, v := range []string{p.Name, p.CRD, p.BrokerDealer, p.BrokerCRD, p.City, p.State, p.Country} {
			r.text(v)
		}
		r.list(p.States)
		r.optFlag(p.Foreign)
	})
}

// appendOffering writes the columns of s_offering after its number.
func appendOffering(r *rowBuffer, o *catalogapi.OfferingRow) {
	r.text(o.Accession)
	r.text(o.FileNumber)
	r.text(o.Form)
	r.date(o.Filed)
	r.text(o.PreviousAccession)
	r.text(o.SICCode)
	r.text(o.SchemaVersion)
	r.text(o.IndustryGroup)
	r.text(o.FundType)
	r.optFlag(o.Is40Act)
	r.text(o.RevenueRange)
	r.text(o.NAVRange)
	r.list(o.Exemptions)
	r.date(o.FirstSale)
	r.optFlag(o.YetToOccur)
	r.optFlag(o.OverOneYear)
	r.list(o.Securities)
	r.optInteger(o.MinInvestment)
	r.optInteger(o.OfferingAmount)
	r.flag(o.Indefinite)
	for _, v := range []*int64{o.AmountSold, o.Remaining} {
		r.optInteger(v)
	}
	r.optFlag(o.NonAccredited)
	for _, v := range []*int64{o.NonAccreditedNum, o.Investors, o.SalesCommission, o.FindersFee, o.GrossProceeds} {
		r.optInteger(v)
	}
}
