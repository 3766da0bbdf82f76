package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gpatlas/platform/httpapi"
)

// buffers keeps the answers' memory between requests.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

const keptBufferBytes = 256 << 10

// Write answers with ready bytes: what encoding/json makes of a B. The buffer goes back to its pool once it has been sent.
func Write[B any](body func(dst []byte) []byte) *httpapi.Reply[B] {
	buf, _ := buffers.Get().(*[]byte)
	*buf = body((*buf)[:0])
	return &httpapi.Reply[B]{Raw: *buf, Release: func() {
		if cap(*buf) <= keptBufferBytes {
			buffers.Put(buf)
		}
	}}
}

// AppendString appends s as a JSON string.
func AppendString(dst []byte, s string) []byte {
	return append(AppendInside(append(dst, '"'), s), '"')
}

// AppendInside appends s as it stands between the quotation marks of a JSON string.
func AppendInside(dst []byte, s string) []byte {
	if isPlain(s) {
		return append(dst, s...)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil { // no string fails: broken UTF-8 is replaced
		return dst
	}
	return append(dst, b.Bytes()[1:b.Len()-2]...) // less the quotation marks and the newline
}

// EscapeTail escapes what has been appended to dst from an offset on, so that text may be put together in place.
func EscapeTail(dst []byte, from int) []byte {
	if isPlain(dst[from:]) {
		return dst
	}
	return AppendInside(dst[:from], string(dst[from:]))
}

// isPlain says whether s stands in a JSON string as it is.
func isPlain[S string | []byte](s S) bool {
	wide := false
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
		wide = wide || c >= utf8.RuneSelf
	}
	return !wide || utf8.ValidString(string(s)) && !strings.ContainsAny(string(s), "\u2028\u2029")
}

// AppendKnown appends a string, or null for the empty one.
func AppendKnown(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return AppendString(dst, s)
}

// AppendNumber appends a number, or null for none.
func AppendNumber(dst []byte, v *int64) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, *v, 10)
}

// AppendList appends elements with commas between them.
func AppendList[T any](dst []byte, list []T, element func(dst []byte, of *T) []byte) []byte {
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, &list[i])
	}
	return dst
}
