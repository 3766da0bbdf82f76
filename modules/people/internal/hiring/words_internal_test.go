package hiring

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRoleOf(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Partner": "partner", "Operating Partner, Industrials": "partner", "Venture Partner": "partner", "Associate Partner": "partner", "President": "partner",
		"Chief Executive Officer": "partner", "General Partner": "partner", "Co-Founder": "partner",
		"Managing Director, Private Credit": "md", "Investor Relations – Managing Director": "md", "Head of Legal": "md", "Executive Director": "md", "General Counsel": "md",
		"Chief Financial Officer": "md", "CFO, Funds": "md", "IR Head": "md", "Co-Head of Infrastructure": "md", "MD/Partner": "md",
		"Vice President": "vp", "V.P., Tax": "vp", "VP - Investor Relations": "vp", "Senior Vice President, Office of the President": "vp", "Principal": "vp",
		"Senior Principal, Buyout": "vp", "Principal (Growth)": "vp", "Director of Finance": "vp", "Vice President & Assistant General Counsel": "vp", "Director, LP Relations": "vp",
		"Associate": "associate", "Senior Associate": "associate", "Associate Director": "associate", "Assistant Vice President": "associate", "Associate Vice President": "associate",
		"LP Relations Associate": "associate", "Sales associate": "associate", "Associate, Partner Relations": "associate", "Limited Partner Services Associate": "associate",
		"Analyst": "analyst", "Investment Analyst II": "analyst", "2027 Summer Analyst - Private Equity": "analyst", "Analyst, Office of the President": "analyst",
		"Analyst/Associate": "analyst", "FINANCIAL ANALYST": "analyst",
		"Executive Assistant to Managing Partner": "", "Executive Assistant, Managing Director": "", "HR Business Partner": "", "Chief of Staff": "", "Software Engineer": "",
		"Principal Engineer": "", "Partnerships Manager": "", "Associate General Counsel": "", "Deputy General Counsel": "", "Fund Accountant": "", "": "", "经理": "",
	} {
		require.Equal(t, want, roleOf(title), title)
	}
}

func TestDepartmentOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Private Equity": "investment", "Investments": "investment", "Growth Equity; Deal Team": "investment", "Real Estate - Acquisitions": "investment",
		"Structured Finance": "investment", "Portfolio Operations": "operations", "Investment Operations": "operations", "Information Technology": "operations",
		"IT Infrastructure": "operations", "People & Talent": "operations", "Investor Relations": "ir", "IR/Capital Formation": "ir", "Client Solutions": "ir",
		"Legal & Compliance": "legal", "Investment Compliance": "legal", "Finance": "finance", "Fund Accounting": "finance", "Tax": "finance",
		"Harbor Ridge Capital": "", "Corporate": "", "": "",
	} {
		require.Equal(t, want, departmentOf(text, ""), text)
		require.Equal(t, want, departmentOf("", text), text)
		require.Equal(t, want, departmentOf("Boston", text), text)
	}
	require.Equal(t, "finance", departmentOf("Finance", "Analyst, Investor Relations"), "the board's own department counts first")
}

// The tables use the contract's words only, and each phrase can be found in a text.
func TestTables(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]struct {
		phrases []phrase
		words   []string
	}{
		"roles":       {roles, []string{"", "partner", "md", "vp", "associate", "analyst"}},
		"departments": {departments, []string{"investment", "operations", "ir", "legal", "finance"}},
	} {
		seen := map[string]bool{}
		for _, p := range table.phrases {
			require.Contains(t, table.words, p.means, name)
			require.False(t, seen[p.words], p.words)
			seen[p.words] = true
			require.Contains(t, spaced(strings.TrimSuffix(strings.TrimSpace(p.words), ",")), p.words)
		}
		require.True(t, slices.ContainsFunc(table.phrases, func(p phrase) bool { return p.means != "" }))
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"Vice President", "HR Business Partner, Limited Partner Business Partner", " - ", "\xff", "İ ß ﬀ", strings.Repeat("Partner Relations ", 20)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		require.Contains(t, []string{"", "partner", "md", "vp", "associate", "analyst"}, roleOf(s))
		require.Contains(t, []string{"", "investment", "operations", "ir", "legal", "finance"}, departmentOf(s, s))
	})
}

func BenchmarkShown(b *testing.B) {
	r := postingRow{Vendor: "greenhouse", Token: "x", PostingID: "1", Title: "Senior Software Engineer, Portfolio Analytics Platform", Department: "Corporate"}
	for b.Loop() {
		_ = r.shown()
	}
}
