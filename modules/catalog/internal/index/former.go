package index

import (
	"sort"

	"gpatlas/modules/catalog/catalogapi"
)

// Former is the index of the advisers that have withdrawn or are in no list any more, and of their funds. It answers as
// this one does. The numbers of the one mean nothing in the other.
func (s *Snapshot) Former() *Snapshot {
	if s.former == nil {
		return build(nil, newFundRows(0), s.fresh)
	}
	return s.former
}

// Of is the index that a search is about: that of the former advisers, or this one.
func (s *Snapshot) Of(former bool) *Snapshot {
	if former {
		return s.Former()
	}
	return s
}

// Find returns the number of the adviser with a CRD, and the index that it is in: this one or that of the former advisers.
func (s *Snapshot) Find(crd string) (in *Snapshot, id uint32, ok bool) {
	if id, ok = s.FindGP(crd); ok || s.former == nil {
		return s, id, ok
	}
	id, ok = s.former.FindGP(crd)
	return s.former, id, ok
}

// RelatedTo finds the advisers of this index that are most like one, which may be a former one: see Related.
func (s *Snapshot) RelatedTo(crd string, wanted catalogapi.Factor, limit int) (of catalogapi.RelatedGP, similar []catalogapi.Similar, ok bool) {
	in, id, ok := s.Find(crd)
	switch {
	case !ok:
		return of, nil, false
	case in == s:
		return s.RelatedGP(id), s.Related(id, wanted, limit), true
	}
	return in.RelatedGP(id), s.related(s.outside(&in.gps.all[id]), wanted, limit), true
}

// RelatedTo is Snapshot.RelatedTo.
func (a *Analysis) RelatedTo(crd string, wanted catalogapi.Factor, limit int) (catalogapi.RelatedGP, []catalogapi.Similar, bool) {
	return a.s.RelatedTo(crd, wanted, limit)
}

// source is the adviser that others are compared with. It may be missing from the index: below and above are then its neighbors.
type source struct {
	gp           *GP
	below, above int // the last number before it and the first behind it
}

func (s *Snapshot) inside(id uint32) source { return source{&s.gps.all[id], int(id) - 1, int(id) + 1} }

func (s *Snapshot) outside(g *GP) source {
	all := s.gps.all
	at := sort.Search(len(all), func(i int) bool { return compareGPs(g, &all[i]) < 0 })
	return source{g, at - 1, at}
}
