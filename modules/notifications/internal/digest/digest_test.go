package digest_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/robfig/cron/v3"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/digest"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/jobs"
	"gpatlas/platform/testkit/httpapitest"
)

func instant(text string) time.Time {
	at, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return at
}

// What became known since the last digest, by GP, for GPs with alerts on; without news there is no mail. An old filing that is
// loaded late is listed late.
func TestNews(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.clock.Set(instant("2026-11-18 10:00"))
	b.load("900001 2026-11-12", "900002 2026-11-11+", "900003 2026-11-10")
	ada := b.account("Ada", "900001", "900002")
	b.watch(ada, "900003", false, instant("2026-01-01 00:00"))
	grace, mary := b.account("Grace", "900003"), b.account("Mary")

	require.Equal(t, 2, b.run("2026-11-19"))
	require.Equal(t, "900001: ADV 11-12;\n900002: ADV 11-11; Fund of 900002 2026-11-11+ 11-11;", b.lines(ada), "no news about 900003, whose alerts are off")
	require.Equal(t, "900003: ADV 11-10;", b.lines(grace))
	require.Empty(t, b.lines(mary))
	b.settle("sent")

	require.Zero(t, b.run("2026-11-20"), "nothing new")
	b.clock.Set(instant("2026-11-20 20:00"))
	b.load("900001 2025-03-30")
	require.Equal(t, 1, b.run("2026-11-21"))
	require.Equal(t, "900001: ADV 03-30;", b.lines(ada), "filed long ago, known since yesterday")
	require.Zero(t, b.run("2026-11-21"), "the second run of a day adds nothing")
}

// The first digest goes back a week, but not to before the GP was watched; no digest goes back further than a month.
func TestReach(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, day := range []string{"10-01", "11-08", "11-15", "11-17"} {
		b.clock.Set(instant("2026-" + day + " 12:00"))
		b.load("900001 2026-"+day, "900002 2026-"+day)
	}
	ada := b.account("Ada", "900001")
	b.watch(ada, "900002", true, instant("2026-11-16 00:00"))
	require.Equal(t, 1, b.run("2026-11-18"))
	require.Equal(t, "900001: ADV/A 11-17; ADV/A 11-15;\n900002: ADV/A 11-17;", b.lines(ada))
	b.settle("failed")
	b.clock.Set(instant("2027-01-10 12:00"))
	b.load("900001 2027-01-10")
	require.Equal(t, 1, b.run("2027-01-11"))
	require.Equal(t, "900001: ADV/A 01-10;", b.lines(ada), "what failed in November is too old to be told")
}

// A digest does not speak of a time in which nothing was watched.
func TestSinceItWasWatched(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.clock.Set(instant("2026-11-17 12:00"))
	b.load("900001 2026-11-16")
	ada := b.account("Ada")
	b.watch(ada, "900001", true, instant("2026-11-16 08:00"))
	require.Equal(t, 1, b.run("2026-11-18"))
	var since string
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT data->>'since' FROM notifications.queue WHERE user_id = $1", ada).Scan(&since))
	require.Equal(t, "2026-11-16T08:00:00.000000Z", since)
}

// The news of a digest that was not sent is in the next one; while one waits to be sent there is no other.
func TestUnsentIsToldAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ada := b.account("Ada", "900001")
	b.clock.Set(instant("2026-11-16 12:00"))
	b.load("900001 2026-11-13")
	require.Equal(t, 1, b.run("2026-11-17"))
	b.clock.Set(instant("2026-11-17 12:00"))
	b.load("900001 2026-11-16")
	require.Zero(t, b.run("2026-11-18"), "the first waits in the queue")
	for i, state := range []string{"failed", "suppressed"} {
		b.settle(state)
		require.Equal(t, 1, b.run([]string{"2026-11-19", "2026-11-20"}[i]))
		require.Equal(t, "900001: ADV/A 11-16; ADV 11-13;", b.lines(ada), state)
	}
	b.settle("sent")
	require.Zero(t, b.run("2026-11-21"))
	b.clock.Set(instant("2026-11-21 12:00"))
	b.load("900001 2026-11-20")
	require.Equal(t, 1, b.run("2026-11-22"))
	require.Equal(t, "900001: ADV/A 11-20;", b.lines(ada))
}

