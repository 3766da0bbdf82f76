package sample

import (
	"strconv"
	"strings"
)

// owner is a row of Schedule A or B.
type owner struct {
	schedule, name, kind, in, title string
	since                           day
	code                            string
	control                         bool
	id                              string
	key                             uint64
}

// owners writes Schedules A and B of one filing.
func (w *writer) owners(a *adviser, i int, id int64, registered bool) {
	w.posts = w.plan.posts(w.posts[:0], a, i)
	parent, hasParent := w.parent(a, i)
	indirect := hasParent && a.index%4 != 1
	put := func(o owner) {
		w.owner(o, id, indirect, registered)
	}
	if hasParent {
		put(parent)
	}
	for n, at := range w.posts {
		code := directCode(n, len(w.posts), hasParent)
		put(owner{
			schedule: "A", name: at.who.inverted(), kind: "I", title: at.called, since: at.titled, code: code,
			control: at.slot == 0 || code > "B" && code < "NA", id: w.idOf(at.who), key: at.who.key,
		})
	}
	if !indirect {
		return
	}
	for n, at := range w.posts[:min(2, len(w.posts))] {
		put(owner{
			schedule: "B", name: at.who.inverted(), kind: "I", in: parent.name, title: []string{"MEMBER", "LIMITED PARTNER"}[n],
			since: at.since, code: []string{"D", "C"}[n], control: n == 0, id: w.idOf(at.who), key: at.who.key,
		})
	}
	if a.index%5 == 0 {
		put(owner{
			schedule: "B", name: strings.ToUpper(a.stem) + " HOLDINGS GP, LLC", kind: parent.kind, in: parent.name, title: "GENERAL PARTNER",
			since: parent.since, code: "F", control: true, key: parent.key + 1,
		})
	}
}

// parent is the entity that owns the adviser: a holding, or the organization's first firm.
func (w *writer) parent(a *adviser, i int) (owner, bool) {
	ending, first := a.holding()
	o := owner{schedule: "A", kind: "DE", title: "SHAREHOLDER", since: a.founded - 30, code: "E", control: true, key: uint64(a.index)} // #nosec G115 -- an index
	if !a.home {
		o.kind = "FE"
	}
	switch {
	case a.first != a.index:
		b := &w.plan.advisers[first]
		o.name = strings.ToUpper(b.nameAt(max(0, b.filingOn(a.filings[i].on))).legal)
		o.id, o.kind = strconv.Itoa(b.crd), "FE"
		if b.home {
			o.kind = "DE"
		}
	case ending != "":
		o.name, o.title = strings.ToUpper(a.stem)+ending, "MEMBER"
		if w.line.dialect.older {
			o.id = employerNumber(o.key)
		}
	default:
		return owner{}, false
	}
	return o, true
}

// directCode is the share of the n-th of all: the first ones own the firm, unless an entity does.
func directCode(n, all int, hasParent bool) string {
	switch {
	case hasParent || n > 3:
		return "NA"
	case all == 1:
		return "E"
	default:
		return []string{"D", "C", "A", "NA"}[n]
	}
}

// idOf is how a filing names a person's number: old filings have something else where there is none.
func (w *writer) idOf(who person) string {
	if who.id > 0 {
		return strconv.Itoa(who.id)
	}
	if w.line.dialect.older {
		switch noise(who.key, 9, 0, 23) {
		case 0:
			return "FOREIGN"
		case 1:
			return "#"
		case 2:
			return "[TO COME]"
		case 3:
			return "0"
		case 4:
			return "00-0000000"
		case 5:
			return "XX1234"
		}
	}
	return ""
}

func (w *writer) owner(o owner, id int64, indirect, registered bool) {
	l := &w.line
	l.begin(id)
	l.yes(indirect)
	l.text(o.schedule)
	l.text(o.name)
	l.text(o.kind)
	l.text(o.in)
	l.text(o.title)
	l.text(l.acquired(o.since, o.key))
	l.text(o.code)
	l.yes(o.control)
	l.yes(false)
	l.text(o.id)
	w.put(iaOwners.of(registered))
}

// acquired is the month of a title: MM/YYYY, but that spreadsheets have been at some of the old files.
func (l *line) acquired(on day, key uint64) string {
	if l.dialect.older && noise(key, 10, 0, 19) == 0 {
		return on.time().Format("Jan-06")
	}
	return on.time().Format("01/2006")
}

// dated is a day as the disclosure pages write it.
func dated(on day) string { return on.time().Format("01/02/2006") }
