package provider_test

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/platform/testkit/httpapitest"
)

// idOf is the ID that the documentation gives what unites the rows of a provider.
func idOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "prv_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// V17, V19: searches by the firms that serve a fund, of funds and of managers. What is unknown matches neither answer, and a provider that may
// be a person is like one that does not exist.
func TestFilters(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	third := "0000000103"
	b.file(filing{id: "5001", crd: "910001", on: "2026-08-01", funds: []string{first, second}, gav: 100, silent: []string{"marketer"}, owner: "ALDERWICK, JUNO", providers: []*catalogapi.ProviderRow{
		serves(first, "administrator", "Halfmoon Fund Services LLC|4711"), serves(second, "custodian", "Reedmere Bank N.A.|4712"),
		serves(first, "prime_broker", "J. Alderwick Placement LLC"),
	}})
	b.file(filing{id: "5002", crd: "910002", on: "2026-08-01", funds: []string{third}, gav: 100, silent: []string{"administrator"}, providers: []*catalogapi.ProviderRow{
		serves(third, "marketer", "Juno Alderwick"), serves(third, "custodian", "Halfmoon Fund Services LLC|4711"),
	}})
	log := slog.New(slog.DiscardHandler)
	filed := history.NewStore(b.DB)
	host := httpapitest.New(t, append(gp.Routes(gp.NewService(b.Index, filed, past.NewBuilder(b.DB, b.Clock, log, false), b.Clock)), fund.Routes(fund.NewService(b.Index, filed, nil, b.Clock))...)...)
	get := func(path string) (found string, total int) {
		var page struct {
			Data []struct {
				CRD    string
				FundID string `json:"fund_id"`
			}
			Meta struct{ Total int }
		}
		got := host.Do(t, httpapitest.Scenario{Path: path})
		require.NoError(t, json.Unmarshal([]byte(got.Body), &page), got.Body)
		var keys []string
		for _, r := range page.Data {
			keys = append(keys, strings.TrimPrefix(r.FundID, "805-0000000")+r.CRD)
		}
		return strings.Join(keys, " "), page.Meta.Total
	}
	halfmoon, bank := idOf("crd 4711"), idOf("crd 4712")
	withheld, person := idOf("name "+text.Key("J. Alderwick Placement LLC")), idOf("name "+text.Key("Juno Alderwick"))
	require.Equal(t, halfmoon, b.get("funds/805-" + first + "/providers?role=administrator").Data[0].ProviderID)
	for _, c := range []struct{ query, funds, gps string }{
		{"provider=" + halfmoon, "101 103", "910001 910002"},
		{"provider=" + halfmoon + "," + bank, "101 102 103", "910001 910002"},
		{"provider=" + halfmoon + "&provider_role=administrator", "101", "910001"},
		{"provider=" + halfmoon + "&provider_role=marketer", "", ""},
		{"provider=" + bank + "&has_administrator=true", "", ""}, // another fund of the manager has one
		{"provider=" + bank + "&has_administrator=false", "102", "910001"},
		{"provider=" + withheld, "", ""},
		{"provider=" + person, "", ""},
		{"provider=prv_aaaaaaaaaaaaaaaa", "", ""},
		{"provider_role=marketer", "103", "910002"},
		{"provider_role=administrator,custodian", "101 102 103", "910001 910002"},
		{"has_administrator=true", "101", "910001"},
		{"has_administrator=false", "102", "910001"},
		{"has_prime_broker=true", "101", "910001"},
		{"has_prime_broker=false", "102 103", "910001 910002"},
		{"has_custodian=true", "102 103", "910001 910002"},
		{"has_marketer=true", "103", "910002"},
		{"has_marketer=false", "", ""}, // unknown of the first two
	} {
		found, _ := get("/v1/funds?q=fund+0000000&sort=name&" + c.query)
		require.Equal(t, c.funds, found, c.query)
		found, _ = get("/v1/gps?crd=910001,910002&sort=as_sent&" + c.query)
		require.Equal(t, c.gps, found, c.query)
	}
	for _, bad := range []string{"provider=Halfmoon", "provider=juno+alderwick", "provider=" + halfmoon[:19], "provider=" + halfmoon + ",", "provider_role=general_partner", "has_marketer=maybe"} {
		for _, path := range []string{"/v1/funds?", "/v1/gps?"} {
			host.Do(t, httpapitest.Scenario{Path: path + bad, Status: http.StatusBadRequest, Contains: []string{strings.Split(bad, "=")[0]}})
		}
	}
	host.Do(t, httpapitest.Scenario{Path: "/v1/gps?provider=halfmoon", Status: http.StatusBadRequest, Contains: []string{"/v1/providers/suggest"}})

	// What three managers name is a firm, whatever persons their filings name.
	for n := range 2 {
		id := fmt.Sprintf("%010d", 200+n)
		b.file(filing{id: strconv.Itoa(5010 + n), crd: strconv.Itoa(910010 + n), on: "2026-08-01", funds: []string{id}, gav: 1, providers: []*catalogapi.ProviderRow{serves(id, "marketer", "J. Alderwick Placement LLC")}})
	}
	_, total := get("/v1/gps?provider=" + withheld)
	require.Equal(t, 3, total)
}
