package lp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/lp"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
)

// market is a catalog in which some names are shared.
func market() []gp {
	return []gp{
		{crd: "900101", name: "QUILL CAPITAL MANAGEMENT, L.L.C.", funds: []string{"QUILL CAPITAL PARTNERS VI, L.P.", "QUILL CAPITAL PARTNERS VI-A, L.P.", "Opportunity Fund II LP"}},
		{crd: "900102", name: "FERNLEY ADVISERS LLC", funds: []string{"FERNLEY GROWTH FUND, LP", "SLOANE VENTURES III, L.P."}},
		{crd: "900103", name: "OAKMOOR HILL ADVISORS, L.P.", funds: []string{"OHA STRATEGIC CREDIT"}},
		{crd: "900104", name: "OAKMOOR HILL CAPITAL MANAGEMENT, LLC", funds: []string{"OAKMOOR CAPITAL PARTNERS V"}},
		{crd: "900105", name: "BIRCHALL LANE MANAGEMENT COMPANY LIMITED", funds: []string{"BL ONE"}},
		{crd: "900106", name: "TRIDENTIA ADVISORS LLC", funds: []string{"TRIDENTIA WEALTH"}},
		{crd: "900107", name: "HOLLOW REED ADVISORY GROUP, INC."}, // without funds
		{crd: "900108", name: "ALDER LLC", funds: []string{"GROWTH EQUITY PARTNERS I LP", "COMMON NAME FUND I"}},
		{crd: "900109", name: "BEECH LLC", funds: []string{"GROWTH OPPORTUNITY I", "COMMON NAME FUND I"}},
	}
}

// Guarantee: a manager is shown where fund and adviser agree in name, and nowhere else.
func TestMatches(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.file(t, market()...)
	type found struct{ crd, fundID, method string }
	cases := []struct {
		fund, manager string
		want          found
	}{
		{"Quill Capital Partners VI", "Quill", found{"900101", "805-9001010000", "fund_name"}},
		{"Quill Capital Partners 6, LP (Larkspur)", "", found{"900101", "805-9001010000", "fund_name"}},
		{"Quill Capital Partners IX", "Quill", found{"900101", "", "fund_series"}},
		{"Quill Capital Partners Asia IX", "Quill", found{}},
		{"Fernley Growth III", "Fernley", found{"900102", "", "fund_series"}},
		{"Sloane Ventures III", "", found{"900102", "805-9001020001", "fund_name"}}, // no other manager has a fund of that first word
		{"Opportunity Fund II", "Somebody Else", found{}},                           // a name that many funds have
		{"Growth Equity Partners I", "Somebody", found{}},
		{"Common Name Fund I", "", found{}},
		{"Common Name Fund I", "Alder", found{"900108", "805-9001080001", "fund_name"}},
		{"Europe V", "Oakmoor Hill", found{}}, // two firms begin so
		{"Europe VI", "Birchall Lane", found{"900105", "", "manager_name"}},
		{"Europe VII", "Tridentia", found{}},    // one word is not enough
		{"Europe VIII", "Hollow Reed", found{}}, // it manages no funds
		{"VI", "", found{}},
		{"(all of it)", "(and this)", found{}},
	}
	for i, c := range cases {
		row := commitment(string(rune('A'+i))+" Pension", "MA", c.fund, "2025-06-30", 1)
		row.Manager = c.manager
		b.load(t, row)
	}
	m := b.match(t)
	require.Equal(t, len(cases), m.Investments)
	require.Equal(t, map[string]int{"fund_name": 4, "fund_series": 2, "manager_name": 1}, m.ByMethod)
	require.Equal(t, 7, m.Matched)
	for i, c := range cases {
		got, was := b.investments(t, i+1)[0], found{}
		if got.Match != nil {
			was.method = got.Match.Method
			require.GreaterOrEqual(t, got.Match.Confidence, 0.8)
		}
		if got.GPCRD != nil {
			was.crd = *got.GPCRD
		}
		if got.FundID != nil {
			was.fundID = *got.FundID
		}
		require.Equal(t, c.want, was, "%s by %s", c.fund, c.manager)
	}
	// A name alone is no match.
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/lps?invested_with_crd=900106", As: ada, Contains: []string{`"total":0`}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/lps?invested_with_crd=900101", As: ada, Contains: []string{`"total":3`}})
}

// Guarantee: matching again changes nothing; it is due again when the catalog or the lists change; the operator's matches stay.
func TestMatchAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.Equal(t, lp.Matched{}, b.match(t))
	rows := []*peopleapi.Commitment{
		commitment("Larkspur Teachers", "MA", "Quill Capital Partners VI", "2025-06-30", 1), commitment("Larkspur Teachers", "MA", "Fernley Growth II", "2025-06-30", 1),
	}
	b.load(t, rows...)
	m := b.match(t)
	require.Equal(t, 2, m.Investments)
	require.Zero(t, m.Matched)
	require.Zero(t, b.match(t).Investments, "nothing has come since")
	b.file(t, market()...)
	m = b.match(t)
	require.Equal(t, 2, m.Matched)
	require.Equal(t, int64(2), m.Changed)
	before := b.dump(t)
	require.Zero(t, b.match(t).Investments)
	b.load(t, rows...)
	require.Zero(t, b.match(t).Investments, "the list was known")
	require.Equal(t, before, b.dump(t))

	_, err := database.Run(t.Context(), b.db, "override", `UPDATE people.lp_investments
		SET match_method = 'operator', match_crd = '900104', match_fund_id = NULL, match_confidence = 1 WHERE fund_key LIKE 'quill%'`, nil)
	require.NoError(t, err)
	b.load(t, commitment("Larkspur Teachers", "MA", "Quill Capital Partners IX", "2025-06-30", 1))
	require.Equal(t, 3, b.match(t).Investments)
	for _, got := range b.investments(t, 1) {
		switch got.FundName {
		case "Quill Capital Partners VI":
			require.Equal(t, "operator", got.Match.Method)
			require.Equal(t, "900104", *got.GPCRD)
		case "Quill Capital Partners IX":
			require.Equal(t, "900101", *got.GPCRD)
		}
	}
}
