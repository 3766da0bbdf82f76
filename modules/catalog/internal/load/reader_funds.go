package load

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// fundNumber reads the ten digits of a Fund ID.
func fundNumber(id string) (uint64, bool) {
	if !catalogapi.IsFundID(id) {
		return 0, false
	}
	n, err := strconv.ParseUint(id[len("805-"):], 10, 64)
	return n, err == nil
}

// silences are the different lists of fields that the funds of a document are silent about; each fund has one of them.
type silences struct {
	lists [][]string
	last  []string // as the document gave it
	at    int32    // its place
	of    []int32  // by fund: its place in lists
}

// add notes the list of the next fund. It returns the list joined with missing, the fields of missing tables.
func (s *silences) add(fields, missing []string) []string {
	same := len(s.lists) > 0 && len(fields) == len(s.last) && (len(fields) == 0 || &fields[0] == &s.last[0])
	if !same {
		all := slices.Concat(fields, missing)
		slices.Sort(all)
		all = slices.Compact(all)
		at := slices.IndexFunc(s.lists, func(l []string) bool { return slices.Equal(l, all) })
		if at < 0 {
			at = len(s.lists)
			s.lists = append(s.lists, all)
		}
		s.last, s.at = fields, int32(at) // there are fewer lists than funds, which are counted so
	}
	s.of = append(s.of, s.at)
	return s.lists[s.at]
}

// fund checks a row of 7.B.(1) and appends it. Of two rows of one fund in one filing the first stays; a later one that
// says otherwise is refused.
func (d *filingReader) fund(f *catalogapi.FundRow) error {
	d.count()
	r := &d.fundsKept.rows
	raw := []string{f.FilingKey, f.Name, f.FundID, f.ReferenceID}
	filing, ok := d.parent(f.FilingKey, f.File, f.Line, raw)
	if !ok {
		return nil
	}
	fund, ok := fundNumber(f.FundID)
	var fault string
	switch {
	case f.FundID == "":
		fault = "Fund ID is blank"
	case !ok:
		fault = "Fund ID " + strconv.Quote(f.FundID) + " is not 805- and ten digits"
	case f.Name == "":
		fault = "Fund Name is blank"
	default:
		fault = cmp.Or(longName("Fund Name", f.Name), longName("Master Fund Name", f.MasterName))
	}
	ref := refKey{filing, f.ReferenceID}
	_, refTaken := d.byRef[ref]
	if fault != "" {
		d.reject(f.File, f.Line, raw, "%s", fault)
		d.refuseRef(ref, refTaken)
		return nil
	}
	if len(d.funds) == math.MaxInt32 {
		return errTooMany
	}
	no := int32(len(d.funds)) // its length is checked above
	r.begin()
	r.plain(d.heads[filing].name)
	r.plain(d.filings[filing].crd)
	from := len(r.buf)
	d.ofFund.Value = *f
	d.ofFund.append(r)
	row := r.fingerprint(tagFund, from)
	key := fundKey{filing, fund}
	if first, taken := d.byFund[key]; taken {
		r.drop()
		d.repeated++
		if d.funds[first] != row {
			d.reject(f.File, f.Line, raw, "fund %s is listed before in the same filing, with other values", f.FundID)
			d.refuseRef(ref, refTaken)
		}
		return nil
	}
	r.end()
	d.byFund[key] = no
	if f.ReferenceID != "" && !refTaken {
		d.byRef[refKey{filing, strings.Clone(f.ReferenceID)}] = no
	}
	d.funds = append(d.funds, row)
	d.fundIDs = append(d.fundIDs, fund)
	d.fundsNamed[fund] = struct{}{}
	d.heads[filing].all.add(row)
	d.filings[filing].owesFunds = false
	if silent := d.silences.add(f.Silent, d.missing()); len(silent) > 0 {
		d.heads[filing].all.add(d.silentDigest(silent))
	}
	return d.fundsKept.spill()
}

// missing names the fields of funds that have a table of their own, where the document lacks it.
func (d *filingReader) missing() (fields []string) {
	if d.doc.Auditors == nil {
		fields = append(fields, catalogapi.FieldFundAuditors)
	}
	if d.doc.FormDNumbers == nil {
		fields = append(fields, catalogapi.FieldFundFormD)
	}
	return fields
}

