// Package wire writes JSON responses by appending bytes, for operations whose rows are too many or too frequent for
// encoding/json. Each function writes the same as encoding/json without its escaping of HTML; the tests of each user compare
// the two.
package wire

import (
	"strconv"
	"sync"

	"gpatlas/platform/httpapi"
)

// buffers keeps the memory of responses between requests; a page of the longest rows is within the limit.
var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 16<<10); return &b }}

const keptBufferBytes = 256 << 10

// Write replies with the bytes that body appends, which must be the JSON encoding of a B. The buffer returns to its pool once
// the reply has been sent.
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
	return AppendString(dst, s)
}

// AppendNumber appends a number, or null for nil.
func AppendNumber(dst []byte, v *int64) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, *v, 10)
}
