package hiring_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/hiring"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
)

const day = 24 * time.Hour

// TestFailuresLoseNothing: whatever goes wrong while a board is read, its postings and the time of the last listing stay, and
// the next good listing counts again.
func TestFailuresLoseNothing(t *testing.T) {
	t.Parallel()
	cutOff := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		_, _ = io.WriteString(w, lists("11 Analyst"))
	}
	drip := func(w http.ResponseWriter, r *http.Request) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
				_, _ = io.WriteString(w, " ")
				_ = http.NewResponseController(w).Flush()
			}
		}
	}
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		says   string
		after  time.Duration // until the next attempt
	}{
		"404":              {refuses(404), "the server returned 404 Not Found", day - 30*time.Minute},
		"401":              {refuses(401), "401", time.Hour},
		"429":              {refuses(429, "Retry-After", "7200"), "429", 2 * time.Hour},
		"429 for a month":  {refuses(429, "Retry-After", "2592000"), "429", 7 * day},
		"500":              {refuses(500), "500", time.Hour},
		"503 with a date":  {refuses(503, "Retry-After", "Mon, 23 Nov 2026 21:00:00 GMT"), "503", 12 * time.Hour},
		"HTML":             {respondsWith("<!doctype html><title>We'll be back</title>", "Content-Type", "text/html"), "not a listing", time.Hour},
		"empty":            {respondsWith(""), "not a listing", time.Hour},
		"wrong types":      {respondsWith(`{"jobs":[{"id":11,"title":{"en":"Analyst"}}]}`), "not a listing", time.Hour},
		"other JSON":       {respondsWith(`{"error":"maintenance"}`), "not a listing", time.Hour},
		"too large":        {respondsWith(strings.Repeat(" ", 17<<20) + lists("11 Analyst")), "too large", time.Hour},
		"slow drip":        {drip, "no response in time", time.Hour},
		"closed mid-body":  {cutOff, "unexpected EOF", time.Hour},
		"another host":     {refuses(302, "Location", "https://169.254.169.254/latest"), "redirect", time.Hour},
		"304 unasked":      {refuses(304), "304", time.Hour},
		"suddenly nothing": {respondsWith(lists()), "lacks most", 50 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if name == "slow drip" {
				limit = 2 * time.Second
			}
			w := setupTimed(t, limit)
			w.configure(t, "900101", "greenhouse", "harborridge")
			w.answers(respondsWith(lists("11 Analyst", "12 Partner")))
			w.fetch(t)
			before := w.get(t, "")
			w.Clock.Move(day)
			now := w.Clock.Now()
			w.answers(test.answer)
			f := w.fetch(t)
			require.Equal(t, 1, f.Failed)
			after := w.get(t, "")
			require.Equal(t, before.Data, after.Data)
			require.Equal(t, before.Meta.AsOf, after.Meta.AsOf)
			require.Equal(t, "failing", after.Meta.Sources[0].State)
			list, err := w.service.Boards(t.Context(), "")
			require.NoError(t, err)
			require.Contains(t, list[0].Failure, test.says)
			took := w.Clock.Now().Sub(now) // a repetition waits by the clock
			require.WithinDuration(t, now.Add(test.after), *list[0].RetryAt, took+time.Second)
			require.Empty(t, w.fetch(t), "it is not due before")

			w.answers(respondsWith(lists("11 Analyst", "12 Partner", "13 Associate")))
			w.Clock.Set(*list[0].RetryAt)
			require.Equal(t, 1, w.fetch(t).Read)
			again := w.get(t, "")
			require.Len(t, again.Data, 3)
			require.Equal(t, "ok", again.Meta.Sources[0].State)
		})
	}
}

// TestLargeBoard reads 3 MB of texts, which are not kept.
func TestLargeBoard(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "ashby", "kestrel")
	w.answers(respondsWith(`{"jobs":[{"id":"a","title":"Analyst","descriptionHtml":"` + strings.Repeat("<p>", 1<<20) + `"}]}`))
	require.Equal(t, 1, w.fetch(t).Read)
	require.Equal(t, []string{"Analyst"}, w.get(t, "").titles())
}

