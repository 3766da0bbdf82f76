package lp_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/itertest"
)

// funds are the keys of the funds of all LPs that have figures, by the newest names of the funds.
func (b *bench) funds(t *testing.T) []string {
	t.Helper()
	list, err := database.Values[string](t.Context(), b.db, "read funds", `SELECT i.fund_key || ' = ' || f.fund_name
FROM people.lp_investments i JOIN people.lp_figures f ON f.investment_id = i.id ORDER BY i.lp_id, i.fund_key`, nil)
	require.NoError(t, err)
	return list
}

const later = "2025-12-31"

// Guarantee: a fund stays the same if its legal form at the end, case or punctuation changes from list to list or from day to day. Two names on one day
// of a list are two funds, and so are names with different forms. Loading a list again changes nothing.
func TestFundsUnderOtherForms(t *testing.T) {
	t.Parallel()
	type row struct{ fund, on string }
	for name, c := range map[string]struct {
		lists [][]row
		want  []string
	}{
		"form added":           {[][]row{{{"Quill IV", midyear}}, {{"QUILL IV, L.P.", later}}}, []string{"quill iv = QUILL IV, L.P."}},
		"form dropped":         {[][]row{{{"Quill IV LLC", midyear}}, {{"Quill 4", later}}}, []string{"quill iv llc = Quill 4"}},
		"form in full":         {[][]row{{{"Quill IV LP*", midyear}}, {{"Quill IV Limited Partnership", later}}}, []string{"quill iv lp* = Quill IV Limited Partnership"}},
		"form in words":        {[][]row{{{"Quill IV Limited Liability Company", midyear}}, {{"Quill IV LLC", later}}}, []string{"quill iv limited liability company = Quill IV LLC"}},
		"in one list":          {[][]row{{{"Quill IV, SCSp", midyear}, {"Quill IV", later}}}, []string{"quill iv = Quill IV"}},
		"other forms":          {[][]row{{{"Quill IV LP", midyear}}, {{"Quill IV Ltd", later}}}, []string{"quill iv lp = Quill IV LP", "quill iv ltd = Quill IV Ltd"}},
		"parallel vehicles":    {[][]row{{{"Quill IV LP", midyear}, {"Quill IV Ltd", midyear}}, {{"Quill IV", later}}}, []string{"quill iv = Quill IV", "quill iv lp = Quill IV LP", "quill iv ltd = Quill IV Ltd"}},
		"parallel, one bare":   {[][]row{{{"Quill IV", midyear}}, {{"Quill IV", later}, {"Quill IV LP", later}}}, []string{"quill iv = Quill IV", "quill iv lp = Quill IV LP"}},
		"parallel, one later":  {[][]row{{{"Quill IV LP", midyear}, {"Quill IV Ltd", midyear}}, {{"Quill IV LP", later}}}, []string{"quill iv lp = Quill IV LP", "quill iv ltd = Quill IV Ltd"}},
		"called so before":     {[][]row{{{"Quill IV LP", midyear}}, {{"Quill IV", later}}, {{"Quill IV Ltd", later}}}, []string{"quill iv lp = Quill IV", "quill iv ltd = Quill IV Ltd"}},
		"another fund":         {[][]row{{{"Quill IV", midyear}}, {{"Quill IV-A, L.P.", later}}}, []string{"quill iv = Quill IV", "quill iv-a, l.p. = Quill IV-A, L.P."}},
		"other in parentheses": {[][]row{{{"Quill IV (Onshore)", midyear}}, {{"Quill IV (Offshore)", later}}}, []string{"quill iv (offshore) = Quill IV (Offshore)", "quill iv (onshore) = Quill IV (Onshore)"}},
	} {
		b := setup(t)
		var dumped []string
		for round := range 2 {
			for _, list := range c.lists {
				var rows []*peopleapi.Commitment
				for _, r := range list {
					rows = append(rows, commitment("Larkspur Teachers", "MA", r.fund, r.on, 10))
				}
				b.load(t, rows...)
			}
			require.Equal(t, c.want, b.funds(t), name)
			if round == 0 {
				dumped = b.dump(t)
			}
			require.Equal(t, dumped, b.dump(t), name)
		}
	}
}

