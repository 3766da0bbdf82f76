package school_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/school"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/httpapitest"
)

const ada = "ada@mba2027.bschool.edu"

type bench struct {
	*sessiontest.Bench

	service *school.Service
	host    *httpapitest.Host
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t)}
	b.Schools = append(b.Schools, user.School{Slug: "mossgate", Name: "Mossgate School", Domain: "class{year}.mossgate.example"})
	b.service = school.NewService(b.DB, b.Clock, b.Schools)
	b.host = httpapitest.New(t, school.Routes(b.service)...)
	return b
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return t
}

func (b *bench) answer(t *testing.T, u *user.User, when string, status int) httpapitest.Response {
	t.Helper()
	b.Clock.Set(at(when))
	return b.host.Do(t, httpapitest.Scenario{
		Name: when, Method: "POST", Path: "/v1/bschool/survey", As: &auth.Principal{Kind: auth.Session, UserID: u.ID},
		Body: `{"answers":{"satisfied":true}}`, Status: status,
	})
}

// check runs the job at an instant and gives tier, plan and API tier of an account.
func (b *bench) check(t *testing.T, u *user.User, when string) []string {
	t.Helper()
	b.Clock.Set(at(when))
	h := school.Handlers(b.service)[0]
	require.Equal(t, b.service.Part().Schedules[0].Type, h.Type)
	require.NoError(t, h.Run(t.Context(), []byte(`{}`)))
	return b.access(t, u)
}

func (b *bench) access(t *testing.T, u *user.User) []string {
	t.Helper()
	now, err := b.Users.FindByID(t.Context(), u.ID)
	require.NoError(t, err)
	return []string{now.Tier, now.SubscriptionPlan, now.APITier}
}

var (
	free   = []string{"bschool_student", "pro", "growth"}
	lapsed = []string{"bschool_student", "free", "starter"}
)

// An address of a class of this or a coming year is eligible; whether anybody has registered with it makes no difference.
func TestVerify(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.MakeUser(t, ada)
	verify := func(path, email string, status int) string {
		t.Helper()
		return b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Body: fmt.Sprintf(`{"email":%q}`, email), Status: status}).Body
	}
	want := `{"data":{"eligible":true,"school":"bschool","school_name":"Business School","graduation_year":2027,"tier":"bschool_student","reason":null}}`
	require.JSONEq(t, want, verify("/v1/bschool/verify", ada, 200))
	require.JSONEq(t, want, verify("/v1/bschool/verify", " Nobody@MBA2027.bschool.edu ", 200))
	require.JSONEq(t, `{"data":{"eligible":false,"school":"bschool","school_name":"Business School","graduation_year":2025,"tier":null,"reason":"graduated"}}`,
		verify("/v1/bschool/verify", "ada@mba2025.bschool.edu", 200))
	for _, email := range []string{"ada@bschool.edu", "ada@mba2027.bschool.edu.co", "ada@x.mba2027.bschool.edu", "ada@class2027.mossgate.example", "ada@larkspur.example"} {
		require.JSONEq(t, `{"data":{"eligible":false,"school":"bschool","school_name":"Business School","graduation_year":null,"tier":null,"reason":"not_a_class_address"}}`,
			verify("/v1/bschool/verify", email, 200), email)
	}
	require.Contains(t, verify("/v1/mossgate/verify", "ada@class2026.mossgate.example", 200), `"tier":"mossgate_student"`)
	for _, bad := range []string{"ada", "", "@mba2027.bschool.edu", "ada@mba2027.bschool.edu\x00"} {
		verify("/v1/bschool/verify", bad, 400)
	}
	require.Contains(t, verify("/v1/nowhere/verify", ada, 404), "nowhere")
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/bschool/verify", Body: `{"email":"a@b.example","tier":"x"}`, Status: 400})

	for when, eligible := range map[string]bool{"2027-12-31T23:59:59.999999Z": true, "2028-01-01T00:00:00Z": false} {
		b.Clock.Set(at(when))
		require.Equal(t, eligible, strings.Contains(verify("/v1/bschool/verify", ada, 200), `"eligible":true`), when)
	}
}

