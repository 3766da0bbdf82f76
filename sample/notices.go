package sample

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// kindOfNotice says what an issuer of a notice is to the catalog.
type kindOfNotice uint8

const (
	ofFund    kindOfNotice = iota // a fund of the catalog
	ofStrange                     // another fund that bears the same name: it must not be joined
	ofCompany                     // an operating company
)

// notice is one Form D or D/A.
type notice struct {
	on            day
	before        day   // when the filing before it in the chain was made
	adviser, fund int32 // of a company: its number, and 0
	nth           int8  // filings of the chain before this one
	kind          kindOfNotice
}

// companies is how many operating companies there are for each hundred advisers.
const companies = 10

// notices lists all notices by day.
func (p *plan) notices() []notice {
	var list []notice
	for i := range p.advisers {
		a := &p.advisers[i]
		for k := range a.funds {
			list = p.noticesOf(list, a, k)
		}
	}
	span := lastDay - p.scale.firstQuarter
	for n := range len(p.advisers) * companies / 100 {
		r := newRandom(p.seed, forNotices, 1<<40|uint64(n)) // #nosec G115 -- an index
		on := (p.scale.firstQuarter + 7 + day(r.IntN(int(span)-7))).workday()
		list = append(list, notice{on: on, adviser: int32(n), kind: ofCompany}) // #nosec G115 -- an index
	}
	slices.SortStableFunc(list, func(x, y notice) int { return cmp.Compare(x.on, y.on) })
	return list
}

// noticeKey seeds everything about a fund's notices.
func (p *plan) noticeKey(f *fund) uint64 { return mix(mix(p.seed, forNotices), f.number) }

// notifies reports whether a fund has filed Form D: two of five have, and some of those without the adviser naming the number.
func (p *plan) notifies(f *fund) bool {
	limit := int64(p.scale.notices)
	if f.formD == "" {
		limit /= 3
	}
	return noise(p.noticeKey(f), 1, 0, 99) < limit
}

// firstSale is near the fund's beginning.
func (p *plan) firstSale(f *fund) day { return f.begun + day(noise(p.noticeKey(f), 2, 0, 75)) }

// noticesOf appends a fund's chain as far as it lies in the data sets: the notice itself, or an amendment of an older one.
func (p *plan) noticesOf(list []notice, a *adviser, k int) []notice {
	f := &a.funds[k]
	if !p.notifies(f) {
		return list
	}
	key, start := p.noticeKey(f), p.scale.firstQuarter
	end := lastDay
	if f.closed < len(a.filings) {
		end = min(end, a.filings[f.closed].on)
	}
	on := (p.firstSale(f) + day(noise(key, 3, 0, 15))).nextWorkday()
	n := notice{on: on, adviser: int32(a.index), fund: int32(k)} // #nosec G115 -- indexes
	if on < start {
		if end <= start {
			return list
		}
		n.before = on
		n.on, n.nth = (start + 3 + day(noise(key, 4, 0, int64(end-start)))).workday(), 1
	}
	if n.on <= end && noise(key, 5, 0, 79) == 0 {
		other := n
		other.kind, other.nth = ofStrange, 0
		if other.on = (n.on - day(noise(key, 6, 0, 90))).workday(); other.on >= start {
			list = append(list, other)
		}
	}
	for ; n.on >= start && n.on <= end && n.nth < 6; n.nth++ {
		list = append(list, n)
		if noise(key, uint64(10+n.nth), 0, 99) >= 36 { // #nosec G115 -- small
			break
		}
		n.before = n.on
		n.on = (n.on + 340 + day(noise(key, uint64(20+n.nth), 0, 30))).workday() // #nosec G115 -- small
	}
	return list
}

// noticeJobs is one data set for each quarter.
func (p *plan) noticeJobs(dir string) []job {
	var jobs []job
	rest := p.notices()
	for _, quarter := range quarters(p.scale.firstQuarter) {
		n := 0
		for n < len(rest) && rest[n].on <= quarter.to {
			n++
		}
		list := rest[:n]
		rest = rest[n:]
		jobs = append(jobs, func(ctx context.Context) (Archive, error) { return p.dataSet(ctx, dir, quarter, list) })
	}
	return jobs
}

// since506 is when Rule 506 became 506(b) and 506(c).
var since506 = dayOf(2013, time.September, 23)
