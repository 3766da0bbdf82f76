package career_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/career"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/invented"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// bench is a service whose accounts own what the meter has sold them.
type bench struct {
	*fixture.World
	host  *httpapitest.Host
	meter *chargetest.Meter
	said  map[string]enrichment.Profile // of the enriched
	names map[string]bool               // bought with a team
}

// Owned replaces module billing.
func (b *bench) Owned(_ context.Context, userID int64, product string, units []string) (map[string]bool, error) {
	owned := map[string]bool{}
	for _, has := range b.meter.Owned(userID, product) {
		owned[has] = true
	}
	for _, u := range units {
		if product == "roster" && userID == ada.UserID && b.names[u] {
			owned[u] = true
		}
	}
	return owned, nil
}

// Placed replaces module billing: names are bought at each manager.
func (b *bench) Placed(_ context.Context, userID int64, _ string, places []string) (map[string]bool, error) {
	placed := map[string]bool{}
	for _, place := range places {
		if _, uid, _ := strings.Cut(place, "/"); userID == ada.UserID && b.names[uid] {
			placed[place] = true
		}
	}
	return placed, nil
}

// Profile is that of those who were enriched.
func (b *bench) Profile(_ context.Context, uid string) (enrichment.Profile, error) {
	if p, ok := b.said[uid]; ok {
		return p, nil
	}
	return enrichment.Profile{}, apperr.NotFound("nobody")
}

var (
	ada    = &auth.Principal{Kind: auth.Session, UserID: 7}
	tester = &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "k", Mode: auth.ModeTest}
)

type people = []fixture.Person

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{
		World: fixture.New(t, catalogtest.NewLoader), meter: &chargetest.Meter{CallersOnly: true}, said: map[string]enrichment.Profile{}, names: map[string]bool{},
	}
	b.host = httpapitest.NewMetered(t, b.meter, career.Routes(career.NewService(career.NewStore(b.DB), person.NewStore(b.DB), b.People, b, b))...)
	quill := fixture.Person{Name: "QUILL, BRAM", Title: "VICE PRESIDENT", Since: "2018-01", Number: "1000019"}
	risen := quill
	risen.Title, risen.Since = "PARTNER", "2021-06"
	b.Load(t,
		fixture.Filed("900101", "2019-03-01", people{quill, {Name: "LARKSPUR, ADA", Title: "MANAGING MEMBER", Since: "2011-03"}}),
		fixture.Filed("900101", "2020-03-01", people{quill, {Name: "LARKSPUR, ADA", Title: "MANAGING MEMBER", Since: "2011-03"}}),
		fixture.Filed("900101", "2021-09-01", nil),
		fixture.Filed("900101", "2022-03-01", people{risen, {Name: "MOSSGATE, THEO", Title: "PARTNER"}}),
		fixture.Filed("900101", "2025-03-01", people{
			{Name: "LARKSPUR, ADA", Title: "CHIEF EXECUTIVE OFFICER", Since: "2011-03"}, {Name: "MOSSGATE, THEO", Title: "PARTNER"}, {Name: "FERNLEY, IRIS", Title: "PARTNER"},
		}),
		fixture.Filed("900102", "2025-04-01", people{{Name: "QUILL, BRAM", Title: "MANAGING PARTNER", Number: "1000019", Since: "2024-01"}}),
	)
	return b
}

func (b *bench) uid(t *testing.T, last string) string {
	t.Helper()
	list, err := database.Values[string](t.Context(), b.DB, "read a uid", "SELECT DISTINCT person_uid FROM people.posts WHERE last_key = @last", database.Args{"last": last})
	require.NoError(t, err)
	require.Len(t, list, 1)
	return list[0]
}

// employment is a history in short: "900101 PARTNER 2021-06..2022-03-01<2025-03-01".
func employment(t *testing.T, body string) (list []string) {
	t.Helper()
	var answer struct{ Data career.History }
	require.NoError(t, json.Unmarshal([]byte(body), &answer))
	or := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	on := func(day, precision *string) string {
		require.Equal(t, day == nil, precision == nil)
		if day == nil {
			return "-"
		}
		return *day + " " + *precision
	}
	for _, e := range answer.Data.Employment {
		list = append(list, fmt.Sprintf("%s %s %s..%s<%s %v", or(e.CRD), or(e.Title), on(e.From, e.FromPrecision), on(e.To, e.ToPrecision), or(e.EndedBefore), e.Current))
	}
	return list
}

