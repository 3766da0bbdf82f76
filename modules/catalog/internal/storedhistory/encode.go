package storedhistory

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/codec"
	"gpatlas/modules/catalog/internal/fold"
)

// Encoding is the number of the encoding, a small one. It changes with the columns.
var Encoding = sync.OnceValue(func() int64 {
	return int64(int16(codec.Number("4", reflect.TypeFor[stateRow](), reflect.TypeFor[catalogapi.FundState](), reflect.TypeFor[originRow]())))
})

// accession is an accession number in parts: most are a kind, the adviser's CRD number and a number, as ADV-900001-1912345 is ADV- and 1912345.
type accession struct {
	Kind   string `gorm:"column:kind"` // empty: Other is the whole number
	Number int64  `gorm:"column:number"`
	Other  string `gorm:"column:other"`
}

func accessionOf(crd, s string) accession {
	at := strings.IndexByte(s, '-') + 1
	rest, ok := strings.CutPrefix(s[at:], crd+"-")
	number, err := strconv.ParseInt(rest, 10, 64)
	if at == 0 || !ok || err != nil || rest != strconv.FormatInt(number, 10) {
		return accession{Other: s}
	}
	return accession{Kind: s[:at], Number: number}
}

func (a *accession) of(crd string) string {
	if a.Kind == "" {
		return a.Other
	}
	return a.Kind + crd + "-" + strconv.FormatInt(a.Number, 10)
}

// stateRow is a state with its filing.
type stateRow struct {
	accession
	catalogapi.FilingRef
	catalogapi.AdviserState
}

// originRow is a filing that values come from.
type originRow struct {
	accession

	FormType string    `gorm:"column:form_type"`
	FiledOn  time.Time `gorm:"column:filed_on"`
}

// coder is the memory for one part after another. To find the columns by the tags takes longer than to write a part.
type coder struct {
	w       *codec.Writer
	states  *codec.Rows[stateRow]
	funds   *codec.Rows[catalogapi.FundState]
	origins *codec.Rows[originRow]
}

var coders = sync.Pool{New: func() any {
	return &coder{codec.NewWriter(), codec.NewRows[stateRow](), codec.NewRows[catalogapi.FundState](), codec.NewRows[originRow]()}
}}

// begin takes a coder, which goes back to coders.
func begin() *coder {
	c := coders.Get().(*coder) //nolint:forcetypeassert // nothing else is there
	c.w.Reset()
	c.states.Restart()
	c.funds.Restart()
	c.origins.Restart()
	return c
}

// Encode writes a row. Equal rows give equal parts.
func Encode(r *Row) Parts {
	return Parts{encodeStates(r), encodeFunds(r.Standing.Funds), encodeSources(r.CRD, map[string]fold.Provenance{"": r.Sources}), encodeSources(r.CRD, r.FundSources)}
}

// encodeStates writes the timeline, followed by the current adviser.
func encodeStates(r *Row) []byte {
	c := begin()
	defer coders.Put(c)
	w := c.w
	w.Count(len(r.Timeline))
	for _, s := range append(slices.Clone(r.Timeline), r.Standing.AdviserState) {
		c.states.Write(w, stateRow{accessionOf(r.CRD, s.Filing.Accession), s.Filing, s})
	}
	return w.Bytes()
}

// DecodeStates decodes the timeline and the current adviser, without its funds.
func DecodeStates(crd string, part []byte) (standing catalogapi.AdviserState, timeline []catalogapi.AdviserState, err error) {
	c, r := begin(), codec.Reader{}
	defer coders.Put(c)
	r.Open(part)
	states := make([]catalogapi.AdviserState, r.Count()+1)
	for i := range states {
		row, s := c.states.Read(&r), &states[i]
		*s, s.Filing, s.CRD = row.AdviserState, row.FilingRef, crd
		s.Filing.Accession = row.of(crd)
	}
	last := len(states) - 1
	return states[last], states[:last], fault(r.End())
}

const secondsOfDay = 24 * 60 * 60

