package listing

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"gpatlas/platform/httpapi"
)

const between = "|" // of the parts of a cursor; no part has it

// CursorMeta is the remarks on a page that ends with a cursor.
type CursorMeta struct {
	Limit          int            `json:"limit" doc:"Maximum number of rows in this response." example:"25"`
	NextCursor     *string        `json:"next_cursor" doc:"Send it as cursor for the next page. Null on the last page."`
	FiltersApplied map[string]any `json:"filters_applied" doc:"The filters as applied, with their JSON types. Aliases are expanded and names are replaced by codes."`
}

// Cursor is the text that names the last row of a page by its sort key, in parts. It works with the same filters and the same order only.
func (a *Applied) Cursor(order string, place ...string) string {
	text := strings.Join(place, between)
	return base64.RawURLEncoding.EncodeToString([]byte(a.sum(order, text) + between + text))
}

// sum identifies a place among the rows of these filters in this order.
func (a *Applied) sum(order, place string) string {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s%q%q", a.AppendJSON(nil), order, place)
	return fmt.Sprintf("%08x", h.Sum32())
}

// Cursor passes the parts of a cursor to read, which reports whether they are a place. To be called after all filters were checked.
func (c *Check) Cursor(cursor httpapi.Opt[string], order string, read func(place []string) bool) {
	if !cursor.Set {
		return
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor.Value)
	sum, place, _ := strings.Cut(string(text), between)
	if err != nil || sum != c.Applied.sum(order, place) || !read(strings.Split(place, between)) {
		c.Fault("cursor", "is not the next_cursor of a page with these filters")
	}
}

// Place is where a row stands in a list that is sorted by numbers, the largest first, and of one number by ID.
type Place struct {
	Key int64
	ID  string
}

// Parts are the place in a cursor.
func (p Place) Parts() []string { return []string{strconv.FormatInt(p.Key, 10), p.ID} }

// ReadPlace reads Parts.
func ReadPlace(parts []string) (p Place, err error) {
	if len(parts) != len(p.Parts()) {
		return p, strconv.ErrSyntax
	}
	p.ID = parts[1]
	p.Key, err = strconv.ParseInt(parts[0], 10, 64)
	return p, err
}