// TestDoubt: a listing that lacks all postings, or most of many, counts only when it is repeated, not before 50 minutes later.
func TestDoubt(t *testing.T) {
	t.Parallel()
	many := make([]string, 12)
	for i := range many {
		many[i] = strconv.Itoa(100+i) + " Analyst"
	}
	for name, test := range map[string]struct {
		before, after []string
		doubted       bool
	}{
		"one is gone":         {[]string{"1 A"}, nil, true},
		"all are others":      {[]string{"1 A", "2 B"}, []string{"3 C"}, false},
		"most of many":        {many, many[:2], true},
		"many are others":     {many, []string{"1 A", "2 B", "3 C", "4 D", "5 E"}, true},
		"a quarter is left":   {many, many[:3], false},
		"an empty one before": {nil, nil, false},
		"one comes":           {nil, []string{"1 A"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			b := w.configure(t, "900101", "greenhouse", "harborridge")
			w.answers(respondsWith(lists(test.before...), "ETag", `"1"`))
			w.fetch(t)
			w.Clock.Move(day)
			w.answers(respondsWith(lists(test.after...), "ETag", `"2"`))
			if !test.doubted {
				require.Equal(t, 1, w.fetch(t).Read)
				require.Len(t, w.get(t, "").Data, len(test.after))
				return
			}
			require.Equal(t, 1, w.fetch(t).Failed)
			require.Len(t, w.get(t, "").Data, len(test.before))
			w.Clock.Move(10 * time.Minute)
			done, err := w.service.FetchNow(t.Context(), b)
			require.ErrorContains(t, err, "lacks most", "too soon to be a second look")
			require.True(t, done.Doubted)
			require.Len(t, w.get(t, "").Data, len(test.before))
			w.Clock.Move(time.Hour)
			w.answers(respondsWith(lists(test.after...), "ETag", `"2"`))
			require.Equal(t, 1, w.fetch(t).Read)
			require.Empty(t, w.header(0, "If-None-Match"), "the second look is at the whole board")
			require.Len(t, w.get(t, "").Data, len(test.after))
		})
	}
}

// TestPostingsComeAndGo closes what vanishes, with the time when it was seen last, and opens again what comes back.
func TestPostingsComeAndGo(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	rows := func() []string {
		const statement = "SELECT posting_id || ' ' || title || ' ' || first_seen::date || ' ' || last_seen::date || coalesce(' ' || closed_at::date, '') FROM people.postings ORDER BY 1"
		list, err := database.Values[string](t.Context(), w.DB, "read postings", statement, nil)
		require.NoError(t, err)
		return list
	}
	for _, step := range []struct {
		listed []string
		want   []string
	}{
		{[]string{"1 A", "2 B"}, []string{"1 A 2026-11-22 2026-11-22", "2 B 2026-11-22 2026-11-22"}},
		{[]string{"2 Better"}, []string{"1 A 2026-11-22 2026-11-22 2026-11-23", "2 Better 2026-11-22 2026-11-23"}},
		{[]string{"1 A", "2 Better"}, []string{"1 A 2026-11-22 2026-11-24", "2 Better 2026-11-22 2026-11-24"}},
		{[]string{"3 C", "1 A"}, []string{"1 A 2026-11-22 2026-11-25", "2 Better 2026-11-22 2026-11-24 2026-11-25", "3 C 2026-11-25 2026-11-25"}},
	} {
		w.answers(respondsWith(lists(step.listed...)))
		require.Equal(t, 1, w.fetch(t).Read)
		require.Equal(t, step.want, rows())
		w.Clock.Move(day)
	}
	w.Clock.Move(370 * day)
	w.fetch(t)
	require.Len(t, rows(), 2, "what was closed a year ago is gone")
}

