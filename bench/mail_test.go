package bench_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/localserver"
	"gpatlas/platform/testkit/mailtest"
)

const (
	mailAccounts = 10_000 // that get a digest
	mailWatched  = 40     // GPs on the watchlist of each
	mailClicks   = 500    // tracked links that are followed
	mailPatience = 15 * time.Minute
	mailGlance   = 20 * time.Millisecond
)

const (
	digestRow = "digests a second, from the start of the job to the last mail at a local mail server"
	memoryRow = "digests, peak memory of the worker"
	claimRow  = "claim of 10 mails while 100,000 wait, p99"
	pixelRow  = "pixel over HTTP, share of the ceiling"
	clickRow  = "click over HTTP, share of the ceiling"
)

// measureMail measures the digests of many accounts by a worker of its own, the queue, and what mails lead to.
func measureMail(ctx context.Context, b *testing.B, r *report, binary string, data filled) {
	b.Helper()
	found, err := goBench(ctx, "./modules/notifications/internal/delivery", "^BenchmarkClaim$", "-benchtime", "2000x", "-count", strconv.Itoa(*roundsFlag))
	require.NoError(b, err)
	r.measure(keyClaim, claimRow, "ms", found.rounds("BenchmarkClaim", "p99-ms", 1),
		fmt.Sprintf("p50 %s ms", figure(median(found.rounds("BenchmarkClaim", "p50-ms", 1)))))

	stack, err := localserver.Open(ctx, localserver.Config{Dir: data.data, Command: "bench"})
	require.NoError(b, err)
	defer func() { require.NoError(b, stack.Stop(context.WithoutCancel(ctx))) }()
	db, err := database.Open(ctx, database.Config{URL: stack.DatabaseURL(), MaxConns: 2})
	require.NoError(b, err)
	defer db.Close()
	conn, err := pgx.Connect(ctx, stack.DatabaseURL())
	require.NoError(b, err)
	for _, statement := range []string{mailPeople, mailWatchlists, mailBefore, mailNews, "ANALYZE accounts.users, accounts.watchlist_items, catalog.arrivals"} {
		_, err = conn.Exec(ctx, statement)
		require.NoError(b, err, statement)
	}
	require.NoError(b, conn.Close(ctx))
	sink := mailtest.NewServer(b, mailtest.Options{})
	worker := startWorker(b, binary, stack, sink.URL())
	m := &mailing{db: db, worker: worker}
	m.measureDigests(ctx, b, r)
	m.stop(b)
	m.measureTracking(ctx, b, r, startWeb(ctx, b, binary, data.data), sink)
}

// Everybody watches GPs of all over the catalog. News is what arrived with the newest archive of Form ADV and after.
const (
	mailPeople = `INSERT INTO accounts.users (email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, email_verified_at, created_at, updated_at)
		SELECT e, e, 'Ada Larkspur', '', 'free', 'free', 'starter', now(), now(), now()
		FROM generate_series(1, 10000) n, LATERAL (SELECT 'digest' || n || '@larkspur.example' AS e) named`
	mailWatchlists = `WITH gps AS (SELECT crd, row_number() OVER (ORDER BY crd) - 1 AS place FROM catalog.pub_gp),
		people AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM accounts.users WHERE email_key LIKE 'digest%'),
		wanted AS (
			SELECT DISTINCT id, (n * 7919 + k * 104729) % total AS place
			FROM people CROSS JOIN generate_series(1, 40) k CROSS JOIN (SELECT count(*) AS total FROM gps) counted
		)
		INSERT INTO accounts.watchlist_items (id, user_id, adviser_crd, canonical_gp_id, alert_enabled, created_at)
		SELECT gen_random_uuid(), wanted.id, crd, crd::bigint, true, now() - interval '1 year' FROM wanted JOIN gps USING (place)`
	mailBefore = `UPDATE catalog.arrivals SET known_at = now() - interval '40 days'`
	mailNews   = `UPDATE catalog.arrivals SET known_at = now() - interval '1 hour'
		WHERE arrival >= (SELECT max(arrival) FROM catalog.filings WHERE source = 'adv_archive')`
)

// mailing is a running worker over a database.
type mailing struct {
	db     *database.DB
	worker *exec.Cmd
}

// startWorker starts a worker that sends to a mail server.
func startWorker(b *testing.B, binary string, stack *localserver.Stack, smtp string) *exec.Cmd {
	b.Helper()
	said := &tail{}
	cmd := exec.Command(binary, "worker")
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Env = append(environ(), "DATABASE_URL="+stack.DatabaseURL(), "REDIS_URL="+stack.RedisURL(), "WEB_INTERNAL_ADDR=127.0.0.1:0",
		"JOBS_INTERNAL_ADDR=127.0.0.1:0", "ACCOUNTS_JWT_KEYS=k1:"+strings.Repeat("QUJD", 11), "ACCOUNTS_PUBLIC_APP_URL=https://atlas.example",
		"MAIL_SMTP_URL="+smtp, "MAIL_FROM=GP Atlas <no-reply@atlas.example>")
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		if b.Failed() {
			b.Log(said)
		}
		_ = cmd.Process.Kill()
	})
	return cmd
}

