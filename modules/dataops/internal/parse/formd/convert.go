package formd

import (
	"regexp"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/value"
)

// submission is the part of a notice about the notice itself.
type submission struct {
	accession  string
	fileNumber string
	form       string
	filed      time.Time
	sic        string
	schema     string
}

// submission reads a submission without its accession number. Submissions filed after notAfter are rejected, unless it is zero.
//
// Spec: not shown; a single notice does not state when it was filed, so the day of its last signature is used. Most notices are
// filed on that day.
func (r row) submission(notAfter time.Time) submission {
	s := submission{
		form:   r.Word(sType),
		sic:    r.Word(sSIC),
		schema: r.Word(sSchema),
		filed:  r.latest(sFiled),
	}
	if s.form != "D" && s.form != "D/A" {
		r.Fail(r.names[sType] + " is neither D nor D/A: " + quoted(s.form))
	}
	if live := r.Word(sTestOrLive); r.Has(sTestOrLive) && live != "LIVE" {
		r.Fail(r.names[sTestOrLive] + " is not LIVE, so the notice is a test: " + quoted(live))
	}
	if len(r.Text(sFileNumber)) > 0 {
		s.fileNumber = cell(r, sFileNumber, value.FormDNumber)
	}
	switch {
	case s.filed.IsZero():
		r.Fail(r.names[sFiled] + " is blank")
	case !notAfter.IsZero() && s.filed.After(notAfter):
		r.Fail(r.names[sFiled] + " is in the future: " + s.filed.Format(time.DateOnly))
	}
	return s
}

// oldestVersion is the first version of a notice's XML that can be read: that of March 2009, when electronic notices became a duty.
//
// Spec: the issue names it for full submissions. A single notice is the same XML. Data sets have no XML, so their rows
// are read with any version.
const oldestVersion = "X0301"

var version = regexp.MustCompile(`^X[0-9]{4}$`)

// checkVersion refuses a notice whose elements may mean something else.
func (r row) checkVersion() {
	switch v := r.Word(sSchema); {
	case v == "":
		r.Fail(r.names[sSchema] + " is blank")
	case !version.MatchString(v):
		r.Fail(r.names[sSchema] + " is not a version (X and four digits): " + quoted(v))
	case v < oldestVersion:
		r.Fail(r.names[sSchema] + " " + quoted(v) + " is older than " + oldestVersion + ", the oldest that can be read")
	}
}

func quoted(s string) string {
	if r := []rune(s); len(r) > shownMax {
		s = string(r[:shownMax]) + "…"
	}
	return `"` + s + `"`
}

// exemptionParts part the codes of a data set's list of exemptions: "06b,3C,3C.7", "06b; 3C.1", "06b 3C.1".
const exemptionParts = ",; \t"

// offering reads an offering of the given submission.
func (r row) offering(s submission) *catalogapi.OfferingRow {
	amount, indefinite, err := value.Offered(r.Cell(oOffered))
	if err != nil {
		r.refuse(oOffered, err)
	}
	remaining, _, err := value.Offered(r.Cell(oRemaining))
	if err != nil {
		r.refuse(oRemaining, err)
	}
	o := &catalogapi.OfferingRow{
		Accession: s.accession, FileNumber: s.fileNumber, Form: s.form, Filed: s.filed, SICCode: s.sic, SchemaVersion: s.schema,
		PreviousAccession: r.named(oPrevious),
		IndustryGroup:     r.Word(oIndustry),
		FundType:          r.Word(oFundType),
		Is40Act:           r.truth(o40Act),
		RevenueRange:      r.Word(oRevenue),
		NAVRange:          r.Word(oNAV),
		Exemptions:        r.list(exemptionParts, oExemptions),
		FirstSale:         r.date(oFirstSale),
		YetToOccur:        r.truth(oYetToOccur),
		OverOneYear:       r.truth(oOverOneYear),
		MinInvestment:     r.money(oMinimum),
		OfferingAmount:    amount,
		Indefinite:        indefinite,
		AmountSold:        r.money(oSold),
		Remaining:         remaining,
		NonAccredited:     r.truth(oNonAccredited),
		NonAccreditedNum:  cell(r, oNonAccreditedNum, value.Count),
		Investors:         cell(r, oInvestors, value.Count),
		SalesCommission:   r.money(oCommission),
		FindersFee:        r.money(oFinders),
		GrossProceeds:     r.money(oProceeds),
		File:              r.File,
		Line:              r.Line,
	}
	for i, name := range securities {
		if offered := r.truth(oSecurities + i); offered != nil && *offered {
			o.Securities = append(o.Securities, name)
		}
	}
	return o
}