// Weekly digests come on Mondays and cover the week. Accounts that turned them off get none, nor later what happened meanwhile.
func TestPreferences(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ada, grace := b.account("Ada", "900001"), b.account("Grace", "900001")
	b.weekly[ada] = true
	for day := 17; day <= 22; day++ { // Tuesday to Sunday
		b.clock.Set(instant(fmt.Sprintf("2026-11-%d 08:00", day)))
		b.load(fmt.Sprintf("900001 2026-11-%d", day-1))
		require.Equal(t, 1, b.run(fmt.Sprintf("2026-11-%d", day)), "Grace's")
		b.settle("sent")
	}
	b.exec("INSERT INTO notifications.preferences (user_id, billing, activity_digest, market_intel, product, updated_at) VALUES ($1, true, false, true, true, now())", grace)
	b.clock.Set(instant("2026-11-23 08:00"))
	b.load("900001 2026-11-22")
	require.Equal(t, 1, b.run("2026-11-23"))
	require.Equal(t, "900001: ADV/A 11-22; ADV/A 11-21; ADV/A 11-20; ADV/A 11-19; ADV/A 11-18; and 2", b.lines(ada))
	b.settle("sent")
	b.exec("DELETE FROM notifications.preferences")
	b.clock.Set(instant("2026-11-24 08:00"))
	require.Zero(t, b.run("2026-11-24"), "Grace wants digests again, and nothing is new since")
	b.clock.Set(instant("2026-11-24 12:00"))
	b.load("900001 2026-11-23")
	require.Equal(t, 1, b.run("2026-11-25"))
	require.Equal(t, "900001: ADV/A 11-23;", b.lines(grace))
}

// An address that is not confirmed, a deleted account and a kind that is switched off: no digests.
func TestNoDigest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ada, grace, mary := b.account("Ada", "900001"), b.account("Grace", "900001"), b.account("Mary", "900001")
	b.exec("UPDATE accounts.users SET email_verified_at = NULL WHERE id = $1", ada)
	b.exec("UPDATE accounts.users SET deleted_at = now() WHERE id = $1", grace)
	b.clock.Set(instant("2026-11-18 12:00"))
	b.load("900001 2026-11-17")
	b.kinds.off["activity_digest"] = true
	require.Zero(t, b.run("2026-11-19"))
	delete(b.kinds.off, "activity_digest")
	require.Equal(t, 1, b.run("2026-11-20"))
	require.Equal(t, "900001: ADV 11-17;", b.lines(mary), "what happened while it was off")

	until, err := b.service.ExportFor(t.Context(), mary)
	require.NoError(t, err)
	text, err := json.Marshal(until)
	require.NoError(t, err)
	require.JSONEq(t, `{"last_run_on":"2026-11-20","told_until":"2026-11-20T11:00:00Z"}`, string(text))
	require.NoError(t, b.service.Part().Purged[0](t.Context(), mary))
	until, err = b.service.ExportFor(t.Context(), mary)
	require.NoError(t, err)
	require.Nil(t, until)
}

