package regulatory_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/regulatory"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
)

// office is a service over sources of the test, with what it logs.
type office struct {
	*regulatory.Service

	clock *clocktest.Clock
	db    *database.DB
	log   *bytes.Buffer
}

func newOffice(tb testing.TB, sources ...*source) *office {
	tb.Helper()
	o := &office{clock: clocktest.New(noon), db: harborRidge(tb), log: new(bytes.Buffer)}
	o.Service = o.another(sources...)
	return o
}

// another is the service of a second process.
func (o *office) another(sources ...*source) *regulatory.Service {
	var providers []regulatory.Provider
	for _, s := range sources {
		providers = append(providers, s)
	}
	return regulatory.NewService(regulatory.NewStore(o.db), providers, o.clock, slog.New(slog.NewTextHandler(o.log, nil)))
}

func (o *office) report(t *testing.T, force bool) *regulatory.Report {
	t.Helper()
	r, err := o.Report(t.Context(), "900001", force)
	require.NoError(t, err)
	return r
}

// event is one of a source, told apart by its id.
func event(source, id, date string) regulatory.Event {
	return regulatory.Event{
		EventID: id, EventType: regulatory.Regulatory, EventDate: &date, Description: id, Source: source, Sources: []string{source},
		CaseNumber: new("case " + id), AdvisoryAffiliates: []regulatory.Affiliate{}, Sanctions: []string{}, Items: []string{},
	}
}

func ids(events []regulatory.Event) (list []string) {
	for _, e := range events {
		list = append(list, e.EventID)
	}
	return list
}

func answerOf(events ...regulatory.Event) regulatory.Answer { return regulatory.Answer{Events: events} }

var errAway = errors.New("away")

// Guarantee: an answer is asked for once, served for 24 hours less nothing, and asked for again from then on.
func TestLifetime(t *testing.T) {
	t.Parallel()
	s := &source{name: "form_adv", answer: answerOf(event("form_adv", "a", "2020-01-01"))}
	o := newOffice(t, s)
	for _, step := range []struct {
		after   time.Duration
		force   bool
		status  regulatory.CacheStatus
		asked   int
		expires time.Time
	}{
		{0, false, regulatory.CacheMiss, 1, noon.Add(lifetime)},
		{0, false, regulatory.CacheHit, 1, noon.Add(lifetime)},
		{lifetime - 1, false, regulatory.CacheHit, 1, noon.Add(lifetime)},
		{1, false, regulatory.CacheMiss, 2, noon.Add(2 * lifetime)},
		{time.Hour, true, regulatory.CacheBypass, 3, noon.Add(2*lifetime + time.Hour)},
		{time.Hour, false, regulatory.CacheHit, 3, noon.Add(2*lifetime + time.Hour)},
	} {
		o.clock.Move(step.after)
		r := o.report(t, step.force)
		require.Equal(t, step.status, r.Status)
		require.Equal(t, step.asked, s.times())
		require.Equal(t, step.expires, r.Expires)
		require.Equal(t, step.expires.Add(-lifetime), r.CheckedAt)
		require.Equal(t, []string{"a"}, ids(r.Events))
		require.Equal(t, "Harbor Ridge Capital Partners LLC", r.FirmName)
	}
	r, err := o.another(s).Report(t.Context(), "900001", false)
	require.NoError(t, err)
	require.Equal(t, regulatory.CacheHit, r.Status, "another process remembers, too")
	r, err = o.Report(t.Context(), "900002", false)
	require.NoError(t, err)
	require.Equal(t, regulatory.CacheMiss, r.Status, "another adviser's answer is another one")
}

