package regulatory

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// page is one disclosure page in full.
type page struct {
	Accession      string
	Seq            int
	Family         catalogapi.DisclosureFamily
	ReferenceID    *string
	Items          []string
	FiledAgainst   *string
	InitiatedBy    *string
	InitiatorType  *string
	Court          *string
	CaseNumber     *string
	EventDate      *time.Time
	Product        *string
	Allegations    *string
	Felony         *bool
	Status         *string
	Resolution     *string
	ResolutionDate *time.Time
	Sanctions      []string
	MonetaryAmount *int64
	SanctionDetail *string
	Summary        *string
}

// affiliateRow is one advisory affiliate of a page.
type affiliateRow struct {
	Accession      string  `gorm:"column:accession"`
	Seq            int     `gorm:"column:seq"`
	ReferenceID    *string `gorm:"column:reference_id"`
	DisclosureType *string `gorm:"column:disclosure_type"`
	AffiliateCRD   *string `gorm:"column:affiliate_crd"`
	Kind           *string `gorm:"column:kind"`
	Name           *string `gorm:"column:name"`
}

// TableName is the table with its schema.
func (affiliateRow) TableName() string { return "catalog.pub_disclosure_affiliate" }

// pageToEvent makes an event of a matter and the page that is shown of it.
//
// Spec: not shown; a page may leave the form: it is removed when it was filed in error, when the affiliate has left, or ten
// years after. The matter stays an event, marked with the date of the first whole filing without it. One that reappears later
// is reported again. A filing whose archive lacks the table of the page's family is ignored.
func pageToEvent(crd string, m catalogapi.DisclosureMatter, p page, affiliates []affiliateRow, filings []catalogapi.DisclosureFiling) Event {
	first, last := filings[m.First], filings[m.Last]
	e := Event{
		EventID:      m.EventID(crd),
		EventType:    catalogapi.EventTypeOf(p.Family, catalogapi.TextOf(p.InitiatorType), catalogapi.TextOf(p.InitiatedBy), p.Items),
		EventDate:    dayOf(p.EventDate),
		Description:  catalogapi.TextOf(p.Allegations),
		Resolution:   catalogapi.TextOf(p.Resolution),
		DisclosedAt:  dayOf(&first.Date),
		Source:       sourceFilings,
		Sources:      []string{sourceFilings},
		ReferenceID:  p.ReferenceID,
		CaseNumber:   p.CaseNumber,
		FiledAgainst: filedAgainst(catalogapi.TextOf(p.FiledAgainst)),

		AdvisoryAffiliates: affiliatesOf(&m.Named, affiliates),

		InitiatedBy:    p.InitiatedBy,
		InitiatorType:  p.InitiatorType,
		Court:          p.Court,
		Status:         p.Status,
		ResolutionDate: dayOf(p.ResolutionDate),
		Sanctions:      orEmpty(p.Sanctions),
		SanctionDetail: p.SanctionDetail,
		MonetaryAmount: p.MonetaryAmount,
		Product:        p.Product,
		Felony:         p.Felony,
		Items:          orEmpty(p.Items),
		Summary:        p.Summary,

		AccessionNumber:      &last.Accession,
		FirstAccessionNumber: &first.Accession,
		TimesReported:        m.Times,
	}
	if since, ok := m.Lapsed(filings); ok {
		e.NoLongerReported, e.NoLongerReportedSince = true, dayOf(&since)
	}
	return e
}

// affiliatesOf are the advisory affiliates of a page, each once. They are matched by the page's ReferenceID, and by its family
// if the row names one.
func affiliatesOf(p *catalogapi.DisclosureMention, rows []affiliateRow) []Affiliate {
	list := []Affiliate{}
	seen := make(map[string]bool)
	for _, r := range rows {
		if !p.Names(r.Accession, catalogapi.TextOf(r.ReferenceID), catalogapi.TextOf(r.DisclosureType)) {
			continue
		}
		key := catalogapi.TextOf(r.AffiliateCRD) + "\x1f" + catalogapi.Folded(catalogapi.TextOf(r.Name))
		if seen[key] {
			continue
		}
		seen[key] = true
		list = append(list, Affiliate{Name: catalogapi.TextOf(r.Name), CRD: r.AffiliateCRD, Kind: r.Kind})
	}
	return list
}

// dayOf writes a calendar day.
func dayOf(t *time.Time) *string {
	if t == nil {
		return nil
	}
	return new(t.Format(time.DateOnly))
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
