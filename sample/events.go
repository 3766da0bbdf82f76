package sample

import (
	"strconv"
	"strings"
)

// event is one matter of item 11: each filing after it tells it again, on a disclosure reporting page with the same
// reference.
type event struct {
	table     tableKind // iaCriminal, iaRegulatory or iaCivil
	item      string    // of item 11: "11.E(3)"
	reference int64
	on        day // initiated, charged or filed
	resolved  day // never = pending
	key       uint64
	against   []implicated // advisory affiliates; empty = against the firm itself
}

type implicated struct {
	name, kind string
	crd        int
	registered bool
}

// events appends the matters that a filing has to tell. Few advisers have any, and a few of those very many.
func (p *plan) events(list []event, a *adviser, filing int) []event {
	r := newRandom(p.seed, forEvents, uint64(a.index)) // #nosec G115 -- an index
	permille := 26
	if !a.registered {
		permille = 4
	}
	if r.IntN(1000) >= permille {
		return list
	}
	count := int(min(max(1, r.logNormal(6, 2*one)), 90))
	first := max(a.founded-4_000, firstDay-3_000)
	for n := range count {
		e := event{
			table: []tableKind{iaRegulatory, iaCriminal, iaCivil}[r.weighted([]int{905, 63, 32})], key: r.Uint64(), resolved: never,
			on: (first + day(r.IntN(int(lastDay-first)))).workday(), reference: int64(1_500_000 + a.index*100 + n),
		}
		switch e.table {
		case iaCriminal:
			e.item = []string{"11.A(1)", "11.A(2)", "11.B(1)", "11.B(2)"}[r.IntN(4)]
		case iaCivil:
			e.item = []string{"11.H(1)(a)", "11.H(1)(b)", "11.H(1)(c)", "11.H(2)"}[r.IntN(4)]
		default:
			e.item = []string{"11.C(2)", "11.C(4)", "11.C(5)", "11.D(2)", "11.D(4)", "11.E(2)", "11.E(3)", "11.F.", "11.G."}[r.IntN(9)]
		}
		if r.chance(88) {
			e.resolved = (e.on + 60 + day(r.IntN(700))).workday()
		}
		if r.chance(48) {
			for range 1 + r.weighted([]int{863, 90, 35, 12}) {
				e.against = append(e.against, p.implicate(a, r))
			}
		}
		if e.on < a.filings[filing].on {
			list = append(list, e)
		}
	}
	return list
}

// implicate draws an advisory affiliate: a firm of the same house, or one of its people.
func (p *plan) implicate(a *adviser, r random) implicated {
	if r.chance(70) {
		number := 500_000 + a.index%100_000
		ending := []string{" SECURITIES, LLC", " FINANCIAL SERVICES, INC.", " CLEARING CORP.", " CAPITAL MARKETS LLC"}[r.IntN(4)]
		return implicated{strings.ToUpper(a.stem) + ending, "Firm", number, true}
	}
	who := p.personAt(a.index, r.IntN(3))
	return implicated{who.inverted(), "Individual", who.id, who.id > 0}
}

// answered says which of item 11's columns the events make Y.
func answered(s *sheet, events []event) {
	if len(events) == 0 {
		return
	}
	s.yes("11", true)
	for _, e := range events {
		// "11.H(1)(a)" on the page is "11H1a" in the base table.
		s.yes(strings.NewReplacer(".", "", "(", "", ")", "").Replace(e.item), true)
	}
}