// TestHistory shows a career over the years: a new title begins an entry, and so does a gap.
func TestHistory(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill, larkspur := b.uid(t, "QUILL"), b.uid(t, "LARKSPUR")
	at := "/v1/people/" + quill + "/history"
	unknown := b.host.Do(t, httpapitest.Scenario{Path: at, As: ada, Status: 404})
	nobody := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/per_aaaaaaaaaaaaaaaa/history", As: ada, Status: 404})
	require.Equal(t, strings.ReplaceAll(unknown.Body, quill, "per_aaaaaaaaaaaaaaaa"), nobody.Body)
	b.said[quill] = enrichment.Profile{
		PersonUID: quill,
		Education: []enrichment.School{{Education: provider.Education{School: "Birch College", From: "2006", To: "2010"}, Origin: enrichment.Origin{Source: "pdl", Confidence: 0.9, FetchedAt: b.Clock.Now()}}},
		Experience: []enrichment.Post{
			{Experience: provider.Experience{Firm: "Holm Bank", Title: "Analyst", From: "2010-09", To: "2017"}, Origin: enrichment.Origin{Source: "pdl", Confidence: 0.9, FetchedAt: b.Clock.Now()}},
			{Experience: provider.Experience{Firm: "as filed", Title: "PARTNER"}, Origin: enrichment.Origin{Source: enrichment.SourceFilings}},
		},
	}
	got := b.host.Do(t, httpapitest.Scenario{Path: at, As: ada, Contains: []string{`"school":"Birch College"`, `"full_name":"Bram Quill"`, `"paid_before":false`}})
	require.Equal(t, []string{
		"- Analyst 2010-09-01 month..2017-01-01 year<- false", "900101 VICE PRESIDENT 2018-01-01 month..2020-03-01 day<2022-03-01 false",
		"900101 PARTNER 2021-06-01 month..2022-03-01 day<2025-03-01 false",
		"900102 MANAGING PARTNER 2024-01-01 month..-<- true",
	}, employment(t, got.Body))
	require.Equal(t, "0.75", got.Header.Get("X-Charge"))
	require.Equal(t, "900102", b.meter.Charged()[0].CRD, "the manager stands in the caller's purchases and receipt")
	again := b.host.Do(t, httpapitest.Scenario{Path: at, As: ada, Contains: []string{`"paid_before":true`}})
	require.Equal(t, "0.00", again.Header.Get("X-Charge"))
	delete(b.said, quill)
	b.host.Do(t, httpapitest.Scenario{Path: at, As: ada}) // what was bought stays
	b.host.Do(t, httpapitest.Scenario{Path: at, Status: 401})
	b.host.Do(t, httpapitest.Scenario{Path: at + "?max_charge=0.74", As: &auth.Principal{Kind: auth.Session, UserID: 8}, Status: 402}) // as if it were there
	b.said[quill] = enrichment.Profile{PersonUID: quill}
	b.host.Do(t, httpapitest.Scenario{Path: at + "?max_charge=0.74", As: &auth.Principal{Kind: auth.Session, UserID: 8}, Status: 402})

	b.said[larkspur] = enrichment.Profile{PersonUID: larkspur}
	got = b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + larkspur + "/history", As: ada})
	require.Equal(t, []string{"900101 MANAGING MEMBER 2011-03-01 month..2020-03-01 day<2022-03-01 false", "900101 CHIEF EXECUTIVE OFFICER 2011-03-01 month..-<- true"}, employment(t, got.Body))

	mossgate, charged := b.uid(t, "MOSSGATE"), len(b.meter.Charged())
	b.Load(t, fixture.Filed("900101", "2026-03-01", people{{Name: "LARKSPUR, ADA", Title: "CHIEF EXECUTIVE OFFICER", Since: "2011-03"}}))
	b.said[mossgate] = enrichment.Profile{PersonUID: mossgate}
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + mossgate + "/history", As: ada})
	require.Equal(t, "900101", b.meter.Charged()[charged].CRD, "for people who have left, the manager that named them last")

	b.Suppress(t, quill)
	b.host.Do(t, httpapitest.Scenario{Path: at, As: ada, Status: 404})
}