// TestNotModified asks with the version of the last listing; if the board has not changed, its postings were seen again.
func TestNotModified(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	w.answers(respondsWith(lists("11 Analyst"), "ETag", `W/"7"`, "Last-Modified", "Sun, 22 Nov 2026 08:00:00 GMT"))
	w.fetch(t)
	w.Clock.Move(day)
	w.answers(refuses(304))
	require.Equal(t, 1, w.fetch(t).Read)
	require.Equal(t, `W/"7"`, w.header(0, "If-None-Match"))
	require.Equal(t, "Sun, 22 Nov 2026 08:00:00 GMT", w.header(0, "If-Modified-Since"))
	a := w.get(t, "")
	require.Equal(t, w.Clock.Now(), a.Data[0].LastSeen)
	require.Equal(t, "2026-11-23T09:00:00.000000Z", *a.Meta.AsOf)
	w.Clock.Move(day)
	w.fetch(t)
	require.Equal(t, `W/"7"`, w.header(1, "If-None-Match"), "the version stays")
}

// TestVendorRests: a vendor that asks to wait, or fails for three boards in a row, is paused; the others are not.
func TestVendorRests(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		boards int // that are asked for before it rests
		rest   time.Duration
	}{
		"asks to wait": {refuses(429, "Retry-After", "10800"), 1, 3 * time.Hour},
		"too many":     {refuses(429), 1, time.Hour},
		"fails":        {refuses(502), 3, time.Hour},
		"not there":    {refuses(404), 5, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			for i := range 5 {
				w.configure(t, "900101", "lever", "firm"+strconv.Itoa(i))
			}
			b := w.configure(t, "900102", "ashby", "kestrel")
			w.answers(func(rw http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.Host, "api.lever.co") {
					test.answer(rw, r)
					return
				}
				_, _ = io.WriteString(rw, `{"jobs":[]}`)
			})
			f := w.fetch(t)
			require.Equal(t, test.boards, f.Failed)
			require.Equal(t, 1, f.Read)
			paths := slices.Compact(slices.Sorted(slices.Values(w.requests())))
			require.Len(t, paths, test.boards+1)
			list, err := w.service.Boards(t.Context(), "900101")
			require.NoError(t, err)
			_, err = w.service.FetchNow(t.Context(), list[4].Board)
			if test.rest == 0 {
				require.ErrorContains(t, err, "404")
				return
			}
			require.ErrorContains(t, err, "lever failed or asked to wait")
			_, err = w.service.FetchNow(t.Context(), b)
			require.NoError(t, err, "another vendor")
			w.Clock.Move(test.rest + time.Minute)
			w.answers(respondsWith("[]"))
			require.Equal(t, 5, w.fetch(t).Read)
		})
	}
}

