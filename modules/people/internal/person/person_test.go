package person_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// bought is what accounts own; it replaces module billing.
type bought map[string]bool

func (b bought) Owned(_ context.Context, _ int64, product string, units []string) (map[string]bool, error) {
	owned := map[string]bool{}
	for _, u := range units {
		if b[product+" "+u] {
			owned[u] = true
		}
	}
	return owned, nil
}

func (b bought) Placed(context.Context, int64, string, []string) (map[string]bool, error) {
	return map[string]bool{}, nil
}

// profiles are those of all people in the database, with what a provider may have answered.
type profiles struct {
	db      *database.DB
	people  *identity.Service
	said    map[string]enrichment.Profile
	asked   int
	refresh func(known enrichment.Profile) (enrichment.Profile, bool, error)
}

func (p *profiles) Profile(ctx context.Context, uid string) (enrichment.Profile, error) {
	now, err := p.people.Currents(ctx, []string{uid})
	if err != nil {
		return enrichment.Profile{}, err
	}
	const statement = "SELECT DISTINCT person_uid FROM people.posts JOIN people.enriched_firms USING (crd) WHERE person_uid = @uid"
	found, err := database.Values[string](ctx, p.db, "find a person", statement, database.Args{"uid": now[uid]})
	if err != nil || len(found) == 0 {
		return enrichment.Profile{}, apperr.NotFound("no such row: %s", uid)
	}
	said := p.said[found[0]]
	said.PersonUID = found[0]
	return said, nil
}

func (p *profiles) Filed(ctx context.Context, uid string) (enrichment.Profile, error) {
	return p.Profile(ctx, uid)
}

func (p *profiles) RefreshPerson(ctx context.Context, uid string) (enrichment.Profile, bool, error) {
	p.asked++
	known, err := p.Profile(ctx, uid)
	if err != nil {
		return known, false, err
	}
	return p.refresh(known)
}

type bench struct {
	*fixture.World
	host     *httpapitest.Host
	meter    *chargetest.Meter
	owned    bought
	profiles *profiles
}

var (
	ada    = &auth.Principal{Kind: auth.Session, UserID: 7}
	tester = &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: auth.ModeTest}
)

func setup(tb testing.TB) *bench {
	tb.Helper()
	b := &bench{World: fixture.New(tb, catalogtest.NewLoader), meter: &chargetest.Meter{CallersOnly: true}, owned: bought{}}
	b.profiles = &profiles{db: b.DB, people: b.People, said: map[string]enrichment.Profile{}}
	b.host = httpapitest.NewMetered(tb, b.meter, person.Routes(person.NewService(person.NewStore(b.DB), b.profiles, b.owned, b.Clock))...)
	return b
}

type people = []fixture.Person

func (b *bench) enrich(tb testing.TB, crds ...string) {
	tb.Helper()
	for _, crd := range crds {
		const statement = `INSERT INTO people.enriched_firms (crd, first_at, last_at) VALUES (@crd, @at, @at)
			ON CONFLICT (crd) DO UPDATE SET last_at = excluded.last_at`
		_, err := database.Run(tb.Context(), b.DB, "enrich", statement, database.Args{"crd": crd, "at": b.Clock.Now()})
		require.NoError(tb, err)
	}
	b.Clock.Move(time.Minute)
}

func (b *bench) uid(tb testing.TB, last string) string {
	tb.Helper()
	list, err := database.Values[string](tb.Context(), b.DB, "read a uid", "SELECT DISTINCT person_uid FROM people.posts WHERE last_key = @last", database.Args{"last": last})
	require.NoError(tb, err)
	require.Len(tb, list, 1)
	return list[0]
}

