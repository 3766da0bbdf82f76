package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// A filing that is restated under another date decides anew whose a fund is, also when the restatement has no list of
// funds and keeps the ones that it named before.
func TestRestatedDateMovesTheFundsThatItKeeps(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	first := archive("may.zip", filing("1", "7001", "2026-05-03", "ALDER POINT LLC"))
	first.funds = []*catalogapi.FundRow{fund("1", f1, "Alder I", 1e8)}
	b.load(first)
	second := archive("june.zip", filing("2", "7002", "2026-06-04", "FENWICK LP"))
	second.funds = []*catalogapi.FundRow{fund("2", f1, "Alder I", 2e8)}
	b.load(second)
	require.Equal(t, []string{"7002", "active"}, b.row(`SELECT adviser_crd, status FROM catalog.funds`))

	unlisted := func(f *catalogapi.AdviserFiling) { f.FundsListed = false }
	b.load(archive("late.zip", filing("1", "7001", "2026-07-03", "ALDER POINT LLC", unlisted)))
	require.Equal(t, []string{"7001", "active", "100000000"}, b.row(`SELECT adviser_crd, status, gross_asset_value FROM catalog.funds`))
	require.Equal(t, [][]string{{"7001", "1"}, {"7002", "0"}}, b.rows(`SELECT crd, fund_count FROM catalog.advisers ORDER BY crd`))
	before := b.state()
	_, err := b.loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, b.state(), "nothing was left to derive")
}

// What a filing said before it was restated is kept, fund by fund, also when two documents of one load restate it.
func TestEditionsAreKept(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	edition := func(name string, funds ...*catalogapi.FundRow) document {
		d := archive(name, filing("1", "7001", "2026-05-03", "ALDER POINT LLC"))
		d.funds = funds
		return d
	}
	b.load(edition("a.zip", fund("1", f1, "Alder I", 1), fund("1", f2, "Alder II", 2)))
	processed := b.row(`SELECT processed_at FROM catalog.filings`)
	require.Equal(t, []string{"0"}, b.row(`SELECT count(*) FROM catalog.replaced_versions`))

	_, faults := b.batch(
		edition("b.zip", fund("1", f1, "Alder I", 10), fund("1", f2, "Alder II", 2)),
		edition("c.zip", fund("1", f1, "Alder I", 11), fund("1", f2, "Alder II", 20), fund("1", f3, "Alder III", 3)))
	require.Equal(t, []error{nil, nil}, faults)
	require.Equal(t, [][]string{
		{"", "∅"}, {"805-" + f1, "1"}, {"805-" + f2, "2"}, {"805-" + f3, "∅"},
	}, b.rows(`SELECT fund_id, said->>'gross_asset_value' FROM catalog.replaced_versions ORDER BY fund_id`))
	require.Equal(t, []string{"1", processed[0]}, b.row(`SELECT count(DISTINCT processed_at), min(processed_at) FROM catalog.replaced_versions`))
	require.Equal(t, []string{"ALDER POINT LLC", "true"},
		b.row(`SELECT said->>'legal_name', said->>'row_hash' IS NULL FROM catalog.replaced_versions WHERE fund_id = ''`))

	b.load(edition("d.zip", fund("1", f1, "Alder I", 11), fund("1", f3, "Alder III", 3)))
	require.Equal(t, [][]string{{"", "∅"}, {"805-" + f2, "20"}}, b.rows(`SELECT fund_id, said->>'gross_asset_value'
		FROM catalog.replaced_versions WHERE processed_at > (SELECT min(processed_at) FROM catalog.replaced_versions) ORDER BY fund_id`),
		"only what is no longer so")
	require.Equal(t, []string{"6"}, b.row(`SELECT count(*) FROM catalog.replaced_versions`))
}