// Guarantee: funds that were stored twice, because earlier releases compared their legal forms, are one when the list is loaded again.
func TestFundsThatWereStoredTwice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.named(t, 1, nil, commitment("Larkspur Teachers", "MA", "Quill IV", midyear, 10))
	for _, statement := range []string{
		"INSERT INTO people.lp_investments (lp_id, fund_key) SELECT lp_id, 'quill iv, lp*' FROM people.lp_investments",
		"INSERT INTO people.lp_statements SELECT (jsonb_populate_record(s, '{\"investment_id\": 2, \"fund_name\": \"Quill IV, LP*\", \"as_of\": \"" + later + "\"}')).* FROM people.lp_statements s",
	} {
		_, err := database.Run(t.Context(), b.db, "store it twice", statement, nil)
		require.NoError(t, err)
	}
	r := b.named(t, 2, []int64{1}, commitment("Larkspur Teachers", "MA", "Quill IV", midyear, 10), commitment("Larkspur Teachers", "MA", "Quill IV, LP*", later, 10))
	require.Len(t, r.TakenBack, 1)
	require.Equal(t, []string{"quill iv = Quill IV, LP*"}, b.funds(t))
}

// Guarantee: an LP's funds that a list lacks are named if most of them have the commitments of funds that are new for the LP, and their vintage years
// where both are known. Funds that were sold, and new ones, are not; nor are funds of another list or of an earlier day.
func TestRenamedFunds(t *testing.T) {
	t.Parallel()
	const n = 40
	for name, c := range map[string]struct {
		vintage bool
		gone    int    // of the funds that were listed before
		added   int    // new funds, with the same commitments in that order
		now     string // what they are called
		young   bool   // with the vintage years of new funds
		aside   int    // funds that another list had before
		renamed int
	}{
		"renamed":                       {vintage: true, gone: 3, added: 3, now: "Other", renamed: 3},
		"renamed, without vintages":     {gone: 9, added: 9, now: "Other", renamed: 9},
		"all of one LP":                 {vintage: true, gone: n, added: n, now: "Other", renamed: n},
		"with other forms":              {vintage: true, gone: n, added: n, now: "Fund"},
		"two":                           {vintage: true, gone: 2, added: 2, now: "Other"},
		"half were sold":                {vintage: true, gone: 20, added: 10, now: "Other"},
		"a tenth is new":                {vintage: true, gone: 4, added: 4, now: "Other", young: true},
		"a tenth is new, no vintages":   {gone: 4, added: 4, now: "Other"},
		"a fifth is new, no vintages":   {gone: 8, added: 8, now: "Other"},
		"beside another list of the LP": {vintage: true, gone: 3, added: 3, now: "Other", aside: 30, renamed: 3},
		"other list, new funds":         {vintage: true, added: 9, now: "Aside", aside: 30},
	} {
		b := setup(t)
		fund := func(named string, i int, on string) *peopleapi.Commitment {
			f := commitment("Larkspur Teachers", "MA", named+" "+strconv.Itoa(i), on, int64(25*(1+i%5)))
			if c.vintage {
				f.Vintage = new(int16(2000 + i%20))
			}
			return f
		}
		var before, now, aside []*peopleapi.Commitment
		for i := range n {
			before = append(before, fund("Fund", i, midyear))
			if i >= c.gone {
				now = append(now, fund("Fund", i, later))
			}
		}
		for i := range c.added {
			f := fund(c.now, i, later)
			if f.Fund += ", L.P."; c.young {
				f.Vintage = new(int16(2025))
			}
			now = append(now, f)
		}
		for i := range c.aside {
			aside = append(aside, fund("Elsewhere", i, midyear))
		}
		b.load(t, before...)
		b.load(t, aside...)
		var got []peopleapi.RenamedFund
		_, err := b.service.Load(t.Context(), peopleapi.List{RunID: 9, Rows: itertest.Rows(now...), Accept: func(_ context.Context, read peopleapi.ListRead) error {
			got = read.RenamedFunds
			return nil
		}})
		require.NoError(t, err)
		require.Len(t, got, c.renamed, name)
		if c.renamed == 3 {
			require.Equal(t, peopleapi.RenamedFund{LP: "Larkspur Teachers", State: "MA", Fund: "Fund 0", Now: "Other 0, L.P."}, got[0])
		}
	}
}