// disclose writes the pages of one filing.
func (w *writer) disclose(a *adviser, i int, id int64, registered bool) {
	l := &w.line
	for n := range w.events {
		e := &w.events[n]
		l.begin(id)
		// The first filing that tells of it is its initial page.
		if i == 0 || a.filings[i-1].on <= e.on {
			l.text("INITIAL")
		} else {
			l.text("AMENDED")
		}
		for _, column := range layouts[e.table].header[2:] {
			if column == "Filed Against" {
				break
			}
			l.yes(column == e.item)
		}
		l.text(e.filedAgainst())
		l.number(e.reference)
		l.text("N")
		l.text("")
		e.tell(l, a.filings[i].on)
		w.put(e.table.of(registered))
		for _, party := range e.against {
			l.begin(id)
			l.number(e.reference)
			l.text(map[tableKind]string{iaCriminal: "Criminal", iaRegulatory: "Regulatory Action", iaCivil: "Civil Judicial Action"}[e.table])
			if party.crd > 0 {
				l.number(int64(party.crd))
			} else {
				l.bare("")
			}
			l.text(party.kind)
			l.yes(party.registered)
			l.text(party.name)
			w.put(iaImplicated.of(registered))
		}
	}
}

func (e *event) filedAgainst() string {
	switch {
	case len(e.against) > 1, len(e.against) == 1 && noise(e.key, 2, 0, 4) > 0:
		return "Affiliates"
	case len(e.against) == 1:
		return "Both"
	default:
		return "Firm"
	}
}

var (
	allegations = []string{
		"FAILURE TO FILE A QUARTERLY REPORT IN TIME.", "BOOKS AND RECORDS WERE NOT KEPT AS REQUIRED.",
		"ADVERTISEMENT OF PAST PERFORMANCE WITHOUT THE NECESSARY EXPLANATION.", "LATE DELIVERY OF THE BROCHURE TO CLIENTS.",
		`SUPERVISION OF "OUTSIDE BUSINESS" WAS NOT REASONABLY DESIGNED.`, "TRADE REPORTS WERE SUBMITTED WITH ERRORS IN A TIME STAMP.",
		"UNREGISTERED ACTIVITY IN ONE STATE FOR A FEW MONTHS.", "CUSTODY RULE: THE SURPRISE EXAMINATION TOOK PLACE TOO LATE.",
	}
	products = []string{"No Product", "Equity Listed (Common & Preferred Stock)", "Mutual Fund(s)", "Other", "Debt - Corporate", "Options"}
	courts   = []string{"SUPERIOR COURT, HALVOR COUNTY", "DISTRICT COURT OF TIVAN", "CIRCUIT COURT, MERROW COUNTY"}
)

// tell writes everything after the page's reference, as far as it was known on the filing's day.
func (e *event) tell(l *line, filed day) {
	final := e.resolved <= filed
	status, amount := "Pending", int64(0)
	if final {
		status, amount = "Final", noise(e.key, 3, 0, 60)*noise(e.key, 4, 0, 1)*2_500
	}
	switch e.table {
	case iaCriminal:
		e.criminal(l, status, final)
	case iaCivil:
		e.civil(l, status, final, amount)
	default:
		e.regulatory(l, status, final, amount)
	}
}

// exactDay writes a day with the two columns of its exactness.
func (l *line) exactDay(on day, known bool) {
	if !known {
		l.text("")
		l.text("")
		l.text("")
		return
	}
	l.text(dated(on))
	l.yes(true)
	l.text("")
}

func (l *line) blanks(n int) {
	for range n {
		l.text("")
	}
}

// sanction writes the columns that the regulatory and the civil page share, and says what it was.
func (e *event) sanction(l *line, final bool, amount int64) string {
	kind := noise(e.key, 5, 0, 5)
	l.yes(final && amount > 0)
	if final && amount > 0 {
		l.number(amount)
	} else {
		l.bare("")
	}
	l.yes(false)
	l.yes(final && kind < 3)
	l.yes(final && kind == 5 && len(e.against) > 0)
	l.yes(final && kind == 4 && amount > 0)
	l.yes(final && kind == 3)
	l.yes(false)
	switch {
	case !final:
		return ""
	case amount > 0:
		return "A FINE OF $" + strconv.FormatInt(amount, 10) + " WAS PAID IN FULL."
	default:
		return "NO FINE WAS IMPOSED."
	}
}

