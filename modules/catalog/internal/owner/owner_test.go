package owner_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/owner"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/modules/catalog/internal/testkit/fixture"
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
	return &bench{c, t, httpapitest.New(t, owner.Routes(owner.NewService(panel.NewStore(c.DB, history.NewStore(c.DB), c.Clock)))...)}
}

type answer struct {
	Data []owner.Owner
	Meta struct {
		Total, Entities, Persons, Withheld, Unresolved int

		Basis map[string]any
	}
	text string
}

func (b *bench) get(query string) (a answer) {
	b.t.Helper()
	got := b.host.Do(b.t, httpapitest.Scenario{Path: "/v1/gps/900001/owners" + query})
	require.NoError(b.t, json.Unmarshal([]byte(got.Body), &a), got.Body)
	a.text = got.Body
	return a
}

// file loads an archive with one filing; nil is no table of owners.
func (b *bench) file(id, on string, owners []*catalogapi.OwnerRow) {
	b.t.Helper()
	day, err := time.Parse(time.DateOnly, on)
	require.NoError(b.t, err)
	d := catalogapi.Document{
		Name: "ADV_" + id + ".zip", Source: catalogapi.SourceADVArchive,
		Filings: itertest.Rows(&catalogapi.AdviserFiling{
			Key: id, FilingID: id, CRD: "900001", Submitted: day, Statement: catalogapi.Statement{LegalName: "Larkspur Gate Capital LLC"},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, File: "f", Line: 2,
		}),
	}
	if owners != nil {
		for _, o := range owners {
			o.FilingKey, o.File, o.Line = id, "f", 2
		}
		d.Owners = itertest.Rows(owners...)
	}
	b.Add(b.t, d)
}

func direct(kind, name, code string) *catalogapi.OwnerRow {
	return &catalogapi.OwnerRow{Schedule: "A", Name: name, EntityType: kind, OwnershipCode: code, Title: "CHIEF SECRET", AcquiredYear: 2012, AcquiredMonth: 3, ControlPerson: new(true)}
}

func indirect(kind, name, code, in string) *catalogapi.OwnerRow {
	o := direct(kind, name, code)
	o.Schedule, o.OwnedEntity = "B", in
	return o
}

// V27: a share in the manager is the product of its chain. F, an unknown code, an entity in no row, an ambiguous one and a loop have none.
func TestChains(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.file("5001", "2026-08-01", []*catalogapi.OwnerRow{
		direct("DE", "HARBOR RIDGE HOLDINGS, L.P.", "E"),                         // 1
		direct("I", "ALDERWICK, JUNO", "NA"),                                     // 2
		indirect("I", "ALDERWICK, JUNO", "C", "Harbor Ridge Holdings LP"),        // 3: spelled in another way
		indirect("DE", "KESTREL UPPER LLC", "D", "HARBOR RIDGE HOLDINGS, L.P."),  // 4
		indirect("FE", "MOSSGATE TOP LTD", "C", "KESTREL UPPER LLC"),             // 5
		indirect("DE", "MOSSGATE GP LLC", "F", "HARBOR RIDGE HOLDINGS, L.P."),    // 6
		indirect("I", "THORNE, OLA", "E", "MOSSGATE GP LLC"),                     // 7: of an F
		indirect("DE", "OPEN LINK LLC", "E", "NOT IN THE SCHEDULES LLC"),         // 8
		indirect("DE", "ROUND ONE LLC", "E", "ROUND TWO LLC"),                    // 9
		indirect("DE", "ROUND TWO LLC", "E", "ROUND ONE LLC"),                    // 10
		indirect("DE", "SELF OWNED LLC", "E", "SELF OWNED LLC"),                  // 11
		direct("DE", "TWICE HERE LLC", "A"), direct("DE", "TWICE HERE LLC", "B"), // 12, 13
		indirect("DE", "OF WHICH LLC", "E", "TWICE HERE LLC"),                            // 14
		direct("DE", "NO CODE LLC", ""), indirect("DE", "ABOVE LLC", "E", "NO CODE LLC"), // 15, 16
	})
	got := b.get("?limit=100")
	var links []int
	var shares [][2]float64
	for i, o := range got.Data {
		require.Equal(t, i+1, o.Row)
		link, share := 0, [2]float64{-1, -1}
		if o.OwnsRow != nil {
			link = *o.OwnsRow
		}
		if o.Effective.MinPercent != nil {
			share = [2]float64{*o.Effective.MinPercent, *o.Effective.MaxPercent}
		}
		links, shares = append(links, link), append(shares, share)
	}
	none := [2]float64{-1, -1}
	require.Equal(t, []int{0, 0, 1, 1, 4, 1, 6, 0, 10, 9, 11, 0, 0, 12, 0, 15}, links)
	require.Equal(t, [][2]float64{
		{75, 100}, {0, 5}, {18.75, 50}, {37.5, 75}, {9.375, 37.5}, none, none, none, none, none, none, {5, 10}, {10, 25}, none, none, none,
	}, shares)
	require.Equal(t, []int{16, 13, 3, 0, 1}, []int{got.Meta.Total, got.Meta.Entities, got.Meta.Persons, got.Meta.Withheld, got.Meta.Unresolved})
	require.Equal(t, catalogapi.Ownership{Code: new("F")}, got.Data[5].Ownership)
	require.Equal(t, catalogapi.Ownership{}, got.Data[14].Ownership)
	page := b.get("?limit=1&offset=4")
	require.Equal(t, got.Data[4:5], page.Data, "a row has its number on every page")
	require.Equal(t, got.Meta.Entities, page.Meta.Entities)
}

