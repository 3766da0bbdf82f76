package regulatory

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// filing is one whole Form ADV of an adviser.
type filing struct {
	Accession string
	Date      time.Time
	Silent    []string // tables or columns that its document lacks
}

// speaks reports whether the filing's document has the table of the disclosures of a family: only then does a missing page mean
// that the matter is no longer reported.
func (f *filing) speaks(family string) bool {
	return !slices.Contains(f.Silent, catalogapi.OfPart(catalogapi.TableDisclosures, family))
}

// place is the position of a disclosure page.
type place struct {
	Accession string `json:"accession"`
	Seq       int    `json:"seq"`
}

// mention is the identity of one disclosure page's matter, and the page's position.
type mention struct {
	Accession   string
	Seq         int
	Family      string
	ReferenceID string
	CaseNumber  string
	Initiator   string // court, else who initiated it
	EventDate   string // YYYY-MM-DD or empty
	TextKey     string // digest of the allegations, for a page without ReferenceID, case number and date
}

// matter is one event with all filings that report it.
type matter struct {
	key         string
	newest      mention // the page that is shown
	named       mention // the page whose affiliates are shown: the newest of a filing whose archive had their table
	first, last int     // indexes into the filings
	times       int
}

// matters joins the pages of all filings, which are in the order in which they were made, into events.
//
// Spec: not shown; each filing repeats the manager's pages, amended or not. Pages with one ReferenceID are one matter. A page
// without one belongs to the matter of the same family with the same case number, court or initiator and date, with or without
// a ReferenceID. Pages with different ReferenceIDs stay apart even with one case number: a firm and its affiliate report the
// same case on a page each.
func matters(filings []filing, mentions []mention) []matter {
	order := make(map[string]int, len(filings))
	for i, f := range filings {
		order[f.Accession] = i
	}
	mentions = slices.DeleteFunc(slices.Clone(mentions), func(m mention) bool {
		_, ok := order[m.Accession]
		return !ok
	})
	slices.SortFunc(mentions, func(a, b mention) int {
		return cmp.Or(cmp.Compare(order[a.Accession], order[b.Accession]), cmp.Compare(a.Seq, b.Seq))
	})
	referenced := make(map[string]string) // by the identity of a page without ReferenceID: the key of its matter
	for _, m := range mentions {
		if other := m.circumstances(); m.ReferenceID != "" && (referenced[other] == "" || m.key() < referenced[other]) {
			referenced[other] = m.key()
		}
	}
	byKey := make(map[string]*matter)
	for _, m := range mentions {
		at, key := order[m.Accession], m.key()
		if m.ReferenceID == "" && m.identifiable() && referenced[key] != "" {
			key = referenced[key]
		}
		known := byKey[key]
		switch {
		case known == nil:
			byKey[key] = &matter{key: key, newest: m, named: m, first: at, last: at, times: 1}
		case known.last < at: // the first page of a filing is shown if it has several of one matter
			if known.newest, known.last = m, at; !slices.Contains(filings[at].Silent, catalogapi.TableImplicated) {
				known.named = m
			}
			known.times++
		}
	}
	list := make([]matter, 0, len(byKey))
	for _, m := range byKey {
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b matter) int { return strings.Compare(a.key, b.key) })
	return list
}

func (m mention) place() place { return place{m.Accession, m.Seq} }

func (m mention) key() string {
	if m.ReferenceID != "" {
		return strings.Join([]string{m.Family, "reference", m.ReferenceID}, "\x1f")
	}
	return m.circumstances()
}

func (m mention) circumstances() string {
	return strings.Join([]string{m.Family, "case", fold(m.CaseNumber), fold(m.Initiator), m.EventDate, m.TextKey}, "\x1f")
}

// identifiable reports whether a page's details are enough to find its matter among those with a ReferenceID.
func (m mention) identifiable() bool {
	return m.CaseNumber != "" || m.EventDate != "" && m.Initiator != ""
}

// page is one disclosure page in full.
type page struct {
	Accession      string
	Seq            int
	Family         string
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
func pageToEvent(crd string, m matter, p page, affiliates []affiliateRow, filings []filing) Event {
	first, last := filings[m.first], filings[m.last]
	e := Event{
		EventID:      eventID(crd, m.key),
		EventType:    eventTypeOf(p.Family, value(p.InitiatorType), value(p.InitiatedBy), p.Items),
		EventDate:    dayOf(p.EventDate),
		Description:  value(p.Allegations),
		Resolution:   value(p.Resolution),
		DisclosedAt:  dayOf(&first.Date),
		Source:       sourceFilings,
		Sources:      []string{sourceFilings},
		ReferenceID:  p.ReferenceID,
		CaseNumber:   p.CaseNumber,
		FiledAgainst: filedAgainst(value(p.FiledAgainst)),

		AdvisoryAffiliates: affiliatesOf(m.named, affiliates),

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
		TimesReported:        m.times,
	}
	later := filings[m.last+1:]
	if i := slices.IndexFunc(later, func(f filing) bool { return f.speaks(m.newest.Family) }); i >= 0 {
		e.NoLongerReported, e.NoLongerReportedSince = true, dayOf(&later[i].Date)
	}
	return e
}

// affiliatesOf are the advisory affiliates of a page, each once. They are matched by the page's ReferenceID, and by its family
// if the row names one.
func affiliatesOf(p mention, rows []affiliateRow) []Affiliate {
	list := []Affiliate{}
	seen := make(map[string]bool)
	for _, r := range rows {
		family := familyOf(value(r.DisclosureType))
		if p.ReferenceID == "" || value(r.ReferenceID) != p.ReferenceID || r.Accession != p.Accession || family != "" && family != p.Family {
			continue
		}
		key := value(r.AffiliateCRD) + "\x1f" + fold(value(r.Name))
		if seen[key] {
			continue
		}
		seen[key] = true
		list = append(list, Affiliate{Name: value(r.Name), CRD: r.AffiliateCRD, Kind: r.Kind})
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