func (b *bench) load(tb testing.TB) {
	tb.Helper()
	b.Load(tb,
		fixture.Filed("900101", "2025-03-01", people{
			{Name: "LARKSPUR, ADA, MARIE", Title: "MANAGING MEMBER", Since: "2011-03", Number: "1000018"},
			{Name: "MOSSGATE, WILLIAM", Title: "MANAGING DIRECTOR", Since: "2015-12"},
			{Name: "ØSTERGÅRD, LENA", Title: "PARTNER"},
		}),
		fixture.Filed("900102", "2025-04-01", people{
			{Name: "LARKSPURE, ADAM", Title: "PRINCIPAL", Since: "2024-01"},
			{Name: "QUILL, BRAM", Title: "PARTNER", Number: "1000019", Since: "2024-01"},
		}),
		fixture.Filed("900103", "2024-04-01", people{{Name: "FERNLEY, IRIS", Title: "PARTNER"}}),
		fixture.Filed("900103", "2025-04-01", people{{Name: "HOLM, OLE", Title: "PARTNER"}}),
	)
}

func (b *bench) search(tb testing.TB, as *auth.Principal, query string) (names []string, got httpapitest.Response) {
	tb.Helper()
	got = b.host.Do(tb, httpapitest.Scenario{Path: "/v1/people/search?" + query, As: as})
	var answer struct {
		Data []struct {
			FullName string `json:"full_name"`
		}
	}
	require.NoError(tb, json.Unmarshal([]byte(got.Body), &answer))
	for _, p := range answer.Data {
		names = append(names, p.FullName)
	}
	return names, got
}

// TestSearch finds people by their names, misspelled, in part and in any order, and none of advisers that were not enriched.
func TestSearch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	names, free := b.search(t, ada, "q=larkspur")
	require.Empty(t, names, "no adviser was enriched yet")
	require.Equal(t, "0.00", free.Header.Get("X-Charge"))
	b.enrich(t, "900101")
	names, _ = b.search(t, ada, "q=larkspur")
	require.Equal(t, []string{"Ada Marie Larkspur"}, names)
	b.enrich(t, "900102", "900103")
	for query, want := range map[string][]string{
		"ada larkspur": {"Ada Marie Larkspur", "Adam Larkspure"}, "LARKSPUR, ADA": {"Ada Marie Larkspur", "Adam Larkspure"},
		"larkspure": {"Adam Larkspure", "Ada Marie Larkspur"}, "ada m larkspur": {"Ada Marie Larkspur", "Adam Larkspure"},
		"adm larkspurr": {"Adam Larkspure", "Ada Marie Larkspur"}, "bill mossgate": {"William Mossgate"}, "w mossgate": {"William Mossgate"}, "wiliam mosgate": {"William Mossgate"},
		"mossgaet": {"William Mossgate"}, "lena ostergard": {"Lena Østergård"}, "Østergard": {"Lena Østergård"}, "qui": {"Bram Quill"}, "bram b quill": {"Bram Quill"},
		"bram quill larkspur": {"Bram Quill"}, "iris fernley": {"Iris Fernley"}, "larkspur quill": nil, "nobody": nil, "zz": nil,
	} {
		got, _ := b.search(t, ada, "q="+url.QueryEscape(query))
		require.Equal(t, want, got, query)
	}
	for query, want := range map[string][]string{
		"q=larkspur&company=900102": {"Adam Larkspure"}, "q=larkspur&company=harbor+ridge+900101": {"Ada Marie Larkspur"}, "q=larkspur&company=mossgate": nil,
		"q=larkspur&limit=1": {"Ada Marie Larkspur"},
	} {
		got, _ := b.search(t, ada, query)
		require.Equal(t, want, got, query)
	}
	_, got := b.search(t, ada, "q=bram+quil")
	require.JSONEq(t, `{"data":[{"person_uid":"`+b.uid(t, "QUILL")+`","full_name":"Bram Quill","current_title":"PARTNER","current_firm":"Harbor Ridge 900102 LLC",
		"current_crd":"900102","role":"partner","seniority_level":"senior"}],"meta":{"returned":1,"filters_applied":{"q":"bram quil","company":null,"limit":20}}}`, got.Body)
	require.Equal(t, "0.50", got.Header.Get("X-Charge"))
	_, gone := b.search(t, ada, "q=fernley")
	require.Contains(t, gone.Body, `"current_firm":null`, "an alumna is nowhere now")
	for _, query := range []string{"", "q=", "q=a", "q=..", "q=ada&limit=0", "q=ada&limit=21", "q=ada&company=x", "q=ada&page=2"} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/search?" + query, As: ada, Status: 400})
	}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/search?q=ada", Status: 401})
}

