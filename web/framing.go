package web

import (
	"bytes"

	"github.com/valyala/fasthttp"
)

var (
	nameLength   = []byte("Content-Length")
	nameTransfer = []byte("Transfer-Encoding")
	valueChunked = []byte("chunked")
)

// badFraming reports whether two servers could disagree about where a request ends (RFC 9112, 6.1): it has Transfer-Encoding
// beside Content-Length, or twice, or in HTTP/1.0, or in another form than chunked. fasthttp accepts such a request; a proxy
// before us may have read it differently, so the rest of its connection cannot be trusted.
func badFraming(header *fasthttp.RequestHeader) bool {
	var lengths, transfers int
	chunked := true
	for rest := header.RawHeaders(); len(rest) > 0; {
		var line []byte
		if line, rest, _ = bytes.Cut(rest, []byte{'\n'}); len(line) == 0 || line[0]|0x20 != 'c' && line[0]|0x20 != 't' {
			continue
		}
		name, value, _ := bytes.Cut(line, []byte{':'})
		switch {
		case bytes.EqualFold(name, nameLength):
			lengths++
		case bytes.EqualFold(name, nameTransfer):
			transfers++
			chunked = chunked && bytes.EqualFold(bytes.TrimSpace(value), valueChunked)
		}
	}
	return transfers > 0 && (lengths > 0 || transfers > 1 || !chunked || !header.IsHTTP11())
}
