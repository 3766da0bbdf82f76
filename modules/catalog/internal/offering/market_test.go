package offering_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

// wantedSQL are the offerings of all funds in plain SQL: the newest notice of each chain, with what the filters ask.
const wantedSQL = `SELECT o.accession FROM (SELECT DISTINCT ON (chain) * FROM catalog.offerings ORDER BY chain, filing_date DESC, accession DESC) o
	JOIN LATERAL (SELECT bool_or(f.status <> 'closed') AS open FROM catalog.offering_funds l JOIN catalog.funds f USING (fund_id) JOIN catalog.advisers a ON a.crd = f.adviser_crd
		WHERE l.accession = o.accession AND %s) f ON f.open IS NOT NULL
	WHERE %s ORDER BY %s DESC NULLS LAST, o.accession DESC`

// Every filter and sort finds what SQL finds, in its order, and pages by the cursor are the list.
func TestMarket(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rng := rand.New(rand.NewPCG(6, 21))
	var all []*notice
	for nth := 100; nth < 220; nth++ {
		n := filed(nth, fmt.Sprintf("021-90%04d", rng.IntN(12)), time.Date(2024, 6, 1+rng.IntN(880), 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
		n.FirstSale = n.Filed.AddDate(0, 0, 40-rng.IntN(400))
		n.YetToOccur = new(rng.IntN(4) == 0)
		n.Remaining = new(int64(rng.IntN(3)))
		n.OfferingAmount, n.AmountSold = new(rng.Int64N(900)), new(rng.Int64N(900))
		if rng.IntN(4) == 0 {
			n.OfferingAmount, n.Remaining, n.Indefinite = nil, nil, true
		}
		if rng.IntN(5) == 0 {
			n.AmountSold = nil
		}
		n.Exemptions = [][]string{{"06b"}, {"06c", "3C.7"}, {"06"}, {"04"}, {"06b", "06c"}}[rng.IntN(5)]
		if n.FileNumber == "021-900002" || rng.IntN(3) == 0 { // which its name joins
			n.FileNumber = fmt.Sprintf("021-95%04d", rng.IntN(30))
			n.issuer = []string{"Kestrel Lane Seed Fund, L.P.", "Thistle Direct Lending Fund IV", "Harbor Ridge Real Estate Fund, L.P.", "Gannet Robotics, Inc."}[rng.IntN(4)]
		}
		if rng.IntN(2) == 0 {
			n.recipients = []*catalogapi.RecipientRow{{Name: []string{"Mossgate Placement LLC", "Calder Securities", "Juno Alderwick"}[rng.IntN(3)]}}
		}
		all = append(all, n)
	}
	b.load(all...)
	since := b.Clock.Now().AddDate(0, 0, -395).Format(time.DateOnly)
	stages := map[string]string{
		"closed": "NOT f.open", "sold_out": "f.open AND o.offering_amount IS NOT NULL AND coalesce(o.amount_remaining = 0, false)",
	}
	rest := "f.open AND (o.offering_amount IS NULL OR o.amount_remaining IS DISTINCT FROM 0) AND o.filing_date "
	stages["lapsed"], stages["announced"], stages["raising"] = rest+"< '"+since+"'", rest+">= '"+since+"' AND o.yet_to_occur", rest+">= '"+since+"' AND o.yet_to_occur IS NOT TRUE"
	type filter struct{ query, funds, notices string }
	filters := []filter{
		{"state=CA,Massachusetts", "a.state IN ('CA', 'MA')", ""},
		{"strategy=venture,credit", "f.strategy IN ('venture', 'credit')", ""},
		{"min_offering=300", "", "o.offering_amount >= 300"},
		{"max_offering=600", "", "o.offering_amount <= 600"},
		{"min_offering=0&max_offering=400", "", "o.offering_amount BETWEEN 0 AND 400"},
		{"min_sold=350", "", "o.amount_sold >= 350"},
		{"exemption=506b", "", "o.exemptions && ARRAY['06b', '06']"},
		{"exemption=506c,506b", "", "o.exemptions && ARRAY['06b', '06', '06c']"},
		{"recipient=MOSSGATE", "", "EXISTS (SELECT FROM catalog.offering_recipients r WHERE r.accession = o.accession AND r.name LIKE 'Moss%')"},
		{"filed_after=2025-06-01", "", "o.filing_date >= '2025-06-01'"},
		{"first_sale_after=2025-03-01", "", "o.first_sale >= '2025-03-01' AND o.first_sale <= o.filing_date"},
	}
	for name, where := range stages {
		filters = append(filters, filter{"stage=" + name, "", where})
	}
	filters = append(filters, filter{"stage=raising,announced", "", "(" + stages["raising"] + " OR " + stages["announced"] + ")"})
	sorts := map[string]string{"": "o.filing_date", "filed": "o.filing_date", "offering": "o.offering_amount", "sold": "o.amount_sold"}
	found := 0
	ask := func(sort string, some ...filter) {
		t.Helper()
		query, funds, notices := []string{"limit=100"}, []string{"true"}, []string{"true"}
		for _, f := range some {
			query = append(query, f.query)
			if f.funds != "" {
				funds = append(funds, f.funds)
			} else {
				notices = append(notices, f.notices)
			}
		}
		if sort != "" {
			query = append(query, "sort="+sort)
		}
		want, err := database.Values[string](t.Context(), b.DB, "read", fmt.Sprintf(wantedSQL, strings.Join(funds, " AND "), strings.Join(notices, " AND "), sorts[sort]), nil)
		require.NoError(t, err)
		path := "offerings?" + strings.Join(query, "&")
		got := b.get(path)
		require.Equal(t, strings.Join(want, " "), got.of(func(r row) string { return r.Accession }), path)
		require.Nil(t, got.Meta.NextCursor, path)
		found += len(want)
	}
	for sort := range sorts {
		ask(sort)
	}
	for i, f := range filters {
		ask("", f)
		ask([]string{"filed", "offering", "sold"}[i%3], f, filters[(i+3)%7])
	}
	require.Greater(t, found, 150)
	for _, row := range b.get("offerings?limit=100").Data { // the list of each fund has the same rows, which Go chooses
		require.Contains(t, b.get("funds/"+row.Fund+"/offerings").Data, row)
	}
	for sort := range sorts {
		query := url.Values{"limit": {"3"}, "min_sold": {"0"}}
		if sort != "" {
			query.Set("sort", sort)
		}
		var walked []string
		for {
			page := b.get("offerings?" + query.Encode())
			walked = append(walked, page.of(last))
			if page.Meta.NextCursor == nil {
				break
			}
			require.Len(t, page.Data, 3)
			query.Set("cursor", *page.Meta.NextCursor)
		}
		query.Del("cursor")
		query.Set("limit", "100")
		require.Equal(t, b.get("offerings?"+query.Encode()).of(last), strings.Join(walked, " "), sort)
		require.Greater(t, len(walked), 5)
	}
}
