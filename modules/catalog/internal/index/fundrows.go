package index

import (
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/index/column"
)

// fundRows takes funds in as they come, column by column: while a catalog is loaded there are never all its funds as
// records, which would be several times as large and full of pointers.
type fundRows struct {
	id                  []int64
	values              [fundNumberCount][]int64
	flags               []flags
	name, fundID        column.StringRows
	crd, state, country column.DictRows
	code, strategy      column.DictRows
	master              column.DictRows
	words               [fundWordCount]column.DictRows
	auditors            column.ListRows
}

// The usual lengths of a fund's name and of its id.
const nameLength, fundIDLength = 36, 14

func newFundRows(room int) *fundRows {
	r := &fundRows{id: make([]int64, 0, room), flags: make([]flags, 0, room), auditors: column.NewListRows(room)}
	for id := range r.values {
		r.values[id] = make([]int64, 0, room)
	}
	r.name, r.fundID = column.NewStringRows(room, nameLength), column.NewStringRows(room, fundIDLength)
	for _, d := range []*column.DictRows{&r.crd, &r.state, &r.country, &r.code, &r.strategy, &r.master} {
		*d = column.NewDictRows(room)
	}
	for id := range r.words {
		r.words[id] = column.NewDictRows(room)
	}
	return r
}

// add takes a fund in; nothing of it is kept but strings.
func (r *fundRows) add(f *Fund) {
	r.id, r.flags = append(r.id, f.ID), append(r.flags, packFlags(f))
	for id := range fundNumbers {
		r.values[id] = append(r.values[id], numberIn(fundNumbers[id].Of(f)))
	}
	for id := range fundWords {
		r.words[id].Add(*fundWords[id].Of(f))
	}
	r.name.Add(f.Name)
	r.fundID.Add(f.FundID)
	r.crd.Add(f.AdviserCRD)
	r.state.Add(f.State)
	r.country.Add(f.Country)
	r.code.Add(f.CountryCode)
	r.strategy.Add(f.Strategy)
	r.master.Add(f.MasterFundID)
	r.auditors.Add(f.Auditors)
}

// audited is fold.Audited of a fund as it was loaded.
func audited(f *Fund) Tri {
	known := fold.Audited(f.Auditors, f.Audited.Bool())
	return *answer(known != nil, known != nil && *known)
}

// order lists the rows by descending value, ties by id.
func (r *fundRows) order() []uint32 {
	byID, _ := column.Ascending(r.id, nil)
	order, _ := column.Descending(r.values[FundGAV], byID)
	return order
}
