package storedhistory

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// encodeStates writes the timeline, and behind it the adviser as it stands.
func encodeStates(r *Row) []byte {
	w := &writer{crd: r.CRD}
	before := catalogapi.AdviserState{CRD: r.CRD}
	w.count(len(r.Timeline))
	for i := range r.Timeline {
		w.state(&r.Timeline[i], &before)
		before = r.Timeline[i]
	}
	w.state(&r.Standing.AdviserState, &before)
	return w.buf
}

// DecodeStates reads the timeline, and the adviser as it stands, which is without its funds.
func DecodeStates(crd string, part []byte) (standing catalogapi.AdviserState, timeline []catalogapi.AdviserState, err error) {
	r := newReader(part, crd)
	n := r.count()
	timeline = make([]catalogapi.AdviserState, n)
	standing.CRD = crd
	for i := range timeline {
		r.state(&standing)
		timeline[i] = standing
	}
	r.state(&standing)
	return standing, timeline, r.end()
}

// A state is its filing, which of the fields below differ from the state before, these, and the fields that it does not state.
// The bits are in the order of the three lists.

func texts(s *catalogapi.AdviserState) [6]*string {
	return [...]*string{&s.LegalName, &s.City, &s.State, &s.Country, &s.Registration, &s.PrimaryStrategy}
}

func numbers(s *catalogapi.AdviserState) [4]**int64 {
	return [...]**int64{&s.TotalAUM, &s.EmployeeCount, &s.FundCount, &s.TotalGAV}
}

func days(s *catalogapi.AdviserState) [2]*time.Time {
	return [...]*time.Time{&s.FirstFiledOn, &s.WithdrawnOn}
}

func (w *writer) state(s, before *catalogapi.AdviserState) {
	w.filing(&s.Filing)
	var differs, bit uint64 = 0, 1
	note := func(differ bool) {
		if differ {
			differs |= bit
		}
		bit <<= 1
	}
	textsWere, numbersWere, daysWere := texts(before), numbers(before), days(before)
	for i, v := range texts(s) {
		note(*v != *textsWere[i])
	}
	for i, v := range numbers(s) {
		note(!same(*v, *numbersWere[i]))
	}
	for i, v := range days(s) {
		note(!v.Equal(*daysWere[i]))
	}
	w.set(differs)
	next := func() (differ bool) {
		differ = differs&1 != 0
		differs >>= 1
		return differ
	}
	for _, v := range texts(s) {
		if next() {
			w.word(*v)
		}
	}
	for _, v := range numbers(s) {
		if next() {
			w.optional(*v)
		}
	}
	for _, v := range days(s) {
		if next() {
			w.date(*v)
		}
	}
	w.count(len(s.Unstated))
	for _, field := range s.Unstated {
		w.word(field)
	}
}

// state reads the state after the one in s.
func (r *reader) state(s *catalogapi.AdviserState) {
	s.Filing = r.filing()
	differs := r.set()
	next := func() (differ bool) {
		differ = differs&1 != 0
		differs >>= 1
		return differ
	}
	for _, v := range texts(s) {
		if next() {
			*v = r.word()
		}
	}
	for _, v := range numbers(s) {
		if next() {
			*v = r.optional()
		}
	}
	for _, v := range days(s) {
		if next() {
			*v = r.date()
		}
	}
	s.Unstated = nil
	for range r.count() {
		s.Unstated = append(s.Unstated, r.word())
	}
}

func same(a, b *int64) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
