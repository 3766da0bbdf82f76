package provider_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/testkit/httpapitest"
)

type change struct {
	CRD             string
	Role            string
	FilingDate      string `json:"filing_date"`
	AccessionNumber string `json:"accession_number"`
	Changed         int    `json:"funds_changed"`
	Funds           int    `json:"funds_in_filing"`
	Before, After   []row
	Withheld        int
}

func (c change) String() string {
	names := func(rows []row) string {
		var list []string
		for _, r := range rows {
			list = append(list, r.Name)
		}
		return strings.Join(list, "+")
	}
	return fmt.Sprintf("%s %s %d/%d %s>%s", strings.TrimPrefix(c.AccessionNumber, "ADV-"), c.Role, c.Changed, c.Funds, names(c.Before), names(c.After))
}

// changes walks all pages of so many rows.
func (b *bench) changes(query string, limit int) (list []string) {
	b.t.Helper()
	if !strings.Contains(query, "crd=") {
		query += "&crd=910001,910002" // the fixture has changes of its own
	}
	path := fmt.Sprintf("/v1/providers/changes?from=2026-01-01&limit=%d&%s", limit, query)
	for next := ""; ; {
		var page struct {
			Data []change
			Meta struct {
				NextCursor *string `json:"next_cursor"`
			}
		}
		got := b.host.Do(b.t, httpapitest.Scenario{Path: path + next})
		require.NoError(b.t, json.Unmarshal([]byte(got.Body), &page), got.Body)
		for _, c := range page.Data {
			list = append(list, c.String())
		}
		if page.Meta.NextCursor == nil {
			return list
		}
		require.Len(b.t, page.Data, limit)
		next = "&cursor=" + url.QueryEscape(*page.Meta.NextCursor)
	}
}

// V18: a switch, a respelling, a first and a last provider, a new fund, a moved fund, a silent filing between two, a restated filing.
func TestChanges(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	admin := func(of map[string]string) []*catalogapi.ProviderRow {
		rows := []*catalogapi.ProviderRow{}
		for _, fund := range []string{first, second, "0000000103"} {
			if of[fund] != "" {
				rows = append(rows, serves(fund, "administrator", of[fund]))
			}
		}
		return rows
	}
	f := func(id, crd, on string, of map[string]string, funds ...string) filing {
		return filing{id: id, crd: crd, on: on, funds: funds, gav: 7, providers: admin(of), auditors: map[string]string{first: "Birch Audit LLP"}}
	}
	both := func(name string) map[string]string { return map[string]string{first: name, second: name} }
	b.file(f("5001", "910001", "2026-02-01", both("Halfmoon Fund Services LLC"), first, second))
	b.file(f("5002", "910001", "2026-03-01", both("HALFMOON FUND SERVICES, L.L.C."), first, second)) // respelled
	require.Empty(t, b.changes("", 25))
	silent := f("5003", "910001", "2026-04-01", nil, first, second)
	silent.silent = []string{"administrator"}
	b.file(silent)
	b.file(f("5004", "910001", "2026-05-01", both("Reedmere Admin Ltd"), first, second)) // a switch of both
	require.Equal(t, []string{"910001-5004 administrator 2/2 Halfmoon Fund Services LLC>Reedmere Admin Ltd"}, b.changes("", 25))
	last := f("5005", "910001", "2026-06-01", map[string]string{first: "Reedmere Admin Ltd", "0000000103": "Gannet Admin LLC"}, first, second, "0000000103")
	last.auditors = map[string]string{first: "Sloane Audit LLP", second: "Sloane Audit LLP"}
	b.file(last)                                                                                 // the second has none any more, the third is new; two auditors, one of them the first
	b.file(f("6001", "910002", "2026-07-01", map[string]string{first: "Tarn Admin LLC"}, first)) // has moved
	all := []string{
		"910001-5005 administrator 1/3 Reedmere Admin Ltd>", "910001-5005 auditor 1/3 >Sloane Audit LLP", "910001-5005 auditor 1/3 Birch Audit LLP>Sloane Audit LLP",
		"910001-5004 administrator 2/2 Halfmoon Fund Services LLC>Reedmere Admin Ltd",
	}
	require.ElementsMatch(t, all, b.changes("", 25))
	require.Equal(t, b.changes("", 25), b.changes("", 1))
	require.Equal(t, all[3:], b.changes("provider=halfmoon", 1))
	require.ElementsMatch(t, []string{all[0], all[3]}, b.changes("provider=nothing;reed+adm", 1))
	require.Empty(t, b.changes("provider=nothing", 1))
	require.ElementsMatch(t, all[1:3], b.changes("role=auditor,custodian", 1))
	require.Equal(t, all[3:], b.changes("to=2026-05-01&state=TX&strategy=hedge&crd=910001", 25))
	for _, none := range []string{"to=2026-04-30", "state=CA", "strategy=venture", "crd=910002"} {
		require.Empty(t, b.changes(none, 25), none)
	}
	id := b.get("providers/suggest?q=reedmere").Data
	require.Empty(t, id, "it serves no open fund of a manager's newest filing")
	id = b.get("providers/suggest?q=gannet").Data
	require.Len(t, id, 1)
	require.Empty(t, b.changes("provider="+id[0].ProviderID, 25))

	b.file(f("5004", "910001", "2026-05-01", both("Gannet Admin LLC"), first, second)) // restated
	require.Contains(t, b.changes("", 25), "910001-5004 administrator 2/2 Halfmoon Fund Services LLC>Gannet Admin LLC")
	require.Contains(t, b.changes("provider="+id[0].ProviderID, 25), "910001-5005 administrator 1/3 Gannet Admin LLC>Reedmere Admin Ltd")
	before := b.changes("", 25)
	changed, err := load.New(b.DB, b.Clock, discard).RefreshDerived(t.Context())
	require.NoError(t, err)
	require.Zero(t, changed)
	require.Equal(t, before, b.changes("", 25), "a refresh finds the same")
	for _, bad := range []string{"", "from=2026-01-01&to=2025-12-31", "from=2025-01-01&to=2026-02-06", "from=2026-01-01&role=x", "from=2026-01-01&cursor=x", "from=2026-01-01&crd=x"} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/providers/changes?" + bad, Status: http.StatusBadRequest})
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/providers/changes?from=2025-01-01&to=" + time.Date(2026, 2, 5, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)})
}