// Runs at once, of more accounts than a batch has: one mail each. A run that is cut off goes on where it was.
func TestRunsAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const accounts = 230
	for i := range accounts {
		b.account(fmt.Sprintf("Ada%d", i), "900001")
	}
	b.clock.Set(instant("2026-11-18 12:00"))
	b.load("900001 2026-11-17")
	b.clock.Set(instant("2026-11-19 11:00"))
	// Cut off in the second batch: the first stays, nothing of the second does.
	b.exec(`CREATE FUNCTION notifications.cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut'; END $$`)
	b.exec(`CREATE TRIGGER cut BEFORE INSERT ON notifications.queue FOR EACH ROW WHEN (NEW.user_id = 150) EXECUTE FUNCTION notifications.cut()`)
	mails, err := b.service.Run(t.Context(), "2026-11-19")
	require.Error(t, err)
	require.Equal(t, 100, mails)
	count := func(statement string) (n int) {
		require.NoError(t, b.db.Pool().QueryRow(t.Context(), statement).Scan(&n))
		return n
	}
	require.Equal(t, 100, count("SELECT count(*) FROM notifications.queue"))
	require.Equal(t, 100, count("SELECT count(*) FROM notifications.digests"))
	b.exec("DROP TRIGGER cut ON notifications.queue")
	var wait sync.WaitGroup
	var mu sync.Mutex
	total := mails
	for range 2 {
		wait.Go(func() {
			n, err := b.service.Run(t.Context(), "2026-11-19")
			mu.Lock()
			defer mu.Unlock()
			total += n
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	require.Equal(t, accounts, total)
	require.Equal(t, accounts, count("SELECT count(DISTINCT user_id) FROM notifications.queue"))
	require.Equal(t, accounts, count("SELECT count(*) FROM notifications.queue"))
}

// A digest lists thirty GPs and five pieces of news of each, and counts the rest.
func TestLongDigest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ada := b.account("Ada")
	var filings []string
	for i := range 33 {
		crd := strconv.Itoa(900100 + i)
		b.watch(ada, crd, true, instant("2026-01-01 00:00"))
		for day := range 1 + i%7 {
			filings = append(filings, fmt.Sprintf("%s 2026-11-%02d", crd, 10+day))
		}
	}
	b.clock.Set(instant("2026-11-18 12:00"))
	b.load(filings...)
	require.Equal(t, 1, b.run("2026-11-19"))
	told := b.lines(ada)
	require.Contains(t, told, "900106: ADV/A 11-16; ADV/A 11-15; ADV/A 11-14; ADV/A 11-13; ADV/A 11-12; and 2\n")
	require.Regexp(t, `\nand 3 GPs$`, told)

	var raw json.RawMessage
	require.NoError(t, b.db.Pool().QueryRow(t.Context(), "SELECT data FROM notifications.queue").Scan(&raw))
	content, more, err := digest.Renderers()[kind.Digest](t.Context(), accountsapi.Account{FullName: "Ada Larkspur"}, raw,
		render.Links{PublicURL: "https://atlas.example", Unsubscribe: "https://atlas.example/v1/unsubscribe/token"})
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, "127 new filings on your watchlist", content.Subject)
	require.Contains(t, content.Text, "Hello Ada Larkspur,")
	require.Contains(t, content.Text, "Harbor 900106 LLC (CRD 900106)\nhttps://atlas.example/gps/900106\n\n- Form ADV amendment, filed 16 November 2026\n")
	require.Contains(t, content.Text, "3 more GPs with news.")
	require.Contains(t, content.HTML, `href="https://atlas.example/v1/unsubscribe/token"`)
	require.Less(t, len(content.HTML), 100_000, "Gmail cuts longer mails")
}

// On both days on which the clocks change there is one run, at 6:00 in New York, as on the days around.
func TestClockChanges(t *testing.T) {
	t.Parallel()
	s := new(digest.Service).Part().Schedules[0]
	times, err := cron.ParseStandard(s.Cron)
	require.NoError(t, err)
	for from, want := range map[string][]string{
		"2026-03-06T12:00:00Z": {"2026-03-07T11:00:00Z", "2026-03-08T10:00:00Z", "2026-03-09T10:00:00Z"},
		"2026-10-30T12:00:00Z": {"2026-10-31T10:00:00Z", "2026-11-01T11:00:00Z", "2026-11-02T11:00:00Z"},
	} {
		at, err := time.Parse(time.RFC3339, from)
		require.NoError(t, err)
		for _, text := range want {
			at = times.Next(at)
			require.Equal(t, text, at.UTC().Format(time.RFC3339))
			require.Equal(t, "06:00", at.In(jobs.Eastern).Format("15:04"))
			require.Equal(t, text[:10], s.Bucket(at.UTC()), "the bucket is the day of New York")
		}
	}
	require.Equal(t, "2026-11-20", s.Bucket(instant("2026-11-21 04:30")), "started by hand late in the evening")
}

// Only administrators can start the job by hand, once a day (New York).
func TestStart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	host := httpapitest.New(t, digest.Routes(b.service)...)
	const path = "/v1/admin/jobs/daily-digest"
	b.clock.Set(instant("2026-11-21 03:00"))
	admin := &auth.Principal{Kind: auth.Session, UserID: 1, Admin: true}
	for _, status := range []string{"accepted", "already_started"} {
		got := host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: admin, Status: 202})
		require.Contains(t, got.Body, `"bucket":"2026-11-20"`)
		require.Contains(t, got.Body, `"status":"`+status+`"`)
	}
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, Status: 401})
	host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: &auth.Principal{Kind: auth.Session, UserID: 2}, Status: 403})
}

// The job's faults: an invalid payload, an invalid day, an unavailable database.
func TestFaults(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	h := digest.Handlers(b.service)[0]
	require.Equal(t, digest.Job, h.Type)
	require.ErrorContains(t, h.Run(t.Context(), []byte(`{"bucket":"yesterday"}`)), "is not a day")
	require.Error(t, h.Run(t.Context(), []byte(`[]`)))
	require.NoError(t, h.Run(t.Context(), []byte(`{"bucket":"2026-11-20"}`)))
	b.db.Close()
	require.Equal(t, apperr.KindUnavailable, apperr.From(h.Run(t.Context(), []byte(`{"bucket":"2026-11-21"}`))).Kind)
}
