package storedhistory

import (
	"cmp"
	"maps"
	"slices"

	"gpatlas/modules/catalog/internal/fold"
)

// encodeSources writes the filings that the adviser's values come from, each with the fields.
func encodeSources(r *Row) []byte {
	w := &writer{crd: r.CRD}
	known := places{}
	w.sources(r.Sources, adviserFields, known)
	return w.buf
}

// DecodeSources reads where the adviser's values come from.
func DecodeSources(crd string, part []byte) (fold.Provenance, error) {
	r := newReader(part, crd)
	out, _ := r.sources(adviserFields, nil, true)
	return out, r.end()
}

// encodeFundSources writes the same of each fund. All funds share one list of filings, which grows as it is written.
func encodeFundSources(r *Row) []byte {
	w := &writer{crd: r.CRD}
	known := places{}
	w.count(len(r.FundSources))
	for _, id := range slices.Sorted(maps.Keys(r.FundSources)) {
		w.text(id)
		w.sources(r.FundSources[id], fundFields, known)
	}
	return w.buf
}

// DecodeFundSources reads where the values of one fund come from; nil when the fund is not there.
func DecodeFundSources(crd string, part []byte, fundID string) (fold.Provenance, error) {
	r := newReader(part, crd)
	var filings []fold.Origin
	for range r.count() {
		id := r.text()
		var out fold.Provenance
		if out, filings = r.sources(fundFields, filings, id == fundID); out != nil && !r.bad {
			return out, nil
		}
	}
	return nil, r.end()
}

// places are the filings written so far, by accession number.
type places map[string]int

// source is a filing with the fields that come from it.
type source struct {
	filing fold.Origin
	listed uint64
	others []string
}

// sources writes filings, each with the set of fields that come from it. A filing is its place, and itself where it is new.
func (w *writer) sources(of fold.Provenance, fields *list, known places) {
	from := w.scratch[:0] // few filings say all, so that they are searched one by one
	for field, f := range of {
		i := slices.IndexFunc(from, func(s source) bool { return s.filing.Accession == f.Accession })
		if i < 0 {
			i, from = len(from), append(from, source{filing: f})
		}
		if place, ok := fields.place[field]; ok {
			from[i].listed |= 1 << place
		} else {
			from[i].others = append(from[i].others, field)
		}
	}
	slices.SortFunc(from, func(a, b source) int { return cmp.Compare(a.filing.Accession, b.filing.Accession) })
	w.count(len(from))
	for i := range from {
		f := &from[i].filing
		place, ok := known[f.Accession]
		if !ok {
			place = len(known)
			known[f.Accession] = place
		}
		w.count(place)
		if !ok {
			w.accession(f.Accession)
			w.word(f.FormType)
			w.date(f.FilingDate)
		}
		w.set(from[i].listed)
		w.count(len(from[i].others))
		slices.Sort(from[i].others)
		for _, field := range from[i].others {
			w.text(field)
		}
	}
	w.scratch = from
}

// sources reads filings with their fields, and adds to those known what it meets first. The fields are nil unless they are
// wanted.
func (r *reader) sources(fields *list, known []fold.Origin, wanted bool) (out fold.Provenance, all []fold.Origin) {
	if wanted {
		out = fold.Provenance{}
	}
	for range r.count() {
		place := r.count()
		switch {
		case place == len(known):
			known = append(known, fold.Origin{Accession: r.accession(), FormType: r.word(), FilingDate: r.date()})
		case place > len(known):
			r.bad = true
			return nil, nil
		}
		listed := r.set()
		for i, field := range fields.words {
			if wanted && listed&(1<<i) != 0 {
				out[field] = known[place]
			}
		}
		for range r.count() {
			if field := r.text(); wanted {
				out[field] = known[place]
			}
		}
	}
	return out, known
}
