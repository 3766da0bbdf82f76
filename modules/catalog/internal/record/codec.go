package record

import (
	"reflect"
	"sync"

	"github.com/klauspost/compress/s2"

	"gpatlas/modules/catalog/internal/codec"
	"gpatlas/platform/apperr"
)

// ErrUpgrading is returned while the records of an earlier Encoding are replaced.
var ErrUpgrading = apperr.Unavailable("What managers filed is being written anew after an upgrade")

// Encoding is the number of the encoding, which changes with the columns.
//
// A record is written as its words, each once, its filings, and its funds. Each fund follows its length, so that it can be skipped. A
// filing or version is the set of the columns in which it differs from the previous one, and their values. All is compressed with S2,
// which is read several times faster than zstd.
var Encoding = sync.OnceValue(func() int64 {
	return int64(codec.Number("2", reflect.TypeFor[Filing](), reflect.TypeFor[FundVersion]()))
})

// Encode writes a record down. Equal records give equal bytes.
func Encode(r *Record) []byte {
	w, filings, versions := codec.NewWriter(), codec.NewRows[Filing](), codec.NewRows[FundVersion]()
	w.Count(len(r.Filings))
	for i := range r.Filings {
		filings.Write(w, r.Filings[i])
	}
	w.Count(len(r.Funds))
	for i := range r.Funds {
		f := &r.Funds[i]
		w.Word(f.ID)
		w.Section(func() {
			versions.Restart()
			in := 0
			w.Count(len(f.Versions))
			for k := range f.Versions {
				w.Signed(int64(f.Versions[k].In - in))
				in = f.Versions[k].In
				versions.Write(w, f.Versions[k])
			}
		})
	}
	return s2.EncodeBetter(nil, w.Bytes())
}
