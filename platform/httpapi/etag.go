package httpapi

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// appendETag appends the strong entity tag of a body: 64 bits of xxHash and the length. It is compared only with tags of the
// same URL, a collision has no benefit for an attacker, and it must be the same in every process, restart and build: xxHash
// does 10 GB/s and SHA-256 0.5 to 2, and maphash has a new seed in each process.
func appendETag(dst, body []byte) []byte {
	dst = append(dst, '"')
	sum := xxhash.Sum64(body)
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[sum>>uint(shift)&15])
	}
	dst = append(dst, '-')
	dst = strconv.AppendInt(dst, int64(len(body)), 36)
	return append(dst, '"')
}

// Encoding suffixes: a compressed body is another representation and needs another strong tag.
const (
	suffixBrotli = "-br"
	suffixGzip   = "-gz"
)

// matchETag finds tag in an If-None-Match list by weak comparison (RFC 9110, 13.1.2), including the compressed forms, and
// returns the tag for a 304. If star is set, "*" matches any response; otherwise none.
func matchETag(list, tag []byte, star bool) ([]byte, bool) {
	bare := tag[:len(tag)-1] // without the closing quote
	for len(list) > 0 {
		list = bytes.TrimLeft(list, " \t,")
		if len(list) > 0 && list[0] == '*' {
			return tag, star
		}
		list = bytes.TrimPrefix(list, []byte("W/"))
		if len(list) == 0 || list[0] != '"' {
			return nil, false // not a list of entity tags: ignored, so the full answer follows
		}
		end := bytes.IndexByte(list[1:], '"')
		if end < 0 {
			return nil, false
		}
		candidate := list[:end+2]
		if rest, ok := bytes.CutPrefix(candidate, bare); ok {
			switch string(rest) {
			case `"`, suffixBrotli + `"`, suffixGzip + `"`:
				return candidate, true
			}
		}
		list = list[end+2:]
	}
	return nil, false
}

// EncodedETag is the tag of the compressed form of a body, made from that of the plain one. Encoding is "br" or "gzip".
func EncodedETag(tag []byte, encoding string) []byte {
	if len(tag) < 2 || tag[len(tag)-1] != '"' {
		return tag
	}
	suffix := suffixGzip
	if encoding == "br" {
		suffix = suffixBrotli
	}
	return append(append(bytes.Clone(tag[:len(tag)-1]), suffix...), '"')
}

// soldTagBytes is the length of the tag of a sold response, before hexadecimal encoding.
const soldTagBytes = 16

// soldTag is the entity tag of a sold response, and the form of it that the caller already has, or nil. Only the response
// itself contains its tag: it cannot be computed from a guessed response, and the tag of one request is useless for another.
// "*" does not match: a free 304 would show that the response is not empty.
func (b *bill) soldTag(c *fiber.Ctx, body []byte) (tag, held []byte) {
	keys := b.keys
	if len(keys) == 0 {
		keys = [][]byte{nil}
	}
	var query fasthttp.Args
	c.Context().QueryArgs().CopyTo(&query)
	query.Del(MaxCharge)
	query.Del(WantQuote)
	query.Sort(bytes.Compare)
	list := c.Request().Header.Peek(fiber.HeaderIfNoneMatch)
	for _, key := range keys {
		sum := hmac.New(sha256.New, key)
		sum.Write(bytes.Join([][]byte{c.Request().URI().Path(), query.QueryString(), body}, []byte{0}))
		candidate := []byte(`"` + hex.EncodeToString(sum.Sum(nil)[:soldTagBytes]) + `"`)
		if tag == nil {
			tag = candidate
		}
		if matched, ok := matchETag(list, candidate, false); ok {
			return tag, matched
		}
	}
	return tag, nil
}