// V28: no name, title, month or number of a natural person is in the answer, however the filer marked the row.
func TestPersonsHaveNoName(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	firm := direct("DE", "HARBOR RIDGE HOLDINGS, L.P.", "E")
	firm.OwnerID, firm.Title = "900321", "MEMBER"
	person, mistyped, trust, sole := direct("I", "ALDERWICK, JUNO", "A"), direct("DE", "THORNE, OLA, MARSH", "A"), direct("DE", "ALDERWICK FAMILY TRUST", "B"), direct("DE", "DENHOLM LLC", "B")
	person.OwnerID, mistyped.OwnerID, trust.OwnerID, sole.OwnerID = "7654321", "7654322", "7654323", "7654321" // the firm has the person's number
	bank := direct("DE", "MOSSGATE TRUST COMPANY", "NA")
	bank.AcquiredMonth = 0
	b.file("5000", "2026-07-01", []*catalogapi.OwnerRow{direct("", "QUENTRELL, IVO", "NA"), direct("I", "HARBOR RIDGE, LLC", "NA")})
	b.file("5001", "2026-08-01", []*catalogapi.OwnerRow{
		firm, person, mistyped, direct("", "UNMARKED OWNER LLC", "NA"), bank, sole, // 1 to 6
		trust, direct("FE", "THE ESTATE OF JUNO ALDERWICK", "NA"), direct("DE", "JUNO ALDERWICK IRA", "NA"), direct("DE", "ALDERWICK FAMILY HOLDINGS, LLC", "NA"),
		direct("DE", "OLA THORNE", "NA"), direct("DE", "JUNO ALDERWICK LLC", "NA"), direct("DE", "IVO QUENTRELL CAPITAL LP", "NA"),
	})
	got := b.get("")
	names, kinds := []string{}, ""
	for _, o := range got.Data {
		if kinds += o.Kind[:1]; o.Name != nil {
			names = append(names, *o.Name)
			require.Nil(t, o.NameWithheld)
			continue
		}
		require.Nil(t, o.CRD)
		require.Nil(t, o.Acquired)
		require.Equal(t, o.Kind == "entity", o.NameWithheld != nil && *o.NameWithheld == "names_a_person")
	}
	require.Equal(t, "epppeeeeeeeee", kinds)
	require.Equal(t, []string{"HARBOR RIDGE HOLDINGS, L.P.", "MOSSGATE TRUST COMPANY", "DENHOLM LLC"}, names)
	require.Equal(t, []int{13, 10, 3, 7}, []int{got.Meta.Total, got.Meta.Entities, got.Meta.Persons, got.Meta.Withheld})
	require.Equal(t, []*string{new("900321"), new("2012-03"), nil, new("2012"), nil}, []*string{got.Data[0].CRD, got.Data[0].Acquired, got.Data[4].CRD, got.Data[4].Acquired, got.Data[5].CRD})
	for _, secret := range []string{"alderwick", "juno", "thorne", "quentrell", "unmarked", "secret", "76543"} {
		require.NotContains(t, strings.ToLower(got.text), secret)
	}
}

// V29: before the first document with schedules the owners are unknown; schedules without rows are none; a document without schedules
// changes nothing.
func TestUnknownIsNotNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.file("4999", "2026-06-01", nil)
	got := b.get("")
	require.Empty(t, got.Data)
	require.Equal(t, map[string]any{"stated": false, "accession_number": nil, "filing_type": nil, "filing_date": nil, "source": nil}, got.Meta.Basis)
	b.file("5001", "2026-08-01", []*catalogapi.OwnerRow{direct("DE", "KESTREL UPPER LLC", "E")})
	b.file("5002", "2026-09-01", nil)
	got = b.get("")
	require.Len(t, got.Data, 1)
	require.Equal(t, map[string]any{
		"stated": true, "accession_number": "ADV-900001-5001", "filing_type": "ADV/A", "filing_date": "2026-08-01", "source": "adv_archive",
	}, got.Meta.Basis)
	b.file("5003", "2026-10-01", []*catalogapi.OwnerRow{})
	got = b.get("")
	require.Empty(t, got.Data)
	require.Equal(t, "ADV-900001-5003", got.Meta.Basis["accession_number"])
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for path, contains := range map[string]string{
		"/v1/gps/0123/owners": "Invalid crd", "/v1/gps/900001/owners?limit=101": "Invalid limit", "/v1/gps/900001/owners?as_of=2100-01-01": "as_of",
	} {
		b.host.Do(t, httpapitest.Scenario{Name: path, Path: path, Status: http.StatusBadRequest, Contains: []string{contains}})
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/123/owners", Status: http.StatusNotFound, WantJSON: `{"detail": "GP with CRD 123 not found"}`})
}