// Guarantee: a filing whose archive lacks the table of a family of disclosures, for its kind of advisers or for all, says
// nothing of them. One whose archive has the table and no page in it says that they are no longer reported. Without the table
// of affiliates a page keeps those that were named last.
func TestFilingsWithoutTheTable(t *testing.T) {
	t.Parallel()
	db := harborRidge(t)
	providers, err := regulatory.Providers(regulatory.Settings{}, regulatory.NewStore(db), clocktest.New(noon), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	gone := func() map[string]string {
		answer, err := providers[0].Events(t.Context(), "900001")
		require.NoError(t, err)
		out := map[string]string{}
		for _, e := range answer.Events {
			require.Equal(t, e.NoLongerReported, e.NoLongerReportedSince != nil)
			if e.ReferenceID != nil && e.NoLongerReported {
				out[*e.ReferenceID] = *e.NoLongerReportedSince
			}
			if e.ReferenceID != nil && *e.ReferenceID == "11" {
				require.Len(t, e.AdvisoryAffiliates, 2, "they were named last by an archive with their table")
			}
		}
		return out
	}
	file := func(id, date string, silent []string, edit func(*archive), without func(*catalogapi.Document)) {
		a := &archive{name: id + ".zip"}
		a.file(id, "900001", date, "Harbor Ridge Capital Partners LLC")
		a.filings[0].Silent = silent
		edit(a)
		doc := a.document()
		without(&doc)
		load(t, db, doc)
	}
	nothing, whole := func(*archive) {}, func(*catalogapi.Document) {}
	want := map[string]string{"12": "2026-03-28"}
	require.Equal(t, want, gone())
	file("1004", "2026-05-01", nil, nothing, func(d *catalogapi.Document) { d.Disclosures, d.Implicated = nil, nil })
	require.Equal(t, want, gone(), "no table for anybody")
	file("1005", "2026-06-01", []string{
		catalogapi.TableImplicated, catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCivil),
		catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCriminal),
	}, func(a *archive) {
		finra(a, "1005", 2)
		a.affiliates = nil
	}, whole)
	want["14"] = "2026-06-01"
	require.Equal(t, want, gone(), "of the regulatory pages it has the table")
	file("1006", "2026-07-01", []string{catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory)}, nothing, whole)
	want["13"] = "2026-07-01"
	require.Equal(t, want, gone(), "of the others it has")
	// The complete archive comes after all.
	file("1004", "2026-05-01", nil, func(a *archive) { finra(a, "1004", 2) }, whole)
	want["13"], want["14"] = "2026-05-01", "2026-05-01"
	require.Equal(t, want, gone())
	file("1004", "2026-05-01", nil, func(a *archive) { finra(a, "1004", 2) }, whole)
	file("1004", "2026-05-01", []string{catalogapi.TableImplicated, catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory)}, nothing, whole)
	require.Equal(t, want, gone(), "an edition without the table leaves what the one before had in it")
}

// Guarantee: what was remembered of an older edition is not served.
func TestEdition(t *testing.T) {
	t.Parallel()
	s := &source{name: "form_adv", edition: "1"}
	o := newOffice(t, s)
	require.Equal(t, regulatory.CacheMiss, o.report(t, false).Status)
	require.Equal(t, regulatory.CacheHit, o.report(t, false).Status)
	s.set(func(s *source) { s.edition, s.answer = "2", answerOf(event("form_adv", "b", "2020-01-01")) })
	r := o.report(t, false)
	require.Equal(t, regulatory.CacheMiss, r.Status)
	require.Equal(t, []string{"b"}, ids(r.Events))
}

