package provider_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/modules/catalog/internal/provider"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

var discard = slog.New(slog.DiscardHandler)

type bench struct {
	*fixture.Catalog
	t     *testing.T
	host  *httpapitest.Host
	meter *chargetest.Meter
}

func newBench(t *testing.T) *bench {
	t.Helper()
	c := fixture.New(t)
	// The database's clock dates what was processed, and tests ask about these instants.
	c.Clock = clock.Fixed(time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC))
	filed := history.NewStore(c.DB)
	meter := &chargetest.Meter{}
	routes := provider.Routes(provider.NewService(c.Index, c.DB, panel.NewStore(c.DB, filed, c.Clock), filed, c.Clock))
	return &bench{c, t, httpapitest.NewMetered(t, meter, routes...), meter}
}

// row is what the tests look at.
type row struct {
	Role        string
	ProviderID  string `json:"provider_id"`
	Name        string
	NameAsFiled *string `json:"name_as_filed"`
	CRD, LEI    *string
	Related     *bool
	FundIDs     []string `json:"fund_ids"`
	Funds, GPs  int
	Rank        int
	GAV         *int64
	Roles       []string
	Source      map[string]any
}

type answer struct {
	Data []row
	Meta struct {
		Total, Funds, Stated, Served, Withheld int
		PageWithheld                           int `json:"page_withheld"`
		Basis                                  struct {
			Stated          map[string]bool
			AccessionNumber *string `json:"accession_number"`
		}
	}
}

func (b *bench) get(path string) (a answer) {
	b.t.Helper()
	got := b.host.Do(b.t, httpapitest.Scenario{Path: "/v1/" + path})
	require.NoError(b.t, json.Unmarshal([]byte(got.Body), &a), got.Body)
	return a
}

// of renders the rows.
func (a answer) of(show func(r row) string) string {
	var list []string
	for _, r := range a.Data {
		list = append(list, show(r))
	}
	return strings.Join(list, " | ")
}

func named(r row) string { return r.Role + ": " + r.Name }

// stated are the roles that a filing answers.
func (a answer) stated() string {
	var roles []string
	for role, stated := range a.Meta.Basis.Stated {
		if stated {
			roles = append(roles, role)
		}
	}
	sort.Strings(roles)
	return strings.Join(roles, " ")
}

// serves is a row of a provider: fund, role, name and, behind a bar each, CRD number and LEI.
func serves(fund, role, name string) *catalogapi.ProviderRow {
	parts := append(strings.Split(name, "|"), "", "")
	return &catalogapi.ProviderRow{
		ReferenceID: fund, Role: catalogapi.ProviderRole(role), Name: parts[0], CRD: parts[1], LEI: parts[2], Related: new(false), File: "p", Line: 2,
	}
}

const (
	first  = "0000000101"
	second = "0000000102"
)

// filing is a filing of a manager with its funds.
type filing struct {
	id, crd, on string
	funds       []string
	gav         int64
	providers   []*catalogapi.ProviderRow // nil: the document has no such table
	silent      []string                  // the roles whose table it lacks
	auditors    map[string]string
	owner       string
	manager     string // its legal name; empty: any
}

