package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// The addresses of an archive are a list: social pages and other sites too, no person's page. A document without the table leaves them,
// one that restates them keeps what stood before, and the feed's are no list.
func TestWebsitesArrive(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	edition := func(name string, sites ...string) document {
		d := archive(name, filing("1", "7001", "2026-05-03", "ALDER POINT LLC"))
		for _, site := range sites {
			d.websites = append(d.websites, &catalogapi.WebsiteRow{FilingKey: "1", Website: site, File: "1i.csv", Line: 2})
		}
		return d
	}
	b.load(edition("a.zip", "https://www.linkedin.com/company/alder-point", "www.alderpoint.example.com", "https://www.linkedin.com/in/invented-person",
		"https://funds.alderpoint.example.com/uk", "https://alderfunds.example.org", "none", "www.alderpoint.example.com"))
	require.Empty(t, b.rejected)
	first := [][]string{
		{"1", "https://www.linkedin.com/company/alder-point", "social"},
		{"2", "https://www.alderpoint.example.com", "own"},
		{"3", "https://funds.alderpoint.example.com/uk", "own"},
		{"4", "https://alderfunds.example.org", "other"},
	}
	const listed = `SELECT seq, url, kind FROM catalog.websites WHERE accession = 'ADV-7001-1' ORDER BY seq`
	require.Equal(t, first, b.rows(listed))
	require.Equal(t, []string{"https://www.alderpoint.example.com"}, b.row(`SELECT website FROM catalog.advisers`))

	without := edition("b.zip")
	without.without = func(d *catalogapi.Document) { d.Websites = nil }
	require.Equal(t, int64(0), b.load(without).FilingsNew)
	require.Equal(t, first, b.rows(listed))
	b.load(edition("c.zip", "www.alderpoint.example.com"))
	require.Equal(t, [][]string{{"1", "https://www.alderpoint.example.com", "own"}}, b.rows(listed))
	require.Equal(t, []string{"4", "https://www.linkedin.com/company/alder-point"},
		b.row(`SELECT jsonb_array_length(rows), rows -> 0 ->> 'url' FROM catalog.replaced_children WHERE list = 'websites' ORDER BY replaced_at DESC LIMIT 1`))
	require.Equal(t, [][]string{{"affiliates", "[]"}, {"fund_providers", "[]"}, {"offices", "[]"}, {"owners", "[]"}, {"sub_advised_funds", "[]"}},
		b.rows(`SELECT DISTINCT list, rows FROM catalog.replaced_children WHERE list <> 'websites' ORDER BY list`), "an empty list is kept too")
}

// A filing that answers Y to item 1.I and has no website has lost them: what is known stays. One that answers N has none.
func TestWebsitesThatAreAnnouncedAndLost(t *testing.T) {
	t.Parallel()
	edition := func(id, day string, has bool, sites ...string) document {
		d := archive(day+".zip", filing(id, "7001", day, "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) { f.HasWebsites = has })).of(day)
		d.websites = []*catalogapi.WebsiteRow{}
		for _, site := range sites {
			d.websites = append(d.websites, &catalogapi.WebsiteRow{FilingKey: id, Website: site, File: "1i.csv", Line: 2})
		}
		return d
	}
	b := newBench(t)
	b.load(edition("1", "2026-05-03", true, "www.alderpoint.example.com", "https://alderfunds.example.org"))
	const site, said = `SELECT website FROM catalog.advisers`, `SELECT coalesce(silent, '{}') @> '{website,table:websites}' FROM catalog.adviser_versions WHERE accession = 'ADV-7001-2'`
	b.load(edition("2", "2026-06-03", true))
	require.Equal(t, []string{"https://www.alderpoint.example.com"}, b.row(site))
	require.Equal(t, []string{"true"}, b.row(said))
	b.load(edition("2", "2026-06-03", true, "www.alder.example.net"))
	require.Equal(t, []string{"https://www.alder.example.net"}, b.row(site), "once the whole archive comes")
	require.Equal(t, []string{"false"}, b.row(said))
	b.load(edition("2", "2026-06-03", true))
	require.Equal(t, []string{"https://www.alder.example.net"}, b.row(site))
	b.load(edition("3", "2026-07-03", false))
	require.Equal(t, []string{"∅"}, b.row(site))
}
