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

// The supported codings of a request's body. Brotli is left out, because its decoder takes up to 16 MiB for a few bytes.
const (
	codingGzip      = "gzip"
	codingDeflate   = "deflate" // the format of zlib (RFC 9110, 8.4.1.2)
	acceptedCodings = codingGzip + ", " + codingDeflate
)

// bodies decompresses the bodies of requests. Fiber's own Body would undo as many codings as a request names, without a limit.
type bodies struct{ limit int } // bytes, before and after decompression

var errCoding = apperr.New(apperr.KindUnsupported,
	"The request body may be sent plain or in one content coding: "+codingGzip+" or "+codingDeflate)

// unpack replaces an encoded body by its decoded form. Every reader of a body calls it first; operations without a body ignore
// it, in any coding. The size is checked during decompression, and at most one coding is undone: the decoded size of a
// twice-encoded body could not be bounded by its sent size.
//
// Spec: not shown; other codings and several are 415 with the accepted codings in Accept-Encoding (RFC 9110, 15.5.16), and a
// body that is not in the stated coding is 400.
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

// oneCoding returns the coding in the lines of Content-Encoding, "" for none. ok is false if they name several, or an
// unsupported one.
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

// unpacked undoes one coding and reads at most one byte over the limit.
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
