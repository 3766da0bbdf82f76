package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// Disclosure is one event that a manager has disclosed, as the newest filing that reports it states it. The texts are as filed: they
// may name persons.
type Disclosure struct {
	CRD         string
	EventID     string
	Type        catalogapi.EventType
	EventDate   time.Time // zero = not stated
	DisclosedAt time.Time // of the first filing that reports it
	LapsedAt    time.Time // of the first complete filing that does not report it any more; zero = it is still reported
	InitiatedBy string
	Resolution  string // or, until it is resolved, its status
	Sanctions   []string
	Amount      int64
	ReferenceID string
	Accession   string
	Implicated  []Implicated // affiliates that are not marked as individuals
	Individuals int
}

// Implicated is an advisory affiliate that a disclosure page is about.
type Implicated struct {
	Name, CRD string
	Firm      bool // the name is a firm's, and is that of no individual among the manager's affiliates
}

// Disclosures are the events of all managers, the newest disclosed first. The list is the snapshot's own: not to be written to.
func (s *Snapshot) Disclosures() []Disclosure { return s.disclosures }

// disclosedPage is a disclosure page in one filing.
type disclosedPage struct {
	catalogapi.DisclosureMention
	event Disclosure // as far as the page states it
}

// disclosedAffiliate is a row of the affiliates in a filing's disclosure pages.
type disclosedAffiliate struct {
	accession, referenceID, disclosureType string
	crd, kind, name                        string
}

// disclosed joins the pages of a manager's filings, which are in the order in which they were made, into events.
func disclosed(crd string, filings []catalogapi.DisclosureFiling, pages []disclosedPage, affiliates []disclosedAffiliate) []Disclosure {
	at := make(map[catalogapi.DisclosurePlace]*Disclosure, len(pages))
	mentions := make([]catalogapi.DisclosureMention, len(pages))
	for i := range pages {
		mentions[i] = pages[i].DisclosureMention
		at[mentions[i].Place()] = &pages[i].event
	}
	var persons []string
	for _, a := range affiliates {
		if a.individual() && !slices.Contains(persons, a.name) {
			persons = append(persons, a.name)
		}
	}
	matters := catalogapi.Matters(filings, mentions)
	list := make([]Disclosure, len(matters))
	for i := range matters {
		m := &matters[i]
		e := *at[m.Newest.Place()]
		e.CRD, e.EventID, e.Accession, e.ReferenceID = crd, m.EventID(crd), filings[m.Last].Accession, m.Newest.ReferenceID
		e.DisclosedAt = filings[m.First].Date
		e.LapsedAt, _ = m.Lapsed(filings)
		e.implicate(&m.Named, affiliates, persons)
		list[i] = e
	}
	return list
}

// implicate notes the affiliates that a page is about, each once.
func (e *Disclosure) implicate(page *catalogapi.DisclosureMention, affiliates []disclosedAffiliate, persons []string) {
	seen := map[string]bool{}
	for _, a := range affiliates {
		key := a.crd + "\x1f" + catalogapi.Folded(a.name)
		if seen[key] || !page.Names(a.accession, a.referenceID, a.disclosureType) {
			continue
		}
		seen[key] = true
		if a.individual() {
			e.Individuals++
		} else {
			e.Implicated = append(e.Implicated, Implicated{a.name, a.crd, derive.ShowsFirm(a.name, persons)})
		}
	}
}

func (a *disclosedAffiliate) individual() bool { return strings.EqualFold(a.kind, "individual") }

// sortDisclosures puts events into their order: the newest disclosed first, then by ID.
func sortDisclosures(list []Disclosure) {
	slices.SortFunc(list, func(a, b Disclosure) int {
		return cmp.Or(b.DisclosedAt.Compare(a.DisclosedAt), strings.Compare(a.EventID, b.EventID))
	})
}
