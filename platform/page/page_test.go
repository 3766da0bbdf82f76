package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

func TestWindow(t *testing.T) {
	t.Parallel()
	some := httpapi.Some[int]
	for name, test := range map[string]struct {
		in            page.Input
		limit, offset int
		byPage        bool
	}{
		"nothing":                 {page.Input{}, 25, 0, true},
		"page":                    {page.Input{Page: some(3)}, 25, 50, true},
		"page and size":           {page.Input{Page: some(3), PerPage: some(10)}, 10, 20, true},
		"limit":                   {page.Input{Limit: some(10)}, 10, 0, false},
		"offset":                  {page.Input{Offset: some(7)}, 25, 7, false},
		"offset 0 rules too":      {page.Input{Offset: some(0), Page: some(9)}, 25, 0, false},
		"limit rules over a page": {page.Input{Limit: some(10), Page: some(9), PerPage: some(50)}, 10, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit, offset, byPage := test.in.Window()
			require.Equal(t, test.limit, limit)
			require.Equal(t, test.offset, offset)
			require.Equal(t, test.byPage, byPage)
		})
	}
}

// Whatever is sent within the bounds gives a window that is one, and the same one in both styles.
func TestWindowProperties(t *testing.T) {
	t.Parallel()
	const maxOffset = 1_000_000_000
	rapid.Check(t, func(t *rapid.T) {
		opt := func(name string, low, high int) httpapi.Opt[int] {
			return httpapi.Opt[int]{Set: rapid.Bool().Draw(t, name+" sent"), Value: rapid.IntRange(low, high).Draw(t, name)}
		}
		in := page.Input{
			Limit: opt("limit", 1, page.MaxLimit), Offset: opt("offset", 0, maxOffset),
			Page: opt("page", 1, maxOffset/page.MaxLimit), PerPage: opt("per_page", 1, page.MaxLimit),
		}
		limit, offset, byPage := in.Window()
		if limit < 1 || limit > page.MaxLimit || offset < 0 || offset > maxOffset {
			t.Fatalf("limit %d, offset %d", limit, offset)
		}
		meta := in.Meta(1000)
		if byPage && in.Page.Set && meta.Page != in.Page.Value || meta.PerPage != limit || meta.Offset != offset || meta.Total != 1000 {
			t.Fatalf("%+v of %+v", meta, in)
		}
		if links := in.Links(1000); *links != (httpapi.Page{Total: 1000, Limit: limit, Offset: offset, ByPage: byPage}) {
			t.Fatalf("%+v of %+v", links, in)
		}
	})
}
