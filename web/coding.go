package web

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"strings"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// The codings that a request's body may come in. Brotli is none of them: its decoder takes up to 16 MiB for a few bytes.
const (
	codingGzip      = "gzip"
	codingDeflate   = "deflate" // the format of zlib (RFC 9110, 8.4.1.2)
	acceptedCodings = codingGzip + ", " + codingDeflate
)

// bodies unpacks the bodies of requests. Fiber's own Body would undo as many codings as a request names, without a bound.
type bodies struct{ limit int } // bytes, before and after unpacking

var errCoding = apperr.New(apperr.KindUnsupported,
	"The request body may be sent plain or in one content coding: "+codingGzip+" or "+codingDeflate)

// unpack replaces a body that was sent in a content coding by what it holds. Whatever reads a body calls it first; operations
// without a body ignore one, however it is packed. What it unpacks to is bounded while it is unpacked, and one coding is undone at most: of a body that was packed twice, the
// size of the inner one could not be told from the bytes that were sent.
//
// Spec: not shown; other codings and several are 415 with the codings that are accepted in Accept-Encoding (RFC 9110,
// 15.5.16), and what is not in the coding that it says is 400.
func (b bodies) unpack(c *fiber.Ctx) error {
	request := c.Request()
	lines := request.Header.PeekAll(fiber.HeaderContentEncoding)
	if len(lines) == 0 {
		return nil
	}
	packed := request.Body()
	coding, ok := oneCoding(lines)
	request.Header.Del(fiber.HeaderContentEncoding) // Fiber would decode by it
	switch {
	case len(packed) == 0 || ok && coding == "":
		return nil
	case !ok:
		c.Set(fiber.HeaderAcceptEncoding, acceptedCodings)
		return errCoding
	}
	plain, err := unpacked(coding, packed, b.limit)
	switch {
	case errors.Is(err, errTooLarge):
		return httpapi.ErrBodyTooLarge
	case err != nil:
		return apperr.Invalid(apperr.FieldError{Field: httpapi.WholeBody, Message: "is not " + coding + " as Content-Encoding says"}).Wrap(err)
	}
	request.SetBodyRaw(plain)
	request.Header.SetContentLength(len(plain))
	return nil
}

// oneCoding reads the lines of Content-Encoding: the one coding that they name, "" for none. ok is false where they name
// several, or one that is not accepted.
func oneCoding(lines [][]byte) (coding string, ok bool) {
	for _, line := range lines {
		for name := range strings.SplitSeq(string(line), ",") {
			switch name = strings.ToLower(strings.Trim(name, " \t")); name {
			case "", "identity":
				continue
			case "x-gzip": // the same (RFC 9110, 8.4.1.3)
				name = codingGzip
			case codingGzip, codingDeflate:
			default:
				return "", false
			}
			if coding != "" {
				return "", false
			}
			coding = name
		}
	}
	return coding, true
}

var (
	errTooLarge = errors.New("web: the body unpacks to more than the limit")
	errSpare    = errors.New("web: something follows the packed body")
)

// unpacked undoes one coding and reads no further than one byte over the limit.
func unpacked(coding string, packed []byte, limit int) ([]byte, error) {
	source := bytes.NewReader(packed)
	var reader io.ReadCloser
	var err error
	if coding == codingGzip {
		reader, err = gzip.NewReader(source)
	} else {
		reader, err = zlib.NewReader(source)
	}
	if err != nil {
		return nil, err
	}
	var plain bytes.Buffer
	plain.Grow(min(limit, 4*len(packed)) + bytes.MinRead)
	if _, err := plain.ReadFrom(io.LimitReader(reader, int64(limit)+1)); err != nil {
		return nil, err
	}
	switch {
	case plain.Len() > limit:
		return nil, errTooLarge
	case source.Len() > 0:
		return nil, errSpare
	}
	return plain.Bytes(), reader.Close()
}