// People are found by the name of a manager as the operator corrects it, and by the filed one after that.
func TestSearchByACorrectedFirm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900102")
	found := func(company string) bool {
		names, _ := b.search(t, ada, "q=bram+quill&company="+company)
		return len(names) > 0
	}
	require.True(t, found("harbor+ridge"))
	names := catalogtest.NewOverrider(b.DB, b.Clock)
	x := &overrides.Override{
		ID: 1, Type: "gp_field", EntityID: "900102", Field: "legal_name", Value: []byte(`"Corrected Fjord LLC"`), ValidFrom: b.Clock.Now().Truncate(24 * time.Hour),
	}
	require.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
		_, err := names.Apply(ctx, x)
		return err
	}))
	require.True(t, found("corrected+fjord"))
	require.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error { return names.Undo(ctx, x) }))
	require.False(t, found("corrected+fjord"))
}

// TestSearchChargesEachTime sells each search, but none without a result, and refuses above max_charge.
func TestSearchChargesEachTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900101")
	for range 3 {
		b.search(t, ada, "q=larkspur")
	}
	b.search(t, ada, "q=quill")
	require.EqualValues(t, 1_500_000, b.meter.Spent(7))
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/search?q=larkspur&max_charge=0.49", As: ada, Status: 402})
	quote := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/search?q=larkspur&quote=true", As: ada, Contains: []string{`"amount":0.5`}})
	require.NotContains(t, quote.Body, "Larkspur")
	require.EqualValues(t, 1_500_000, b.meter.Spent(7))
}

// TestProfile is sold once to an account, under whichever uid it was bought.
func TestProfile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	uid := b.uid(t, "LARKSPUR")
	get := func(status int) httpapitest.Response {
		t.Helper()
		return b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: ada, Status: status})
	}
	require.Equal(t, b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/per_aaaaaaaaaaaaaaaa", As: ada, Status: 404}).Body, strings.ReplaceAll(get(404).Body, uid, "per_aaaaaaaaaaaaaaaa"))
	b.enrich(t, "900101")
	at := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	origin := enrichment.Origin{Source: "pdl", Confidence: 0.8, FetchedAt: at}
	b.profiles.said[uid] = enrichment.Profile{
		Email: &enrichment.Text{Value: "ada@larkspur.example", Origin: origin}, UpdatedAt: &at,
		Education:  []enrichment.School{{Education: provider.Education{School: "Larkspur College", Degree: "BA", To: "2003"}, Origin: origin}},
		Experience: []enrichment.Post{{Experience: provider.Experience{Firm: "Birch Bank", Title: "Analyst", From: "2003", To: "2010"}, Origin: origin}},
	}
	first := get(200)
	require.JSONEq(t, `{"data":{"person_uid":"`+uid+`","full_name":"Ada Marie Larkspur","current_title":"MANAGING MEMBER","current_firm":"Harbor Ridge 900101 LLC","current_crd":"900101",
		"role":"partner","seniority_level":"senior","contact":{"email":{"value":"ada@larkspur.example","source":"pdl","confidence":0.8,"fetched_at":"2026-11-01T10:00:00.000000Z"}},
		"education":[{"school":"Larkspur College","degree":"BA","field":null,"from":null,"from_precision":null,"to":"2003-01-01","to_precision":"year","source":"pdl","confidence":0.8,"fetched_at":"2026-11-01T10:00:00.000000Z"}],
		"experience":[{"firm":"Birch Bank","crd":null,"title":"Analyst","from":"2003-01-01","from_precision":"year","to":"2010-01-01","to_precision":"year","current":false,"firm_withdrawn_on":null,"firm_not_listed_since":null,"source":"pdl","confidence":0.8,"fetched_at":"2026-11-01T10:00:00.000000Z"}],
		"updated_at":"2026-11-01T10:00:00.000000Z"},"meta":{"stale":false}}`, first.Body)
	require.Equal(t, "0.50", first.Header.Get("X-Charge"))
	require.Equal(t, "0.00", get(200).Header.Get("X-Charge"), "read again")
	require.Equal(t, []string{uid}, b.meter.Owned(7, person.Product))
	require.Equal(t, "900101", b.meter.Charged()[0].CRD)

	other := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: &auth.Principal{Kind: auth.Session, UserID: 8}})
	require.Equal(t, "0.50", other.Header.Get("X-Charge"), "another account pays for itself")
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, Status: 401})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/nobody", As: ada, Status: 400})
	limit := int64(100_000)
	b.meter.SetCap(9, &limit)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: &auth.Principal{Kind: auth.Session, UserID: 9}, Status: 402})

	b.Suppress(t, uid)
	require.Contains(t, get(404).Body, "not found", "also for those who have bought it")
	names, _ := b.search(t, ada, "q=larkspur")
	require.Empty(t, names)
}