// TestAWithdrawalEndsAPost is at the managers themselves; their filings say no more. Who files again has a current post again.
func TestAWithdrawalEndsAPost(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill := b.uid(t, "QUILL")
	b.said[quill] = enrichment.Profile{PersonUID: quill}
	history := func(contains ...string) []string {
		t.Helper()
		return employment(t, b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + quill + "/history", As: ada, Contains: contains}).Body)
	}
	earlier := []string{"900101 VICE PRESIDENT 2018-01-01 month..2020-03-01 day<2022-03-01 false", "900101 PARTNER 2021-06-01 month..2022-03-01 day<2025-03-01 false"}
	current := append(slices.Clone(earlier), "900102 MANAGING PARTNER 2024-01-01 month..-<- true")
	require.Equal(t, current, history(`"firm_withdrawn_on":null`))
	b.Withdraw(t, "900102", "2025-08-30")
	require.Equal(t, append(slices.Clone(earlier), "900102 MANAGING PARTNER 2024-01-01 month..2025-04-01 day<2025-08-30 false"), history(`"firm_withdrawn_on":"2025-08-30"`))
	b.Withdraw(t, "900101", "2025-09-30")
	require.Equal(t, append(slices.Clone(earlier), "900102 MANAGING PARTNER 2024-01-01 month..2025-04-01 day<2025-08-30 false"),
		history(`"firm_withdrawn_on":"2025-09-30"`), "what ended before stays")
	b.Load(t, fixture.Filed("900102", "2026-03-01", people{{Name: "QUILL, BRAM", Title: "MANAGING PARTNER", Number: "1000019", Since: "2024-01"}}))
	require.Equal(t, current, history(`"firm_withdrawn_on":null`))
}

const unlock = "/v1/gps/900101/careers/unlock-all"

func (b *bench) unlock(t *testing.T, as *auth.Principal, body string, status int) (charged string, got httpapitest.Response) {
	t.Helper()
	got = b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: unlock, Body: body, As: as, Status: status})
	return got.Header.Get("X-Charge"), got
}

// TestUnlockAll sells one career for 0.75 and two or more for 0.60 each, of those alone whose names the account has bought.
func TestUnlockAll(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill, larkspur, mossgate, fernley := b.uid(t, "QUILL"), b.uid(t, "LARKSPUR"), b.uid(t, "MOSSGATE"), b.uid(t, "FERNLEY")
	charged, got := b.unlock(t, ada, `{}`, 200)
	require.Equal(t, "0.00", charged, "no names bought, nothing to unlock")
	require.JSONEq(t, `{"data":[],"meta":{"returned":0,"already_owned":0,"unlocked":0}}`, got.Body)

	_, got = b.unlock(t, ada, `{"person_ids":["`+quill+`","`+mossgate+`"]}`, 400)
	require.Contains(t, got.Body, "not bought with the team or the alumni of this manager, so unlock these first: ")
	require.Contains(t, got.Body, mossgate)
	for _, as := range []*auth.Principal{ada, tester} { // an ID can be guessed: whether it is on the roster is sold
		for _, terms := range []string{"", "?quote=true"} {
			refused := func(id string) string {
				return strings.ReplaceAll(b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: unlock + terms, Body: `{"person_ids":["` + id + `"]}`, As: as, Status: 400}).Body, id, "ID")
			}
			require.Equal(t, refused(quill), refused("per_abcdefghijklmnop"))
		}
	}
	require.Zero(t, b.meter.Spent(7))

	b.names[quill], b.names[mossgate], b.names[larkspur] = true, true, true
	charged, _ = b.unlock(t, ada, `{"person_ids":["`+quill+`"]}`, 200)
	require.Equal(t, "0.75", charged, "an alumnus, alone")
	charged, got = b.unlock(t, ada, `{"person_ids":["`+quill+`","`+mossgate+`","`+mossgate+`"]}`, 200)
	require.Equal(t, "0.75", charged, "one of them is new")
	require.Contains(t, got.Body, `"meta":{"returned":2,"already_owned":1,"unlocked":1}`)
	b.names[fernley] = true
	quoted := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: unlock + "?quote=true", Body: `{}`, As: ada, Contains: []string{`"amount":1.2`, `"owned":2`, `"quantity":4`}})
	require.NotContains(t, quoted.Body, "Quill")
	charged, got = b.unlock(t, ada, `{}`, 200)
	require.Equal(t, "1.20", charged, "two are new")
	require.Contains(t, got.Body, `"meta":{"returned":4,"already_owned":2,"unlocked":2}`)
	charged, _ = b.unlock(t, ada, `{}`, 200)
	require.Equal(t, "0.00", charged)
	read := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + fernley + "/history", As: ada})
	require.Equal(t, "0.00", read.Header.Get("X-Charge"), "unlocked, though nobody has enriched the manager")
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + fernley + "/history", As: &auth.Principal{Kind: auth.Session, UserID: 8}, Status: 404})

	for _, body := range []string{`{"person_ids":[]}`, `{"person_ids":"x"}`, `{"ids":[]}`, `{"confirm":1}`, `[]`} {
		b.unlock(t, ada, body, 400)
	}
	b.unlock(t, nil, `{}`, 401)
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/999999/careers/unlock-all", Body: `{}`, As: ada, Status: 404})
}

