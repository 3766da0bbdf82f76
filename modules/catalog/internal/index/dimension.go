package index

import "gpatlas/modules/catalog/internal/index/column"

// dimension numbers the values of a grouping.
type dimension struct {
	by     Grouping
	values int      // how many there may be
	ofGP   []uint16 // by adviser: its value, noValue where it is in no group; nil: the values are of funds
}

// noValue is the number of what is in no group.
const noValue = ^uint16(0)

// dimension numbers the values of one grouping of q.
func (s *Snapshot) dimension(by Grouping, q *GroupQuery) dimension {
	g, d := &s.grouped, dimension{by: by}
	switch by {
	case GroupVintage:
		d.values = vintageYears
	case GroupStrategy:
		d.values = strategiesMax
		if !q.ofFunds() {
			d.ofGP = numbered(g.strategy, func(code uint8) uint16 { return uint16(code) })
		}
	case GroupGeography:
		d.values, d.ofGP = len(g.places), g.place
	case GroupState:
		d.values = len(g.places)
		d.ofGP = numbered(g.place, func(code uint16) uint16 {
			if p := &g.places[code]; p.state == "" || p.code != unitedStates {
				return noValue
			}
			return code
		})
	case GroupAUMBand:
		d.values, d.ofGP = len(bandNames)+1, s.bands(len(q.By) > 1)
	case GroupRegistration:
		d.values, d.ofGP = len(g.registered.Words), numbersOf(&g.registered)
	case GroupManagerType:
		d.values, d.ofGP = len(g.typed.Words), numbersOf(&g.typed)
	}
	return d
}

func numbersOf(d *column.Dict) []uint16 {
	return numbered(d.Codes, func(code uint32) uint16 { return uint16(code) }) // #nosec G115 -- a few words
}

func numbered[C any](codes []C, number func(code C) uint16) []uint16 {
	all := make([]uint16, len(codes))
	for i, code := range codes {
		all[i] = number(code)
	}
	return all
}

// bands are the bands of the advisers, who are numbered by their assets: the largest first. Those of unknown assets are in none, or in
// the one behind the last.
func (s *Snapshot) bands(unknown bool) []uint16 {
	all := make([]uint16, len(s.grouped.aum))
	band := len(bandNames) - 1
	for i, aum := range s.grouped.aum {
		switch {
		case aum != Unknown:
			for aum < bandFrom[band] {
				band--
			}
			all[i] = uint16(band)
		case unknown:
			all[i] = uint16(len(bandNames))
		default:
			all[i] = noValue
		}
	}
	return all
}

// ofKind is the value of a fund of a kind that is counted.
func (d *dimension) ofKind(kind int) int {
	if d.by == GroupVintage {
		return kind % vintageYears
	}
	return kind / vintageYears % strategiesMax
}

// label sets what a row shows of a value of a grouping.
func (s *Snapshot) label(row *AggregateRow, by Grouping, value int) {
	g := &s.grouped
	switch by {
	case GroupVintage:
		row.VintageYear = firstVintage + int64(value)
	case GroupStrategy:
		row.Strategy = g.strategies[value]
	case GroupGeography, GroupState:
		p := &g.places[value]
		row.Country, row.CountryCode, row.State = p.country, p.code, p.state
	case GroupAUMBand:
		if value < len(bandNames) {
			row.Band = bandNames[value]
		}
	case GroupRegistration:
		row.Registration = g.registered.Words[value]
	case GroupManagerType:
		row.ManagerType = g.typed.Words[value]
	}
}
