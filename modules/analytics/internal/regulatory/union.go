package regulatory

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// union adds to what is known the events that only the next source has.
//
// Spec: not shown; with the firm search configured, both sources count: filings have the history, the affiliates and the texts,
// the regulator what has not been filed or loaded yet. A matter that both know is one event, shown with the filings' data and
// naming both sources; if the filings have it open and the regulator resolved, status and resolution are the regulator's.
func union(known, more []Event) []Event {
	list := slices.Clone(known)
	for _, e := range more {
		found := false
		for i := range known {
			if !same(&list[i], &e) {
				continue
			}
			found = true
			list[i].Sources = append(slices.Clone(list[i].Sources), e.Source)
			if list[i].Resolution == "" && e.Resolution != "" {
				list[i].Resolution, list[i].ResolutionDate = e.Resolution, e.ResolutionDate
				if e.Status != nil {
					list[i].Status = e.Status
				}
			}
		}
		if !found {
			list = append(list, e)
		}
	}
	return list
}

// same reports whether two sources describe one matter: the same kind of proceeding with the same case number, or, if one of
// them has none, of the same day and by the same initiator as far as both name one.
func same(a, b *Event) bool {
	if a.Source == b.Source || proceeding(a.EventType) != proceeding(b.EventType) {
		return false
	}
	x, y := catalogapi.Folded(catalogapi.TextOf(a.CaseNumber)), catalogapi.Folded(catalogapi.TextOf(b.CaseNumber))
	if x != "" && y != "" {
		return x == y
	}
	if a.EventDate == nil || b.EventDate == nil || *a.EventDate != *b.EventDate {
		return false
	}
	x, y = initiator(catalogapi.TextOf(a.InitiatedBy)), initiator(catalogapi.TextOf(b.InitiatedBy))
	return x == "" || y == "" || x == y
}

// proceeding is the kind of proceeding: the initiator decides between disciplinary and regulatory, and sources may differ in
// that.
func proceeding(t EventType) EventType {
	if t == Disciplinary {
		return Regulatory
	}
	return t
}

// initiators maps the full names of regulators to their short ones.
var initiators = map[string]string{
	"financialindustryregulatoryauthority":        "finra",
	"nationalassociationofsecuritiesdealers":      "nasd",
	"newyorkstockexchange":                        "nyse",
	"securitiesandexchangecommission":             "sec",
	"ussecuritiesandexchangecommission":           "sec",
	"unitedstatessecuritiesandexchangecommission": "sec",
	"commodityfuturestradingcommission":           "cftc",
	"uscommodityfuturestradingcommission":         "cftc",
	"nationalfuturesassociation":                  "nfa",
}

// initiator normalizes the names of a regulator: "FINRA", "Financial Industry Regulatory Authority (FINRA)".
func initiator(name string) string {
	for _, w := range catalogapi.PlainWords(name) {
		if w == "sec" || w == "cftc" || catalogapi.IsShortSelfRegulator(w) {
			return w
		}
	}
	plain := strings.TrimSuffix(catalogapi.Folded(name), "inc")
	if short, ok := initiators[plain]; ok {
		return short
	}
	return plain
}

// complete fills the texts that the contract always shows.
//
// Spec: not shown; the description is the allegations, else the filer's summary, else a summary of the known fields. The
// resolution of an unresolved matter is its status; it is empty if the source has neither.
func (e *Event) complete() {
	if e.Description == "" {
		e.Description = catalogapi.TextOf(e.Summary)
	}
	if e.Description == "" {
		e.Description = map[EventType]string{
			Disciplinary: "Disciplinary action", Regulatory: "Regulatory action", Civil: "Civil judicial action", Criminal: "Criminal matter",
		}[e.EventType]
		switch by, court := catalogapi.TextOf(e.InitiatedBy), catalogapi.TextOf(e.Court); {
		case by != "":
			e.Description += " initiated by " + by
		case court != "":
			e.Description += " before " + court
		}
		if e.CaseNumber != nil {
			e.Description += ", case " + *e.CaseNumber
		}
	}
	if e.Resolution == "" {
		e.Resolution = catalogapi.TextOf(e.Status)
	}
}