// Once a calendar month in UTC, whatever zone the database is in (a half-hour one, here).
func TestSurveyOnceAMonth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var zone string
	require.NoError(t, b.DB.From(t.Context()).Raw("SHOW TimeZone").Scan(&zone).Error)
	require.Equal(t, "America/St_Johns", zone)
	u := b.MakeUser(t, ada)
	got := b.answer(t, u, "2026-11-20T09:30:00Z", 201)
	require.JSONEq(t, `{"data":{"school":"bschool","month":"2026-11","answered_at":"2026-11-20T09:30:00.000000Z","next_survey_at":"2026-12-01T00:00:00.000000Z",
		"access_until":"2027-01-01T00:00:00.000000Z","subscription_plan":"pro","api_tier":"growth"}}`, got.Body)
	b.answer(t, u, "2026-11-20T09:30:01Z", 409)
	b.answer(t, u, "2026-11-30T23:59:59.999999Z", 409)
	b.answer(t, u, "2026-12-01T00:00:00Z", 201)
	b.answer(t, u, "2026-12-01T03:29:59Z", 409)
	b.answer(t, u, "2026-12-31T23:59:59Z", 409)
	b.answer(t, u, "2027-01-01T00:00:00Z", 201)
	b.answer(t, u, "2027-01-31T23:59:59Z", 409)
	b.answer(t, u, "2027-02-28T23:59:59.999999Z", 201)
	b.answer(t, u, "2027-03-01T00:00:00Z", 201)
	require.Contains(t, b.answer(t, u, "2027-12-31T23:59:59Z", 201).Body, `"access_until":"2028-01-01T00:00:00.000000Z"`)
	var months []string
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT month::text FROM accounts.survey_answers ORDER BY month").Scan(&months).Error)
	require.Equal(t, []string{"2026-11-01", "2026-12-01", "2027-01-01", "2027-02-01", "2027-03-01", "2027-12-01"}, months)
	b.answer(t, u, "2028-01-01T00:00:00Z", 403)
}

// Of twenty clients at once one is let through.
func TestSurveyInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	kinds := make([]apperr.Kind, 20)
	var wg sync.WaitGroup
	for i := range kinds {
		wg.Go(func() {
			kinds[i] = -1
			if _, err := b.service.Answer(t.Context(), u.ID, "bschool", map[string]any{"client": float64(i)}); err != nil {
				kinds[i] = apperr.From(err).Kind
			}
		})
	}
	wg.Wait()
	count := map[apperr.Kind]int{}
	for _, k := range kinds {
		count[k]++
	}
	require.Equal(t, map[apperr.Kind]int{-1: 1, apperr.KindConflict: 19}, count)
}

// Accounts that are not of this school's programme may not answer.
func TestSurveyIsForStudents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	send := func(email, path string, status int) {
		t.Helper()
		u, err := b.Users.FindByEmail(t.Context(), email)
		require.NoError(t, err)
		if u == nil {
			u = b.MakeUser(t, email)
		}
		b.host.Do(t, httpapitest.Scenario{
			Method: "POST", Path: path, As: &auth.Principal{Kind: auth.Session, UserID: u.ID}, Body: `{"answers":{"a":1}}`, Status: status,
		})
	}
	for _, email := range []string{"ada@larkspur.example", "ada@mossgate.edu", "ada@mba2025.bschool.edu", "ada@class2027.mossgate.example"} {
		send(email, "/v1/bschool/survey", 403)
	}
	send("ada@class2027.mossgate.example", "/v1/nowhere/survey", 404)
	send("ada@class2027.mossgate.example", "/v1/mossgate/survey", 201)
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/bschool/survey", Body: `{"answers":{"a":1}}`, Status: 401})
	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: "/v1/bschool/survey", As: &auth.Principal{Kind: auth.Key, UserID: 1}, Body: `{"answers":{"a":1}}`, Status: 403,
	})
	b.host.Do(t, httpapitest.Scenario{
		Method: "POST", Path: "/v1/bschool/survey", As: &auth.Principal{Kind: auth.Session, UserID: 999999}, Body: `{"answers":{"a":1}}`, Status: 401,
	})
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	as := &auth.Principal{Kind: auth.Session, UserID: u.ID}
	many := map[string]int{}
	for i := range 51 {
		many[fmt.Sprint("q", i)] = i
	}
	tooMany, err := json.Marshal(many)
	require.NoError(t, err)
	for _, body := range []string{
		`{}`, `{"answers":{}}`, `{"answers":[]}`, `{"answers":{"":1}}`, `{"answers":{"a":null}}`, `{"answers":{"a":{"b":1}}}`,
		`{"answers":{"a":9007199254740993}}`, `{"answers":{"a":-9007199254740992}}`,
		`{"answers":{"a":[1]}}`, `{"answers":{"a":"\u0000"}}`, `{"answers":{"a\u0000":1}}`, `{"answers":{"a":["\u0000"]}}`,
		`{"answers":{"a":1},"month":"2026-10-01"}`, `{"answers":` + string(tooMany) + `}`,
		`{"answers":{"a":"` + strings.Repeat("x", 2001) + `"}}`, `{"answers":{"` + strings.Repeat("x", 65) + `":1}}`,
		`{"answers":{"a":["` + strings.Repeat(strings.Repeat("x", 1990)+`","`, 20) + `"]}}`,
	} {
		got := b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/bschool/survey", As: as, Body: body, Status: 400})
		require.Contains(t, got.Body, `"errors"`, body)
	}
	good := `{"text":"é <b> & \" ' \\","number":4.5,"yes":true,"no":false,"list":["a","b"],"none":[],"empty":""}`
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/bschool/survey", As: as, Body: `{"answers":` + good + `}`, Status: 201})
	var stored string
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT answers::text FROM accounts.survey_answers WHERE user_id = ?", u.ID).Scan(&stored).Error)
	require.JSONEq(t, good, stored)
}

