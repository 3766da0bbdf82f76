package httpapi

import (
	"bytes"
	"net/url"
	"strconv"
)

// appendLinks makes the RFC 8288 Link header of a page: first, prev, next and last, in the caller's own paging style,
// every other query parameter kept as it was sent. base is put before the path; empty, the references are relative,
// so that no Host header can bend them.
func appendLinks(base string, path, query []byte, p Page) []byte {
	if p.Limit <= 0 {
		return nil
	}
	dst := make([]byte, 0, 4*(len(base)+len(path)+len(query)+64))
	last := 0
	if p.Total > 0 {
		last = (p.Total - 1) / p.Limit * p.Limit
	}
	rest := withoutPaging(query)
	link := func(rel string, offset int) {
		if len(dst) > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, '<')
		dst = append(dst, base...)
		dst = appendReference(dst, path)
		dst = append(dst, '?')
		if len(rest) > 0 {
			dst = appendReference(dst, rest)
			dst = append(dst, '&')
		}
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
		dst = append(dst, '"')
	}
	link("first", 0)
	if p.Offset > 0 {
		link("prev", max(0, min(p.Offset-p.Limit, last)))
	}
	if p.Offset+p.Limit < p.Total {
		link("next", p.Offset+p.Limit)
	}
	link("last", last)
	return dst
}

// withoutPaging drops the paging parameters of both styles and stray separators from a raw query.
func withoutPaging(query []byte) []byte {
	if len(query) == 0 {
		return nil
	}
	kept := make([]byte, 0, len(query))
	for pair := range bytes.SplitSeq(query, []byte("&")) {
		raw, _, _ := bytes.Cut(pair, []byte("="))
		name := string(raw)
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		switch name {
		case "", "limit", "offset", "page", "per_page":
			continue
		}
		if len(kept) > 0 {
			kept = append(kept, '&')
		}
		kept = append(kept, pair...)
	}
	return kept
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