// TestTwoWorkers: a board is fetched once, however many run the job at the same time.
func TestTwoWorkers(t *testing.T) {
	t.Parallel()
	w := setup(t)
	for i := range 6 {
		w.configure(t, "900101", "greenhouse", "firm"+strconv.Itoa(i))
	}
	w.answers(respondsWith(lists("11 Analyst")))
	var group sync.WaitGroup
	var mu sync.Mutex
	read := 0
	for range 4 {
		group.Go(func() {
			f, err := w.service.FetchDue(t.Context())
			mu.Lock()
			defer mu.Unlock()
			read += f.Read
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, 6, read)
	require.Len(t, w.requests(), 6)
	require.Len(t, w.get(t, "").Data, 6)
}

// TestStoppedAmid: a worker that ends while it reads a board leaves it as it was. Another takes over when the lease is over.
func TestStoppedAmid(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	w.answers(respondsWith(lists("11 Analyst")))
	w.fetch(t)
	w.Clock.Move(day)
	ctx, cancel := context.WithCancel(t.Context())
	w.answers(func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	_, err := w.service.FetchDue(ctx)
	require.ErrorIs(t, err, context.Canceled)
	w.answers(respondsWith(lists("11 Analyst", "12 Partner")))
	require.Empty(t, w.fetch(t), "leased")
	a := w.get(t, "")
	require.Len(t, a.Data, 1)
	require.Equal(t, "ok", a.Meta.Sources[0].State)
	w.Clock.Move(16 * time.Minute)
	require.Equal(t, 1, w.fetch(t).Read)
	require.Len(t, w.get(t, "").Data, 2)
}

// TestHalfWritten: a listing that fails while it is written leaves nothing of itself, and does not keep other boards from being read.
func TestHalfWritten(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	w.configure(t, "900102", "greenhouse", "mossgate")
	w.answers(respondsWith(lists("11 Analyst", "12 Partner")))
	w.fetch(t)
	for _, statement := range []string{
		"CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END'",
		"CREATE TRIGGER refuse BEFORE UPDATE ON people.postings FOR EACH ROW WHEN (NEW.closed_at IS NOT NULL AND NEW.crd = '900101') EXECUTE FUNCTION refuse()",
	} {
		_, err := database.Run(t.Context(), w.DB, "make closing fail", statement, nil)
		require.NoError(t, err)
	}
	w.Clock.Move(day)
	w.answers(respondsWith(lists("11 Senior Analyst", "13 Associate")))
	require.Equal(t, hiring.Fetched{Read: 1, Failed: 1}, w.fetch(t))
	a := w.get(t, "")
	require.Equal(t, []string{"Analyst", "Partner"}, a.titles())
	require.Equal(t, "2026-11-22T09:00:00.000000Z", *a.Meta.AsOf)
	_, err := database.Run(t.Context(), w.DB, "let closing succeed", "DROP TRIGGER refuse ON people.postings", nil)
	require.NoError(t, err)
	w.Clock.Move(time.Hour)
	w.fetch(t)
	require.ElementsMatch(t, []string{"Senior Analyst", "Associate"}, w.get(t, "").titles())
}

// TestSameAnswerIsFree: our own answer has an entity tag, and stays the same until a board is read again.
func TestSameAnswerIsFree(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	w.answers(respondsWith(lists("11 Analyst")))
	w.fetch(t)
	const path = "/v1/gps/900101/hiring"
	tag := w.host.Do(t, httpapitest.Scenario{Path: path, As: ada}).Header.Get("ETag")
	require.NotEmpty(t, tag)
	w.Clock.Move(day)
	w.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Header: map[string]string{"If-None-Match": tag}, Status: 304})
	require.Len(t, w.meter.Charged(), 1)
	w.fetch(t)
	w.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Header: map[string]string{"If-None-Match": tag}})
	require.Len(t, w.meter.Charged(), 2)
}

// TestRemovedAmid: a board that is removed while it is read stays away.
func TestRemovedAmid(t *testing.T) {
	t.Parallel()
	w := setup(t)
	b := w.configure(t, "900101", "greenhouse", "harborridge")
	w.answers(func(rw http.ResponseWriter, _ *http.Request) {
		if err := w.service.Remove(t.Context(), b); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(rw, lists("11 Analyst"))
	})
	done, err := w.service.FetchNow(t.Context(), b)
	require.NoError(t, err)
	require.True(t, done.Outdated)
	require.False(t, w.get(t, "").Meta.Configured)
	require.ErrorContains(t, w.service.Remove(t.Context(), b), "no board")
}

// TestJob runs the job as a worker does, and reports what fails when the database is unavailable.
func TestJob(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	w.answers(respondsWith(lists("11 Analyst")))
	part := w.service.Part()
	require.Len(t, part.Jobs, 1)
	require.Equal(t, part.Jobs[0].Type, part.Schedules[0].Type)
	for range 2 {
		require.NoError(t, part.Jobs[0].Run(t.Context(), nil))
	}
	require.Len(t, w.requests(), 1)
	w.DB.Close()
	require.Error(t, part.Jobs[0].Run(t.Context(), nil))
}
