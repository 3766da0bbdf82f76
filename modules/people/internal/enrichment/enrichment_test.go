package enrichment_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/sample"
)

// The first provider in order fills what it knows, the next one what is still missing, and the source of each value is stored.
// Filings come first.
func TestChain(t *testing.T) {
	t.Parallel()
	first := &stub{name: "first", gives: []string{provider.Email}, say: func(q provider.Query) (provider.Result, error) {
		if q.First == "Iris" {
			return provider.Result{}, &provider.Error{Kind: provider.NoMatch}
		}
		return provider.Result{First: q.First, Last: q.Last, Confidence: 0.5, Email: "ada@first.example"}, nil
	}}
	second, third := knowing("second"), knowing("third")
	third.gives = []string{provider.Email}
	b := setup(t, first, second, third)
	got := b.enrich(t, ada, false, 200)
	require.Equal(t, "completed", got.State)
	require.False(t, got.Cached)
	require.Equal(t, &enrichment.Outcome{
		People: new(4), LeftOut: new(0), Fields: &enrichment.FieldCounts{Experience: 4, Education: 4, Email: 4, Location: 4},
		Providers: []enrichment.ProviderOutcome{
			{Name: "filings", Asked: 4, Found: 4}, {Name: "first", Asked: 4, Found: 3, NoMatch: 1}, {Name: "second", Asked: 4, Found: 4}, {Name: "third"},
		},
	}, got.Result, "the third has nothing to add")
	require.Equal(t, []string{"Ada Larkspur", "Iris Fernley", "Theo Van Mossgate", "Una Quill"}, second.about())
	for _, q := range second.asked {
		if q.First == "Ada" {
			require.NotEmpty(t, q.UID)
			q.UID = ""
			require.Equal(t, provider.Query{First: "Ada", Last: "Larkspur", Firm: "Harbor Ridge 900101 LLC", CRD: "900101", Title: "MANAGING MEMBER", Managers: []provider.Manager{
				{CRD: "900101", Firm: "Harbor Ridge 900101 LLC"}, {CRD: "900102", Firm: "Harbor Ridge 900102 LLC"},
			}}, q)
		}
	}

	p, err := b.people.Profile(t.Context(), b.uid(t, "Ada Larkspur"))
	require.NoError(t, err)
	require.Equal(t, &enrichment.Text{Value: "ada@first.example", Origin: enrichment.Origin{Source: "first", Confidence: 0.5, FetchedAt: p.Email.FetchedAt}}, p.Email)
	require.WithinDuration(t, fixture.Now, p.Email.FetchedAt, time.Second)
	require.Equal(t, "second", p.Location.Source)
	require.Nil(t, p.Phone)
	require.Equal(t, "Quillwood College", p.Education[0].School)
	var firms []string
	for _, e := range p.Experience {
		firms = append(firms, e.Firm+" "+e.From+" "+e.To+" "+e.Source)
	}
	require.Equal(t, []string{
		"Harbor Ridge 900101 LLC 2011-03  filings", "Harbor Ridge 900102 LLC 2011-03  filings", "Fernley Brothers 1998 2002 second",
	}, firms, "of a firm in the filings, the filings are believed")
	p, err = b.people.Profile(t.Context(), b.uid(t, "Una Quill"))
	require.NoError(t, err)
	require.Equal(t, "2020-03-01", p.Experience[0].To)
	require.Equal(t, "2025-03-01", p.Experience[0].LeftBefore)
	require.False(t, p.Experience[0].Current)
}

// The sample's provider knows only people whom filings of invented managers name, and marks its values. It knows no one whom a
// real manager names as well.
func TestInvented(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		has   func(crd, firm string) bool
		found bool
	}{
		"real managers":     {sample.Has, false},
		"an invented one":   {func(crd, firm string) bool { return crd == "900101" && firm == "Harbor Ridge 900101 LLC" }, true},
		"its number, alone": {func(crd, firm string) bool { return crd == "900101" && firm == "Another LLC" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, provider.NewInvented(test.has))
			got := b.enrich(t, ada, false, 200).Result
			require.Equal(t, 4, got.Providers[1].Asked)
			shown := 0
			for _, who := range []string{"Ada Larkspur", "Iris Fernley", "Theo Van Mossgate", "Una Quill"} {
				p, err := b.people.Profile(t.Context(), b.uid(t, who))
				require.NoError(t, err)
				if p.Email == nil {
					require.Empty(t, p.Education, who)
					require.Nil(t, p.Phone, who)
					continue
				}
				shown++
				require.NotEqual(t, "Ada Larkspur", who, "900102 is no invented manager")
				require.Equal(t, "invented", p.Email.Source, who)
				require.Equal(t, "invented", p.Education[0].Source, who)
				require.Regexp(t, `^[a-z.]+@invented\.example$`, p.Email.Value)
			}
			require.Equal(t, shown, got.Fields.Email)
			require.Equal(t, test.found, shown > 0)
		})
	}
}

