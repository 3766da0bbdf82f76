package panel_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/affiliate"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/office"
	"gpatlas/modules/catalog/internal/owner"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/modules/catalog/internal/subadvised"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/modules/catalog/internal/website"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

type bench struct {
	*fixture.Catalog
	t    *testing.T
	host *httpapitest.Host
}

func newBench(t *testing.T) *bench {
	t.Helper()
	c := fixture.New(t)
	// The database's clock dates what was processed, and tests ask about these instants.
	c.Clock = clock.Fixed(time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC))
	filed := history.NewStore(c.DB)
	store, gps := panel.NewStore(c.DB, filed, c.Clock), gp.NewService(c.Index, filed, nil, c.Clock)
	routes := office.Routes(office.NewService(gps, store))
	routes = append(routes, affiliate.Routes(affiliate.NewService(store))...)
	routes = append(routes, subadvised.Routes(subadvised.NewService(store))...)
	routes = append(routes, website.Routes(website.NewService(gps, store))...)
	routes = append(routes, owner.Routes(owner.NewService(store))...)
	return &bench{c, t, httpapitest.New(t, routes...)}
}

// answer is the parts that the lists share.
type answer struct {
	Data []map[string]any
	Meta struct {
		Total, Withheld int
		Basis           map[string]any
	}
}

func (b *bench) get(path string) (a answer) {
	b.t.Helper()
	got := b.host.Do(b.t, httpapitest.Scenario{Path: "/v1/gps/" + path})
	require.NoError(b.t, json.Unmarshal([]byte(got.Body), &a), got.Body)
	return a
}

// values are one field of the rows.
func (a answer) values(field string) (list []any) {
	for _, row := range a.Data {
		list = append(list, row[field])
	}
	return list
}

// lists are the tables of one filing; nil is no table.
type lists struct {
	offices    []*catalogapi.OfficeRow
	affiliates []*catalogapi.AffiliateRow
	subAdvised []*catalogapi.SubAdvisedRow
	websites   []*catalogapi.WebsiteRow
	owners     []*catalogapi.OwnerRow
}

// file loads an archive with one filing.
func (b *bench) file(id, crd, on string, l lists) {
	b.t.Helper()
	day, err := time.Parse(time.DateOnly, on)
	require.NoError(b.t, err)
	b.Add(b.t, catalogapi.Document{
		Name: "ADV_" + id + ".zip", Source: catalogapi.SourceADVArchive,
		Filings: itertest.Rows(&catalogapi.AdviserFiling{
			Key: id, FilingID: id, CRD: crd, Submitted: day, Statement: catalogapi.Statement{LegalName: "Larkspur Gate Capital LLC", City: new("Boston")},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, File: "f", Line: 2,
		}),
		Offices: table(l.offices), Affiliates: table(l.affiliates), SubAdvised: table(l.subAdvised), Websites: table(l.websites), Owners: table(l.owners),
	})
}

func table[T any](rows []T) func(func(T, error) bool) {
	if rows == nil {
		return nil
	}
	return itertest.Rows(rows...)
}

func officeIn(id, city string) *catalogapi.OfficeRow {
	return &catalogapi.OfficeRow{FilingKey: id, Street1: "2 Invented Street", City: city, File: "f", Line: 2}
}

// A list that no document had is unknown; one that is there without rows is none; an archive without the table leaves the list of the
// filing before.
func TestUnknownIsNotNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, list := range []string{"affiliates", "sub-advised-funds"} {
		got := b.get("900001/" + list)
		require.Empty(t, got.Data)
		require.Equal(t, map[string]any{"stated": false, "accession_number": nil, "filing_type": nil, "filing_date": nil, "source": nil}, got.Meta.Basis, list)
	}
	require.Equal(t, []any{true}, b.get("900001/offices").values("main"), "the main office is known all the same")
	b.file("5001", "900001", "2026-08-01", lists{
		offices: []*catalogapi.OfficeRow{}, affiliates: []*catalogapi.AffiliateRow{}, subAdvised: []*catalogapi.SubAdvisedRow{}, websites: []*catalogapi.WebsiteRow{},
	})
	for _, list := range []string{"offices", "affiliates", "sub-advised-funds", "websites"} {
		got := b.get("900001/" + list)
		require.Equal(t, map[string]any{
			"stated": true, "accession_number": "ADV-900001-5001", "filing_type": "ADV/A", "filing_date": "2026-08-01", "source": "adv_archive",
		}, got.Meta.Basis, list)
	}
	b.file("5002", "900001", "2026-09-01", lists{})
	require.Equal(t, "ADV-900001-5001", b.get("900001/affiliates").Meta.Basis["accession_number"])
}