// issuer reads an issuer of an offering.
//
// Spec: not shown; a year that is none (filers who are older than five years need not say it) is not said.
func (r row) issuer(accession string, seq int) *catalogapi.IssuerRow {
	i := &catalogapi.IssuerRow{
		Accession:     accession,
		Seq:           seq,
		CIK:           cell(r, iCIK, value.CIK),
		Name:          r.Text(iName),
		PreviousNames: r.list("", iPrevious1, iPrevious2, iPrevious3, iFormer1, iFormer2, iFormer3),
		Street1:       r.Text(iStreet1),
		Street2:       r.Text(iStreet2),
		City:          r.Text(iCity),
		State:         r.Word(iState),
		StateName:     r.Word(iStateName),
		PostalCode:    r.Text(iPostal),
		Phone:         r.Text(iPhone),
		Jurisdiction:  r.Word(iJurisdiction),
		EntityType:    r.Word(iEntityType),
		YearFormed:    value.Year(r.Cell(iYear)),
		File:          r.File,
		Line:          r.Line,
	}
	if i.Name == "" {
		r.Fail(r.names[iName] + " is blank")
	}
	return i
}

// person reads a related person of an offering.
func (r row) person(accession string, seq int) *catalogapi.RelatedPersonRow {
	p := &catalogapi.RelatedPersonRow{
		Accession:     accession,
		Seq:           seq,
		FirstName:     r.Text(pFirst),
		MiddleName:    r.named(pMiddle),
		LastName:      r.Text(pLast),
		City:          r.Text(pCity),
		Relationships: r.list("", pRelation1, pRelation2, pRelation3),
		Clarification: r.named(pClarification),
		File:          r.File,
		Line:          r.Line,
	}
	p.State, p.Country = place(r.Word(pState), r.Word(pStateName))
	if whole, ok := entity(p.FirstName, p.MiddleName, p.LastName); ok {
		p.FirstName, p.MiddleName, p.LastName, p.Entity = "", "", whole, true
	}
	if value.None([]byte(p.LastName)) {
		r.Fail(r.names[pLast] + " names nobody: " + quoted(p.LastName))
	}
	return p
}

// recipient reads a recipient of sales compensation. If every field is None, the notice states that there is no recipient, and
// it returns nil.
//
// Spec: not shown; if a broker or dealer is named and no person, the broker or dealer is the recipient.
func (r row) recipient(accession string, seq int) *catalogapi.RecipientRow {
	c := &catalogapi.RecipientRow{
		Accession:    accession,
		Seq:          seq,
		Name:         r.named(rName),
		CRD:          r.crd(rCRD),
		BrokerDealer: r.named(rBroker),
		BrokerCRD:    r.crd(rBrokerCRD),
		City:         r.named(rCity),
		States:       r.list(",;", rStates, rStates2),
		Foreign:      r.truth(rForeign),
		File:         r.File,
		Line:         r.Line,
	}
	c.State, c.Country = place(r.Word(rState), r.Word(rStateName))
	if c.Name == "" && c.BrokerDealer == "" && c.CRD == "" && c.BrokerCRD == "" && r.Fault() == "" {
		return nil
	}
	if c.Name == "" {
		c.Name = c.BrokerDealer
	}
	if c.Name == "" {
		r.Fail(r.names[rName] + " is blank, and no broker or dealer is named")
	}
	return c
}

// crd reads a CRD number that filers may leave out or answer with None.
func (r row) crd(field int) string {
	if value.None(r.Cell(field)) {
		return ""
	}
	return cell(r, field, value.CRD)
}

// unitedStates is the country as the forms print it.
const unitedStates = "United States"

// place splits EDGAR's single code into state and country. Codes of two letters are states of the US. Those with a digit are
// other places; their description is the country's name, or a province, a comma and "CANADA".
//
// Spec: not shown; formats.md names only the code.
func place(code, description string) (state, country string) {
	switch {
	case code == "" || value.None([]byte(code)):
		return "", ""
	case code == "X1": // EDGAR's code of the United States themselves
		return "", unitedStates
	case len(code) == 2 && !strings.ContainsAny(code, "0123456789"):
		return code, unitedStates
	}
	if province, of, ok := strings.Cut(description, ", "); ok && strings.EqualFold(of, "Canada") {
		return province, of
	}
	if description == "" {
		return "", code
	}
	return "", description
}
