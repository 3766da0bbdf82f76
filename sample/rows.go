package sample

import (
	"strconv"
	"strings"
	"time"
)

// filing writes everything that one filing says.
func (w *writer) filing(a *adviser, i int, id int64) {
	registered := a.registeredAt(i)
	w.look(a, i)
	sites, funds, formD, audits := eraSites, eraFunds, eraFormD, eraAuditors
	if registered {
		sites, funds, formD, audits = iaSites, iaFunds, iaFormD, iaAuditors
		w.answerRegistered(a, i)
		w.row(w.baseA, iaBaseA, id)
		w.row(w.baseB, iaBaseB, id)
	} else {
		w.answerExempt(a, i)
		w.row(w.era, eraBase, id)
	}
	w.types(a, i, id, registered)
	for _, site := range a.sites() {
		w.line.begin(id)
		w.line.text(site)
		w.put(sites)
	}
	w.house(a, id, registered)
	w.owners(a, i, id, registered)
	w.disclose(a, i, id, registered)
	reference := noise(uint64(id), 1, 400_000, 520_000) // #nosec G115 -- filing numbers are positive
	w.related(id, reference, registered)
	w.subAdvised(a, i, id, registered)
	on := a.valuedOn(i)
	for k := range a.funds {
		f := &a.funds[k]
		if !f.listedIn(i) {
			continue
		}
		by := w.plan.servedBy(f, i)
		w.fund(funds, a, f, by, i, id, reference+int64(k), on)
		w.serve(a, f, by, i, id, reference+int64(k), registered)
		if f.formD != "" {
			w.line.begin(id)
			w.line.number(reference + int64(k))
			w.line.text(f.formD)
			w.put(formD)
		}
		if f.audited {
			w.audit(audits, auditors[f.auditor], id, reference+int64(k))
		}
	}
}

func (w *writer) row(s *sheet, t tableKind, id int64) {
	w.line.begin(id)
	s.write(&w.line)
	w.put(t)
}

// sites are the addresses of item 1.I: a social page often stands first, and one adviser in twelve has none.
func (a *adviser) sites() []string {
	var list []string
	if a.crd%24 < 2 {
		return nil
	}
	if a.social != "" {
		list = append(list, a.social)
	}
	switch a.crd % 24 {
	case 2, 3, 4:
		list = append(list, "http://"+a.domain+"/")
	case 5:
		list = append(list, strings.ToUpper("WWW."+a.domain))
	default:
		list = append(list, strings.ToUpper("https://www."+a.domain))
	}
	return list
}

// item1 is who and where the adviser is.
func (w *writer) item1(s *sheet, a *adviser, i int) {
	f, n, o := a.filings[i], a.nameAt(i), a.officeAt(i)
	s.text("FormVersion", formVersion(f.on))
	s.text("DateSubmitted", w.line.submitted(f))
	s.text("1A", n.legal)
	s.text("1B1", n.business)
	s.yes("1C-Legal", i > 0 && n.filing == i)
	s.yes("1C-Business", i > 0 && n.filing == i)
	s.text("1D", a.secNumberAt(i))
	s.number("1E1", int64(a.crd))
	s.yes("1F1-Private", o.private)
	if o.private {
		for _, column := range []string{"1F1-Street 1", "1F1-Street 2", "1F1-City", "1F1-State", "1F1-Country", "1F1-Postal"} {
			s.text(column, "")
		}
	} else {
		s.text("1F1-Street 1", strings.ToUpper(o.street1))
		s.text("1F1-Street 2", strings.ToUpper(o.street2))
		s.text("1F1-City", strings.ToUpper(o.city.name))
		s.text("1F1-State", o.city.state)
		s.text("1F1-Country", o.city.country)
		s.text("1F1-Postal", o.postal)
	}
	s.text("1F3", o.phone)
	s.number("1F5", int64(len(w.offices)))
	s.yes("1I", len(a.sites()) > 0)
	s.text("1P", a.lei)
	for _, k := range w.kin {
		for _, c := range k.answers {
			s.yes("7A"+strconv.Itoa(int(c-'a')+1), true)
		}
	}
	s.yes("7B", a.listedAt(i) > 0)
}

func (w *writer) item3(s *sheet, a *adviser) {
	s.text("3A", a.orgForm)
	if strings.HasPrefix(a.orgForm, "Other") {
		s.text("3A-Other", "PRIVATE COMPANY LIMITED BY SHARES")
	}
	s.text("3B", strings.ToUpper(a.fiscalEnd.String()))
	s.text("3C-State", a.orgState)
	s.text("3C-Country", a.orgCountry)
}

// look draws what a filing says beside what is kept of the adviser.
func (w *writer) look(a *adviser, i int) {
	w.offices = w.plan.offices(w.offices[:0], a, i)
	w.kin = w.plan.affiliates(w.kin[:0], a, i)
	w.events = w.plan.events(w.events[:0], a, i)
}

// answerExempt fills in the base table of exempt advisers.
func (w *writer) answerExempt(a *adviser, i int) {
	w.era.reset()
	w.item1(w.era, a, i)
	w.item3(w.era, a)
	answered(w.era, w.events)
	w.era.text("1E1", strconv.Itoa(a.crd)) // in quotes here, bare in the other: both occur
	w.era.yes("2B1", a.focus == venture)
	w.era.yes("2B2", a.focus != venture)
}

