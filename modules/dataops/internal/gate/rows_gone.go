package gate

import (
	"fmt"
	"maps"
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// The limits of rows that are gone, by what they are: of the same advisers 95 to 99 of 100 funds, owners and disclosures remain from one year to the
// next, and renamed ones are few.
const (
	goneMin        = 10 // rows that are gone
	goneOf         = 4  // one in so many,
	goneOthersMin  = 3  // so many of them not of the adviser that lost most
	goneLargeMin   = 100
	goneLargeOf    = 5  // one in so many of a large list,
	goneAdvisers   = 6  // of so many advisers
	goneMostOf     = 10 // one in so many, if most advisers lost some,
	goneMostFirms  = 5  // of so many at least
	goneDoubtMin   = 100
	goneDoubtOf    = 10 // one in so many for an alert,
	goneDoubtFirms = 3  // of so many advisers
)

// goneList is what is gone from a list of all advisers of a document: from their filings before, and from earlier editions of the same filings.
type goneList struct {
	is, name                  string
	had, gone, most           int64 // most: of the adviser that lost most
	advisers, fell            int
	againHad, againGone       int64
	againFilings, againLosing int
	filers, takers            int // takers have several rows of other advisers
}

// listsOf sums up the lists, sorted by name.
func listsOf(gone []catalogapi.LostRows) []*goneList {
	lists := map[string]*goneList{}
	for _, g := range gone {
		name := listName.Replace(g.List)
		if g.Exempt {
			name += " of exempt advisers"
		}
		l := lists[name]
		if l == nil {
			l = &goneList{is: g.List, name: name}
			lists[name] = l
		}
		if l.filers++; g.Taken >= takenRows {
			l.takers++
		}
		if g.Had == 0 {
			continue
		}
		losing := 0
		if g.Gone > 0 {
			losing = 1
		}
		if g.Again {
			l.againHad, l.againGone, l.againFilings, l.againLosing = l.againHad+g.Had, l.againGone+g.Gone, l.againFilings+1, l.againLosing+losing
			continue
		}
		l.had, l.gone, l.most, l.advisers, l.fell = l.had+g.Had, l.gone+g.Gone, max(l.most, g.Gone), l.advisers+1, l.fell+losing
	}
	sorted := make([]*goneList, 0, len(lists))
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		sorted = append(sorted, lists[name])
	}
	return sorted
}

// lost reports whether so much is gone that the document is stopped.
func (l *goneList) lost() bool {
	return l.gone >= goneMin && l.gone*goneOf > l.had && l.gone-l.most >= goneOthersMin ||
		l.had >= goneLargeMin && l.gone*goneLargeOf >= l.had && l.fell >= goneAdvisers ||
		l.gone >= goneMin && l.gone*goneMostOf > l.had && l.fell >= goneMostFirms && 3*l.fell > 2*l.advisers
}

// lostAgain is lost for filings that were loaded before: a filing does not change.
func (l *goneList) lostAgain() bool {
	return l.againLosing >= againFellMin && l.againGone >= againLostMin && float64(l.againGone) > againShare*float64(l.againHad)
}

func (l *goneList) doubtful() bool {
	return l.had >= goneDoubtMin && l.gone*goneDoubtOf >= l.had && l.fell >= goneDoubtFirms
}

func (l *goneList) reason() string {
	return fmt.Sprintf("%s: %d of the %d rows that the filings of %d advisers had before are no longer there under these names or numbers, of %d advisers", l.name, l.gone, l.had, l.advisers, l.fell)
}

// Gone looks for lists from which rows are gone, whatever new rows there are: rows that were exchanged are as many as before. Likewise for
// lists to which rows of other advisers were added.
func Gone(gone []catalogapi.LostRows) (found []Finding) {
	for _, l := range listsOf(gone) {
		if l.lost() {
			found = append(found, Finding{Check: RowsLost, Reason: l.reason()})
		}
		if l.lostAgain() {
			found = append(found, Finding{Check: RowsLost, Reason: fmt.Sprintf("%s: %d of the %d rows that the same %d filings had when they were loaded before are no longer there under these names or numbers",
				l.name, l.againGone, l.againHad, l.againFilings)})
		}
		if l.taken() {
			found = append(found, Finding{Check: RowsLost, Reason: l.takenReason()})
		}
	}
	return found
}
