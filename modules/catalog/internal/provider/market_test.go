package provider_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
)

// rankedSQL ranks the providers of a role in plain SQL over the rows of the newest filings; all names of the test are firms.
const rankedSQL = `WITH newest AS (
		SELECT DISTINCT ON (crd) crd, accession FROM catalog.filings WHERE source = 'adv_archive' ORDER BY crd, filing_date DESC, accession DESC
	), served AS (
		SELECT n.crd, p.fund_id, p.name FROM newest n JOIN catalog.fund_providers p USING (accession) WHERE p.role = @role
		UNION SELECT n.crd, v.fund_id, unnest(v.auditors) FROM newest n JOIN catalog.fund_versions v USING (crd, accession) WHERE @role = 'auditor'
	)
	SELECT s.name || ' ' || count(*) || ' ' || count(DISTINCT s.crd) || ' ' || coalesce(sum(f.gross_asset_value)::text, 'null')
	FROM (SELECT DISTINCT crd, fund_id, name FROM served) s JOIN catalog.funds f USING (fund_id) JOIN catalog.advisers a ON a.crd = f.adviser_crd
	WHERE f.status <> 'closed' AND %s GROUP BY s.name ORDER BY %s DESC NULLS LAST, s.name`

// V19: the ranking is that of SQL, with every filter and order, and its pages are the list.
func TestLeague(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rng := rand.New(rand.NewPCG(5, 19))
	names := []string{"Birch Audit LLP", "Halfmoon Fund Services LLC", "Reedmere Bank Inc.", "Mossgate Placement LLC", "Quillback Securities LLC", "Tarn Holm Ltd"}
	roles := []string{"auditor", "prime_broker", "custodian", "administrator", "marketer"}
	for n := range 12 {
		f := filing{id: strconv.Itoa(7000 + n), crd: strconv.Itoa(940000 + n), on: fmt.Sprintf("2026-0%d-01", 1+n%8), gav: rng.Int64N(1000), auditors: map[string]string{}, providers: []*catalogapi.ProviderRow{}}
		for k := range rng.IntN(6) {
			fund := fmt.Sprintf("%010d", 9000+n*10+k)
			f.funds = append(f.funds, fund)
			if rng.IntN(3) > 0 {
				f.auditors[fund] = names[rng.IntN(len(names))]
			}
			for _, role := range roles[1:] {
				for range rng.IntN(3) {
					f.providers = append(f.providers, serves(fund, role, names[rng.IntN(len(names))]))
				}
			}
		}
		b.file(f)
		if n%4 == 0 && len(f.funds) > 1 { // a later filing without the last fund, which is then closed
			f.id, f.on, f.funds = strconv.Itoa(7100+n), "2026-10-01", f.funds[:len(f.funds)-1]
			var kept []*catalogapi.ProviderRow
			for _, p := range f.providers {
				for _, fund := range f.funds {
					if p.ReferenceID == fund {
						kept = append(kept, p)
					}
				}
			}
			f.providers = append([]*catalogapi.ProviderRow{}, kept...)
			b.file(f)
		}
	}
	filters := map[string]string{
		"": "true", "state=TX": "a.state = 'TX'", "state=CA": "a.state = 'CA'", "strategy=hedge": "f.strategy = 'hedge'", "strategy=venture,buyout": "f.strategy IN ('venture', 'buyout')",
		"vintage_min=2026": "f.vintage_year >= 2026", "vintage_max=2025": "f.vintage_year <= 2025", "min_gav=500": "f.gross_asset_value >= 500",
		"min_gav=300&state=Texas&vintage_min=2000": "f.gross_asset_value >= 300 AND a.state = 'TX'",
	}
	orders := map[string]string{"funds": "count(*)", "gps": "count(DISTINCT s.crd)", "gav": "sum(f.gross_asset_value)"}
	shown := func(r row) string {
		gav := "null"
		if r.GAV != nil {
			gav = strconv.FormatInt(*r.GAV, 10)
		}
		return fmt.Sprintf("%s %d %d %s", r.Name, r.Funds, r.GPs, gav)
	}
	found := 0
	for _, role := range roles {
		for query, where := range filters {
			for by, order := range orders {
				want, err := database.Values[string](t.Context(), b.DB, "read", fmt.Sprintf(rankedSQL, where, order), database.Args{"role": role})
				require.NoError(t, err)
				path := "providers?limit=100&role=" + role + "&by=" + by + "&" + query
				got := b.get(path)
				list := []string{}
				for _, r := range got.Data {
					list = append(list, shown(r))
				}
				require.Equal(t, want, list, path)
				require.Equal(t, len(want), got.Meta.Total)
				found += len(want)
			}
		}
	}
	require.Greater(t, found, 300)
	all := b.get("providers?role=custodian")
	var walked []row
	for offset := range all.Meta.Total {
		walked = append(walked, b.get(fmt.Sprintf("providers?role=custodian&limit=1&offset=%d", offset)).Data...)
	}
	require.Equal(t, all.Data, walked)
	counts, err := database.Values[int](t.Context(), b.DB, "count", `SELECT count(*) FROM catalog.funds WHERE status <> 'closed'
		UNION ALL SELECT count(*) FROM catalog.funds f WHERE status <> 'closed' AND EXISTS (SELECT FROM catalog.fund_providers p WHERE p.accession = f.latest_accession AND p.fund_id = f.fund_id AND p.role = 'custodian')`, nil)
	require.NoError(t, err)
	require.Equal(t, counts[0], all.Meta.Funds)
	require.Equal(t, counts[1], all.Meta.Served)
	fixtures, err := database.Values[int](t.Context(), b.DB, "count", "SELECT count(*) FROM catalog.funds WHERE status <> 'closed' AND adviser_crd < '910000'", nil)
	require.NoError(t, err)
	require.Equal(t, counts[0]-fixtures[0], all.Meta.Stated, "the fixture's archives have no table of custodians")
	for _, query := range []string{"role=general_partner", "", "role=auditor&by=size", "role=auditor&state=Atlantis", "role=auditor&vintage_min=2025&vintage_max=2020", "role=auditor&strategy=x"} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/providers?" + query, Status: http.StatusBadRequest})
	}
	paid := len(b.meter.Charged())
	require.Empty(t, b.get("providers?role=custodian&offset=9000").Data)
	require.Len(t, b.meter.Charged(), paid+1, "a page behind the end has the counts")
	require.Zero(t, b.get("providers?role=custodian&vintage_min=2199").Meta.Total)
	require.Len(t, b.meter.Charged(), paid+1, "a ranking without rows is free")
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/providers/suggest?q=b", Status: http.StatusBadRequest})
	require.Equal(t, "Birch Audit LLP", b.get("providers/suggest?q=AUD+bir").of(func(r row) string { return r.Name }))
	require.Empty(t, b.get("providers/suggest?q=irch").Data)
}
