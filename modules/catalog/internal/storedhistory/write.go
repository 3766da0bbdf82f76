package storedhistory

import (
	"encoding/binary"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// writer appends values.
type writer struct {
	buf []byte
	crd string
	day int64 // the last one written

	scratch []source
}

func (w *writer) count(n int)     { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }
func (w *writer) number(v int64)  { w.buf = binary.AppendVarint(w.buf, v) }
func (w *writer) set(bits uint64) { w.buf = binary.AppendUvarint(w.buf, bits) }

func (w *writer) text(s string) {
	w.count(len(s))
	w.buf = append(w.buf, s...)
}

// word writes a text as its place in the list behind 1, or 0 and the text.
func (w *writer) word(s string) {
	if i, ok := words.place[s]; ok {
		w.count(i + 1)
		return
	}
	w.count(0)
	w.text(s)
}

// optional writes a number that may be unknown: 0, or 1 and the number.
func (w *writer) optional(v *int64) {
	if v == nil {
		w.count(0)
		return
	}
	w.count(1)
	w.number(*v)
}

const secondsOfDay = 24 * 60 * 60

// date writes a day as the days since the last one written. The zero time is a day of its own.
func (w *writer) date(t time.Time) {
	day := dayOf(t)
	w.number(day - w.day)
	w.day = day
}

func dayOf(t time.Time) int64 { return t.Unix() / secondsOfDay }

// accession writes the number of a filing: most are a kind, the adviser's CRD number and a number.
func (w *writer) accession(s string) {
	if kind, number, ok := split(s, w.crd); ok {
		w.count(1)
		w.word(kind)
		w.number(number)
		return
	}
	w.count(0)
	w.text(s)
}

// filing writes a filing.
func (w *writer) filing(f *catalogapi.FilingRef) {
	w.accession(f.Accession)
	w.word(f.FormType)
	w.word(f.AmendmentType)
	w.word(string(f.Source))
	w.date(f.FiledOn)
}

// split takes an accession number of an adviser apart: ADV-900001-1912345 is ADV- and 1912345.
func split(accession, crd string) (kind string, number int64, ok bool) {
	at := strings.IndexByte(accession, '-') + 1
	rest, ok := strings.CutPrefix(accession[at:], crd+"-")
	if at == 0 || !ok {
		return "", 0, false
	}
	number, err := strconv.ParseInt(rest, 10, 64)
	return accession[:at], number, err == nil && rest == strconv.FormatInt(number, 10)
}

// joined is the accession number that split took apart.
func joined(kind, crd string, number int64) string {
	b := make([]byte, 0, len(kind)+len(crd)+21)
	b = append(append(append(b, kind...), crd...), '-')
	return string(strconv.AppendInt(b, number, 10))
}
