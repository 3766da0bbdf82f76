package index

import (
	"cmp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/text"
)

// fundRows takes funds in as they come, column by column: while a catalogue is loaded there are never all its funds as
// records, which would be several times as large and full of pointers.
type fundRows struct {
	id                  []int64
	values              [fundNumberCount][]int64
	flags               []flags
	name, fundID        arena
	crd, state, country dictRows
	code, strategy      dictRows
	words               [fundWordCount]dictRows
	auditors            auditors
	auditorCode         map[string]uint32
	last                Fund // that was taken in
}

func newFundRows(room int) *fundRows {
	r := &fundRows{id: make([]int64, 0, room), flags: make([]flags, 0, room), auditorCode: map[string]uint32{}}
	for id := range r.values {
		r.values[id] = make([]int64, 0, room)
	}
	for _, a := range []*arena{&r.name, &r.fundID} {
		a.ends = make([]int, 0, room)
	}
	for _, d := range []*dictRows{&r.crd, &r.state, &r.country, &r.code, &r.strategy} {
		*d = newDictRows(room)
	}
	for id := range r.words {
		r.words[id] = newDictRows(room)
	}
	return r
}

// add takes a fund in; nothing of it is kept but strings.
func (r *fundRows) add(fund *Fund) {
	r.last = *fund
	f := &r.last
	f.Audited = audited(f)
	r.id, r.flags = append(r.id, f.ID), append(r.flags, packFlags(f))
	for id := range fundNumbers {
		r.values[id] = append(r.values[id], numberIn(fundNumbers[id].Of(f)))
	}
	for id := range fundWords {
		r.words[id].add(*fundWords[id].Of(f))
	}
	r.name.add(f.Name)
	r.fundID.add(f.FundID)
	r.crd.add(f.AdviserCRD)
	r.state.add(f.State)
	r.country.add(f.Country)
	r.code.add(f.CountryCode)
	r.strategy.add(f.Strategy)
	a := &r.auditors
	for _, name := range f.Auditors {
		code, known := r.auditorCode[name]
		if !known {
			code = uint32(len(a.names)) // #nosec G115 -- not more than funds
			r.auditorCode[name] = code
			a.names, a.words = append(a.names, name), append(a.words, text.Words(name))
		}
		a.codes = append(a.codes, code)
	}
	a.ends = append(a.ends, len(a.codes))
}

// audited says whether a fund is known to have an auditor. One that is named says more than the answer to the question
// of an annual audit, of which only no counts.
func audited(f *Fund) Tri {
	switch {
	case len(f.Auditors) > 0:
		return Yes
	case f.Audited == No:
		return No
	}
	return Any
}

// order lists the rows by descending value, ties by id.
func (r *fundRows) order() []uint32 {
	type key struct {
		gav, id int64
		at      uint32
	}
	keys := make([]key, len(r.id))
	for i := range keys {
		keys[i] = key{r.values[FundGAV][i], r.id[i], uint32(i)} // #nosec G115 -- a number of a record
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.gav != b.gav {
			return cmp.Compare(b.gav, a.gav) // Unknown is the smallest number of all
		}
		return cmp.Compare(a.id, b.id)
	})
	order := make([]uint32, len(keys))
	for i := range keys {
		order[i] = keys[i].at
	}
	return order
}

// arrange is a column in another order; the old one may go.
func arrange[T any](column *[]T, order []uint32) []T {
	out := make([]T, len(order))
	for i, at := range order {
		out[i] = (*column)[at]
	}
	*column = nil
	return out
}

// arena is a growing column of strings.
type arena struct {
	data []byte
	ends []int
}

func (a *arena) add(s string) {
	a.data = append(a.data, s...)
	a.ends = append(a.ends, len(a.data))
}

func (a *arena) arrange(order []uint32) strs {
	rows := rowBytes{data: a.data, ends: a.ends}
	ends := make([]int, len(order))
	var data strings.Builder
	data.Grow(len(a.data))
	for i, at := range order {
		_, _ = data.Write(rows.at(at))
		ends[i] = data.Len()
	}
	*a = arena{}
	return strs{data: data.String(), ends: ends}
}

// dictRows is a growing column of few distinct strings.
type dictRows struct {
	dict
	known map[string]uint32
}

func newDictRows(room int) dictRows {
	return dictRows{dict: dict{codes: make([]uint32, 0, room)}, known: map[string]uint32{}}
}

func (d *dictRows) add(word string) {
	code, known := d.known[word]
	if !known {
		code = uint32(len(d.words)) // #nosec G115 -- not more than records
		d.known[word] = code
		d.words = append(d.words, word)
	}
	d.codes = append(d.codes, code)
}

func (d *dictRows) arrange(order []uint32) dict {
	return dict{words: d.words, codes: arrange(&d.codes, order)}
}

func (a *auditors) arrange(order []uint32) auditors {
	out := auditors{names: a.names, words: a.words, codes: make([]uint32, 0, len(a.codes)), ends: make([]int, len(order))}
	for i, at := range order {
		out.codes = append(out.codes, a.at(at)...)
		out.ends[i] = len(out.codes)
	}
	return out
}