func (d *filingReader) refuseRef(ref refKey, taken bool) {
	if ref.ref != "" && !taken {
		d.byRef[refKey{ref.filing, strings.Clone(ref.ref)}] = refused
	}
}

// doubt notes that a row names a fund that its filing's list lacks: a row of the list is lost. An incomplete
// list must not close funds, so it no longer counts as a full one.
func (d *filingReader) doubt(filing int32, reference string) {
	f := &d.filings[filing]
	if !f.listed || reference == "" {
		return
	}
	f.listed = false
	d.scratch.buf = d.scratch.buf[:0]
	d.scratch.flag(false)
	d.heads[filing].all.add(d.scratch.fingerprint(tagListed, 0)) // the same list, once it is whole, is another
}

// fundChild finds the fund of an auditor or a Form D number, or refuses the row.
func (d *filingReader) fundChild(filingKey, reference, file string, line int, raw []string) (filing, fund int32, ok bool) {
	filing, ok = d.parent(filingKey, file, line, raw)
	if !ok {
		return 0, 0, false
	}
	fund, known := d.fundOf(refKey{filing, reference})
	switch {
	case !known:
		d.reject(file, line, raw, "ReferenceID %q is not among the funds of filing %q", reference, filingKey)
		d.doubt(filing, reference)
		return 0, 0, false
	case fund == refused:
		d.reject(file, line, raw, "the fund with ReferenceID %q of filing %q was rejected", reference, filingKey)
		return 0, 0, false
	}
	return filing, fund, true
}

// auditor keeps one auditor's name. A row without a name says nothing.
func (d *filingReader) auditor(a *catalogapi.AuditorRow) error {
	d.count()
	raw := []string{a.FilingKey, a.ReferenceID, a.Name, a.City, a.State, a.Country}
	filing, fund, ok := d.fundChild(a.FilingKey, a.ReferenceID, a.File, a.Line, raw)
	if !ok {
		return nil
	}
	if fault := longName("Name of Auditing Firm", a.Name); fault != "" {
		d.reject(a.File, a.Line, raw, "%s", fault)
		return nil
	}
	d.child(d.auditors, tagAuditor, filing, fund, a.Name)
	return nil
}

// formD keeps one Form D file number of a fund.
func (d *filingReader) formD(n *catalogapi.FormDRow) error {
	d.count()
	raw := []string{n.FilingKey, n.ReferenceID, n.FileNumber}
	filing, fund, ok := d.fundChild(n.FilingKey, n.ReferenceID, n.File, n.Line, raw)
	if ok {
		d.child(d.numbers, tagFormD, filing, fund, n.FileNumber)
	}
	return nil
}

func (d *filingReader) child(l *lists, tag byte, filing, fund int32, value string) {
	if value = clean(value); value == "" {
		return
	}
	l.add(fund, value)
	r := &d.scratch
	r.buf = r.buf[:0]
	r.text(value)
	row := r.fingerprint(tag, 0)
	// Tied to its fund, so that two funds that swap their auditors do not look unchanged.
	row[0] ^= d.funds[fund][0]
	row[1] ^= d.funds[fund][1]
	d.heads[filing].all.add(row)
}

// fundRow completes the row of a fund by what was gathered for it, and by the fingerprint of all that.
func (d *filingReader) fundRow(r *rowBuffer, fund int32, row []byte) {
	r.begin()
	r.buf = append(append(r.buf, row...), '\t')
	from := len(r.buf)
	auditors, numbers := d.auditors.of(fund, d.texts[0]), d.numbers.of(fund, d.texts[1])
	r.list(auditors)
	r.list(numbers)
	hash := d.funds[fund]
	if auditors != nil || numbers != nil {
		hash.add(r.fingerprint(tagLists, from))
	}
	silent := d.silences.lists[d.silences.of[fund]]
	if auditors != nil || numbers != nil { // what has come is not unsaid, though the table has only a part of the days
		silent = slices.DeleteFunc(slices.Clone(silent), func(field string) bool {
			return field == catalogapi.FieldFundAuditors && auditors != nil || field == catalogapi.FieldFundFormD && numbers != nil
		})
	}
	if len(silent) == 0 {
		silent = nil
	} else {
		hash.add(d.silentDigest(silent))
	}
	r.list(silent)
	r.bytes(hash.bytes())
	r.end()
}
