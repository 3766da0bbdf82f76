package storedhistory

import (
	"errors"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// errDamaged means that Encode did not write these bytes.
var errDamaged = errors.New("a kept history is damaged")

// reader reads what a writer wrote, in the same order. After a fault it reads zeros. Texts share the memory of all.
type reader struct {
	all string
	at  int
	crd string
	day int64
	bad bool
}

func newReader(part []byte, crd string) *reader { return &reader{all: string(part), crd: crd} }

// end reports whether all was read, and nothing else.
func (r *reader) end() error {
	if r.bad || r.at != len(r.all) {
		return errDamaged
	}
	return nil
}

func (r *reader) set() (v uint64) {
	for shift := 0; r.at < len(r.all) && shift < 10*7; shift += 7 {
		b := r.all[r.at]
		r.at++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.bad = true
	return 0
}

// count reads how many there are of something that takes at least a byte each, or how long it is.
func (r *reader) count() int {
	v := r.set()
	if v > uint64(len(r.all)) {
		r.bad = true
		return 0
	}
	return int(v)
}

func (r *reader) number() int64 {
	v := r.set()
	n := int64(v >> 1)
	if v&1 != 0 {
		n = ^n
	}
	return n
}

func (r *reader) text() string {
	n := r.count()
	if n > len(r.all)-r.at {
		r.bad = true
		return ""
	}
	s := r.all[r.at : r.at+n]
	r.at += n
	return s
}

func (r *reader) word() string {
	i := int(r.set())
	switch {
	case i == 0:
		return r.text()
	case i < 0 || i > len(words.words):
		r.bad = true
		return ""
	}
	return words.words[i-1]
}

func (r *reader) optional() *int64 {
	if r.count() == 0 {
		return nil
	}
	v := r.number()
	return &v
}

func (r *reader) date() time.Time {
	r.day += r.number()
	return time.Unix(r.day*secondsOfDay, 0).UTC()
}

func (r *reader) accession() string {
	if r.count() == 0 {
		return r.text()
	}
	kind := r.word()
	return joined(kind, r.crd, r.number())
}

func (r *reader) filing() (f catalogapi.FilingRef) {
	f.Accession = r.accession()
	f.FormType, f.AmendmentType, f.Source = r.word(), r.word(), catalogapi.Source(r.word())
	f.FiledOn = r.date()
	return f
}