// stop ends the worker in order.
func (m *mailing) stop(b *testing.B) {
	b.Helper()
	require.NoError(b, m.worker.Process.Signal(syscall.SIGTERM))
	_ = m.worker.Wait()
}

func (m *mailing) count(ctx context.Context, b *testing.B, statement string) int {
	b.Helper()
	n, err := database.Values[int](ctx, m.db, "count", statement, nil)
	require.NoError(b, err)
	return n[0]
}

// run starts a job and waits until a count is reached.
func (m *mailing) run(ctx context.Context, b *testing.B, job jobs.Job, statement string, want int) time.Duration {
	b.Helper()
	began := time.Now()
	require.NoError(b, jobs.NewEnqueuer(m.db).Enqueue(ctx, job))
	for m.count(ctx, b, statement) < want {
		require.Less(b, time.Since(began), mailPatience, job.Type)
		require.NoError(b, ctx.Err())
		time.Sleep(mailGlance)
	}
	return time.Since(began)
}

func (m *mailing) measureDigests(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	atRest := m.peak(b)
	made := m.run(ctx, b, jobs.Job{Type: "notifications.daily_digest", Payload: jobs.Bucket{Bucket: jobs.DailyEastern(time.Now())}},
		"SELECT count(*) FROM notifications.digests", mailAccounts)
	mails := m.count(ctx, b, "SELECT count(*) FROM notifications.queue WHERE kind = 'activity_digest'")
	sent := m.run(ctx, b, jobs.Job{Type: "notifications.process_queue"},
		"SELECT count(*) FROM notifications.queue WHERE kind = 'activity_digest' AND state NOT IN ('queued', 'sending')", mails)
	require.Equal(b, mails, m.count(ctx, b, "SELECT count(*) FROM notifications.queue WHERE kind = 'activity_digest' AND state = 'sent'"))
	r.measure(keyDigest, digestRow, "a second", []float64{float64(mails) / (made + sent).Seconds()},
		fmt.Sprintf("%d mails for %d accounts of %d GPs each: made in %s s, sent in %s s", mails, mailAccounts, mailWatched, figure(made.Seconds()), figure(sent.Seconds())))
	r.measure(keyDigestMemory, memoryRow, "MiB", []float64{m.peak(b)}, fmt.Sprintf("%s before", figure(atRest)))
}

// peak is the most memory that the worker has had resident, in MiB.
func (m *mailing) peak(b *testing.B) float64 {
	b.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(m.worker.Process.Pid) + "/status")
	require.NoError(b, err)
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	require.NotNil(b, found)
	kib, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return kib / 1024
}

// measureTracking follows what the mails lead to: the pixel and the links, against a server of fixed answers of their size.
func (m *mailing) measureTracking(ctx context.Context, b *testing.B, r *report, addr string, sink *mailtest.Server) {
	b.Helper()
	var pixels, clicks [][]byte
	for _, received := range sink.Messages()[:min(mailClicks, len(sink.Messages()))] {
		html := mailtest.Parse(b, received.Data).HTML
		for _, link := range tracked.FindAllString(strings.ReplaceAll(html, "&amp;", "&"), -1) {
			u, err := url.Parse(link)
			require.NoError(b, err)
			if strings.HasSuffix(u.Path, ".png") {
				pixels = append(pixels, request(u.RequestURI()))
			} else {
				clicks = append(clicks, request(u.RequestURI()))
			}
		}
	}
	if len(pixels) == 0 || len(clicks) == 0 {
		r.miss(keyPixel, pixelRow, "mails are not tracked")
		r.miss(keyClick, clickRow, "mails are not tracked")
		return
	}
	const size = 100 // bytes, about those of the pixel
	ceiling := startCeiling(b, mib, []int{size})
	defer ceiling.end()
	drive := func(addr string, requests [][]byte, slot time.Duration, status int) load {
		all, err := gather(ctx, addr)
		require.NoError(b, err)
		defer all.close()
		l, err := all.driveTo(ctx, requests, slot, status)
		require.NoError(b, err)
		return l
	}
	fixed := [][]byte{request(fixedPath(0))}
	for _, line := range []struct {
		key, what string
		requests  [][]byte
		status    int
	}{{keyPixel, pixelRow, pixels, 200}, {keyClick, clickRow, clicks, 302}} {
		drive(addr, line.requests, *slotFlag/2, line.status)
		var share, rate, p99 []float64
		for range *roundsFlag {
			most, have := drive(ceiling.addr, fixed, *slotFlag, 200), drive(addr, line.requests, *slotFlag, line.status)
			share, rate, p99 = append(share, have.rate/most.rate), append(rate, have.rate), append(p99, milliseconds(have.p99))
		}
		r.measure(line.key, line.what, "", share, fmt.Sprintf("%s a second, p99 %s ms", figure(median(rate)), figure(median(p99))))
	}
}

var tracked = regexp.MustCompile(`https?://[^"\s<>]*/v1/track/[^"\s<>]*`)
