package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/index/column"
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

// EventMatch is the part of a GP search that speaks of disclosures: one event that the adviser still reports must satisfy all of it.
type EventMatch struct {
	Types []string // any of them; empty = all
	Days  Range    // of the first filing that reports the event
}

// Empty reports whether nothing is asked.
func (m *EventMatch) Empty() bool { return len(m.Types) == 0 && m.Days.Open() }

// reports are the events that the advisers of a snapshot still report, in the order of the advisers. A search walks all of them: there are fewer
// than advisers, because few have any.
type reports struct {
	events []report
	known  [3]*column.Set // by Tri: the advisers with an event, and those whose newest complete filing states that there is none
	stated *column.Set    // the advisers whose newest complete filing states the disclosures of all families
}

type report struct {
	gp   uint32
	day  int32 // of the first filing that reports it
	kind uint8 // a bit for each of catalogapi.EventTypes
}

func kindsOf(types ...string) (kinds uint8) {
	for bit, name := range catalogapi.EventTypes {
		if slices.Contains(types, name) {
			kinds |= 1 << bit
		}
	}
	return kinds
}

// setDisclosures adds the events of managers to a snapshot and to that of former managers. answered are the CRD numbers of the managers whose
// newest complete filing states the disclosures of all families.
func (s *Snapshot) setDisclosures(events []Disclosure, answered []string) {
	s.disclosures = events
	for _, of := range []*Snapshot{s, s.former} {
		of.reports = newReports(events, answered, of.gps)
	}
}

// StatesDisclosures reports whether the newest complete filing of an adviser, or of a former one, states the disclosures of all families.
func (s *Snapshot) StatesDisclosures(crd string) bool {
	in, gp, ok := s.Find(crd)
	return ok && in.reports.stated.Has(gp)
}

func newReports(events []Disclosure, answered []string, ix *gpIndex) (r reports) {
	for i := range events {
		if e := &events[i]; e.LapsedAt.IsZero() {
			if gp, ok := ix.byCRD.Find(e.CRD); ok {
				r.events = append(r.events, report{gp, int32(day(e.DisclosedAt)), kindsOf(string(e.Type))}) // #nosec G115 -- days of filings
			}
		}
	}
	r.events = slices.Clip(r.events)
	slices.SortFunc(r.events, func(a, b report) int { return cmp.Compare(a.gp, b.gp) })
	r.known[Yes] = r.find(&EventMatch{}, ix.n)
	none := found(answered, ix.byCRD.Find)
	slices.Sort(none)
	r.stated = column.NewSet(none, ix.n)
	none = slices.DeleteFunc(slices.Clone(none), r.known[Yes].Has)
	r.known[No] = column.NewSet(none, ix.n)
	return r
}

// find returns the advisers with an event that satisfies m, among so many.
func (r *reports) find(m *EventMatch, advisers int) *column.Set {
	var gps []uint32
	kinds := kindsOf(m.Types...)
	for i := range r.events {
		e := &r.events[i]
		if (len(m.Types) == 0 || kinds&e.kind != 0) && inRange(m.Days, int64(e.day)) && (len(gps) == 0 || gps[len(gps)-1] != e.gp) {
			gps = append(gps, e.gp)
		}
	}
	return column.NewSet(gps, advisers)
}

// conds appends what q asks of disclosures.
func (r *reports) conds(q *GPQuery, advisers int, conds []column.Cond) []column.Cond {
	if q.Disclosed != Any {
		conds = append(conds, column.InSet(r.known[q.Disclosed]))
	}
	if !q.Event.Empty() {
		conds = append(conds, column.InSet(r.find(&q.Event, advisers)))
	}
	return conds
}