// TestUnlockAllIsBounded refuses what is above the cap, the one-click threshold or max_charge, and charges by what is new when it
// is charged: a quote that another purchase has made too high is not kept to.
func TestUnlockAllIsBounded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill, mossgate := b.uid(t, "QUILL"), b.uid(t, "MOSSGATE")
	b.names[quill], b.names[mossgate] = true, true
	b.meter.SetOneClick(7, true, 1_000_000)
	_, got := b.unlock(t, ada, `{}`, 402)
	require.Contains(t, got.Body, `"confirmation_required"`)
	require.NotContains(t, strings.ToUpper(got.Body), "QUILL")
	limit := int64(1_000_000)
	b.meter.SetCap(7, &limit)
	_, got = b.unlock(t, ada, `{"confirm":true}`, 402)
	require.Contains(t, got.Body, `"spending_cap"`)
	b.meter.SetCap(7, nil)
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: unlock + "?max_charge=1.19", Body: `{"confirm":true}`, As: ada, Status: 402, Contains: []string{`"max_charge"`}})
	require.Zero(t, b.meter.Spent(7))
	// Two for 1.20 were quoted; one of them is bought meanwhile, and the other alone costs 0.75.
	b.unlock(t, ada, `{"person_ids":["`+quill+`"],"confirm":true}`, 200)
	charged := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: unlock + "?max_charge=1.20", Body: `{"confirm":true}`, As: ada}).Header.Get("X-Charge")
	require.Equal(t, "0.75", charged)
	for _, item := range b.meter.Charged() {
		require.True(t, item.Unlock)
	}
}

// TestAFormerUIDIsUnlocked accepts former uids, and does not charge again for people whose records have merged.
func TestAFormerUIDIsUnlocked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mossgate, fernley := b.uid(t, "MOSSGATE"), b.uid(t, "FERNLEY")
	b.names[mossgate], b.names[fernley] = true, true
	b.unlock(t, ada, `{"person_ids":["`+fernley+`"]}`, 200)
	b.Merge(t, fernley, mossgate)
	charged, got := b.unlock(t, ada, `{"person_ids":["`+fernley+`","`+mossgate+`"]}`, 200)
	require.Equal(t, "0.00", charged)
	require.Contains(t, got.Body, `"returned":1`)
	got = b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + fernley + "/history", As: ada, Contains: []string{`"person_uid":"` + mossgate + `"`}})
	require.Equal(t, "0.00", got.Header.Get("X-Charge"))
}

// TestFromIsTheEarliestStatedMonth keeps to the month that the rows state, though an earlier title was filed after it.
func TestFromIsTheEarliestStatedMonth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	holm := func(title, since string) fixture.Person {
		return fixture.Person{Name: "HOLM, OLE", Title: title, Since: since}
	}
	b.Load(t,
		fixture.Filed("900103", "2022-10-01", people{holm("PRINCIPAL", "2019-02")}),
		fixture.Filed("900103", "2023-02-01", people{holm("PRINCIPAL", "2019-02")}),
		fixture.Filed("900103", "2023-12-01", people{holm("MANAGING DIRECTOR", "2022-12"), holm("LIMITED PARTNER", "2022-11")}),
	)
	uid := b.uid(t, "HOLM")
	b.said[uid] = enrichment.Profile{PersonUID: uid}
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid + "/history", As: ada})
	require.Equal(t, []string{"900103 PRINCIPAL 2019-02-01 month..2023-02-01 day<2023-12-01 false", "900103 MANAGING DIRECTOR; LIMITED PARTNER 2022-11-01 month..-<- true"}, employment(t, got.Body))
}