// TestNoPositionAtAFormerManager shows the next manager in its place, in profiles and in results of searches.
func TestNoPositionAtAFormerManager(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.Load(t, fixture.Filed("900104", "2024-04-01", people{{Name: "QUILL, BRAM", Title: "MEMBER", Number: "1000019"}}))
	b.enrich(t, "900102")
	uid := b.uid(t, "QUILL")
	shows := func(want string) {
		t.Helper()
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: ada, Contains: []string{want}})
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/search?q=bram+quill", As: ada, Contains: []string{want}})
	}
	shows(`"current_title":"PARTNER","current_firm":"Harbor Ridge 900102 LLC","current_crd":"900102"`)
	b.Withdraw(t, "900102", "2025-08-30")
	_, err := b.People.Resolve(t.Context())
	require.NoError(t, err)
	shows(`"current_title":"MEMBER","current_firm":"Harbor Ridge 900104 LLC","current_crd":"900104"`)
	b.Withdraw(t, "900104", "2025-08-30")
	_, err = b.People.Resolve(t.Context())
	require.NoError(t, err)
	shows(`"current_title":null,"current_firm":null,"current_crd":null,"role":null`)
}

// TestAFormerUIDLeadsToThePerson does not charge again for people whose records have merged.
func TestAFormerUIDLeadsToThePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	number := fixture.Person{Name: "LARKSPUR, ADA", Title: "PARTNER", Number: "1000018"}
	b.Load(t, fixture.Filed("900102", "2021-03-01", people{number}))
	b.enrich(t, "900102")
	old := b.uid(t, "LARKSPUR")
	b.owned["profile "+old] = true
	b.Load(t, fixture.Filed("900101", "2020-03-01", people{{Name: "LARKSPUR, ADA"}}), fixture.Filed("900101", "2022-03-01", people{number}))
	now := b.uid(t, "LARKSPUR")
	require.NotEqual(t, old, now)
	for _, uid := range []string{old, now} {
		got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: ada})
		require.Contains(t, got.Body, `"person_uid":"`+now+`"`)
	}
	for _, item := range b.meter.Charged() {
		require.Equal(t, []string{old}, item.Units, "what the account has bought")
	}
	names, _ := b.search(t, ada, "q=larkspur")
	require.Equal(t, []string{"Ada Larkspur"}, names)
}