func (b *bench) file(f filing) {
	b.t.Helper()
	day, err := time.Parse(time.DateOnly, f.on)
	require.NoError(b.t, err)
	a := &catalogapi.AdviserFiling{
		Key: f.id, FilingID: f.id, CRD: f.crd, Submitted: day, Statement: catalogapi.Statement{LegalName: "Larkspur Gate " + f.crd + " LLC", State: new("TX"), AdvisesFunds: new(true)},
		Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true, File: "f", Line: 2,
	}
	if f.manager != "" {
		a.LegalName = f.manager
	}
	for _, role := range f.silent {
		a.Silent = append(a.Silent, catalogapi.TableProviders+":"+role)
	}
	doc := catalogapi.Document{Name: "ADV_" + f.id + ".zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(a)}
	var funds []*catalogapi.FundRow
	auditors := []*catalogapi.AuditorRow{}
	for _, fund := range f.funds {
		row := &catalogapi.FundRow{
			FilingKey: f.id, ReferenceID: fund, FundID: "805-" + fund, Name: "Fund " + fund, FundType: "Hedge Fund", GAV: &f.gav, AnnualAudit: new(f.auditors[fund] != ""), File: "f", Line: 2,
		}
		funds = append(funds, row)
		if name := f.auditors[fund]; name != "" {
			auditors = append(auditors, &catalogapi.AuditorRow{FilingKey: f.id, ReferenceID: fund, Name: name})
		}
	}
	doc.Funds, doc.Auditors = itertest.Rows(funds...), itertest.Rows(auditors...)
	if f.providers != nil {
		for _, p := range f.providers {
			p.FilingKey = f.id
		}
		doc.Providers = itertest.Rows(f.providers...)
	}
	if f.owner != "" {
		doc.Owners = itertest.Rows(&catalogapi.OwnerRow{FilingKey: f.id, Schedule: "A", Name: f.owner, EntityType: "I", File: "f", Line: 2})
	}
	b.Add(b.t, doc)
}

// A role whose table no document had is unknown; one with a table and no row is none. A later archive without a table leaves the statement of
// the filing before, which the row then names.
func TestUnknownIsNotNone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.file(filing{id: "5001", crd: "910001", on: "2026-08-01", funds: []string{first, second}, gav: 100, silent: []string{"marketer"}, providers: []*catalogapi.ProviderRow{
		serves(first, "administrator", "Halfmoon Fund Services LLC"), serves(first, "general_partner", "Larkspur Gate GP LLC"),
	}, auditors: map[string]string{first: "Birch Audit LLP"}})
	got := b.get("funds/805-" + first + "/providers")
	require.Equal(t, "auditor: Birch Audit LLP | administrator: Halfmoon Fund Services LLC", got.of(named))
	require.Equal(t, "administrator auditor custodian prime_broker", got.stated())
	require.Equal(t, "ADV-910001-5001", *got.Meta.Basis.AccessionNumber)
	got = b.get("funds/805-" + second + "/providers")
	require.Empty(t, got.Data)
	require.Equal(t, "administrator auditor custodian prime_broker", got.stated(), "it is not audited, and has no administrator")
	require.Equal(t, "administrator: Halfmoon Fund Services LLC", b.get("gps/910001/providers?role=administrator,marketer").of(named))

	b.file(filing{
		id: "5002", crd: "910001", on: "2026-09-01", funds: []string{first, second}, gav: 100, silent: []string{"prime_broker", "administrator", "marketer"},
		providers: []*catalogapi.ProviderRow{serves(second, "custodian", "Reedmere Bank N.A.")},
	})
	got = b.get("funds/805-" + first + "/providers")
	require.Equal(t, "administrator: Halfmoon Fund Services LLC", got.of(named))
	require.Equal(t, "ADV-910001-5001", got.Data[0].Source["accession_number"])
	require.Equal(t, "ADV-910001-5002", *got.Meta.Basis.AccessionNumber)
	got = b.get("gps/910001/providers")
	require.Equal(t, "custodian: Reedmere Bank N.A. | administrator: Halfmoon Fund Services LLC", got.of(named))
	require.Equal(t, "administrator auditor custodian prime_broker", got.stated())
	require.Equal(t, 2, got.Meta.Funds)

	got = b.get("gps/900005/providers?role=auditor")
	require.Equal(t, 0, got.Meta.Funds)
	require.Contains(t, got.stated(), "auditor", "it files that it advises no funds")
	b.file(filing{id: "5003", crd: "910003", on: "2026-09-01"})
	require.NotContains(t, b.get("gps/910003/providers").stated(), "auditor", "it files that it advises funds, and names none")
	for _, path := range []string{"gps/900001/providers", "funds/805-0000000011/providers"} {
		got = b.get(path)
		require.NotContains(t, got.stated(), "custodian", "%s: the fixture's archives have no such tables", path)
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/77/providers", Status: http.StatusNotFound})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/funds/805-7777777777/providers", Status: http.StatusNotFound})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900001/providers?role=general_partner", Status: http.StatusBadRequest})
}