// Without providers an enrichment consists of filings, and people are found from then on, not before.
func TestFilingsAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	uid := b.uid(t, "Ada Larkspur")
	_, err := b.people.Profile(t.Context(), uid)
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
	known, err := b.people.Enriched(t.Context(), []string{uid})
	require.NoError(t, err)
	require.Empty(t, known)
	info := `{"data":{"crd":"900101","enriched":false,"enriched_at":null,"state":"none","people":4,"reason":null,"known":[],"providers":[{"name":"filings","fields":["experience"]}]}}`
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrichment-info", WantJSON: info})
	require.Equal(t, new(4), b.enrich(t, ada, false, 200).Result.People)
	known, err = b.people.Enriched(t.Context(), []string{uid, "per_aaaaaaaaaaaaaaaa"})
	require.NoError(t, err)
	require.Equal(t, map[string]bool{uid: true}, known)
	p, stale, err := b.people.RefreshPerson(t.Context(), uid)
	require.NoError(t, err)
	require.False(t, stale)
	require.Nil(t, p.UpdatedAt)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrichment-info", Contains: []string{`"enriched":true`, `"state":"completed"`, `"people":4`}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900109/enrichment-info", Status: 404})
}

// TestAWithdrawalEndsAPost in the experience of a profile, too.
func TestAWithdrawalEndsAPost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Withdraw(t, "900102", "2019-08-30")
	p, err := b.people.Filed(t.Context(), b.uid(t, "Ada Larkspur"))
	require.NoError(t, err)
	var posts []string
	for _, e := range p.Experience {
		posts = append(posts, fmt.Sprintf("%s %s..%s<%s %v %s", e.CRD, e.From, e.To, e.LeftBefore, e.Current, e.FirmWithdrawnOn))
	}
	require.Equal(t, []string{"900101 2011-03..< true ", "900102 2011-03..2019-04-01<2019-08-30 false 2019-08-30"}, posts)
}

// What is known is counted by field and source, without names.
func TestInfo(t *testing.T) {
	t.Parallel()
	b := setup(t, knowing("second"))
	b.enrich(t, ada, false, 200)
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrichment-info", Contains: []string{
		`{"field":"education","source":"second","people":4,"last_fetched_at":"2026-11-22T09:00:00.000000Z"}`, `{"field":"email","source":"second","people":4,`,
	}})
	noNames(t, got.Body)
}

// P7: another person's data is refused, whichever provider sends them, and nothing of it is kept.
func TestAnotherPerson(t *testing.T) {
	t.Parallel()
	for _, vendor := range []string{"pdl", "hunter", "http"} {
		for name, test := range map[string]struct {
			file           string
			found, refused int
		}{"the person": {vendor + ".json", 1, 3}, "another": {vendor + "_other.json", 0, 4}} {
			t.Run(vendor+" "+name, func(t *testing.T) {
				t.Parallel()
				text, err := os.ReadFile("provider/testdata/" + test.file)
				require.NoError(t, err)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(text) }))
				t.Cleanup(server.Close)
				base, err := url.Parse(server.URL)
				require.NoError(t, err)
				client := provider.NewClient(5*time.Second, clock.System{}, nopLog())
				p := map[string]provider.Provider{
					"pdl": provider.NewPDL(base, "k", 6, client), "hunter": provider.NewHunter(base, "k", client), "http": provider.NewHTTP("http", base, "k", client),
				}[vendor]
				b := setup(t, p)
				got := b.enrich(t, ada, false, 200)
				require.Equal(t, enrichment.ProviderOutcome{Name: vendor, Asked: 4, Found: test.found, Refused: test.refused}, got.Result.Providers[1])
				require.Equal(t, test.found, got.Result.Fields.Email)
				kept, err := database.Values[string](t.Context(), b.DB, "read profiles", "SELECT fields::text FROM people.profiles WHERE fields <> '{}'", database.Args{})
				require.NoError(t, err)
				require.Len(t, kept, test.found)
			})
		}
	}
}

