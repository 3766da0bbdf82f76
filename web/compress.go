package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/httpapi"
)

const (
	// compressFrom is the smallest body, in bytes, that benefits from compression: less fits in one packet anyway.
	compressFrom = 1400
	// The levels at which a list of 25 rows takes tens of microseconds, not hundreds.
	brotliLevel = 3
	gzipLevel   = 3
)

var compressed = sync.Pool{New: func() any { b := make([]byte, 0, 8<<10); return &b }}

// compress encodes the body as the caller accepts it, br before gzip at equal preference, and sets another entity tag
// for the encoded form.
func compress(c *fiber.Ctx) {
	response := c.Response()
	if len(response.Header.Peek(fiber.HeaderContentEncoding)) > 0 || !compressible(response.Header.ContentType()) {
		return
	}
	stream := response.IsBodyStream()
	if !stream && len(response.Body()) < compressFrom || response.StatusCode() == http.StatusNoContent {
		return
	}
	response.Header.Add(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	accept := c.Request().Header.Peek(fiber.HeaderAcceptEncoding)
	if stream {
		if _, zip := weights(accept); zip > 0 && httpapi.EncodeStream(c, zipped) {
			response.Header.Set(fiber.HeaderContentEncoding, codingGzip)
		}
		return
	}
	encoding := negotiate(accept)
	if encoding == "" {
		return
	}
	body := response.Body()
	buffer, _ := compressed.Get().(*[]byte)
	out := (*buffer)[:0]
	if encoding == "br" {
		out = fasthttp.AppendBrotliBytesLevel(out, body, brotliLevel)
	} else {
		out = fasthttp.AppendGzipBytesLevel(out, body, gzipLevel)
	}
	setEncoded(c, encoding, out)
	*buffer = out
	compressed.Put(buffer)
}

// setEncoded replaces the body by its compressed form, which it copies, and the entity tag by that form's own.
func setEncoded(c *fiber.Ctx, encoding string, body []byte) {
	response := c.Response()
	response.SetBody(body)
	response.Header.Set(fiber.HeaderContentEncoding, encoding)
	if tag := response.Header.Peek(fiber.HeaderETag); len(tag) > 0 {
		response.Header.SetBytesV(fiber.HeaderETag, httpapi.EncodedETag(tag, encoding))
	}
}

func compressible(contentType []byte) bool {
	kind, _, _ := bytes.Cut(contentType, []byte(";"))
	switch string(kind) {
	case "application/json", "application/vnd.gpatlas.quote+json", "application/yaml", "application/javascript", "text/javascript", "text/html", "text/plain",
		"text/css", "text/csv", "text/markdown", "image/svg+xml":
		return true
	}
	return false
}

// zipped compresses a stream, only with gzip: a brotli encoder takes megabytes during the whole stream.
func zipped(out io.Writer) io.WriteCloser {
	w, err := gzip.NewWriterLevel(out, gzipLevel)
	if err != nil { // the level is valid for gzip
		return gzip.NewWriter(out)
	}
	return w
}

// weights are the preferences of an Accept-Encoding list for br and gzip; 0 or less is not accepted.
func weights(accept []byte) (brotli, zip float64) {
	brotli, zip = -1, -1
	if len(accept) == 0 {
		return brotli, zip
	}
	other := -1.0
	for part := range strings.SplitSeq(string(accept), ",") {
		name, parameter, _ := strings.Cut(strings.TrimSpace(part), ";")
		q := 1.0
		if value, ok := strings.CutPrefix(strings.TrimSpace(parameter), "q="); ok {
			var err error
			if q, err = strconv.ParseFloat(value, 64); err != nil {
				q = 0
			}
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "br":
			brotli = q
		case "gzip", "x-gzip":
			zip = q
		case "*":
			other = q
		}
	}
	if brotli < 0 {
		brotli = other
	}
	if zip < 0 {
		zip = other
	}
	return brotli, zip
}

// negotiate picks br or gzip from an Accept-Encoding list, or "" for neither.
func negotiate(accept []byte) string {
	brotli, zip := weights(accept)
	switch {
	case brotli > 0 && brotli >= zip:
		return "br"
	case zip > 0:
		return codingGzip
	}
	return ""
}
