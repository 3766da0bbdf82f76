package sample

import (
	"strconv"
	"strings"
)

// offices appends the offices that a filing lists beside the main one: most advisers have none.
func (p *plan) offices(list []officeSince, a *adviser, filing int) []officeSince {
	r := newRandom(p.seed, forHouse, uint64(a.index)) // #nosec G115 -- an index
	count := r.weighted([]int{66, 17, 8, 4, 3, 2})
	if a.accounts > 3e9 || a.listed > 60 {
		count += 1 + r.IntN(4)
	}
	for range count {
		c := &homeCities[r.weighted(homeWeights)]
		if r.chance(22) {
			c = &foreignCities[r.weighted(foreignWeights)]
		}
		since := 0
		if r.chance(30) {
			since = r.IntN(len(a.filings))
		}
		o := a.office(r, c, since)
		o.private = r.chance(3)
		if since <= filing {
			list = append(list, o)
		}
	}
	return list
}

// house writes the filing's other offices and further numbers.
func (w *writer) house(a *adviser, id int64, registered bool) {
	l := &w.line
	for n, o := range w.offices {
		key := mix(uint64(a.index), uint64(50+n)) // #nosec G115 -- small and positive
		l.begin(id)
		l.office(o)
		l.yes(o.private)
		l.text(o.phone)
		l.bare("")
		l.text(strconv.FormatInt(noise(key, 1, 100_000, 399_999), 10))
		l.text(strconv.FormatInt(noise(key, 2, 1, 40), 10))
		for k := range uint64(7) {
			l.yes(noise(key, 10+k, 0, 30) == 0)
		}
		l.bare("")
		w.put(iaOffices.of(registered))
	}
	for _, cik := range a.ciks() {
		l.begin(id)
		l.bare(strconv.Itoa(cik))
		w.put(iaCIKs.of(registered))
	}
	if a.index%64 == 5 {
		l.begin(id)
		l.bare(strconv.Itoa(a.secondCRD()))
		w.put(iaCRDs.of(registered))
	}
}

// ciks are the adviser's keys at EDGAR, above those given out so far: one in five has one, a few have two.
func (a *adviser) ciks() []int {
	switch {
	case a.index%5 != 2:
		return nil
	case a.index%35 == 2:
		return []int{9_000_000 + a.index, 9_400_000 + a.index}
	default:
		return []int{9_000_000 + a.index}
	}
}

// secondCRD is a further number that some have, of a block in which no adviser's own lies.
func (a *adviser) secondCRD() int { return 600_000 + a.index/64 }

// affiliate is a row of Schedule D 7.A.
type affiliate struct {
	legal, business, sec, crd string
	answers                   string // letters of the answers 5.(a) to 5.(p) that are Y
	controls, common          bool
	place                     officeSince
	shares                    bool // persons and location
	foreign                   bool
}

// affiliates appends the related persons that a filing lists: the organization's other advisers, the general partner of
// its funds, and the broker or bank of a large house.
func (p *plan) affiliates(list []affiliate, a *adviser, filing int) []affiliate {
	on := a.filings[filing].on
	for k := a.first; k < a.first+a.siblings; k++ {
		b := &p.advisers[k]
		at := b.filingOn(on)
		if k == a.index || at < 0 || b.gone <= on {
			continue
		}
		n := b.nameAt(at)
		list = append(list, affiliate{
			legal: n.legal, business: n.business, sec: b.secNumberAt(at), crd: strconv.Itoa(b.crd), answers: "b",
			controls: a.first == k || a.first == a.index, common: true, place: b.officeAt(at), shares: a.home == b.home,
		})
	}
	here := a.officeAt(filing)
	key := mix(uint64(a.index), 61) // #nosec G115 -- an index
	if a.listed > 0 && noise(key, 1, 0, 99) < 30 {
		name := strings.ToUpper(a.stem) + " GP, LLC"
		list = append(list, affiliate{legal: name, business: name, answers: "op", controls: true, common: true, place: here, shares: true})
	}
	if chance := noise(key, 2, 0, 99); chance < 7 {
		name := strings.ToUpper(a.stem) + " SECURITIES, LLC"
		number := 500_000 + a.index%100_000
		list = append(list, affiliate{
			legal: name, business: name, sec: "8-" + strconv.Itoa(number), crd: strconv.Itoa(number), answers: "a",
			common: true, place: here, shares: chance < 3,
		})
	} else if chance < 10 {
		name := strings.ToUpper(a.stem) + []string{" BANK", " TRUST COMPANY", " INSURANCE COMPANY"}[chance-7]
		list = append(list, affiliate{legal: name, business: name, answers: []string{"h", "i", "l"}[chance-7], common: true, place: here, foreign: !a.home})
	}
	return list
}

// affiliate types as the form prints them, by the letter of question 5.
var affiliateTypes = map[byte]string{
	'a': "broker-dealer, municipal securities dealer, or government securities broker or dealer",
	'b': "other investment adviser (including financial planners)", 'h': "banking or thrift institution", 'i': "trust company",
	'l': "insurance company or agency", 'o': "sponsor or syndicator of limited partnerships",
	'p': "sponsor, general partner, managing member of pooled investment vehicles",
}

func (w *writer) related(id, reference int64, registered bool) {
	l := &w.line
	for n, k := range w.kin {
		l.begin(id)
		l.number(reference + 10_000 + int64(n))
		l.text(k.legal)
		l.text(k.business)
		l.text(k.sec)
		l.bare(k.crd)
		l.text(affiliateTypes[k.answers[0]])
		for c := byte('a'); c <= 'p'; c++ {
			l.yes(strings.IndexByte(k.answers, c) >= 0)
		}
		l.yes(k.controls)
		l.yes(k.common)
		l.yes(false)
		l.text("")
		l.office(k.place)
		l.yes(k.place.private)
		l.yes(k.answers == "op")
		l.text("")
		l.yes(k.foreign)
		l.yes(k.shares)
		l.yes(k.shares)
		w.put(iaAffiliates.of(registered))
	}
}

// subAdvised writes Schedule D 7.B.(2): funds that another adviser of the organization, now and then a stranger, reports.
func (w *writer) subAdvised(a *adviser, i int, id int64, registered bool) {
	key := mix(uint64(a.index), 71) // #nosec G115 -- an index
	lead := a.first
	if lead == a.index {
		if a.listed == 0 || noise(key, 1, 0, 99) >= 4 {
			return
		}
		lead = int(noise(key, 2, 0, int64(len(w.plan.advisers))-1))
	}
	b := &w.plan.advisers[lead]
	at := b.filingOn(a.filings[i].on)
	if lead == a.index || at < 0 || noise(key, 3, 0, 1) == 0 {
		return
	}
	left := int(noise(key, 4, 1, 3))
	for k := range b.funds {
		f := &b.funds[k]
		if left == 0 || !f.listedIn(at) {
			continue
		}
		left--
		l := &w.line
		l.begin(id)
		l.text(b.nameIn(f, at))
		l.bare(f.id)
		l.text(b.nameAt(at).legal)
		l.text(b.secNumberAt(at))
		l.yes(true)
		w.put(iaSubAdvised.of(registered))
	}
}
