package index

import (
	"cmp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/index/column"
)

// LeagueQuery asks which providers serve most in a role. All filters must hold together.
type LeagueQuery struct {
	Role       int // its number in Roles
	By         LeagueOrder
	Strategies []string // of the fund
	States     []string // of the manager's main office
	Vintage    Range    // of the fund
	MinGAV     *int64   // of the fund; funds of unknown value are then left out
	Limit      int
	Offset     int
}

// LeagueOrder is what providers are ranked by.
type LeagueOrder string

// The orders of a league table.
const (
	LeagueFunds LeagueOrder = "funds"
	LeagueGPs   LeagueOrder = "gps"
	LeagueGAV   LeagueOrder = "gav"
)

// LeagueRow is a provider with the open funds that it serves in the role.
type LeagueRow struct {
	Provider   *Provider
	Rank       int // equal ones share it
	Funds, GPs int
	KnownGAV   int   // funds of known value
	GAV        int64 // USD, of those, as filed: feeders and masters are both counted
}

// League is a page of the ranking.
type League struct {
	Rows     []LeagueRow
	Total    int // providers that may be named
	Withheld int // other providers
	Funds    int // open funds that match the filters
	Stated   int // of these, funds whose filing states the role
	Served   int // of these, funds with a provider in the role
}

// leagueCount is what is counted of a provider.
type leagueCount struct {
	funds, gps, known int
	gav               int64
	last              uint32 // the manager counted last, from 1 on
}

// League ranks the providers of a role.
func (s *Snapshot) League(q *LeagueQuery) League {
	ix, sv := s.funds, s.services
	var out League
	counts := make([]leagueCount, len(sv.book.list))
	strategy := wantedWords(&ix.strategy, q.Strategies)
	for gp := range s.gps.all {
		if len(q.States) > 0 && !slices.Contains(q.States, strings.ToUpper(s.gps.all[gp].State)) {
			continue
		}
		for slot := ix.slots.start[gp]; slot < ix.slots.open[gp]; slot++ {
			fund := ix.slots.fund[slot]
			gav := ix.gav[fund]
			if strategy != nil && !strategy[ix.strategy.Codes[fund]] || !inRange(q.Vintage, ix.value(FundVintage, fund)) ||
				q.MinGAV != nil && (gav == Unknown || gav < *q.MinGAV) {
				continue
			}
			out.Funds++
			if sv.stated[fund]&(1<<q.Role) != 0 {
				out.Stated++
			}
			served := false
			for _, code := range sv.of(fund) {
				if int(code&roleMask) != q.Role {
					continue
				}
				served = true
				c := &counts[code>>roleBits]
				c.funds++
				if c.last != uint32(gp+1) { // #nosec G115 -- a number of an adviser
					c.last = uint32(gp + 1) // #nosec G115 -- a number of an adviser
					c.gps++
				}
				if gav != Unknown {
					c.known++
					c.gav = addCapped(c.gav, gav)
				}
			}
			if served {
				out.Served++
			}
		}
	}
	out.rank(sv.book, counts, q)
	return out
}

// rank sorts the providers that were counted, and cuts the page.
func (l *League) rank(book *providerBook, counts []leagueCount, q *LeagueQuery) {
	var codes []uint32
	for code := range counts {
		switch {
		case counts[code].funds == 0:
		case book.list[code].Name == "":
			l.Withheld++
		default:
			codes = append(codes, uint32(code)) // #nosec G115 -- below the number of providers
		}
	}
	key := func(c *leagueCount) int64 {
		switch q.By {
		case LeagueGPs:
			return int64(c.gps)
		case LeagueGAV:
			return c.gav
		case LeagueFunds:
		}
		return int64(c.funds)
	}
	slices.SortFunc(codes, func(x, y uint32) int { return book.compare(x, y, cmp.Compare(key(&counts[y]), key(&counts[x]))) })
	l.Total = len(codes)
	rank := 0
	for i, code := range codes {
		c := &counts[code]
		if i == 0 || key(c) != key(&counts[codes[i-1]]) {
			rank = i + 1
		}
		if i >= q.Offset && len(l.Rows) < q.Limit {
			l.Rows = append(l.Rows, LeagueRow{&book.list[code], rank, c.funds, c.gps, c.known, c.gav})
		}
	}
}

// wantedWords reports for each word of a column whether it is asked for; nil where all are.
func wantedWords(d *column.Dict, asked []string) []bool {
	if len(asked) == 0 {
		return nil
	}
	wanted := make([]bool, len(d.Words))
	for code, word := range d.Words {
		wanted[code] = slices.Contains(asked, word)
	}
	return wanted
}

// inRange reports whether a value is known and in a range, or the range is open.
func inRange(r Range, v int64) bool {
	return r.Open() || v != Unknown && (r.Min == nil || v >= *r.Min) && (r.Max == nil || v <= *r.Max)
}