// Guarantee: a filing that is loaded, or restated, within the day is in the next answer.
func TestLoadedFilingIsNotHeldBack(t *testing.T) {
	t.Parallel()
	db := harborRidge(t)
	host := newHost(t, db, clocktest.New(noon))
	require.Len(t, get(t, host, path).Data.Events, 5)
	require.Equal(t, regulatory.CacheHit, get(t, host, path).Meta.CacheStatus)
	a := &archive{name: "ADV_Filing_Data_20260501_20260531.zip"}
	a.file("1004", "900001", "2026-05-28", "Harbor Ridge Capital Partners LLC")
	a.load(t, db)
	got := get(t, host, path)
	require.Equal(t, regulatory.CacheMiss, got.Meta.CacheStatus)
	for _, e := range got.Data.Events[:4] {
		require.Equal(t, "2026-05-28", *e.NoLongerReportedSince, "the newest filing has no pages")
	}
	require.Equal(t, "2026-03-28", *got.Data.Events[4].NoLongerReportedSince, "one had gone before")
	finra(a, "1004", 2) // the same document again, with a page that was not there: it is restated
	a.load(t, db)
	got = get(t, host, path)
	require.Equal(t, regulatory.CacheMiss, got.Meta.CacheStatus)
	require.False(t, got.Data.Events[2].NoLongerReported, "reported again")
	require.Equal(t, "ADV-900001-1004", *got.Data.Events[2].AccessionNumber)
	require.Equal(t, "2024-03-28", *got.Data.Events[2].DisclosedAt)
}

// Guarantee: a source that is unavailable answers with what it said last, marked so; without that the caller gets a 503.
func TestAway(t *testing.T) {
	t.Parallel()
	s := &source{name: "form_adv", err: errAway}
	o := newOffice(t, s)
	_, err := o.Report(t.Context(), "900001", false)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	require.ErrorIs(t, err, errAway)
	_, err = o.Report(t.Context(), "900001", true)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)

	s.set(func(s *source) { s.err, s.answer = nil, answerOf(event("form_adv", "a", "2020-01-01")) })
	require.Equal(t, regulatory.CacheMiss, o.report(t, false).Status)
	s.set(func(s *source) { s.err = errAway })
	require.Equal(t, regulatory.CacheHit, o.report(t, false).Status, "nothing is asked")

	o.clock.Move(time.Hour)
	forced := o.report(t, true)
	require.Equal(t, regulatory.CacheStale, forced.Status)
	require.Equal(t, []string{"a"}, ids(forced.Events))
	require.Equal(t, noon, forced.CheckedAt)
	require.Equal(t, noon.Add(time.Hour), forced.Expires, "now")

	o.clock.Move(3 * lifetime)
	old := o.report(t, false)
	require.Equal(t, regulatory.CacheStale, old.Status)
	require.Equal(t, noon.Add(lifetime), old.Expires, "past")
	require.Empty(t, old.Unavailable)
	require.Equal(t, 2, strings.Count(o.log.String(), "its cached response is served"))
}

// Guarantee: a panic in a source is its failure, not the process's.
func TestPanic(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	service := regulatory.NewService(regulatory.NewStore(o.db), []regulatory.Provider{panicking{}}, o.clock, slog.New(slog.DiscardHandler))
	_, err := service.Report(t.Context(), "900001", false)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	require.ErrorContains(t, err, "out of paper")
}

type panicking struct{}

func (panicking) Name() string                                    { return "form_adv" }
func (panicking) Edition(context.Context, string) (string, error) { return "", nil }
func (panicking) Events(context.Context, string) (regulatory.Answer, error) {
	panic("out of paper")
}

// Guarantee: an answer that cannot be remembered is given all the same, and the failure is logged once.
func TestForgetful(t *testing.T) {
	t.Parallel()
	s := &source{name: "form_adv", answer: answerOf(event("form_adv", "a", "2020-01-01"))}
	o := newOffice(t, s)
	require.NoError(t, o.db.From(t.Context()).Exec("ALTER TABLE analytics.regulatory_answers ADD CHECK (crd = 'none') NOT VALID").Error)
	r := o.report(t, false)
	require.Equal(t, regulatory.CacheMiss, r.Status)
	require.Equal(t, []string{"a"}, ids(r.Events))
	require.Equal(t, 1, strings.Count(o.log.String(), "could not be cached"))
	require.Equal(t, 1, strings.Count(o.log.String(), "\n"))
	require.Equal(t, regulatory.CacheMiss, o.report(t, false).Status)
}

