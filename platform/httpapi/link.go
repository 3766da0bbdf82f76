package httpapi

import (
	"bytes"
	"net/url"
	"strconv"
)

// linkRoom is the size of most Link headers in bytes. Longer ones are allocated.
const linkRoom = 1024

// appendLinks appends the RFC 8288 Link header of a page: first, prev, next and last, in the caller's own paging style, with
// every other query parameter as it was sent. base precedes the path; if it is empty, the references are relative, so that no
// Host header can change them.
func appendLinks(dst []byte, base string, path, query []byte, p Page) []byte {
	if p.Limit <= 0 {
		return dst
	}
	last := 0
	if p.Total > 0 {
		last = (p.Total - 1) / p.Limit * p.Limit
	}
	var room [linkRoom]byte
	stem := append(room[:0], base...) // the common beginning of all links
	stem = append(appendReference(stem, path), '?')
	stem = appendUnpaged(stem, query)
	dst = p.appendLink(dst, stem, "first", 0)
	if p.Offset > 0 {
		dst = p.appendLink(append(dst, ", "...), stem, "prev", max(0, min(p.Offset-p.Limit, last)))
	}
	if p.Offset+p.Limit < p.Total {
		dst = p.appendLink(append(dst, ", "...), stem, "next", p.Offset+p.Limit)
	}
	return p.appendLink(append(dst, ", "...), stem, "last", last)
}

func (p *Page) appendLink(dst, stem []byte, rel string, offset int) []byte {
	dst = append(append(dst, '<'), stem...)
	if p.ByPage {
		dst = append(dst, "page="...)
		dst = strconv.AppendInt(dst, int64(offset/p.Limit+1), 10)
		dst = append(dst, "&per_page="...)
		dst = strconv.AppendInt(dst, int64(p.Limit), 10)
	} else {
		dst = append(dst, "limit="...)
		dst = strconv.AppendInt(dst, int64(p.Limit), 10)
		dst = append(dst, "&offset="...)
		dst = strconv.AppendInt(dst, int64(offset), 10)
	}
	dst = append(dst, `>; rel="`...)
	dst = append(dst, rel...)
	return append(dst, '"')
}

// appendUnpaged copies a raw query without the paging parameters of both styles and stray separators, with an & after each
// pair.
func appendUnpaged(dst, query []byte) []byte {
	for len(query) > 0 {
		var pair []byte
		pair, query, _ = bytes.Cut(query, []byte("&"))
		if name, _, _ := bytes.Cut(pair, []byte("=")); !isPaging(name) {
			dst = append(appendReference(dst, pair), '&')
		}
	}
	return dst
}

// isPaging reports whether a raw name of a parameter is one of paging, or none.
func isPaging(raw []byte) bool {
	if bytes.ContainsAny(raw, "%+") {
		if plain, err := url.QueryUnescape(string(raw)); err == nil {
			raw = []byte(plain)
		}
	}
	switch string(raw) {
	case "", "limit", "offset", "page", "per_page":
		return true
	}
	return false
}

// appendReference copies a raw path or query, escaping what would end the <reference> or the header.
func appendReference(dst, raw []byte) []byte {
	for _, c := range raw {
		switch {
		case c <= ' ' || c >= 0x7f || c == '<' || c == '>' || c == '"' || c == '\\':
			dst = append(dst, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
