package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// ErrShape means that a response is not a listing of the vendor. It contains nothing of the postings.
var ErrShape = errors.New("the response is not a listing of this vendor")

// postingsMax is higher than the number of postings of any adviser.
const postingsMax = 5000

// The maximum lengths of stored texts, in characters.
const (
	textMax = 300
	urlMax  = 1000
)

// Parse reads a listing: the whole board for Greenhouse and Ashby, one page for Lever. If one posting cannot be read, the whole
// listing is rejected, because the posting would otherwise seem closed. A second posting with the same ID is left out.
func Parse(v Vendor, body []byte) ([]Posting, error) {
	list, _, err := parse(v, body)
	return list, err
}

// parse also returns how many postings the response had, including unlisted ones.
func parse(v Vendor, body []byte) (list []Posting, had int, err error) {
	switch v {
	case Greenhouse:
		list, had, err = parseGreenhouse(body)
	case Lever, LeverEU:
		list, had, err = parseLever(body)
	case Ashby:
		list, had, err = parseAshby(body)
	default:
		return nil, 0, fmt.Errorf("%w: unknown vendor %q", ErrShape, v)
	}
	if err != nil {
		return nil, 0, err
	}
	list, err = checked(list)
	return list, had, err
}

func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%w: %w", ErrShape, err)
	}
	return nil
}

var idPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// checked cleans the texts of postings, and rejects postings without an ID or a title.
func checked(list []Posting) ([]Posting, error) {
	if len(list) > postingsMax {
		return nil, fmt.Errorf("%w: it has more than %d postings", ErrShape, postingsMax)
	}
	seen := make(map[string]bool, len(list))
	kept := make([]Posting, 0, len(list))
	for i, p := range list {
		p.Title, p.Department, p.Location, p.EmploymentType = text(p.Title), text(p.Department), text(p.Location), text(p.EmploymentType)
		p.URL = link(p.URL)
		switch {
		case !idPattern.MatchString(p.ID):
			return nil, fmt.Errorf("%w: posting %d has no valid ID", ErrShape, i+1)
		case p.Title == "":
			return nil, fmt.Errorf("%w: posting %d has no title", ErrShape, i+1)
		case seen[p.ID]:
			continue
		}
		seen[p.ID] = true
		kept = append(kept, p)
	}
	return kept, nil
}

// text is s on one line, without invisible characters, cut to a maximum length.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.C, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > textMax {
		s = strings.TrimSpace(string(runes[:textMax-1])) + "…"
	}
	return s
}

// link is s if it is the URL of a page, else empty: a posting without a link is still valid.
func link(s string) string {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return ""
	}
	if s = u.String(); len(s) > urlMax {
		return ""
	}
	return s
}

// join joins the non-empty values, each once.
func join(parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		p = text(p)
		known := p == ""
		for _, k := range kept {
			known = known || strings.EqualFold(k, p)
		}
		if !known {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "; ")
}

// instant reads a time with its offset. An implausible time counts as not stated.
func instant(s string) *time.Time {
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(s))
	if err != nil {
		return nil
	}
	return likely(at)
}

func likely(at time.Time) *time.Time {
	at = at.UTC()
	if at.Year() < 2000 || at.Year() > 2100 {
		return nil
	}
	at = at.Truncate(time.Microsecond) // as the database keeps it
	return &at
}

// millis reads milliseconds since 1970.
func millis(n json.Number) *time.Time {
	ms, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || ms < 0 || ms > 1e13 {
		return nil
	}
	return likely(time.UnixMilli(int64(ms)))
}
