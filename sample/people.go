package sample

import "strconv"

// The people of an adviser are not kept: they are drawn again for each of its filings, each slot from a source of its own,
// so that a catalog of any size needs no memory for them.

// slotsMax bounds the people of one adviser over all its filings. The last slot's person is a director of many firms.
const slotsMax = 23

// post is what somebody has at an adviser, and which of its filings say so.
type post struct {
	who         person
	slot        int
	from, until int    // filings [from, until)
	since       day    // title acquired
	called      string // title or status in the filing at hand
	titled      day    // acquired
	many        bool   // the person is a director of many firms
}

// slots is how many people the adviser has over its time.
func (p *plan) slots(a *adviser) int {
	r := newRandom(p.seed, forPeople, uint64(a.index)) // #nosec G115 -- an index
	n := 2 + r.weighted([]int{10, 24, 26, 20, 12, 8})
	switch {
	case a.listed > 40 || a.accounts > 5e9:
		n += 4 + r.IntN(8)
	case a.listed > 8 || a.accounts > 800e6:
		n += 1 + r.IntN(4)
	}
	return min(max(2, n*p.scale.staff/100), slotsMax)
}

// ownPost draws when the slot's person comes and goes.
func (p *plan) ownPost(a *adviser, slot int) (at post, called bool) {
	r := newRandom(p.seed, forOwners, uint64(a.index)<<8|uint64(slot)) // #nosec G115 -- an index and a small number
	last := len(a.filings) - 1
	at = post{slot: slot, until: last + 1}
	if slot >= 2 && r.chance(42) {
		at.from = r.IntN(last + 1)
	}
	if slot > 0 && r.chance(24) || r.chance(5) {
		at.until = at.from + 1 + r.IntN(last+1-at.from)
	}
	switch {
	case at.from > 0:
		at.since = max(a.filings[at.from].on-day(r.IntN(120)), a.filings[at.from-1].on+1)
	case slot < 2:
		at.since = a.founded - day(r.IntN(3_000))
	default:
		at.since = a.founded - day(r.IntN(700))
	}
	return at, slot >= 2 && r.chance(14)
}

// posts appends those whom a filing names.
func (p *plan) posts(list []post, a *adviser, filing int) []post {
	for slot := range p.slots(a) {
		at, called := p.ownPost(a, slot)
		switch {
		case slot < 2 && a.first != a.index && (slot == 0 || a.index%2 == 0):
			at.who = p.personAt(a.first, slot) // partners of the organization stand in its other firms too
		case called && a.index%9 == 0:
			at.who, at.many = p.personAt(a.index/200, slotsMax), true // a director by profession, of many firms
		case called:
			at = p.hired(a, at)
		default:
			at.who = p.personAt(a.index, slot)
		}
		if at.from <= filing && filing < at.until {
			at.called, at.titled = p.career(a, at, filing)
			list = append(list, at)
		}
	}
	return list
}

// hired looks for somebody who has left another adviser before: an alumnus of it. Where none is found, the post is that
// of somebody new.
func (p *plan) hired(a *adviser, at post) post {
	r := newRandom(p.seed, forHouse, 1<<40|uint64(a.index)<<8|uint64(at.slot)) // #nosec G115 -- an index and a small number
	last := len(a.filings) - 1
	for range 6 {
		b := &p.advisers[r.IntN(len(p.advisers))]
		slot := 2 + r.IntN(2)
		left, called := p.ownPost(b, slot)
		if called || b.index == a.index || slot >= p.slots(b) || left.until >= len(b.filings) {
			continue
		}
		gone := b.filings[left.until].on
		from := a.filingOn(gone+20) + 1
		if from > last {
			continue
		}
		until := max(at.until, from+1)
		since := gone + 10
		if from == 0 {
			since = max(since, a.filings[0].on-400)
		} else {
			since = max(since, a.filings[from-1].on+1)
		}
		return post{who: p.personAt(b.index, slot), slot: at.slot, from: from, until: until, since: since}
	}
	at.who = p.personAt(a.index, at.slot)
	return at
}

var (
	firstTitles = []string{
		"MANAGING MEMBER", "CHIEF EXECUTIVE OFFICER", "FOUNDER & MANAGING PARTNER", "PRESIDENT AND CHIEF EXECUTIVE OFFICER",
		"MANAGING PARTNER/CHIEF INVESTMENT OFFICER", "DIRECTOR, CHAIRMAN, PRESIDENT AND CHIEF EXECUTIVE OFFICER",
	}
	secondTitles = []string{
		"CHIEF COMPLIANCE OFFICER", "CHIEF COMPLIANCE OFFICER", "CHIEF COMPLIANCE OFFICER (IA ONLY )",
		"CHIEF OPERATING OFFICER & CHIEF COMPLIANCE OFFICER", "GENERAL COUNSEL, CHIEF COMPLIANCE OFFICER",
	}
	thirdTitles = []string{
		"CHIEF FINANCIAL OFFICER", "CHIEF FINANCIAL OFFICER/CHIEF OPERATING OFFICER", "CHIEF OPERATING OFFICER", "PARTNER & CFO",
	}
	furtherTitles = []string{
		"PARTNER", "MANAGING DIRECTOR", "PRINCIPAL", "LIMITED PARTNER", "MEMBER", "SENIOR MANAGING DIRECTOR", "GENERAL COUNSEL",
		"DIRECTOR", "VICE PRESIDENT, SECRETARY", "CHIEF INVESTMENT OFFICER", "HEAD OF INVESTOR RELATIONS", "PORTFOLIO MANAGER AND PARTNER",
	}
)

// title is the post's title or status.
func (at post) title(a *adviser) string {
	n := uint64(100 + at.slot) // #nosec G115 -- small
	key := mix(at.who.key, uint64(a.index))
	switch at.slot {
	case 0:
		return wordOf(firstTitles, key, n)
	case 1:
		return wordOf(secondTitles, key, n)
	case 2:
		return wordOf(thirdTitles, key, n)
	default:
		return wordOf(furtherTitles, key, n)
	}
}

// holding is the entity above the adviser; empty = its people own it themselves.
func (a *adviser) holding() (name string, crd int) {
	key := mix(uint64(a.index), 41) // #nosec G115 -- an index
	switch {
	case a.first != a.index:
		return "", a.first
	case noise(key, 1, 0, 99) < 38:
		return []string{" HOLDINGS, L.P.", " PARENT LLC", " GROUP HOLDINGS, INC.", " MANAGEMENT HOLDINGS LLC"}[noise(key, 2, 0, 3)], 0
	default:
		return "", 0
	}
}

// employerNumber has the form of a tax number, under a prefix that is not given out.
func employerNumber(key uint64) string {
	return "00-" + strconv.FormatInt(noise(key, 3, 1_000_000, 9_999_999), 10)
}
