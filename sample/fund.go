package sample

import (
	"slices"
	"strconv"
)

// fund is one private fund and its whole life.
type fund struct {
	number     uint64 // of all funds of the catalog
	id         string
	name       string
	liquidated int // from this filing on its name says that it is wound up; 0 = never
	strategy   strategy
	kind       string // fund type as filed
	law        lawOf
	opened     int // first filing that lists it
	closed     int // first filing that does not any more; never listed after it
	begun      day
	peak       int64  // USD
	wobble     uint64 // seed of its ups and downs; a feeder has its master's
	master     int    // index of its master fund; -1 = it is no feeder
	isMaster   bool
	ofFunds    bool
	owners     int64
	minimum    int64
	is3c1      bool
	is3c7      bool
	audited    bool
	auditor    int
	formD      string // "021-…"; empty = no Form D
}

func (f *fund) listedIn(filing int) bool { return f.opened <= filing && filing < f.closed }

// unit is a family's generation: a main fund with the vehicles beside it.
type unit struct {
	opened, closed int
	size           int
	strategy       strategy
	line, region   int
	number         int
}

// raise draws the adviser's funds: exactly a.listed of them stand in its last filing, others have come and gone.
func (a *adviser) raise(r random, stem string, number *uint64) {
	if a.listed == 0 {
		return
	}
	units := a.units(r)
	a.nameUnits(r, units)
	for _, u := range units {
		first := len(a.funds)
		a.vehicles(r, stem, u)
		for k := first; k < len(a.funds); k++ {
			f := &a.funds[k]
			f.id = fundID(*number)
			*number++
			f.number = *number
			if f.is3c1 || f.is3c7 {
				if r.chance(68) {
					f.formD = f.noticeNumber()
				}
			}
		}
	}
	a.keepExempt()
	a.keepRegistered(r)
}

// fundID is the identification number of the n-th fund.
func fundID(n uint64) string {
	return "805-" + strconv.FormatUint(1_000_000_000+spread(n, 8_999_999_993, 7_368_787), 10)
}

// noticeNumber is the file number of the fund's Form D, whether the adviser names it or not. The numbers lie above those
// given out so far.
func (f *fund) noticeNumber() string {
	if f.number < 390_000 {
		return "021-" + zeros(int(600_000+f.number), 6) // #nosec G115 -- below a million
	}
	return "021-" + strconv.FormatUint(1_000_000+f.number, 10)
}

// units draws the families and when they come and go, in order of their coming.
func (a *adviser) units(r random) []unit {
	last := len(a.filings) - 1
	var list []unit
	draw := func(left int) unit {
		u := unit{strategy: a.focus, size: min(left, 1+r.weighted([]int{60, 17, 15, 8})), closed: int(never)}
		if near := relatedStrategies[a.focus]; a.listed > 6 && r.chance(22) {
			u.strategy = near[r.IntN(len(near))]
		}
		return u
	}
	for left := a.listed; left > 0; {
		u := draw(left)
		left -= u.size
		u.opened = a.openingFiling(r, last)
		list = append(list, u)
	}
	if last > 0 {
		for left := (len(list)*11 + r.IntN(100)) / 100; left > 0; left-- {
			u := draw(3)
			u.opened = r.IntN((last + 1) / 2)
			u.closed = r.between(u.opened+1, last)
			list = append(list, u)
		}
	}
	slices.SortStableFunc(list, func(x, y unit) int { return x.opened - y.opened })
	return list
}

// openingFiling draws when a fund that is there at the end appeared: days are equally likely, so that filings after
// a long silence bring more of them.
func (a *adviser) openingFiling(r random, last int) int {
	start := a.founded - 900 // the first filing lists what had been raised before
	on := start + day(r.IntN(int(a.filings[last].on-start)+1))
	at, _ := slices.BinarySearchFunc(a.filings, on, func(f filing, d day) int { return int(f.on - d) })
	return min(at, last)
}

// nameUnits gives each unit its line and number: a line's funds are numbered as they come.
func (a *adviser) nameUnits(r random, units []unit) {
	perLine := r.between(4, 11)
	var seen [strategies]int
	numbers := map[[3]int]int{}
	for i := range units {
		u := &units[i]
		table := len(lines[u.strategy])
		wanted := min(1+len(units)/perLine, table*len(regions))
		slot := seen[u.strategy] % wanted
		seen[u.strategy]++
		u.line, u.region = (slot+a.index)%table, slot/table
		key := [3]int{int(u.strategy), u.line, u.region}
		numbers[key]++
		u.number = numbers[key]
	}
}

// keepExempt holds an exempt adviser in the US under the $150 million that rule 203(m)-1 allows: only venture
// capital advisers may be larger. Those that register later have outgrown it.
func (a *adviser) keepExempt() {
	if a.registered || !a.home || a.focus == venture {
		return
	}
	sum, limit := int64(0), int64(135e6)
	if a.applied > 0 {
		limit = 420e6
	}
	for k := range a.funds {
		if a.funds[k].master < 0 {
			sum += a.funds[k].peak
		}
	}
	if sum <= limit {
		return
	}
	for k := range a.funds {
		f := &a.funds[k]
		f.peak = max(f.peak/1000*(limit/1000)/(sum/1000)*1000, 150_000)
	}
}

// keepRegistered gives most registered advisers in the US the $100 million that section 203A asks of them; the others
// register on another ground.
func (a *adviser) keepRegistered(r random) {
	if last := len(a.filings) - 1; a.home && a.registeredAt(last) && a.assetsAt(last) < 100e6 && r.chance(80) {
		a.accounts += 104e6 + r.logNormal(40e6, one)
	}
}
