package load

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
)

// digest is the sum of the fingerprints of rows: the same rows in another order give the same digest, a row more, less
// or otherwise another.
type digest [2]uint64

func (d *digest) add(f digest) { d[0] += f[0]; d[1] += f[1] }

func (d digest) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 0, 16), d[0]), d[1])
}

// digestOf reads a digest as bytes returned it. Any other length results in the zero digest.
func digestOf(b []byte) (d digest) {
	if len(b) == 16 {
		d = digest{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
	}
	return d
}

// rowBuffer builds rows in PostgreSQL's text format of COPY. A pgx.CopyFromSource boxes every value; appending text is
// several times cheaper and PostgreSQL reads it as fast.
type rowBuffer struct {
	buf   []byte
	start int // of the row being built
}

// reader returns the rows as the data of a COPY.
func (r *rowBuffer) reader() io.Reader { return bytes.NewReader(r.buf) }

func (r *rowBuffer) begin() { r.start = len(r.buf) }

// end closes the row.
func (r *rowBuffer) end() { r.buf[len(r.buf)-1] = '\n' }

// drop forgets the row being built.
func (r *rowBuffer) drop() { r.buf = r.buf[:r.start] }

func (r *rowBuffer) null() { r.buf = append(r.buf, '\\', 'N', '\t') }

// text appends a string; the empty one is null. What PostgreSQL cannot store (NUL, invalid UTF-8) is left out.
func (r *rowBuffer) text(s string) {
	if s != "" {
		s = clean(s)
	}
	if s == "" {
		r.null()
		return
	}
	r.buf = append(appendEscaped(r.buf, s), '\t')
}

// plain appends a text of ours, in which nothing needs escaping.
func (r *rowBuffer) plain(s string) { r.buf = append(append(r.buf, s...), '\t') }

func (r *rowBuffer) integer(v int64) { r.buf = append(strconv.AppendInt(r.buf, v, 10), '\t') }

func (r *rowBuffer) optInteger(v *int64) {
	if v == nil {
		r.null()
		return
	}
	r.integer(*v)
}

func (r *rowBuffer) optFloat(v *float64) {
	if v == nil {
		r.null()
		return
	}
	r.buf = append(strconv.AppendFloat(r.buf, *v, 'g', -1, 64), '\t')
}

func (r *rowBuffer) flag(v bool) {
	if v {
		r.buf = append(r.buf, 't', '\t')
	} else {
		r.buf = append(r.buf, 'f', '\t')
	}
}

func (r *rowBuffer) optFlag(v *bool) {
	if v == nil {
		r.null()
		return
	}
	r.flag(*v)
}

func (r *rowBuffer) date(t time.Time) {
	if t.IsZero() {
		r.null()
		return
	}
	r.buf = append(t.UTC().AppendFormat(r.buf, time.DateOnly), '\t')
}

// instant names its zone, so that the session's has no say.
func (r *rowBuffer) instant(t time.Time) {
	r.buf = append(t.UTC().AppendFormat(r.buf, "2006-01-02 15:04:05.999999Z"), '\t')
}

// list appends an array of text; nil is null, an empty list is an empty array.
func (r *rowBuffer) list(values []string) {
	if values == nil {
		r.null()
		return
	}
	r.buf = append(r.buf, '{')
	for i, v := range values {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		quoted := strings.ReplaceAll(strings.ReplaceAll(clean(v), `\`, `\\`), `"`, `\"`)
		r.buf = append(appendEscaped(append(r.buf, '"'), quoted), '"')
	}
	r.buf = append(r.buf, '}', '\t')
}

// counts appends an object of JSON; nil is null.
func (r *rowBuffer) counts(of map[string]int64) {
	if of == nil {
		r.null()
		return
	}
	r.buf = append(r.buf, '{')
	for i, name := range slices.Sorted(maps.Keys(of)) {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		r.buf = appendEscaped(r.buf, strconv.Quote(clean(name)))
		r.buf = strconv.AppendInt(append(r.buf, ':'), of[name], 10)
	}
	r.buf = append(r.buf, '}', '\t')
}

func (r *rowBuffer) bytes(b []byte) {
	r.buf = append(hex.AppendEncode(append(r.buf, '\\', '\\', 'x'), b), '\t')
}

// fingerprint condenses what the row says from offset from on (so that numbers of our own in front of it do not count),
// marked with the table that it belongs to.
func (r *rowBuffer) fingerprint(table byte, from int) digest {
	r.buf = append(r.buf, table)
	sum := sha256.Sum256(r.buf[from:])
	r.buf = r.buf[:len(r.buf)-1]
	return digest{binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])}
}

// longName says that a name is too long; "" where it is not.
func longName(field, name string) string {
	if n := utf8.RuneCountInString(name); n > catalogapi.NameMax {
		return fmt.Sprintf("%s has %d characters; a name has at most %d", field, n, catalogapi.NameMax)
	}
	return ""
}

// clean removes what PostgreSQL's text cannot hold.
func clean(s string) string {
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return s
}

func appendEscaped(dst []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		var mark byte
		switch s[i] {
		case '\\':
			mark = '\\'
		case '\t':
			mark = 't'
		case '\n':
			mark = 'n'
		case '\r':
			mark = 'r'
		default:
			continue
		}
		dst = append(append(dst, s[from:i]...), '\\', mark)
		from = i + 1
	}
	return append(dst, s[from:]...)
}