// encodeFunds writes the funds, each with its values.
func encodeFunds(funds []catalogapi.FundState) []byte {
	c := begin()
	defer coders.Put(c)
	w := c.w
	w.Count(len(funds))
	last := int64(0) // a day
	for i := range funds {
		c.funds.Write(w, funds[i])
		w.Count(len(funds[i].Values))
		for _, v := range funds[i].Values {
			day := v.FiledOn.Unix() / secondsOfDay
			w.Signed(day - last)
			w.Signed(v.GAV)
			last = day
		}
	}
	return w.Bytes()
}

// DecodeFunds reads the funds, by Fund ID.
func DecodeFunds(part []byte) (funds []catalogapi.FundState, err error) {
	c, r := begin(), codec.Reader{}
	defer coders.Put(c)
	r.Open(part)
	if n := r.Count(); n > 0 {
		funds = make([]catalogapi.FundState, n)
	}
	last := int64(0)
	for i := range funds {
		funds[i] = *c.funds.Read(&r)
		if n := r.Count(); n > 0 {
			funds[i].Values = make([]catalogapi.FundValue, n)
		}
		for k := range funds[i].Values {
			last += r.Signed()
			funds[i].Values[k] = catalogapi.FundValue{FiledOn: time.Unix(last*secondsOfDay, 0).UTC(), GAV: r.Signed()}
		}
	}
	return funds, fault(r.End())
}

// encodeSources writes the filings that values come from, and for each fund its fields with the places of these. The adviser's own values have no
// Fund ID.
func encodeSources(crd string, sources map[string]fold.Provenance) []byte {
	var origins []fold.Origin
	places := map[string]uint64{} // in origins, by accession number
	for _, of := range sources {
		for _, f := range of {
			if _, known := places[f.Accession]; !known {
				places[f.Accession], origins = 0, append(origins, f)
			}
		}
	}
	slices.SortFunc(origins, func(a, b fold.Origin) int { return strings.Compare(a.Accession, b.Accession) })
	c := begin()
	defer coders.Put(c)
	w := c.w
	w.Count(len(origins))
	for i := range origins {
		f := &origins[i]
		places[f.Accession] = uint64(i)
		c.origins.Write(w, originRow{accessionOf(crd, f.Accession), f.FormType, f.FilingDate})
	}
	w.Count(len(sources))
	var fields []string
	for _, id := range slices.Sorted(maps.Keys(sources)) {
		w.Word(id)
		w.Section(func() {
			fields = slices.AppendSeq(fields[:0], maps.Keys(sources[id]))
			slices.Sort(fields)
			w.Count(len(fields))
			for _, field := range fields {
				w.Word(field)
				w.Number(places[sources[id][field].Accession])
			}
		})
	}
	return w.Bytes()
}

// DecodeSources reads where the values of one fund come from, or those of the adviser where the Fund ID is empty; nil when they are not there.
func DecodeSources(crd string, part []byte, fundID string) (fold.Provenance, error) {
	c, r := begin(), codec.Reader{}
	defer coders.Put(c)
	r.Open(part)
	origins := make([]fold.Origin, r.Count())
	for i := range origins {
		row := c.origins.Read(&r)
		origins[i] = fold.Origin{Accession: row.of(crd), FormType: row.FormType, FilingDate: row.FiledOn}
	}
	for range r.Count() {
		id, size := r.Word(), r.Count()
		if id != fundID {
			r.Skip(size)
			continue
		}
		rest := r.Left() - size
		n := r.Count()
		out := make(fold.Provenance, n)
		for range n {
			field, place := r.Word(), r.Number()
			if place >= uint64(len(origins)) {
				r.Fail()
				break
			}
			out[field] = origins[place]
		}
		if r.Left() == rest {
			r.Skip(rest)
		}
		return out, fault(r.End())
	}
	return nil, fault(r.End())
}

func fault(err error) error {
	if err != nil {
		return fmt.Errorf("read a stored history: %w", err)
	}
	return nil
}