// TestForceRefresh asks the providers, reports when they are unavailable, and asks none for quotes, test keys, or recent
// profiles.
func TestForceRefresh(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900101")
	uid := b.uid(t, "LARKSPUR")
	path := "/v1/people/" + uid + "?force_refresh=true"
	fail := apperr.Unavailable("No provider can be reached")
	b.profiles.refresh = func(known enrichment.Profile) (enrichment.Profile, bool, error) { return known, false, fail }
	b.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Status: 503})
	require.Zero(t, b.meter.Spent(7))
	require.Equal(t, 1, b.profiles.asked)
	b.profiles.refresh = func(known enrichment.Profile) (enrichment.Profile, bool, error) { return known, true, nil }
	got := b.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Contains: []string{`"stale":true`}})
	require.Equal(t, "0.50", got.Header.Get("X-Charge"))
	b.profiles.refresh = func(known enrichment.Profile) (enrichment.Profile, bool, error) {
		now := b.Clock.Now()
		known.UpdatedAt = &now
		b.profiles.said[uid] = known
		return known, false, nil
	}
	got = b.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Contains: []string{`"stale":false`}})
	require.Equal(t, "0.00", got.Header.Get("X-Charge"), "bought before")
	require.Equal(t, 3, b.profiles.asked)
	for _, s := range []httpapitest.Scenario{
		{Path: path, As: ada}, {Path: path + "&quote=true", As: ada}, {Method: "HEAD", Path: path, As: ada}, {Path: path, As: tester},
	} {
		b.host.Do(t, s)
	}
	b.Clock.Move(2 * time.Hour)
	b.host.Do(t, httpapitest.Scenario{Path: path + "&quote=true", As: ada})
	b.host.Do(t, httpapitest.Scenario{Method: "HEAD", Path: path, As: ada})
	b.host.Do(t, httpapitest.Scenario{Path: path, As: tester})
	require.Equal(t, 3, b.profiles.asked)
	b.host.Do(t, httpapitest.Scenario{Path: path, As: ada})
	require.Equal(t, 4, b.profiles.asked)
}