// V16: which rows are one firm. Pairs of names, with CRD number and LEI.
func TestIdentity(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	pairs := []struct {
		a, b string
		same bool
	}{
		{"Halfmoon Fund Services LLC", "HALFMOON FUND SERVICES, L.L.C.", true},
		{"Halfmoon Fund Services LLC", "Halfmoon Fund Services Ltd", false},
		{"Halfmoon Fund Services LLC", "Halfmoon Fund Services", false},
		{"Reedmere Bank N.A.|4711", "Reedmere Custody N.A.|4711", true},
		{"Reedmere Bank N.A.|4712", "Reedmere Bank N.A.|4713", false},
		{"Quillback Trust Company|4714", "QUILLBACK TRUST COMPANY", true},
		{"Gannet Admin LLC||5493000EXAMPLE000009", "Gannet Administration LLC||5493000EXAMPLE000009", true},
		{"Gannet Services LLC||5493000EXAMPLE000008", "Gannet Services LLC", false},
		{"Tarn & Holm Ltd.", "Tarn and Holm Limited", true},
		{"Société Alder GmbH", "SOCIETE ALDER G.m.b.H.", true},
	}
	for i, pair := range pairs {
		fund := func(n int) string { return fmt.Sprintf("%010d", 7000+10*i+n) }
		b.file(filing{id: strconv.Itoa(6000 + i), crd: strconv.Itoa(920000 + i), on: "2026-08-01", funds: []string{fund(1), fund(2)}, gav: 5, providers: []*catalogapi.ProviderRow{
			serves(fund(1), "administrator", pair.a), serves(fund(2), "administrator", pair.b),
		}})
		got := b.get(fmt.Sprintf("gps/%d/providers", 920000+i))
		require.Len(t, got.Data, map[bool]int{true: 1, false: 2}[pair.same], "%s, %s: %s", pair.a, pair.b, got.of(named))
	}
}

// A fund's auditor whose name is or may be a person's is shown nowhere, and no filter finds it.
func TestAuditorsWhoMayBePersons(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	names := []string{"Birch Audit LLP", "Juno Alderwick", "Juno Alderwick, CPA", "Alderwick and Juno LLP", "Kestrel LLC (Juno Alderwick)", "GRANT THORNTON", "Pell Grane", "Pell Grane LLP", "Tarnholm", "Tarnholm LLP"}
	f := filing{id: "6200", crd: "940001", on: "2026-08-01", gav: 5, owner: "ALDERWICK, JUNO", auditors: map[string]string{}}
	for i, name := range names {
		fund := fmt.Sprintf("%010d", 9000+i)
		f.funds, f.auditors[fund] = append(f.funds, fund), name
	}
	require.Equal(t, []string{"Birch Audit LLP", "Alderwick and Juno LLP", "GRANT THORNTON", "Pell Grane LLP", "Tarnholm LLP"}, b.Index.ShownAuditors(names), "no filing names the person yet")
	b.file(f)
	require.Equal(t, []string{"Birch Audit LLP", "GRANT THORNTON", "Pell Grane LLP", "Tarnholm", "Tarnholm LLP"}, b.Index.ShownAuditors(names), "a firm has the name with a legal form; two words may be a person's")
	var listed []string
	for _, row := range b.get("gps/940001/providers").Data {
		listed = append(listed, row.Name)
	}
	require.ElementsMatch(t, b.Index.ShownAuditors(names), listed, "the list of the manager and the ranking agree")
	snapshot, err := b.Index.Snapshot()
	require.NoError(t, err)
	for name, want := range map[string]int{"birch audit": 1, "grant": 1, "juno": 0, "alderwick": 0, "cpa": 0} {
		q := index.GPQuery{Limit: 10}
		q.Fund.Auditors = []string{name}
		found := snapshot.SearchGPs(&q)
		require.Len(t, found.IDs, want, name)
	}
}

