package load

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// fundNumber reads the ten digits of a Fund ID.
func fundNumber(id string) (uint64, bool) {
	digits, ok := strings.CutPrefix(id, "805-")
	if !ok || len(digits) != 10 || !isNumber(digits, 10) {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, err == nil
}

// fund checks a row of 7.B.(1) and appends it. Of two rows of one fund in one filing the first stays; a later one that
// says otherwise is refused.
func (s *staging) fund(f *catalogapi.FundRow) error {
	s.read()
	r := &s.fundRows.rows
	raw := []string{f.FilingKey, f.Name, f.FundID, f.ReferenceID}
	filing, ok := s.parent(f.FilingKey, f.File, f.Line, raw)
	if !ok {
		return nil
	}
	fund, ok := fundNumber(f.FundID)
	fault := ""
	switch {
	case f.FundID == "":
		fault = "Fund ID is blank"
	case !ok:
		fault = "Fund ID " + strconv.Quote(f.FundID) + " is not 805- and ten digits"
	case f.Name == "":
		fault = "Fund Name is blank"
	}
	ref := refKey{filing, f.ReferenceID}
	_, refTaken := s.byRef[ref]
	if fault != "" {
		s.reject(f.File, f.Line, raw, "%s", fault)
		s.refuseRef(ref, refTaken)
		return nil
	}
	if len(s.funds) == math.MaxInt32 {
		return errTooMany
	}
	no := int32(len(s.funds)) // its length is checked above
	r.begin()
	r.plain(s.filings[filing].name)
	r.plain(s.filings[filing].crd)
	from := len(r.buf)
	appendFund(r, f)
	row := r.fingerprint(tagFund, from)
	key := fundKey{filing, fund}
	if first, taken := s.byFund[key]; taken {
		r.drop()
		s.repeated++
		if s.funds[first] != row {
			s.reject(f.File, f.Line, raw, "fund %s is listed before in the same filing, with other values", f.FundID)
			s.refuseRef(ref, refTaken)
		}
		return nil
	}
	r.end()
	s.byFund[key] = no
	if f.ReferenceID != "" && !refTaken {
		s.byRef[refKey{filing, strings.Clone(f.ReferenceID)}] = no
	}
	s.funds = append(s.funds, row)
	s.fundIDs = append(s.fundIDs, fund)
	s.fundsNamed[fund] = struct{}{}
	s.filings[filing].all.add(row)
	if silent := s.silences.add(f.Silent, s.missing()); len(silent) > 0 {
		s.filings[filing].all.add(s.silentDigest(silent))
	}
	return s.fundRows.spill()
}

// missing names the fields of funds that have a table of their own, where the document lacks it.
func (s *staging) missing() (fields []string) {
	if s.doc.Auditors == nil {
		fields = append(fields, catalogapi.FieldFundAuditors)
	}
	if s.doc.FormDNumbers == nil {
		fields = append(fields, catalogapi.FieldFundFormD)
	}
	return fields
}

func (s *staging) refuseRef(ref refKey, taken bool) {
	if ref.ref != "" && !taken {
		s.byRef[refKey{ref.filing, strings.Clone(ref.ref)}] = refused
	}
}

// fundChild finds the fund of an auditor or a Form D number, or refuses the row.
func (s *staging) fundChild(filingKey, reference, file string, line int, raw []string) (filing, fund int32, ok bool) {
	filing, ok = s.parent(filingKey, file, line, raw)
	if !ok {
		return 0, 0, false
	}
	fund, known := s.fundOf(refKey{filing, reference})
	switch {
	case !known:
		s.reject(file, line, raw, "ReferenceID %q is not among the funds of filing %q", reference, filingKey)
		return 0, 0, false
	case fund == refused:
		s.reject(file, line, raw, "the fund with ReferenceID %q of filing %q was rejected", reference, filingKey)
		return 0, 0, false
	}
	return filing, fund, true
}

// auditor keeps one auditor's name. A row without a name says nothing.
func (s *staging) auditor(a *catalogapi.AuditorRow) error {
	s.read()
	raw := []string{a.FilingKey, a.ReferenceID, a.Name, a.City, a.State, a.Country}
	filing, fund, ok := s.fundChild(a.FilingKey, a.ReferenceID, a.File, a.Line, raw)
	if ok {
		s.child(s.auditors, tagAuditor, filing, fund, a.Name)
	}
	return nil
}

// formD keeps one Form D file number of a fund.
func (s *staging) formD(d *catalogapi.FormDRow) error {
	s.read()
	raw := []string{d.FilingKey, d.ReferenceID, d.FileNumber}
	filing, fund, ok := s.fundChild(d.FilingKey, d.ReferenceID, d.File, d.Line, raw)
	if ok {
		s.child(s.numbers, tagFormD, filing, fund, d.FileNumber)
	}
	return nil
}

func (s *staging) child(l *lists, tag byte, filing, fund int32, value string) {
	if value = clean(value); value == "" {
		return
	}
	l.add(fund, value)
	r := &s.scratch
	r.buf = r.buf[:0]
	r.text(value)
	row := r.fingerprint(tag, 0)
	// Tied to its fund, so that two funds that swap their auditors do not look unchanged.
	row[0] ^= s.funds[fund][0]
	row[1] ^= s.funds[fund][1]
	s.filings[filing].all.add(row)
}

// fundRow completes the row of a fund by what was gathered for it, and by the fingerprint of all that.
func (s *staging) fundRow(r *rowBuffer, fund int32, row []byte) {
	r.begin()
	r.buf = append(append(r.buf, row...), '\t')
	from := len(r.buf)
	auditors, numbers := s.auditors.of(fund, s.texts[0]), s.numbers.of(fund, s.texts[1])
	r.list(auditors)
	r.list(numbers)
	hash := s.funds[fund]
	if auditors != nil || numbers != nil {
		hash.add(r.fingerprint(tagLists, from))
	}
	silent := s.silences.lists[s.silences.of[fund]]
	if auditors != nil || numbers != nil { // what has come is not unsaid, though the table has only a part of the days
		silent = slices.DeleteFunc(slices.Clone(silent), func(field string) bool {
			return field == catalogapi.FieldFundAuditors && auditors != nil || field == catalogapi.FieldFundFormD && numbers != nil
		})
	}
	if len(silent) == 0 {
		silent = nil
	} else {
		hash.add(s.silentDigest(silent))
	}
	r.list(silent)
	r.bytes(hash.bytes())
	r.end()
}

// appendFund writes what a fund's own row says.
func appendFund(r *rowBuffer, f *catalogapi.FundRow) {
	r.text(f.FundID)
	r.text(f.ReferenceID)
	r.text(f.Name)
	r.text(f.State)
	r.text(f.Country)
	r.optFlag(f.Is3C1)
	r.optFlag(f.Is3C7)
	r.optFlag(f.IsMaster)
	r.optFlag(f.IsFeeder)
	r.text(f.MasterName)
	r.text(f.MasterFundID)
	r.optFlag(f.IsFundOfFunds)
	r.text(f.FundType)
	r.text(f.FundTypeOther)
	r.optInteger(f.GAV)
	r.optInteger(f.MinInvestment)
	r.optInteger(f.Owners)
	r.optFloat(f.PctRelated)
	r.optFloat(f.PctFunds)
	r.optFloat(f.PctNonUS)
	r.optFlag(f.AnnualAudit)
	r.optFlag(f.GAAP)
	r.text(f.Unqualified)
}
