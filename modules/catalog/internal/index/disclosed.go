package index

import (
	"cmp"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/column"
)

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
	none = slices.DeleteFunc(none, r.known[Yes].Has)
	slices.Sort(none)
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