// V40: what one manager's newest list says of another, the other's list says in the opposite direction.
func TestBothDirectionsAgree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	affiliate := func(id, crd string, control bool) *catalogapi.AffiliateRow {
		return &catalogapi.AffiliateRow{FilingKey: id, LegalName: "Named " + crd + " LLC", CRD: crd, Types: []string{"b", "p"}, CommonControl: &control, File: "f", Line: 2}
	}
	fund := func(id, fund string) *catalogapi.SubAdvisedRow {
		return &catalogapi.SubAdvisedRow{FilingKey: id, FundID: fund, Name: "As filed", AdviserName: "Kestrel LLC", AdviserSECNumber: "801-2", File: "f", Line: 2}
	}
	b.file("5001", "900001", "2026-08-01", lists{
		affiliates: []*catalogapi.AffiliateRow{affiliate("5001", "900002", true), affiliate("5001", "900003", false), affiliate("5001", "77", true)},
		subAdvised: []*catalogapi.SubAdvisedRow{fund("5001", "805-0000000021"), fund("5001", "805-9999999999")},
	})
	b.file("5002", "900003", "2026-08-01", lists{affiliates: []*catalogapi.AffiliateRow{affiliate("5002", "900002", false)}})
	b.file("5003", "900003", "2026-08-02", lists{affiliates: []*catalogapi.AffiliateRow{affiliate("5003", "900001", true)}})
	type edge struct {
		from, to      string
		commonControl any
	}
	var named, naming []edge
	for _, crd := range []string{"900001", "900002", "900003"} {
		for _, row := range b.get(crd + "/affiliates").Data {
			if to := row["crd"].(string); to != "77" {
				named = append(named, edge{crd, to, row["common_control"]})
			}
		}
		for _, row := range b.get(crd + "/affiliates?direction=names_me").Data {
			naming = append(naming, edge{row["crd"].(string), crd, row["common_control"]})
			require.Contains(t, row, "source")
		}
	}
	require.ElementsMatch(t, []edge{{"900001", "900002", true}, {"900001", "900003", false}, {"900003", "900001", true}}, named, "as filed")
	require.ElementsMatch(t, named, naming)
	require.Equal(t, []any{"900002", nil}, b.get("900001/sub-advised-funds").values("adviser_crd"))
	other := b.get("900002/sub-advised-funds?direction=names_me")
	require.Equal(t, []any{"900001"}, other.values("sub_adviser_crd"))
	require.Equal(t, []any{"805-0000000021"}, other.values("fund_id"))
	require.Equal(t, []any{map[string]any{"accession_number": "ADV-900001-5001", "filing_type": "ADV/A", "filing_date": "2026-08-01"}}, other.values("source"))
}