// Guarantee: what is remembered in a form that cannot be read is asked for again and mended.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	s := &source{name: "form_adv"}
	o := newOffice(t, s)
	o.report(t, false)
	require.NoError(t, o.db.From(t.Context()).Exec(`UPDATE analytics.regulatory_answers SET answer = '{"events": 7}'`).Error)
	require.Equal(t, regulatory.CacheMiss, o.report(t, false).Status)
	require.Equal(t, regulatory.CacheHit, o.report(t, false).Status)
	require.Equal(t, 2, s.times())
	require.Contains(t, o.log.String(), "cannot be used")
}

// Guarantee: those who ask at once share one question, also when the first of them goes away; answers are not mixed up.
func TestOneQuestion(t *testing.T) {
	t.Parallel()
	s := &source{
		name: "form_adv", answer: answerOf(event("form_adv", "a", "2020-01-01"), event("form_adv", "b", "2021-01-01")),
		wait: make(chan struct{}), begun: make(chan struct{}, 100),
	}
	o := newOffice(t, s)
	first, leave := context.WithCancelCause(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := o.Report(first, "900001", false)
		gone <- err
	}()
	<-s.begun
	const callers = 30
	var all sync.WaitGroup
	reports := make([]*regulatory.Report, callers)
	faults := make([]error, callers)
	for i := range callers {
		all.Go(func() { reports[i], faults[i] = o.Report(t.Context(), "900001", false) })
	}
	errLeft := errors.New("left")
	leave(errLeft)
	require.ErrorIs(t, <-gone, errLeft)
	close(s.wait)
	all.Wait()
	for i, r := range reports {
		require.NoError(t, faults[i])
		require.Equal(t, []string{"b", "a"}, ids(r.Events))
		require.Contains(t, []regulatory.CacheStatus{regulatory.CacheMiss, regulatory.CacheHit}, r.Status)
	}
	require.Equal(t, 1, s.times())
}

// Guarantee: of two sources both count; a matter that both know is one event, and a source that is unavailable is named.
func TestTwoSources(t *testing.T) {
	t.Parallel()
	pending := event("form_adv", "shared", "2022-02-02")
	pending.Status = new("Pending")
	resolved := event("iapd", "other id", "2022-02-03")
	resolved.CaseNumber, resolved.EventType = new("CASE-Shared"), regulatory.Disciplinary
	resolved.Status, resolved.Resolution, resolved.ResolutionDate = new("Final"), "Consent", new("2022-05-05")
	filed := &source{name: "form_adv", answer: answerOf(pending, event("form_adv", "filed", "2020-01-01"))}
	searched := &source{name: "iapd", err: errAway}
	o := newOffice(t, filed, searched)

	r := o.report(t, false)
	require.Equal(t, []string{"form_adv"}, r.Sources)
	require.Equal(t, []string{"iapd"}, r.Unavailable)
	require.Equal(t, regulatory.CacheMiss, r.Status)
	require.Equal(t, "Pending", r.Events[0].Resolution)

	n := 3
	searched.set(func(s *source) {
		s.err, s.answer = nil, regulatory.Answer{
			Events: []regulatory.Event{resolved, event("iapd", "new", "2026-01-01")}, NotItemized: []regulatory.NotItemized{{Source: "iapd", Count: &n}},
		}
	})
	o.clock.Move(time.Hour)
	r = o.report(t, false)
	require.Equal(t, regulatory.CacheMiss, r.Status, "one of them was asked")
	require.Equal(t, noon, r.CheckedAt, "the other one an hour ago")
	require.Equal(t, []string{"form_adv", "iapd"}, r.Sources)
	require.Equal(t, []string{"new", "shared", "filed"}, ids(r.Events))
	shared := r.Events[1]
	require.Equal(t, "form_adv", shared.Source)
	require.Equal(t, []string{"form_adv", "iapd"}, shared.Sources)
	require.Equal(t, regulatory.Regulatory, shared.EventType)
	require.Equal(t, "Consent", shared.Resolution)
	require.Equal(t, "2022-05-05", *shared.ResolutionDate)
	require.Equal(t, []string{"form_adv"}, r.Events[2].Sources)
	require.Equal(t, []regulatory.NotItemized{{Source: "iapd", Count: &n}}, r.NotItemized)

	searched.set(func(s *source) { s.err = errAway })
	r = o.report(t, true)
	require.Equal(t, regulatory.CacheStale, r.Status)
	require.Len(t, r.Events, 3)
	require.Equal(t, noon.Add(time.Hour), r.CheckedAt)

	filed.set(func(s *source) { s.err = errAway })
	r = o.report(t, true)
	require.Equal(t, regulatory.CacheStale, r.Status)
	require.Len(t, r.Events, 3)
}