// TestTestKeysSeeInventedPeople finds no real name with a test key, neither in an answer nor by asking for it.
func TestTestKeysSeeInventedPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900101", "900102", "900103")
	origin := enrichment.Origin{Source: "pdl", Confidence: 1, FetchedAt: b.Clock.Now()}
	secrets := []string{"LARKSPUR", "MOSSGATE", "ØSTERGÅRD", "OSTERGARD", "QUILL", "FERNLEY", "MANAGING MEMBER", "BIRCH"}
	for _, last := range []string{"LARKSPUR", "MOSSGATE", "OSTERGARD", "QUILL", "FERNLEY"} {
		names, _ := b.search(t, tester, "q="+last)
		require.Empty(t, names, last)
		uid := b.uid(t, last)
		b.profiles.said[uid] = enrichment.Profile{
			Email: &enrichment.Text{Value: "ada@larkspur.example", Origin: origin}, Phone: &enrichment.Text{Value: "birch", Origin: origin},
			Experience: []enrichment.Post{{Experience: provider.Experience{Firm: "Birch Bank", Title: "Quill"}, Origin: origin}},
		}
		got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: tester})
		again := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: tester})
		require.Equal(t, got.Body, again.Body)
		for _, secret := range secrets {
			require.NotContains(t, strings.ToUpper(got.Body+fmt.Sprint(got.Header)), secret)
		}
		var shown struct {
			Data struct {
				FullName string `json:"full_name"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(got.Body), &shown))
		found, _ := b.search(t, tester, "q="+url.QueryEscape(shown.Data.FullName))
		require.Contains(t, found, shown.Data.FullName)
	}
	require.Zero(t, b.meter.Spent(7))
}

// TestTestKeysDoNotShowWhoExists compares what a test key gets for the ID of a real person and for a guess: status, headers and every
// field but what is invented from the ID. One ID is never found, for clients that try it.
func TestTestKeysDoNotShowWhoExists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900101")
	const guess = "per_abcdefghijklmnop"
	for _, last := range []string{"LARKSPUR", "FERNLEY"} { // who is enriched, and who is not
		uid := b.uid(t, last)
		for _, terms := range []string{"", "?quote=true", "?max_charge=0", "?force_refresh=true"} {
			for _, method := range []string{"GET", "HEAD"} {
				there := b.host.Do(t, httpapitest.Scenario{Method: method, Path: "/v1/people/" + uid + terms, As: tester})
				guessed := b.host.Do(t, httpapitest.Scenario{Method: method, Path: "/v1/people/" + guess + terms, As: tester})
				for _, h := range []string{"X-Request-ID", "Content-Length"} { // invented names differ in length
					there.Header.Del(h)
					guessed.Header.Del(h)
				}
				require.Equal(t, there.Header, guessed.Header, terms)
				require.Equal(t, there.Body == "", guessed.Body == "", terms)
				if terms == "?quote=true" {
					require.Equal(t, there.Body, guessed.Body)
				}
			}
		}
		_, found := b.search(t, tester, "q=testingwick")
		require.NotContains(t, found.Body, uid)
	}
	names, _ := b.search(t, tester, "q=ulric+proxymere")
	require.Contains(t, names, "Ulric Proxymere", "without any enrichment")
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + invented.Nobody, As: tester, Status: 404})
}

// TestNotReadYetHidesWhoExists asks for a person who is not read yet, and for a guess, while something is not read.
func TestNotReadYetHidesWhoExists(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900101", "900103")
	b.LoadOnly(t, fixture.Filed("900101", "2026-03-01", people{{Name: "LARKSPUR, ADA, MARIE", Title: "PARTNER", Number: "1000018"}}))
	unread, guess := b.uid(t, "LARKSPUR"), "per_abcdefghijklmnop"
	for terms, status := range map[string]int{"": 503, "?quote=true": 200, "?max_charge=0": 402} {
		there := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + unread + terms, As: ada, Status: status})
		guessed := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + guess + terms, As: ada, Status: status})
		there.Header.Del("X-Request-ID")
		guessed.Header.Del("X-Request-ID")
		require.Equal(t, there, guessed, terms)
	}
	require.Zero(t, b.meter.Spent(7))
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + b.uid(t, "FERNLEY"), As: ada})
}

// TestAnInitialIsNoMatchAlone finds, and sells, no one by a middle initial alone: whole words match whole words.
func TestAnInitialIsNoMatchAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t, fixture.Filed("900101", "2025-03-01", people{
		{Name: "LARKSPUR, ADA, M", Title: "PARTNER"},
		{Name: "MOSSGATE, THEO, A", Title: "PARTNER"},
		{Name: "BRENBRAND, OLE, Q", Title: "PARTNER"},
		{Name: "HOLM, BEN", Title: "PARTNER"},
	}))
	b.enrich(t, "900101")
	for query, want := range map[string][]string{
		"aqxzqxzqx": nil, "abrenbrand": {"Ole Q Brenbrand"}, "mqxzq": nil, "aqxzqxzqx mqxzq": nil, "a m": nil, "abren": nil, "quentin brenbrand": {"Ole Q Brenbrand"},
		"theo a mossgate": {"Theo A Mossgate"}, "theo andrew mossgate": {"Theo A Mossgate"}, "andrew mossgate": {"Theo A Mossgate"}, "andrew mossgate zzzzz": nil,
		"adelheid zzzzz mossgate": nil, "a mossgate": {"Theo A Mossgate"},
	} {
		got, answer := b.search(t, ada, "q="+url.QueryEscape(query))
		require.Equal(t, want, got, query)
		if want == nil {
			require.Equal(t, "0.00", answer.Header.Get("X-Charge"), query)
		}
	}
}

// TestTestKeysSeeNothingOfThePerson compares each value of a profile with the real one: with a test key all are invented.
func TestTestKeysSeeNothingOfThePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900101", "900102", "900103")
	for _, last := range []string{"LARKSPUR", "MOSSGATE", "FERNLEY"} {
		uid := b.uid(t, last)
		at := b.Clock.Now()
		b.profiles.said[uid] = enrichment.Profile{UpdatedAt: &at, Experience: []enrichment.Post{{
			Experience: provider.Experience{Firm: "Harbor Ridge 900101 LLC", Title: "PARTNER", From: "2011-03"}, CRD: "900101", Current: true,
			Origin: enrichment.Origin{Source: enrichment.SourceFilings, Confidence: 1, FetchedAt: at},
		}}}
		path := "/v1/people/" + uid
		got := b.host.Do(t, httpapitest.Scenario{Path: path, As: tester})
		for _, secret := range []string{"Harbor Ridge", "9001", "2011-03", "filings", at.Format(time.DateOnly)} {
			require.NotContains(t, got.Body, secret)
		}
		var shown struct{ Data person.Profile }
		require.NoError(t, json.Unmarshal([]byte(got.Body), &shown))
		require.NotNil(t, shown.Data.CurrentFirm, "whether the person is somewhere is not told either")
		q := "q=" + url.QueryEscape(shown.Data.FullName)
		_, found := b.search(t, tester, q)
		require.NotContains(t, found.Body, "Harbor Ridge")
		names, _ := b.search(t, tester, q+"&company=harbor+ridge")
		require.Empty(t, names, "nor does the filter tell")
		names, _ = b.search(t, tester, q)
		require.Contains(t, names, shown.Data.FullName)
	}
}

// TestASplitPersonIsPaid does not charge again for a profile bought before the operator split the person, and sells each part
// alone afterward.
func TestASplitPersonIsPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	number := fixture.Person{Name: "LARKSPUR, ADA", Title: "PARTNER", Number: "1000018"}
	b.Load(t, fixture.Filed("900101", "2020-03-01", people{number}), fixture.Filed("900102", "2021-03-01", people{number}), fixture.Filed("900103", "2022-03-01", people{number}))
	b.enrich(t, "900101", "900102", "900103")
	one := b.uid(t, "LARKSPUR")
	_, two := b.Split(t, one, "900102")
	units := func(uid string) []string {
		t.Helper()
		before := len(b.meter.Charged())
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid, As: ada, Contains: []string{`"person_uid":"` + uid + `"`}})
		return b.meter.Charged()[before].Units
	}
	rest := units(one)
	require.NotEqual(t, []string{one}, rest, "what is bought of one now is not of both")
	require.Equal(t, []string{two}, units(two))
	b.owned["profile "+rest[0]] = true
	require.Equal(t, rest, units(one))
	require.Equal(t, []string{two}, units(two), "the buyer of one does not own the other")
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + rest[0], As: ada, Contains: []string{`"person_uid":"` + one + `"`}})

	_, three := b.Split(t, one, "900103")
	require.Equal(t, rest, units(three), "bought after the first split and before the second")
	require.Equal(t, []string{two}, units(two))

	delete(b.owned, "profile "+rest[0])
	b.owned["profile "+one] = true
	for _, uid := range []string{one, two, three} {
		require.Equal(t, []string{one}, units(uid), "bought before the splits")
	}
}

// BenchmarkSearch searches 100,000 people by misspelled names, without the charge.
func BenchmarkSearch(b *testing.B) {
	w := setup(b)
	var filings []fixture.Filing
	firsts, tails := []string{"ADA", "BRAM", "CORA", "DIRK", "ELLA", "FINN", "GRETA", "HUGO", "IRIS", "JONAS"}, []string{"SON", "MAN", "BERG", "FORD", "LEY", "TON", "WICK", "HURST", "FIELD", "STONE"}
	last := func(i int) string {
		return string([]byte{'A' + byte(i%23), 'A' + byte(i/23%19), 'E', 'A' + byte(i/437%17), 'A' + byte(i/7429%14)}) + tails[i%10]
	}
	var crds []string
	for i := range 5_000 {
		f := fixture.Filing{CRD: strconv.Itoa(910_000 + i), On: "2026-03-01"}
		for p := range 20 {
			n := i*20 + p
			f.Schedule = append(f.Schedule, fixture.Person{Name: last(n) + ", " + firsts[(n/7)%10] + ", " + firsts[(n/3)%10], Title: "PARTNER"})
		}
		crds = append(crds, f.CRD)
		filings = append(filings, f)
	}
	w.Load(b, filings...)
	const statement = "INSERT INTO people.enriched_firms (crd, first_at, last_at) SELECT crd, now(), now() FROM unnest(@crds::text[]) crd"
	_, err := database.Run(b.Context(), w.DB, "enrich", statement, database.Args{"crds": crds})
	require.NoError(b, err)
	begun := time.Now()
	w.search(b, ada, "q=warm+up")
	b.Logf("index made in %v", time.Since(begun))
	var took []time.Duration
	found := 0
	for n := 0; b.Loop(); n++ {
		spelt := []byte(last(n * 7919 % 100_000))
		spelt[2+n%4], spelt[3+n%4] = spelt[3+n%4], spelt[2+n%4]
		begun := time.Now()
		names, _ := w.search(b, ada, "q="+strings.ToLower(firsts[n%10]+"+"+string(spelt)))
		took = append(took, time.Since(begun))
		found += len(names)
	}
	require.Positive(b, found)
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