// No name of a natural person is in an answer, and no street of a residence.
func TestPersonsAreWithheld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	home := officeIn("5001", "Salem")
	home.Residence = new(true)
	var affiliates []*catalogapi.AffiliateRow
	for _, name := range []string{"ALDERWICK, JUNO, PERSON", "JUNO ALDERWICK", "THE JUNO ALDERWICK REVOCABLE TRUST", "MOSSGATE SECURITIES LLC", "Harbor Ridge GP II, L.P.", "JUNO M. ALDERWICK LLC", "J. Alderwick Securities LLC", "ALDERWICK FAMILY LLC"} {
		affiliates = append(affiliates, &catalogapi.AffiliateRow{FilingKey: "5001", LegalName: name, SECNumber: "8-1", File: "f", Line: 2})
	}
	var websites []*catalogapi.WebsiteRow
	for _, site := range []string{
		"https://larkspurgate.example.com", "www.larkspurgate.example.com/juno-alderwick", "https://www.linkedin.com/in/juno-alderwick", "https://www.linkedin.com/company/larkspur-gate",
		"https://x.com/junoalderwick", "https://x.com/LarkspurGateCap", "https://x.com/larkspurgate?who=juno", "https://junoalderwick.example.org", "https://larkspurfunds.example.org",
		"https://brokercheck.org/individual/summary/12", "https://larkspurgate.example.com/team/juno-alderwick", "https://olathorne.example.org", "n/a",
	} {
		websites = append(websites, &catalogapi.WebsiteRow{FilingKey: "5001", Website: site, File: "f", Line: 2})
	}
	// A person of an earlier filing, whom the filer marked as an entity.
	b.file("5000", "900001", "2026-07-01", lists{
		owners: []*catalogapi.OwnerRow{{FilingKey: "5000", Schedule: "A", Name: "THORNE, OLA, MARSH", EntityType: "DE", OwnershipCode: "E", File: "f", Line: 2}},
	})
	subAdvised := []*catalogapi.SubAdvisedRow{
		{FilingKey: "5001", FundID: "805-9999999999", Name: "As filed", AdviserName: "OLA THORNE LLC", File: "f", Line: 2},
		{FilingKey: "5001", FundID: "805-9999999998", Name: "As filed", AdviserName: "KESTREL LLC", File: "f", Line: 2},
	}
	b.file("5001", "900001", "2026-08-01", lists{
		offices: []*catalogapi.OfficeRow{home}, affiliates: affiliates, websites: websites, subAdvised: subAdvised,
		owners: []*catalogapi.OwnerRow{{FilingKey: "5001", Schedule: "A", Name: "ALDERWICK, JUNO, PERSON", EntityType: "I", OwnershipCode: "E", File: "f", Line: 2}},
	})
	got := b.get("900001/affiliates")
	require.Equal(t, []any{"MOSSGATE SECURITIES LLC", "Harbor Ridge GP II, L.P."}, got.values("legal_name"))
	require.Equal(t, 6, got.Meta.Withheld, "also firms that are called after an owner, and family vehicles")
	require.Equal(t, 2, got.Meta.Total)
	offices := b.get("900001/offices")
	require.Equal(t, []any{nil, nil}, offices.values("street1"))
	require.Equal(t, []any{"Boston", "Salem"}, offices.values("city"))
	sites := b.get("900001/websites")
	require.Equal(t, []any{
		"https://larkspurgate.example.com", "https://www.linkedin.com/company/larkspur-gate", "https://x.com/larkspurgate", "https://larkspurfunds.example.org",
	}, sites.values("url"))
	require.Equal(t, []any{"own", "social", "social", "other"}, sites.values("kind"))
	require.Equal(t, 5, sites.Meta.Withheld)
	require.Equal(t, []any{nil, "KESTREL LLC"}, b.get("900001/sub-advised-funds").values("adviser_name"))
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for path, contains := range map[string]string{
		"/v1/gps/0123/offices": "Invalid crd", "/v1/gps/900001/offices?limit=0": "Invalid limit", "/v1/gps/900001/offices?limit=101": "Invalid limit",
		"/v1/gps/900001/affiliates?direction=up": "Invalid direction", "/v1/gps/900001/websites?kind=own": "kind",
		"/v1/gps/900001/sub-advised-funds?as_of=2100-01-01": "as_of", "/v1/gps/900001/affiliates?known_at=2100-01-02": "known_at",
	} {
		b.host.Do(t, httpapitest.Scenario{Name: path, Path: path, Status: http.StatusBadRequest, Contains: []string{contains}})
	}
	for _, list := range []string{"offices", "affiliates", "affiliates?direction=names_me", "sub-advised-funds", "websites"} {
		b.host.Do(t, httpapitest.Scenario{Name: list, Path: "/v1/gps/123/" + list, Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`})
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/offices?limit=1&offset=7", Contains: []string{`"data":[]`, `"total":1`, `"offset":7`}})
}
