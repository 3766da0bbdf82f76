package panel_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/httpapitest"
)

// instant is the database's clock, by which documents are processed.
func (b *bench) instant() (at string) {
	b.t.Helper()
	var when time.Time
	require.NoError(b.t, b.DB.Conn(b.t.Context(), func(c *pgx.Conn) error {
		return c.QueryRow(b.t.Context(), "SELECT clock_timestamp()").Scan(&when)
	}))
	return "known_at=" + url.QueryEscape(when.UTC().Format(time.RFC3339Nano))
}

// panels are the lists of the managers that the tests file for.
func panels() (addresses []string) {
	for _, crd := range []string{"900001", "900002"} {
		for _, list := range []string{"offices?", "affiliates?", "affiliates?direction=names_me&", "sub-advised-funds?", "sub-advised-funds?direction=names_me&", "websites?", "owners?"} {
			addresses = append(addresses, crd+"/"+list)
		}
	}
	return addresses
}

func (b *bench) all(moment string) map[string]string {
	b.t.Helper()
	bodies := map[string]string{}
	for _, at := range panels() {
		bodies[at] = b.host.Do(b.t, httpapitest.Scenario{Path: "/v1/gps/" + at + moment}).Body
	}
	return bodies
}

// month is the lists of one filing of 900001 in an edition of a month.
func month(id, word string) lists {
	site := "https://" + strings.ToLower(word) + ".example.com"
	return lists{
		offices:    []*catalogapi.OfficeRow{officeIn(id, word)},
		affiliates: []*catalogapi.AffiliateRow{{FilingKey: id, LegalName: word + " Securities LLC", CRD: "900002", Types: []string{"a"}, CommonControl: new(true), File: "f", Line: 2}},
		subAdvised: []*catalogapi.SubAdvisedRow{{FilingKey: id, FundID: "805-0000000021", Name: word + " Fund LP", File: "f", Line: 2}},
		websites:   []*catalogapi.WebsiteRow{{FilingKey: id, Website: site, File: "f", Line: 2}},
		owners:     []*catalogapi.OwnerRow{{FilingKey: id, Schedule: "A", Name: word + " HOLDINGS LLC", EntityType: "DE", OwnershipCode: "E", File: "f", Line: 2}},
	}
}

// V38: a month that is restated. known_at shows the lists that were known, byte for byte, as_of those that stand; a filing that is
// restated to nothing states an empty list.
func TestMomentsOfARestatedMonth(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.file("5001", "900001", "2026-08-01", month("5001", "Salem"))
	b.file("5002", "900001", "2026-09-01", month("5002", "Boston"))
	first, asked := b.all(""), b.instant()
	require.Contains(t, first["900001/offices?"], `"city":"Boston"`)
	require.Contains(t, first["900002/affiliates?direction=names_me&"], "ADV-900001-5002")
	require.Contains(t, first["900002/sub-advised-funds?direction=names_me&"], "Boston Fund LP")
	require.Contains(t, first["900001/websites?"], "https://boston.example.com")
	require.Contains(t, first["900001/owners?"], "Boston HOLDINGS LLC")

	b.file("5002", "900001", "2026-09-01", month("5002", "Juneau"))
	second, again := b.all(""), b.instant()
	for at, body := range second {
		if strings.Contains(body, "Juneau") || strings.Contains(first[at], "Boston ") {
			require.NotEqual(t, first[at], body, at)
		}
	}
	require.Contains(t, second["900001/owners?"], "Juneau HOLDINGS LLC")
	none := lists{
		offices: []*catalogapi.OfficeRow{}, affiliates: []*catalogapi.AffiliateRow{}, subAdvised: []*catalogapi.SubAdvisedRow{}, websites: []*catalogapi.WebsiteRow{}, owners: []*catalogapi.OwnerRow{},
	}
	b.file("5002", "900001", "2026-09-01", none)
	third := b.all("")
	require.NotContains(t, strings.Join(slices.Collect(maps.Values(third)), ""), "Juneau ")
	require.Contains(t, third["900001/owners?"], `"data":[]`)

	require.Equal(t, first, b.all(asked))
	require.Equal(t, second, b.all(again))
	require.Equal(t, third, b.all("as_of=2026-09-01"))
	require.Equal(t, third, b.all("as_of=2026-09-01&"+b.instant()))
	before := b.all("as_of=2026-08-31")
	for _, list := range []string{"offices?", "affiliates?", "sub-advised-funds?", "websites?", "owners?"} {
		require.Contains(t, before["900001/"+list], `"accession_number":"ADV-900001-5001"`, list)
	}
	require.Contains(t, before["900001/owners?"], "Salem HOLDINGS LLC")
	require.Contains(t, before["900002/affiliates?direction=names_me&"], "ADV-900001-5001")
	require.Equal(t, before, b.all("as_of=2026-08-31&"+asked))
}

// Names are those of the moment, of a firm that names and of one that is named; a manager that no filing describes by then is not found.
func TestNamesOfAMoment(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.file("5001", "900077", "2026-08-01", month("5001", "Salem"))
	b.file("5003", "900077", "2026-08-20", lists{})
	require.Equal(t, []any{"Larkspur Gate Capital LLC"}, b.get("900002/affiliates?direction=names_me").values("legal_name"))
	require.NoError(t, b.DB.Conn(t.Context(), func(c *pgx.Conn) error {
		_, err := c.Exec(t.Context(), "INSERT INTO catalog.overrides (id, crd, field, value, valid_from) VALUES (1, '900077', 'legal_name', 'Larkspur Renamed LLC', '2026-08-10')")
		return err
	}))
	require.Equal(t, []any{"Larkspur Gate Capital LLC"}, b.get("900002/affiliates?direction=names_me&as_of=2026-08-09").values("legal_name"))
	require.Equal(t, []any{"Larkspur Renamed LLC"}, b.get("900002/affiliates?direction=names_me&as_of=2026-08-10").values("legal_name"))
	for _, list := range []string{"offices", "affiliates", "affiliates?direction=names_me", "sub-advised-funds", "websites", "owners"} {
		at := list + "?as_of=2026-07-31"
		if strings.Contains(list, "?") {
			at = list + "&as_of=2026-07-31"
		}
		b.host.Do(t, httpapitest.Scenario{
			Path: "/v1/gps/900077/" + at, Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 900077 is in no filing up to 2026-07-31"}`,
		})
	}
}
