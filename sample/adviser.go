package sample

import (
	"strconv"
	"strings"
	"time"
)

// adviser is one firm and its whole life as the filings tell it.
type adviser struct {
	index      int
	first      int // index of the first adviser of its organization; its own where it is that
	siblings   int // advisers of the organization; they follow one another
	stem       string
	crd        int
	registered bool // at the start; an exempt one may register later
	home       bool // main office in the United States
	focus      strategy
	domain     string
	social     string // page on a social network, listed before the firm's own site; may be empty
	orgForm    string
	orgState   string
	orgCountry string
	fiscalEnd  time.Month
	founded    day
	gone       day // stops filing from here on
	shouting   bool
	lei        string
	auditor    int
	rank       int   // by number of funds
	listed     int   // funds in its last filing
	factor     int64 // size of its funds against the usual, fixed point
	accounts   int64 // separately managed assets at the end, USD
	uncalled   int64 // percent of the funds' assets
	staffing   int64 // percent of the usual number of employees

	filings []filing
	applied int // the filing with which an exempt adviser registers; 0 = never
	names   []nameSince
	offices []officeSince
	funds   []fund
}

// kindOf filing, as ADV_Filing_Types marks it.
type kindOf int

const (
	initial     kindOf = iota // first application or first exempt report
	annual                    // annual updating amendment
	amendment                 // other-than-annual
	application               // an exempt adviser's application for registration
)

// filing is one event in an adviser's life.
type filing struct {
	on     day
	second int // of the day
	kind   kindOf
	slip   bool // its number of employees is a slip of the keyboard, which another filing puts right the same day
}

type nameSince struct {
	filing          int
	legal, business string
}

type officeSince struct {
	filing  int
	city    *city
	street1 string
	street2 string
	postal  string
	phone   string
	private bool
}

// nameAt and officeAt are what the i-th filing says.
func (a *adviser) nameAt(i int) nameSince {
	for k := len(a.names) - 1; ; k-- {
		if k == 0 || a.names[k].filing <= i {
			return a.names[k]
		}
	}
}

func (a *adviser) officeAt(i int) officeSince {
	for k := len(a.offices) - 1; ; k-- {
		if k == 0 || a.offices[k].filing <= i {
			return a.offices[k]
		}
	}
}

// registeredAt says under which regime the i-th filing was made.
func (a *adviser) registeredAt(i int) bool {
	return a.registered || (a.applied > 0 && i >= a.applied)
}

// crdOf gives the i-th adviser its number, above those given out to firms so far: six digits for the first 300,000, and
// eight for those after, because the seven-digit numbers are people's.
func crdOf(i int) int {
	if i < 300_000 {
		return 700_000 + int(spread(uint64(i), 300_000, 104_729)) // #nosec G115 -- below a million
	}
	return 90_000_000 + int(spread(uint64(i-300_000), 300_000, 104_729)) // #nosec G115 -- below a million
}

// secNumberAt is the file number of the regime; the numbers lie above those given out so far.
func (a *adviser) secNumberAt(i int) string {
	number := 900_000 + a.index
	if a.index >= 100_000 {
		number = 400_000 + a.index // 500,000 and on: there are at most 400,000 advisers
	}
	if a.registeredAt(i) {
		return "801-" + strconv.Itoa(number)
	}
	return "802-" + strconv.Itoa(number)
}

// filingOn is the newest filing on a day; -1 = there was none yet.
func (a *adviser) filingOn(on day) int {
	n := 0
	for n < len(a.filings) && a.filings[n].on <= on {
		n++
	}
	return n - 1
}

// active reports whether the adviser still files at the end of the catalog's time.
func (a *adviser) active() bool { return a.gone > lastDay }

// valuedOn is the day that a filing's amounts speak of: the last fiscal year's end, or the day itself of a first filing.
func (a *adviser) valuedOn(i int) day {
	f := a.filings[i]
	end := lastFiscalEnd(f.on, a.fiscalEnd)
	if f.kind == initial || end < a.founded {
		return f.on
	}
	if f.kind != annual && i > 0 && a.filings[i-1].on < end+90 {
		// The figures are brought up to date once a year, with the annual amendment.
		return min(end, a.valuedOn(i-1))
	}
	return end
}

// listedAt is how many funds a filing lists.
func (a *adviser) listedAt(i int) int64 {
	n := int64(0)
	for k := range a.funds {
		if a.funds[k].listedIn(i) {
			n++
		}
	}
	return n
}

// assetsAt are the regulatory assets under management: the funds' assets, each once although a feeder shows its
// master's again, what investors still owe them, and the separate accounts.
func (a *adviser) assetsAt(i int) int64 {
	on, sum := a.valuedOn(i), int64(0)
	for k := range a.funds {
		if f := &a.funds[k]; f.listedIn(i) && f.master < 0 {
			sum += f.valueAt(on)
		}
	}
	years := int64(lastDay-on) / 365
	accounts := a.accounts
	for range years {
		accounts = accounts * 95 / 100
	}
	return sum + sum*a.uncalled/100 + accounts*noise(uint64(a.crd), uint64(on), 970, 1030)/1000 // #nosec G115 -- positive
}

// employeesAt grows with the square root of the assets.
func (a *adviser) employeesAt(i int) int64 {
	staff := max(1, 2+isqrt(a.assetsAt(i)/1_000_000)*a.staffing/100)
	if a.filings[i].slip {
		return staff * 10
	}
	return staff
}

// lettered writes a name the way the adviser does.
func (a *adviser) lettered(s string) string {
	if a.shouting {
		return strings.ToUpper(s)
	}
	return s
}