// Whoever lets a calendar month pass falls to the free plan with its last second, and gets the access back by answering.
func TestMissedSurvey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada) // 20 November: that month is not asked for
	require.Equal(t, free, b.check(t, u, "2026-11-30T00:10:00Z"))
	require.Equal(t, free, b.check(t, u, "2026-12-31T23:59:59.999999Z"))
	require.Equal(t, lapsed, b.check(t, u, "2027-01-01T00:00:00Z"), "December was missed")
	require.Equal(t, lapsed, b.check(t, u, "2027-01-05T00:10:00Z"))
	require.Contains(t, b.answer(t, u, "2027-01-31T23:59:59Z", 201).Body, `"subscription_plan":"pro"`)
	require.Equal(t, free, b.access(t, u))
	require.Equal(t, free, b.check(t, u, "2027-02-28T23:59:59.999999Z"))
	require.Equal(t, lapsed, b.check(t, u, "2027-03-01T00:00:00Z"), "February was missed")
	b.answer(t, u, "2027-03-02T00:00:00Z", 201)
	b.answer(t, u, "2027-04-30T23:59:59Z", 201)
	require.Equal(t, free, b.check(t, u, "2027-05-01T00:10:00Z"))
}

// The instant of the registration counts in UTC, at the border of a month, too.
func TestRegistrationAtTheBorderOfAMonth(t *testing.T) {
	t.Parallel()
	for registered, missed := range map[string]string{
		"2026-11-30T23:59:59.999999Z": "2027-01-01T00:00:00Z",
		"2026-12-01T00:00:00Z":        "2027-02-01T00:00:00Z",
	} {
		b := setup(t)
		b.Clock.Set(at(registered))
		u := b.MakeUser(t, ada)
		require.Equal(t, free, b.check(t, u, at(missed).Add(-time.Microsecond).Format(time.RFC3339Nano)), registered)
		require.Equal(t, lapsed, b.check(t, u, missed), registered)
	}
}