// A first name against another is another person, too; a short form and an initial are not.
func TestFirstNames(t *testing.T) {
	t.Parallel()
	for first, found := range map[string]int{"Ada": 1, "ADA MARIE": 1, "A": 1, "Berta": 0, "": 0} {
		s := &stub{name: "s", say: func(q provider.Query) (provider.Result, error) {
			if q.First != "Ada" {
				return provider.Result{}, &provider.Error{Kind: provider.NoMatch}
			}
			return provider.Result{First: first, Last: "larkspur", Confidence: 1, Email: "a@b.example"}, nil
		}}
		require.Equal(t, found, setup(t, s).enrich(t, ada, false, 200).Result.Fields.Email, first)
	}
}

// A provider that fails does not fail the enrichment, which then counts for a quarter of an hour only; others are not asked again.
func TestProviderFails(t *testing.T) {
	t.Parallel()
	bad, good := failing("bad", provider.OutOfCredit), knowing("good")
	b := setup(t, bad, good)
	got := b.enrich(t, ada, false, 200)
	why := "out_of_credit"
	require.Equal(t, enrichment.ProviderOutcome{Name: "bad", Asked: 4, Failed: 4, Error: &why}, got.Result.Providers[1])
	require.Equal(t, 4, got.Result.Providers[2].Found)
	require.True(t, b.enrich(t, ada, false, 200).Cached)
	b.Clock.Move(15 * time.Minute)
	again := b.enrich(t, ada, false, 200)
	require.False(t, again.Cached)
	require.Equal(t, 4, again.Result.Providers[2].Asked, "its answers are not old, and count nevertheless")
	require.Equal(t, 4, again.Result.Fields.Email)
	require.Len(t, good.about(), 4)
	b.Clock.Move(720 * time.Hour)
	b.enrich(t, ada, false, 200)
	require.Len(t, good.about(), 8)
}

// An enrichment of another manager asks about a person once more. If it finds nothing there, the profile stays as it was.
func TestAskedThroughAnotherManager(t *testing.T) {
	t.Parallel()
	s := knowing("s")
	was := s.say
	s.say = func(q provider.Query) (provider.Result, error) {
		if q.CRD == "900102" {
			return provider.Result{}, &provider.Error{Kind: provider.NoMatch}
		}
		return was(q)
	}
	b := setup(t, s)
	b.enrich(t, ada, false, 200)
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/900102/enrich", Body: `{}`, As: ada, Contains: []string{`"email":0`, `{"name":"s","asked":1,"found":0,"no_match":1,`}})
	require.Len(t, s.about(), 5)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900102/enrichment-info", Contains: []string{`"enriched":true`, `"known":[]`}})
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/enrichment-info", Contains: []string{`{"field":"email","source":"s","people":4,`}})
	p, err := b.people.Profile(t.Context(), b.uid(t, "Ada Larkspur"))
	require.NoError(t, err)
	require.Equal(t, "ada@s.example", p.Email.Value)
}

// Providers are asked for a profile again at most once an hour. If no provider answers, the profile stays and is marked as old.
func TestRefreshPerson(t *testing.T) {
	t.Parallel()
	s := knowing("s")
	b := setup(t, s)
	uid := b.uid(t, "Ada Larkspur")
	_, _, err := b.people.RefreshPerson(t.Context(), uid)
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
	b.enrich(t, ada, false, 200)
	asked := len(s.about())
	refresh := func(wantStale bool, wantAsked int) enrichment.Profile {
		t.Helper()
		p, stale, err := b.people.RefreshPerson(t.Context(), uid)
		require.NoError(t, err)
		require.Equal(t, wantStale, stale)
		require.Len(t, s.about(), asked+wantAsked)
		return p
	}
	refresh(false, 0)
	b.Clock.Move(time.Hour)
	require.Equal(t, b.Clock.Now(), *refresh(false, 1).UpdatedAt)
	b.Clock.Move(time.Hour)
	was := s.say
	s.say = failing("s", provider.Away).say
	require.Equal(t, "ada@s.example", refresh(true, 2).Email.Value)
	s.say = func(q provider.Query) (provider.Result, error) {
		r, err := was(q)
		r.Email, r.Phone = "", "1"
		return r, err
	}
	p := refresh(false, 3)
	require.Nil(t, p.Email, "what the provider says no more is gone")
	require.Equal(t, "1", p.Phone.Value)

	away := setup(t, failing("s", provider.Away))
	away.enrich(t, ada, false, 200)
	_, _, err = away.people.RefreshPerson(t.Context(), away.uid(t, "Ada Larkspur"))
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind, "nothing is known of before")
}

