package listing

import (
	"strconv"
	"sync"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// SearchMeta is the remarks on a page of a search.
type SearchMeta struct {
	page.Meta
	FiltersApplied map[string]any `json:"filters_applied" doc:"The filters as applied, with their JSON types. Aliases are expanded and names are replaced by codes."`
}

// NewMeta is the remarks on a page, for encoding/json.
func NewMeta(m page.Meta, applied *Applied) SearchMeta {
	return SearchMeta{Meta: m, FiltersApplied: applied.Map()}
}

// AppendMeta appends what encoding/json makes of NewMeta.
func AppendMeta(dst []byte, m page.Meta, applied *Applied) []byte {
	dst = AppendPage(append(dst, '{'), m)
	dst = applied.AppendJSON(append(dst, `,"filters_applied":`...))
	return append(dst, '}')
}

// AppendPage appends the members of a page's meta, without braces.
func AppendPage(dst []byte, m page.Meta) []byte {
	dst = strconv.AppendInt(append(dst, `"total":`...), int64(m.Total), 10)
	dst = strconv.AppendInt(append(dst, `,"limit":`...), int64(m.Limit), 10)
	dst = strconv.AppendInt(append(dst, `,"offset":`...), int64(m.Offset), 10)
	dst = strconv.AppendInt(append(dst, `,"page":`...), int64(m.Page), 10)
	return strconv.AppendInt(append(dst, `,"per_page":`...), int64(m.PerPage), 10)
}

// buffers keeps the answers' memory between requests; a page of the longest rows stays under the limit.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

const keptBufferBytes = 256 << 10

// Rows answers with a list whose rows are appended, not encoded: {"data": [rows], "meta": meta}.
func Rows[B any](ids []uint32, row func(dst []byte, id uint32) []byte, meta func(dst []byte) []byte, links *httpapi.Page) *httpapi.Reply[B] {
	reply := Write[B](func(b []byte) []byte {
		b = AppendList(append(b, `{"data":[`...), ids, row)
		b = meta(append(b, `],"meta":`...))
		return append(b, '}')
	})
	reply.Page = links
	return reply
}

// Write answers with ready bytes: what encoding/json makes of a B, which a test of each user proves. The buffer goes back
// to its pool once it has been sent.
func Write[B any](body func(dst []byte) []byte) *httpapi.Reply[B] {
	buf, _ := buffers.Get().(*[]byte)
	*buf = body((*buf)[:0])
	return &httpapi.Reply[B]{Raw: *buf, Release: func() {
		if cap(*buf) <= keptBufferBytes {
			buffers.Put(buf)
		}
	}}
}

// AppendList appends elements with commas between them.
func AppendList[T any](dst []byte, list []T, element func(dst []byte, of T) []byte) []byte {
	for i, of := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, of)
	}
	return dst
}

// AppendKnown appends a string, or null for the empty one.
func AppendKnown(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return index.AppendString(dst, s)
}

// AppendNumber appends a number, or null for index.Unknown.
func AppendNumber(dst []byte, v int64) []byte {
	if v == index.Unknown {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, v, 10)
}
