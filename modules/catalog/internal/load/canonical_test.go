package load_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/testscale"
)

func (b *bench) groups() map[string]string {
	b.t.Helper()
	out := map[string]string{}
	for _, r := range b.rows(`SELECT crd, canonical_gp_id FROM catalog.advisers`) {
		out[r[0]] = r[1]
	}
	return out
}

func site(url string) func(*adviser) { return func(f *adviser) { f.Website = catalogapi.Text(url) } }

// An affiliate under common control with the same name stem is of the same organization though it has no website or
// another; one that bears another name and has another site is not, however many name it.
func TestAffiliatesGroup(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	doc := archive("1.zip",
		filing("1", "10001", "2025-01-01", "ALDER POINT CAPITAL LLC", site("https://alderpoint.com")),
		filing("2", "20001", "2025-01-01", "ALDER POINT EUROPE LLP"),                                        // no site
		filing("3", "30001", "2025-01-01", "ALDER POINT ASIA PTE LTD", site("https://alderpoint.asia")),     // named by 20001
		filing("4", "40001", "2025-01-01", "GREAT CUSTODY BANK", site("https://greatcustody.com")),          // named by all
		filing("5", "50001", "2025-01-01", "FENWICK LP", site("https://fenwick.com")),                       // names the custodian
		filing("6", "60001", "2025-01-01", "THE MOSSGATE COMPANY", site("https://www.alderpoint.com/moss")), // same domain, affiliate
		filing("7", "70001", "2025-01-01", "ALDER POINT OF OHIO INC", site("https://apohio.com")),           // a namesake that nobody names
		filing("8", "80001", "2025-01-01", "QUILL LP", site("https://alderpoint.com/quill")),                // same domain alone
		filing("9", "90001", "2025-01-01", "ALDER POINT BROKERS LLC"))                                       // named, not under common control
	unrelated := affiliate("1", "90001", "ALDER POINT BROKERS LLC")
	unrelated.CommonControl, unrelated.Controls = new(false), nil
	controlled := affiliate("2", "30001", "ALDER POINT ASIA PTE LTD")
	controlled.CommonControl, controlled.Controls = nil, new(true)
	doc.affiliates = []*catalogapi.AffiliateRow{
		affiliate("1", "20001", "ALDER POINT EUROPE LLP"), controlled, affiliate("1", "40001", "GREAT CUSTODY BANK"),
		affiliate("5", "40001", "GREAT CUSTODY BANK"), affiliate("4", "10001", "ALDER POINT CAPITAL LLC"),
		affiliate("6", "10001", "ALDER POINT CAPITAL LLC"), affiliate("1", "123456", "NOBODY"), affiliate("1", "10001", "ITSELF"), unrelated,
	}
	b.load(doc)
	want := map[string]string{
		"10001": "10001", "20001": "10001", "30001": "10001", "40001": "40001", "50001": "50001", "60001": "10001", "70001": "70001",
		"80001": "80001", "90001": "90001",
	}
	require.Equal(t, want, b.groups())

	// The newest form counts: an affiliate that it no longer names is on its own, and whoever hung on it with it.
	later := archive("2.zip", filing("10", "10001", "2026-01-01", "ALDER POINT CAPITAL LLC", site("https://alderpoint.com")))
	later.affiliates = []*catalogapi.AffiliateRow{affiliate("10", "40001", "GREAT CUSTODY BANK")}
	b.load(later)
	want["20001"], want["30001"] = "20001", "20001"
	require.Equal(t, want, b.groups())

	// One that comes later is tied to those who named it before, and its smaller number leads them all.
	small := archive("3.zip", filing("11", "999", "2026-02-01", "ALDER POINT HOLDINGS"))
	small.affiliates = []*catalogapi.AffiliateRow{affiliate("11", "20001", "ALDER POINT EUROPE LLP"), affiliate("11", "10001", "ALDER POINT CAPITAL LLC")}
	b.load(small)
	for _, crd := range []string{"999", "10001", "20001", "30001", "60001"} {
		want[crd] = "999"
	}
	require.Equal(t, want, b.groups())
	changed, err := b.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Zero(t, changed)
}

// Whatever comes in whatever order, the groups are those that a refresh of everything finds. Twenty-five documents are the
// full figure.
func TestGroupsKeepUpWithTies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rng := rand.New(rand.NewPCG(7, 11))
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	together, joined, left := 0, 0, 0
	var last map[string]string
	for n := range testscale.Rounds(t, 10) {
		doc := archive(fmt.Sprintf("%d.zip", n))
		doc.affiliates = []*catalogapi.AffiliateRow{}
		for i := range 1 + rng.IntN(4) {
			key := strconv.Itoa(n*10 + i + 1)
			crd := strconv.Itoa(101 + rng.IntN(12))
			doc.filings = append(doc.filings, filing(key, crd, day("2020-01-01").AddDate(0, n, i).Format("2006-01-02"),
				pick("ALDER LLC", "ALDER CAPITAL LP", "FENWICK LP", "QUILL PARTNERS"), site(pick("", "", "https://alder.com", "https://fenwick.com"))))
			for range rng.IntN(3) {
				doc.affiliates = append(doc.affiliates, affiliate(key, strconv.Itoa(101+rng.IntN(12)), "X"))
			}
		}
		b.load(doc)
		before := b.groups()
		changed, err := b.loader.RefreshDerived(t.Context())
		require.NoError(t, err)
		require.Zero(t, changed, "after document %d", n)
		require.Equal(t, before, b.groups())
		for crd, id := range before {
			if crd != id {
				together++
			}
			switch last[crd] {
			case "", id:
			case crd:
				joined++
			default:
				left++
			}
		}
		last = before
	}
	require.Greater(t, together, 20)
	require.Greater(t, joined, 3, "advisers of their own that came to others")
	require.Greater(t, left, 3, "advisers that left others")
}
