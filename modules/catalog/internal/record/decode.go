package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/klauspost/compress/s2"

	"gpatlas/modules/catalog/internal/scan"
)

// Decoder reads records that Encode wrote. It takes the memory of the record before for the next one.
type Decoder struct {
	raw     []byte
	all     []byte // what of raw is still to be read
	bad     bool   // nothing is left to read, or it is none of ours
	words   []string
	filing  *scan.Row[Filing]
	version *scan.Row[FundVersion]
	record  Record
	held    []FundVersion

	// What pointers and lists point to.
	integers  slab[int64]
	fractions slab[float64]
	instants  slab[time.Time]
	texts     slab[string]
}

// slab makes memory for many values at once.
type slab[T any] struct{ all []T }

func (s *slab[T]) take(n int) []T {
	at := len(s.all)
	if s.all == nil || at+n > cap(s.all) {
		s.all, at = make([]T, 0, max(16, n, 2*cap(s.all))), 0
	}
	s.all = s.all[:at+n]
	return s.all[at : at+n : at+n]
}

func (s *slab[T]) put(v T) *T {
	of := s.take(1)
	of[0] = v
	return &of[0]
}

func (s *slab[T]) reset() { s.all = s.all[:0] }

// NewDecoder makes a decoder.
func NewDecoder() *Decoder {
	return &Decoder{filing: newRow[Filing](), version: newRow[FundVersion]()}
}

var errDamaged = errors.New("it is damaged")

// Decode reads the record of an adviser, which is valid until the next call. Funds that only does not name are left out; nil names all.
// So are versions of funds that were filed after all that counts at a moment; nil is no moment.
// The texts of a record share their memory: who keeps some of them beyond the record copies these.
func (d *Decoder) Decode(crd string, filed []byte, only map[string]bool, at *Moment) (*Record, error) {
	var err error
	if d.raw, err = s2.Decode(d.raw[:cap(d.raw)], filed); err != nil {
		return nil, fmt.Errorf("read the record of %s: %w", crd, err)
	}
	d.all, d.bad = d.raw, false
	d.readWords()
	r := &d.record
	r.CRD, r.Filings, r.Funds, d.held = crd, r.Filings[:0], r.Funds[:0], d.held[:0]
	d.integers.reset()
	d.fractions.reset()
	d.instants.reset()
	d.texts.reset()
	d.filing.Value = Filing{}
	for range d.count() {
		d.differences(d.filing.Fields)
		d.filing.Value.CRD = crd
		r.Filings = append(r.Filings, d.filing.Value)
	}
	last := len(r.Filings) - 1
	if at != nil {
		last = r.last(at)
	}
	for range d.count() {
		id, part := d.word(), d.count()
		end := len(d.all) - part
		if only != nil && !only[id] {
			d.skip(part)
			continue
		}
		from := len(d.held)
		d.version.Value = FundVersion{}
		for range d.count() {
			if d.version.Value.In += int(d.signed()); d.version.Value.In > last && at != nil {
				d.skip(len(d.all) - end)
				break
			}
			d.differences(d.version.Fields)
			d.bad = d.bad || d.version.Value.In < 0 || d.version.Value.In >= len(r.Filings)
			d.held = append(d.held, d.version.Value)
		}
		if len(d.held) > from {
			r.Funds = append(r.Funds, Fund{ID: id, Versions: d.held[from:len(d.held):len(d.held)]})
		}
	}
	if d.bad || len(d.all) > 0 {
		return nil, fmt.Errorf("read the record of %s: %w", crd, errDamaged)
	}
	return r, nil
}

// readWords reads the words, which share the memory of one text.
func (d *Decoder) readWords() {
	n := d.count()
	lengths := d.all
	total := 0
	for range n {
		total += d.count()
	}
	if total > len(d.all) {
		d.skip(total)
		return
	}
	text := string(d.all[:total])
	d.skip(total)
	d.words = slices.Grow(d.words[:0], n)[:n]
	for i := range d.words {
		length, size := binary.Uvarint(lengths)
		d.words[i], text, lengths = text[:length], text[length:], lengths[size:]
	}
}

// count reads how many there are of something that takes at least a byte each, or how long it is.
func (d *Decoder) count() int {
	n := d.number()
	if n > uint64(len(d.all)) {
		d.skip(len(d.all) + 1)
		return 0
	}
	return int(n)
}

func (d *Decoder) skip(n int) {
	if n > len(d.all) {
		d.all, d.bad = nil, true
		return
	}
	d.all = d.all[n:]
}

func (d *Decoder) number() uint64 {
	n, size := binary.Uvarint(d.all)
	if size <= 0 {
		d.skip(len(d.all) + 1)
		return 0
	}
	d.all = d.all[size:]
	return n
}

func (d *Decoder) signed() int64 {
	n := d.number()
	return int64(n>>1) ^ -int64(n&1)
}

var noWord string

func (d *Decoder) wordAt() *string {
	n := d.number()
	if n >= uint64(len(d.words)) {
		d.bad = true
		return &noWord
	}
	return &d.words[n]
}

func (d *Decoder) word() string { return *d.wordAt() }

func (d *Decoder) instant() time.Time {
	n := d.signed()
	if n&1 != 0 {
		return time.UnixMicro(n >> 1).UTC()
	}
	return time.Unix(n>>1*secondsOfDay, 0).UTC()
}

// differences reads the fields that are not as in the row before.
func (d *Decoder) differences(fields []any) {
	for set := d.number(); set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if i >= len(fields) {
			d.bad = true
			return
		}
		d.field(fields[i])
	}
}

var yesNo = [...]bool{true, false}

func (d *Decoder) field(to any) {
	switch to := to.(type) {
	case *string:
		*to = d.word()
	case **string:
		if *to = nil; d.number() != 0 {
			*to = d.wordAt()
		}
	case *bool:
		*to = !*to
	case **bool:
		*to = nil
		if n := d.number(); n == 1 || n == 2 {
			*to = &yesNo[n-1]
		}
	case *int64:
		*to = d.signed()
	case **int64:
		if *to = nil; d.number() != 0 {
			*to = d.integers.put(d.signed())
		}
	case **float64:
		if *to = nil; d.number() != 0 {
			*to = d.fractions.put(math.Float64frombits(bits.ReverseBytes64(d.number())))
		}
	case *time.Time:
		*to = d.instant()
	case **time.Time:
		if *to = nil; d.number() != 0 {
			*to = d.instants.put(d.instant())
		}
	case *[]string:
		if *to = nil; d.number() != 0 {
			list := d.texts.take(d.count())
			for i := range list {
				list[i] = d.word()
			}
			*to = list
		}
	case *map[string]int64:
		if *to = nil; d.number() != 0 {
			n := d.count()
			all := make(map[string]int64, n)
			for range n {
				word := d.word()
				all[word] = d.signed()
			}
			*to = all
		}
	}
}