// Guarantee: people who objected are not enriched, also if the objection comes during the enrichment, and stored answers about
// them are deleted.
func TestSuppressed(t *testing.T) {
	t.Parallel()
	s := knowing("s")
	b := setup(t, s)
	b.enrich(t, ada, false, 200)
	uid := b.uid(t, "Ada Larkspur")
	kept, err := enrichment.Kept(t.Context(), b.DB, uid)
	require.NoError(t, err)
	require.NotNil(t, kept)
	b.Suppress(t, uid)
	kept, err = enrichment.Kept(t.Context(), b.DB, uid)
	require.NoError(t, err)
	require.Nil(t, kept)
	_, err = b.people.Profile(t.Context(), uid)
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)

	iris := b.uid(t, "Iris Fernley")
	was, once := s.say, sync.Once{}
	s.say = func(q provider.Query) (provider.Result, error) {
		once.Do(func() { // the first question of the run: the others wait in it
			for _, name := range []string{"Iris Fernley", "Una Quill", "Theo Van Mossgate"} {
				b.Suppress(t, b.uid(t, name))
			}
		})
		return was(q)
	}
	b.Clock.Move(721 * time.Hour)
	got := b.enrich(t, ada, false, 200)
	require.Equal(t, new(0), got.Result.People)
	for _, u := range []string{uid, iris} {
		kept, err = enrichment.Kept(t.Context(), b.DB, u)
		require.NoError(t, err)
		require.Nil(t, kept)
	}
	n, err := database.Values[int64](t.Context(), b.DB, "count profiles", "SELECT count(*) FROM people.profiles", database.Args{})
	require.NoError(t, err)
	require.Zero(t, n[0])
}

// A profile follows its person when records merge. When a person is split, it is of neither for sure, and goes.
func TestMergedAndSplit(t *testing.T) {
	t.Parallel()
	b := setup(t, knowing("s"))
	b.Load(t, fixture.Filed("900103", "2021-05-01", []fixture.Person{{Name: "FERNLEY, IRIS"}}))
	b.enrich(t, ada, false, 200)
	found, err := b.People.Find(t.Context(), "Iris Fernley")
	require.NoError(t, err)
	require.Len(t, found, 2)
	here, there := found[0].PersonUID, found[1].PersonUID
	if found[0].CRD != "900101" {
		here, there = there, here
	}
	b.Merge(t, here, there)
	for _, uid := range []string{here, there} {
		p, err := b.people.Profile(t.Context(), uid)
		require.NoError(t, err)
		require.Equal(t, there, p.PersonUID)
		require.Equal(t, "iris@s.example", p.Email.Value)
	}
	b.Split(t, there, "900103")
	kept, err := enrichment.Kept(t.Context(), b.DB, there)
	require.NoError(t, err)
	require.Nil(t, kept)
}

// Forget deletes old profiles, those of people whom filings no longer name, and old jobs.
func TestForget(t *testing.T) {
	t.Parallel()
	b := setup(t, knowing("s"))
	b.enrich(t, ada, false, 200)
	count := func(table string) int64 {
		n, err := database.Values[int64](t.Context(), b.DB, "count", "SELECT count(*) FROM people."+table, database.Args{})
		require.NoError(t, err)
		return n[0]
	}
	require.NoError(t, b.people.Forget(t.Context()))
	require.Equal(t, int64(4), count("profiles"))
	require.NoError(t, b.DB.From(t.Context()).Exec("UPDATE people.profiles SET person_uid = 'per_aaaaaaaaaaaaaaaa' WHERE person_uid = ?", b.uid(t, "Una Quill")).Error)
	require.NoError(t, b.people.Forget(t.Context()))
	require.Equal(t, int64(3), count("profiles"))
	b.Clock.Move(91 * 24 * time.Hour)
	require.NoError(t, b.people.Forget(t.Context()))
	require.Equal(t, int64(3), count("profiles"))
	require.Zero(t, count("enrichments"))
	require.Zero(t, count("enrichment_askers"))
	require.Equal(t, int64(1), count("enriched_firms"), "people stay known")
	b.Clock.Move(300 * 24 * time.Hour)
	require.NoError(t, b.people.Forget(t.Context()))
	require.Zero(t, count("profiles"))
	require.Empty(t, jobstest.Waiting(t, b.DB))
}

// An account that has not confirmed its email address starts nothing: providers bill each enrichment.
func TestUnconfirmedAccountsEnrichNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.host.Do(t, httpapitest.Scenario{
		Method: http.MethodPost, Path: "/v1/gps/900101/enrich", Body: `{}`, As: &auth.Principal{Kind: auth.Session, UserID: 7, Unverified: true},
		Status: 403, Contains: []string{"Verify your email address first"},
	})
}