// The free access ends with the year of graduation; subscribers and deleted accounts are left alone.
func TestGraduation(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, subscriber, gone := b.MakeUser(t, ada), b.MakeUser(t, "grace@mba2027.bschool.edu"), b.MakeUser(t, "gone@mba2027.bschool.edu")
	elsewhere, late := b.MakeUser(t, "ada@class2027.mossgate.example"), b.MakeUser(t, "late@mba2027.bschool.edu")
	require.NoError(t, user.NewDirectory(b.Users, b.Clock).SetPlan(t.Context(), subscriber.ID, "pro", "scale"))
	require.NoError(t, b.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	b.answer(t, u, "2027-11-02T00:00:00Z", 201)
	b.Clock.Set(at("2027-11-02T00:00:00Z"))
	_, err := b.service.Answer(t.Context(), elsewhere.ID, "mossgate", map[string]any{"a": true})
	require.NoError(t, err)

	require.Equal(t, free, b.check(t, u, "2027-12-31T23:59:59.999999Z"))
	require.Equal(t, lapsed, b.access(t, late))
	require.Equal(t, []string{"student", "starter", "starter"}, b.check(t, u, "2028-01-01T00:00:00Z"))
	require.Equal(t, []string{"student", "starter", "starter"}, b.access(t, late))
	require.Equal(t, []string{"free", "free", "starter"}, b.access(t, elsewhere), "its domain is none of .edu, and there is no trial")
	require.Equal(t, []string{"pro", "pro", "scale"}, b.access(t, subscriber))
	require.Equal(t, free, b.access(t, gone))
	c, err := b.service.Check(t.Context())
	require.NoError(t, err)
	require.Zero(t, c, "a second run does nothing")
	require.NoError(t, b.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": nil}))
	require.Equal(t, "student", b.check(t, gone, "2028-01-02T00:10:00Z")[0], "recovered")
}

// Whoever has subscribed keeps that, whatever becomes of the surveys; when it ends, the free access of the school is back at once,
// until a survey is missed. So is what an address of .edu gives.
func TestSubscriber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	plans := user.NewDirectory(b.Users, b.Clock)
	require.NoError(t, plans.SetPlan(t.Context(), u.ID, "enterprise", "scale"))
	require.Equal(t, []string{"enterprise", "enterprise", "scale"}, b.check(t, u, "2027-02-01T00:00:00Z"))
	b.answer(t, u, "2027-02-02T00:00:00Z", 201)
	require.Equal(t, []string{"enterprise", "enterprise", "scale"}, b.access(t, u))
	require.NoError(t, plans.SetPlan(t.Context(), u.ID, "free", "starter"))
	require.Equal(t, free, b.access(t, u))
	require.Equal(t, free, b.check(t, u, "2027-03-02T00:00:00Z"))
	require.Equal(t, []string{"bschool_student", "free", "starter"}, b.check(t, u, "2027-04-02T00:00:00Z"), "missed")
	require.NoError(t, plans.SetPlan(t.Context(), u.ID, "pro", ""))
	b.Clock.Set(clocktest.Instant("2028-01-01T00:00:00Z"))
	require.NoError(t, plans.SetPlan(t.Context(), u.ID, "free", "starter"))
	require.Equal(t, []string{"student", "starter", "starter"}, b.access(t, u), "graduated while subscribed")
	other := b.MakeUser(t, "ada@birch.edu")
	require.NoError(t, plans.SetPlan(t.Context(), other.ID, "pro", "growth"))
	require.NoError(t, plans.SetPlan(t.Context(), other.ID, "free", "starter"))
	require.Equal(t, []string{"student", "starter", "starter"}, b.access(t, other))
}

// The plan and the API tier are subscribed to apart from each other: the programme takes back only what it gave.
func TestSubscriberOfOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	plan, tier, grown := b.MakeUser(t, ada), b.MakeUser(t, "grace@mba2027.bschool.edu"), b.MakeUser(t, "late@mba2027.bschool.edu")
	plans := user.NewDirectory(b.Users, b.Clock)
	require.NoError(t, plans.SetPlan(t.Context(), plan.ID, "enterprise", ""))
	require.NoError(t, plans.SetPlan(t.Context(), tier.ID, "", "scale"))
	require.Equal(t, []string{"enterprise", "enterprise", "growth"}, b.access(t, plan))
	require.Equal(t, []string{"bschool_student", "pro", "scale"}, b.access(t, tier))

	require.Equal(t, []string{"enterprise", "enterprise", "starter"}, b.check(t, plan, "2027-02-01T00:00:00Z"), "a survey was missed")
	require.Equal(t, []string{"bschool_student", "free", "scale"}, b.access(t, tier))
	require.NoError(t, plans.SetPlan(t.Context(), grown.ID, "", "growth"))
	require.Equal(t, []string{"bschool_student", "free", "growth"}, b.check(t, grown, "2027-02-01T00:00:01Z"), "the school gave growth once, now it is paid for")

	b.answer(t, plan, "2027-02-02T00:00:00Z", 201)
	b.answer(t, tier, "2027-02-02T00:00:00Z", 201)
	require.Equal(t, []string{"enterprise", "enterprise", "growth"}, b.access(t, plan))
	require.Equal(t, []string{"bschool_student", "pro", "scale"}, b.access(t, tier))

	require.Equal(t, []string{"enterprise", "enterprise", "starter"}, b.check(t, plan, "2028-01-01T00:00:00Z"), "graduated")
	require.Equal(t, []string{"student", "starter", "scale"}, b.access(t, tier))
	require.Equal(t, []string{"student", "starter", "growth"}, b.access(t, grown))
	c, err := b.service.Check(t.Context())
	require.NoError(t, err)
	require.Zero(t, c, "a second run does nothing")
}
