package keep

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
	var filings []fold.Filing
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

// sources writes filings, each with the set of fields that come from it. A filing is its place, and itself where it is new.
func (w *writer) sources(of fold.Provenance, fields *list, known places) {
	byFiling := map[string][]string{}
	for field, f := range of {
		byFiling[f.Accession] = append(byFiling[f.Accession], field)
	}
	filings := slices.SortedFunc(maps.Keys(byFiling), cmp.Compare[string])
	w.count(len(filings))
	for _, accession := range filings {
		from := byFiling[accession]
		slices.Sort(from)
		place, ok := known[accession]
		if !ok {
			place = len(known)
			known[accession] = place
		}
		w.count(place)
		if !ok {
			f := of[from[0]]
			w.accession(f.Accession)
			w.word(f.FormType)
			w.date(f.FilingDate)
		}
		var listed uint64
		var others []string
		for _, field := range from {
			if i, ok := fields.place[field]; ok {
				listed |= 1 << i
			} else {
				others = append(others, field)
			}
		}
		w.set(listed)
		w.count(len(others))
		for _, field := range others {
			w.text(field)
		}
	}
}

// sources reads filings with their fields, and adds to those known what it meets first. The fields are nil unless they are
// wanted.
func (r *reader) sources(fields *list, known []fold.Filing, wanted bool) (out fold.Provenance, all []fold.Filing) {
	if wanted {
		out = fold.Provenance{}
	}
	for range r.count() {
		place := r.count()
		switch {
		case place == len(known):
			known = append(known, fold.Filing{Accession: r.accession(), FormType: r.word(), FilingDate: r.date()})
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
