package load

import (
	"fmt"
	"iter"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Owners, officers and disclosures: the tables that speak of people.

func owners() *childTable {
	columns := []string{
		"schedule", "name", "entity_type", "owned_entity", "title", "acquired_year", "acquired_month", "ownership_code",
		"control_person", "public_reporting", "owner_id",
	}
	return newChildTable("owners", false, columns, ownerKind())
}

func ownerKind() childKind[*catalogapi.OwnerRow] {
	return childKind[*catalogapi.OwnerRow]{
		tag: tagOwner,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.OwnerRow, error] { return d.Owners },
		at: func(v *catalogapi.OwnerRow) childRow {
			return childRow{filing: v.FilingKey, file: v.File, line: v.Line}
		},
		raw: func(v *catalogapi.OwnerRow) []string {
			return []string{v.FilingKey, v.Schedule, v.Name, v.Title, v.OwnershipCode}
		},
		put: putOwner,
	}
}

// ownerFault says why a row of Schedule A or B cannot be loaded, or nothing.
func ownerFault(v *catalogapi.OwnerRow) string {
	switch v.Schedule {
	case "A", "B":
	default:
		return fmt.Sprintf("Schedule %q is neither A nor B", v.Schedule)
	}
	if clean(v.Name) == "" {
		return "Full Legal Name is blank"
	}
	switch v.EntityType {
	case "", "I", "DE", "FE":
	default:
		return fmt.Sprintf("DE/FE/I %q is unknown", v.EntityType)
	}
	switch v.OwnershipCode {
	case "", "NA", "A", "B", "C", "D", "E", "F":
	default:
		return fmt.Sprintf("Ownership Code %q is unknown", v.OwnershipCode)
	}
	return longName("Full Legal Name", v.Name)
}

func putOwner(r *rowBuffer, v *catalogapi.OwnerRow) string {
	if fault := ownerFault(v); fault != "" {
		return fault
	}
	r.texts(v.Schedule, v.Name, v.EntityType, v.OwnedEntity, v.Title)
	r.within(v.AcquiredYear, firstYear, lastYear)
	r.within(v.AcquiredMonth, 1, 12)
	r.text(v.OwnershipCode)
	r.optFlag(v.ControlPerson)
	r.optFlag(v.PublicReporting)
	if catalogapi.IsNumber(v.OwnerID, 18) {
		r.text(v.OwnerID)
	} else {
		r.null() // old files carry employers' numbers and junk
	}
	return ""
}

func disclosures() *childTable {
	columns := []string{
		"family", "reference_id", "amended", "items", "filed_against", "initiated_by", "initiator_type", "court", "case_number",
		"event_date", "product", "allegations", "felony", "status", "resolution", "resolution_date", "sanctions",
		"monetary_amount", "sanction_detail", "summary",
	}
	return newChildTable("disclosures", false, columns, childKind[*catalogapi.DisclosureRow]{
		tag: tagDisclosure,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.DisclosureRow, error] { return d.Disclosures },
		at: func(v *catalogapi.DisclosureRow) childRow {
			return childRow{filing: v.FilingKey, file: v.File, line: v.Line}
		},
		raw: func(v *catalogapi.DisclosureRow) []string {
			return []string{v.FilingKey, string(v.Family), v.ReferenceID, v.FiledAgainst, v.CaseNumber}
		},
		put: putDisclosure,
	})
}

func putDisclosure(r *rowBuffer, v *catalogapi.DisclosureRow) string {
	switch v.Family {
	case catalogapi.DisclosureCriminal, catalogapi.DisclosureRegulatory, catalogapi.DisclosureCivil:
	default:
		return fmt.Sprintf("family of disclosures %q is unknown", v.Family)
	}
	r.texts(string(v.Family), v.ReferenceID)
	r.optFlag(v.Amended)
	r.list(v.Items)
	r.texts(v.FiledAgainst, v.InitiatedBy, v.InitiatorType, v.Court, v.CaseNumber)
	r.credibleDate(v.EventDate)
	r.texts(v.Product, v.Allegations)
	r.optFlag(v.Felony)
	r.texts(v.Status, v.Resolution)
	r.credibleDate(v.ResolutionDate)
	r.list(v.Sanctions)
	r.optInteger(v.MonetaryAmount)
	r.texts(v.SanctionDetail, v.Summary)
	return ""
}

func implicated() *childTable {
	columns := []string{"reference_id", "disclosure_type", "affiliate_crd", "kind", "registered", "name"}
	return newChildTable("disclosure_affiliates", false, columns, childKind[*catalogapi.DisclosureAffiliateRow]{
		tag: tagImplicated,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.DisclosureAffiliateRow, error] { return d.Implicated },
		at: func(v *catalogapi.DisclosureAffiliateRow) childRow {
			return childRow{filing: v.FilingKey, file: v.File, line: v.Line}
		},
		raw: func(v *catalogapi.DisclosureAffiliateRow) []string {
			return []string{v.FilingKey, v.ReferenceID, v.Type, v.CRD, v.Name}
		},
		put: func(r *rowBuffer, v *catalogapi.DisclosureAffiliateRow) string {
			if strings.TrimSpace(v.Name) == "" && !catalogapi.IsCRD(v.CRD) {
				return "Affiliate Name and CRD Number are both missing"
			}
			if fault := longName("Affiliate Name", v.Name); fault != "" {
				return fault
			}
			r.texts(v.ReferenceID, v.Type)
			r.crd(v.CRD)
			r.text(v.Kind)
			r.optFlag(v.Registered)
			r.text(v.Name)
			return ""
		},
	})
}

// The years that a date of a filing can credibly have.
const (
	firstYear = 1800
	lastYear  = 2200
)

// texts appends several strings; see text.
func (r *rowBuffer) texts(values ...string) {
	for _, v := range values {
		r.text(v)
	}
}

// within appends a small number, or null when it is out of bounds: zero says that nothing was filed, and a month 13 is no
// reason to lose the row.
func (r *rowBuffer) within(v, least, most int) {
	if v < least || v > most {
		r.null()
		return
	}
	r.integer(int64(v))
}

// credibleDate appends a date; one that cannot be right is null.
func (r *rowBuffer) credibleDate(t time.Time) {
	if y := t.Year(); y < firstYear || y > lastYear {
		r.null()
		return
	}
	r.date(t)
}

// crd appends a firm's key, or null for what has not its form.
func (r *rowBuffer) crd(v string) {
	if !catalogapi.IsCRD(v) {
		r.null()
		return
	}
	r.text(v)
}

// optFundID appends a Fund ID, or null for what has not its form.
func (r *rowBuffer) optFundID(v string) {
	if !catalogapi.IsFundID(v) {
		r.null()
		return
	}
	r.text(v)
}