// Guarantee: an answer from the cache is the one that was asked for, byte for byte but for cache_status.
func TestRemembersEverything(t *testing.T) {
	t.Parallel()
	host := newHost(t, harborRidge(t), clocktest.New(noon))
	asked, recalled := get(t, host, path), get(t, host, path)
	require.Equal(t, regulatory.CacheMiss, asked.Meta.CacheStatus)
	require.Equal(t, regulatory.CacheHit, recalled.Meta.CacheStatus)
	require.Equal(t, asked.Data, recalled.Data)
}

// Guarantee: a page that stands in a filing twice is one event, and pages of one case under two numbers stay two.
func TestSameCaseTwice(t *testing.T) {
	t.Parallel()
	db := harborRidge(t)
	a := &archive{name: "ADV_Filing_Data_20260601_20260630.zip"}
	a.file("1200", "900003", "2026-06-02", "Thistle & Thorn Credit Advisors Ltd")
	for _, reference := range []string{"21", "22", "22", "", ""} {
		a.page(catalogapi.DisclosureRow{
			FilingKey: "1200", Family: catalogapi.DisclosureCivil, ReferenceID: reference, CaseNumber: "26-CV-1", Court: "Court of Tivan", EventDate: day("2026-05-05"),
		})
	}
	for _, text := range []string{"One.", "ONE.", "Two."} {
		a.page(catalogapi.DisclosureRow{FilingKey: "1200", Family: catalogapi.DisclosureCriminal, Allegations: text})
	}
	a.load(t, db)
	got := get(t, newHost(t, db, clocktest.New(noon)), "/v1/gps/900003/regulatory")
	var list []string
	for _, e := range got.Data.Events {
		list = append(list, string(e.EventType)+" "+e.Description)
	}
	require.ElementsMatch(t, []string{
		"civil Civil judicial action before Court of Tivan, case 26-CV-1", "civil Civil judicial action before Court of Tivan, case 26-CV-1",
		"criminal One.", "criminal Two.",
	}, list)
	require.Empty(t, get(t, newHost(t, db, clocktest.New(noon)), "/v1/gps/900003/regulatory?after_date=2026-06-03").Data.Events)
	require.Len(t, get(t, newHost(t, db, clocktest.New(noon)), "/v1/gps/900003/regulatory?after_date=2026-06-02").Data.Events, 2, "pages without a date count as of their disclosure")
}

// Guarantee: of two filings of one day the one with the higher number is the newer.
func TestTwoFilingsOfOneDay(t *testing.T) {
	t.Parallel()
	db := harborRidge(t)
	a := &archive{name: "ADV_Filing_Data_20260601_20260630.zip"}
	for i, id := range []string{"99999", "100000"} {
		a.file(id, "900005", "2026-06-02", "Willow Bank Realty Advisors Inc.")
		sec(a, id, 1+i)
	}
	a.load(t, db)
	e := get(t, newHost(t, db, clocktest.New(noon)), "/v1/gps/900005/regulatory").Data.Events[0]
	require.Equal(t, "ADV-900005-100000", *e.AccessionNumber)
	require.Equal(t, "ADV-900005-99999", *e.FirstAccessionNumber)
	require.Equal(t, "Order", e.Resolution)
	require.False(t, e.NoLongerReported)
}