func (e *event) regulatory(l *line, status string, final bool, amount int64) {
	kind := noise(e.key, 6, 0, 9)
	initiator, by := "State", []string{"TEXAS", "NEW JERSEY", "ILLINOIS", "MASSACHUSETTS"}[noise(e.key, 7, 0, 3)]
	switch {
	case kind < 5:
		initiator, by = "SRO", "FINRA"
	case kind < 7:
		initiator, by = "SEC", "UNITED STATES SECURITIES AND EXCHANGE COMMISSION"
	}
	l.text(initiator)
	l.text(by)
	l.text([]string{"Censure", "Civil and Administrative Penalty(ies)/Fine(s)", "Cease and Desist", "Undertaking"}[noise(e.key, 8, 0, 3)])
	l.text("")
	l.exactDay(e.on, true)
	l.text(strconv.Itoa(e.on.year()) + zeros(int(noise(e.key, 9, 1, 999_999)), 6) + "01")
	l.text("")
	l.text(products[noise(e.key, 10, 0, int64(len(products))-1)])
	l.text("")
	l.text(allegations[noise(e.key, 11, 0, int64(len(allegations))-1)])
	l.text(status)
	l.blanks(2)
	if final {
		l.text([]string{"Acceptance, Waiver & Consent(AWC)", "Order", "Consent", "Settled"}[noise(e.key, 12, 0, 3)])
	} else {
		l.text("")
	}
	l.exactDay(e.resolved, final)
	l.yes(final)
	l.yes(false)
	detail := e.sanction(l, final, amount)
	l.text("")
	l.text(detail)
	l.text(e.summary())
}

func (e *event) criminal(l *line, status string, final bool) {
	l.text(courts[noise(e.key, 6, 0, 2)])
	l.text("HALVORMERE")
	l.text(e.on.time().Format("06") + "-CR-" + strconv.FormatInt(noise(e.key, 9, 100, 9_999), 10))
	l.exactDay(e.on, true)
	l.text("ONE COUNT OF CONDUCTING BUSINESS WITHOUT A LOCAL LICENSE.")
	l.yes(strings.HasPrefix(e.item, "11.A"))
	l.text(status)
	l.exactDay(e.resolved, final)
	if final {
		l.text([]string{"DISMISSED", "PLEADED GUILTY", "ACQUITTED"}[noise(e.key, 12, 0, 2)])
		l.text(dated(e.resolved))
	} else {
		l.blanks(2)
	}
	l.text("")
	l.text(e.summary())
}

func (e *event) civil(l *line, status string, final bool, amount int64) {
	l.text([]string{"SEC", "State", "Other"}[noise(e.key, 6, 0, 2)])
	l.text([]string{"UNITED STATES SECURITIES AND EXCHANGE COMMISSION", "SECURITIES DIVISION OF A STATE", "A FORMER CLIENT"}[noise(e.key, 6, 0, 2)])
	l.text(courts[noise(e.key, 7, 0, 2)])
	l.text("TIVANWICK")
	l.text(e.on.time().Format("06") + "-CV-" + strconv.FormatInt(noise(e.key, 9, 100, 9_999), 10))
	l.text([]string{"Injunction", "Civil Penalty(ies)/Fine(s)", "Disgorgement"}[noise(e.key, 8, 0, 2)])
	l.text("")
	l.exactDay(e.on, true)
	l.text(products[noise(e.key, 10, 0, int64(len(products))-1)])
	l.blanks(2)
	l.text(allegations[noise(e.key, 11, 0, int64(len(allegations))-1)])
	l.text(status)
	l.blanks(2)
	if final {
		l.text([]string{"Settled", "Judgment Rendered", "Dismissed"}[noise(e.key, 12, 0, 2)])
	} else {
		l.text("")
	}
	l.exactDay(e.resolved, final)
	detail := e.sanction(l, final, amount)
	l.blanks(3)
	l.text(detail)
	l.text(e.summary())
}

// summary is the filer's own account.
func (e *event) summary() string {
	return []string{
		"", "THE MATTER WAS SETTLED WITHOUT ADMITTING OR DENYING THE FINDINGS.",
		"THE FIRM HAS REVISED ITS PROCEDURES,\r\nAND TRAINED ITS STAFF.", "SEE ABOVE.",
	}[noise(e.key, 13, 0, 3)]
}