// A name that is or may be a person's is in no answer.
func TestPersons(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := func(n int, owner string, marketers ...string) {
		fund := fmt.Sprintf("%010d", 8000+n)
		var rows []*catalogapi.ProviderRow
		for _, name := range marketers {
			rows = append(rows, serves(fund, "marketer", name))
		}
		b.file(filing{id: strconv.Itoa(6100 + n), crd: strconv.Itoa(930000 + n), on: "2026-08-01", funds: []string{fund}, gav: 5, providers: rows, owner: owner})
	}
	file(1, "ALDERWICK, JUNO", "Juno Alderwick", "J. Alderwick Placement LLC", "Mossgate Placement LLC", "Tamsin Ferrow|900002", "Ferrow Family Trust")
	got := b.get("gps/930001/providers?role=marketer")
	require.Equal(t, "marketer: Kestrel Lane Ventures LLC | marketer: Mossgate Placement LLC", got.of(named), "the CRD number is a manager's")
	require.Equal(t, 3, got.Meta.Withheld)
	got = b.get("funds/805-0000008001/providers?role=marketer")
	require.Equal(t, 3, got.Meta.Withheld)
	for _, r := range got.Data {
		if r.Name == "Kestrel Lane Ventures LLC" {
			require.Nil(t, r.NameAsFiled)
		}
	}
	got = b.get("providers?role=marketer")
	require.NotContains(t, got.of(named), "Alderwick")
	require.Equal(t, 2, got.Meta.Withheld, "one more is left out of its page")
	require.Len(t, got.Data, got.Meta.Total-1)
	require.Equal(t, 1, got.Meta.PageWithheld)
	require.Empty(t, b.get("providers/suggest?q=alderwick").Data)
	require.Equal(t, 1, got.Meta.Served)
	// What three managers name is a firm, whatever persons their filings name.
	file(2, "", "J. Alderwick Placement LLC")
	file(3, "", "J. Alderwick Placement LLC")
	require.Contains(t, b.get("gps/930001/providers?role=marketer").of(named), "J. Alderwick Placement LLC")
	require.Equal(t, "J. Alderwick Placement LLC", b.get("providers/suggest?q=ald+pla").of(func(r row) string { return r.Name }))
	require.Equal(t, "J. Alderwick Placement LLC", b.get("providers?role=marketer").Data[0].Name)
}

// A name in which a person may stand beside a firm is a firm's if three managers file it, or if a manager is called so.
func TestPersonsBesideFirms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	file := func(n int, marketers ...string) {
		fund := fmt.Sprintf("%010d", 8500+n)
		var rows []*catalogapi.ProviderRow
		for _, name := range marketers {
			rows = append(rows, serves(fund, "marketer", name))
		}
		b.file(filing{id: strconv.Itoa(6500 + n), crd: strconv.Itoa(950000 + n), on: "2026-08-01", funds: []string{fund}, gav: 5, providers: rows})
	}
	const several = "Robert Alderwick Placement LLC"
	file(1, several, "Susan Alderwick Placement LLC", "Kestrel Lane Mossgate Ventures LLC", "Juno Alderwick dealing through Kestrel LLC")
	got := b.get("gps/950001/providers?role=marketer")
	require.Empty(t, got.Data)
	require.Equal(t, 4, got.Meta.Withheld)
	require.Empty(t, b.get("providers/suggest?q=alderwick").Data)
	file(2, several)
	file(3, several)
	require.Equal(t, "marketer: "+several, b.get("gps/950001/providers?role=marketer").of(named))
	b.file(filing{id: "6510", crd: "950010", on: "2026-08-01", manager: "Kestrel Lane Mossgate Ventures, L.L.C."})
	require.Equal(t, "marketer: Kestrel Lane Mossgate Ventures LLC | marketer: "+several, b.get("gps/950001/providers?role=marketer").of(named))
}

// As of a day the filings up to it count, and what a restated filing listed is known at the time.
func TestMoments(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	f := func(id, on, admin, auditor string) filing {
		return filing{id: id, crd: "910001", on: on, funds: []string{first}, gav: 100, providers: []*catalogapi.ProviderRow{serves(first, "administrator", admin)}, auditors: map[string]string{first: auditor}}
	}
	b.file(f("5001", "2025-08-01", "Halfmoon Fund Services LLC", "Birch Audit LLP"))
	b.file(f("5002", "2026-08-01", "Reedmere Admin LLC", "Sloane Audit LLP"))
	var loaded time.Time
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT clock_timestamp()").Scan(&loaded).Error)
	instant := loaded.UTC().Format(time.RFC3339Nano)
	b.file(f("5002", "2026-08-01", "Gannet Admin LLC", "Sloane Audit LLP"))
	for _, path := range []string{"gps/910001/providers", "funds/805-" + first + "/providers"} {
		require.Equal(t, "auditor: Sloane Audit LLP | administrator: Gannet Admin LLC", b.get(path).of(named), path)
		require.Equal(t, "auditor: Birch Audit LLP | administrator: Halfmoon Fund Services LLC", b.get(path+"?as_of=2026-07-31").of(named), path)
		require.Equal(t, "auditor: Sloane Audit LLP | administrator: Reedmere Admin LLC", b.get(path+"?known_at="+instant).of(named), path)
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/" + path + "?as_of=2025-07-31", Status: http.StatusNotFound})
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/" + path + "?as_of=2100-01-01", Status: http.StatusBadRequest})
	}
}