// answerRegistered fills in base A and base B, which exempt advisers do not file: employees, assets, registration.
func (w *writer) answerRegistered(a *adviser, i int) {
	s := w.baseA
	s.reset()
	w.item1(s, a, i)
	answered(s, w.events)
	assets, staff := a.assetsAt(i), a.employeesAt(i)
	chosen := assets
	if a.crd%9 == 0 {
		chosen = assets / 100 * int64(60+a.crd%37)
	}
	funds := a.listedAt(i)
	clients := funds + 1
	s.yes("1O", assets >= 1_000_000_000 && a.crd%30 == 0)
	s.number("5A", staff)
	s.number("5B1", (staff*6+9)/10)
	s.number("5D1f", funds)
	s.yes("5E1", true)
	s.yes("5E6", a.focus != wealth)
	s.yes("5F1", assets > 0)
	s.number("5F2a", chosen)
	s.number("5F2b", assets-chosen)
	s.number("5F2c", assets)
	s.number("5F2d", clients)
	s.number("5F2e", min(1, assets-chosen))
	s.number("5F2f", clients+min(1, assets-chosen))
	s.yes("5G4", funds > 0)
	s.yes("5G5", funds == 0)

	s = w.baseB
	s.reset()
	w.item3(s, a)
	s.yes("2A1", assets >= 100_000_000)
	s.yes("2A2", assets < 100_000_000)
	if state := a.officeAt(i).city.state; state != "" {
		s.yes("2-"+state, true)
	}
}

// formVersion is the edition of the form in force.
func formVersion(on day) string {
	switch {
	case on >= dayOf(2021, time.October, 12):
		return "10/2021"
	case on >= dayOf(2017, time.October, 1):
		return "10/2017"
	default:
		return "10/2012"
	}
}

func (w *writer) types(a *adviser, i int, id int64, registered bool) {
	l, kind := &w.line, a.filings[i].kind
	l.begin(id)
	l.yes(kind == application || (kind == initial && registered))
	l.yes(kind == initial && !registered)
	l.yes(kind == annual)
	if kind == annual {
		l.number(int64(lastFiscalEnd(a.filings[i].on, a.fiscalEnd).year()))
	} else {
		l.bare("")
	}
	l.yes(kind == amendment)
	l.yes(false)
	w.put(filingTypes)
}

// fund writes one row of Schedule D 7.B.(1).
func (w *writer) fund(t tableKind, a *adviser, f *fund, by served, i int, id, reference int64, on day) {
	l := &w.line
	l.begin(id)
	l.text(a.nameIn(f, i))
	l.bare(f.id)
	l.number(reference)
	l.text(f.law.state)
	l.text(f.law.country)
	l.yes(f.is3c1)
	l.yes(f.is3c7)
	l.yes(f.isMaster)
	l.yes(f.master >= 0)
	if f.master >= 0 {
		m := &a.funds[f.master]
		l.text(a.nameIn(m, i))
		l.bare(m.id)
	} else {
		l.text("")
		l.text("")
	}
	l.yes(f.ofFunds)
	l.text("")
	l.yes(false)
	l.text(f.kind)
	if f.kind == "Other Private Fund" {
		l.text(strings.ToUpper(lines[f.strategy][0]) + ` VEHICLE`)
	} else {
		l.text("")
	}
	l.number(f.valueAt(on))
	l.number(f.minimum)
	l.number(f.owners)
	l.number(noise(f.wobble, 11, 0, 1) * noise(f.wobble, 12, 1, 25))
	l.number(noise(f.wobble, 13, 0, 60))
	l.yes(f.is3c1 && f.is3c7)
	l.number(noise(f.wobble, 14, 0, 3) / 2 * noise(f.wobble, 15, 1, 100))
	l.yes(false)
	l.yes(false)
	l.yes(true)
	l.bare("")
	l.yes(f.formD != "")
	w.audited(f, i)
	l.yes(by.broker >= 0)
	l.yes(by.custodian >= 0)
	l.yes(by.administrator >= 0)
	l.number(noise(f.wobble, 16, 0, 1) * 100)
	l.yes(by.marketer >= 0)
	w.put(t)
}

// audited answers question 23: the opinion is often not there yet when the form is filed.
func (w *writer) audited(f *fund, i int) {
	l := &w.line
	l.yes(f.audited)
	if !f.audited {
		l.text("")
		l.text("")
		l.text("")
		return
	}
	l.yes(noise(f.wobble, 18, 0, 19) > 0)
	l.yes(true)
	switch noise(f.wobble, uint64(i), 0, 19) { // #nosec G115 -- an index
	case 0:
		l.text("N")
	case 1, 2, 3, 4, 5:
		l.text("Report Not Yet Received")
	default:
		l.text("Y")
	}
}

func (w *writer) audit(t tableKind, firm auditor, id, reference int64) {
	l := &w.line
	l.begin(id)
	l.number(reference)
	l.text(strings.ToUpper(firm.name))
	l.text(strings.ToUpper(firm.city))
	l.text(firm.state)
	l.text(firm.country)
	l.yes(true)
	l.yes(firm.pcaob)
	l.bare("")
	l.yes(firm.pcaob)
	w.put(t)
}