// TestTestKeysSeeNothingOfACareer compares a career with the real one: with a test key it shows no real employer, day or role.
func TestTestKeysSeeNothingOfACareer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill := b.uid(t, "QUILL")
	b.said[quill] = enrichment.Profile{PersonUID: quill}
	path := "/v1/people/" + quill + "/history"
	got := b.host.Do(t, httpapitest.Scenario{Path: path, As: tester})
	_, all := b.unlock(t, tester, `{}`, 200)
	for _, body := range []string{got.Body, all.Body} {
		for _, secret := range []string{"Harbor Ridge", "9001", "filings", "2018-01", "2020-03-01", "2021-06", "2022-03-01", "2025-03-01", "2024-01", "2011-03"} {
			require.NotContains(t, body, secret)
		}
	}
	require.Equal(t, got.Body, b.host.Do(t, httpapitest.Scenario{Path: path, As: tester}).Body)
	before := employment(t, got.Body)
	b.Load(t, fixture.Filed("900103", "2026-04-01", people{{Name: "QUILL, BRAM", Title: "PARTNER", Number: "1000019", Since: "2026-01"}}))
	require.Equal(t, before, employment(t, b.host.Do(t, httpapitest.Scenario{Path: path, As: tester}).Body), "a real change changes nothing")
}

// TestASplitCareerIsPaid does not charge again for a career that was bought before the operator split the person.
func TestASplitCareerIsPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill := b.uid(t, "QUILL")
	b.names[quill] = true
	charged, _ := b.unlock(t, ada, `{"person_ids":["`+quill+`"]}`, 200)
	require.Equal(t, "0.75", charged)
	_, two := b.Split(t, quill, "900101")
	charged, _ = b.unlock(t, ada, `{"person_ids":["`+two+`"]}`, 200)
	require.Equal(t, "0.00", charged)
	for _, uid := range []string{quill, two} {
		got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid + "/history", As: ada})
		require.Equal(t, "0.00", got.Header.Get("X-Charge"))
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid + "/history", As: &auth.Principal{Kind: auth.Session, UserID: 8}, Status: 404})
	}
}

// TestNoNameWithoutPay looks for names in everything that those see who do not pay.
func TestNoNameWithoutPay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	clean := func(got httpapitest.Response) {
		t.Helper()
		said := strings.ToUpper(got.Body + fmt.Sprint(got.Header))
		for _, name := range []string{"QUILL", "LARKSPUR", "MOSSGATE", "FERNLEY", "HOLM BANK"} {
			require.NotContains(t, said, name)
		}
	}
	for _, last := range []string{"QUILL", "LARKSPUR", "MOSSGATE", "FERNLEY"} {
		uid := b.uid(t, last)
		b.names[uid] = true
		b.said[uid] = enrichment.Profile{PersonUID: uid, Experience: []enrichment.Post{{Experience: provider.Experience{Firm: "Holm Bank"}, Origin: enrichment.Origin{Source: "pdl"}}}}
		at := "/v1/people/" + uid + "/history"
		for _, s := range []httpapitest.Scenario{
			{Path: at, Status: 401},
			{Path: at, As: tester},
			{Path: at + "?quote=true", As: ada},
			{Method: "HEAD", Path: at, As: ada},
			{Path: at + "?max_charge=0.1", As: ada, Status: 402},
			{Method: "POST", Path: unlock, Body: `{"person_ids":["` + uid + `"]}`, As: tester, Status: 400},
			{Method: "POST", Path: unlock, Body: `{"person_ids":["` + invented.UID("900101", "team", 0) + `","` + invented.UID("900101", "alumni", 0) + `"]}`, As: tester},
		} {
			clean(b.host.Do(t, s))
		}
	}
	_, got := b.unlock(t, tester, `{}`, 200)
	clean(got)
	require.Contains(t, got.Body, `"meta":{"returned":4,"already_owned":0,"unlocked":0,"test":true}`)
	clean(b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: unlock + "?quote=true", Body: `{}`, As: ada}))
	require.Zero(t, b.meter.Spent(7))
}

// Of a title whose month is not stated, the year alone is known; a later filing that states the month completes it.
func TestFromMayBeAYear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Load(t,
		fixture.Filed("900104", "2023-03-01", people{{Name: "HOLM, OLE", Title: "PARTNER", Since: "2009"}, {Name: "BIRCH, UNA", Title: "PARTNER", Since: "2009"}}),
		fixture.Filed("900104", "2024-03-01", people{{Name: "HOLM, OLE", Title: "PARTNER", Since: "2009"}, {Name: "BIRCH, UNA", Title: "PARTNER", Since: "2009-01"}}),
	)
	for last, want := range map[string]string{"HOLM": "2009-01-01 year", "BIRCH": "2009-01-01 month"} {
		uid := b.uid(t, last)
		b.said[uid] = enrichment.Profile{PersonUID: uid}
		got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + uid + "/history", As: ada})
		require.Equal(t, []string{"900104 PARTNER " + want + "..-<- true"}, employment(t, got.Body))
	}
}
