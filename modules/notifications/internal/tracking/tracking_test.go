package tracking_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/modules/notifications/internal/tracking"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/templates/email"
)

// A mail's links lead to where they led, and the way out of it stays as it is.
func TestRewrite(t *testing.T) {
	t.Parallel()
	b := setup(t)
	content := digest(t)
	_, got := b.send(t, 8, content)
	links := got.links()
	require.Len(t, links, 3, "of two GPs, and the one that people do not see")
	want := map[string]bool{base + "/gps/900001": true, base + "/gps/900014": true, base: true}
	for _, link := range links {
		at := b.host.Do(t, httpapitest.Scenario{Path: link, Status: 302}).Header.Get("Location")
		require.True(t, want[at], at)
		delete(want, at)
	}
	require.Empty(t, want)
	for _, text := range []string{got.HTML, got.Text} {
		require.Contains(t, text, to.Unsubscribe)
		require.NotContains(t, text, `"`+base+"/gps/")
	}
	for line := range strings.SplitSeq(got.Text, "\n") {
		if strings.Contains(line, "/v1/track/click/") {
			require.Contains(t, links, strings.TrimPrefix(line, base), "both parts have the same links")
		}
	}
	require.Equal(t, strings.Count(content.Text, "\n"), strings.Count(got.Text, "\n"))
	require.NoError(t, mail.Message{To: mail.Address{Email: "a@b.example"}, Subject: "S", Text: got.Text, HTML: got.HTML, Category: "product"}.Validate())
	require.True(t, strings.HasSuffix(strings.TrimSpace(got.HTML), "</html>"))
}

// A further try of a mail is the same mail: its addresses are those of the first.
func TestSecondTry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id, first := b.send(t, 8, digest(t))
	b.later(time.Hour)
	require.Equal(t, first, b.track(t, id, 8, digest(t)))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { b.track(t, id, 8, digest(t)) })
	}
	wg.Wait()
	require.Equal(t, first, b.track(t, id, 8, digest(t)))
	_, other := b.send(t, 8, digest(t))
	require.NotEqual(t, first, other, "another mail has others")
	for _, link := range other.links() {
		require.NotContains(t, first.links(), link)
	}
}

// What people cannot refuse is not tracked, whoever asks; nor is a link that is none.
func TestUntracked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	content := digest(t)
	got, err := b.tracker.Track(t.Context(), render.Draft{ID: 1, UserID: 8, Kind: kind.Kind{ID: "x", Category: kind.Account}, Content: content, Links: to})
	require.Error(t, err)
	require.Empty(t, got)
	odd := `<a class="x" href="mailto:a@b.example">a</a><a href="` + to.Preferences + `">b</a><a href="` + to.Unsubscribe + `?category=all">c</a><a href="/relative">d</a>` +
		`<a href="https://user@evil.example/">e</a><a href="javascript:alert(1)">f</a><a href="https://x.example/` + strings.Repeat("a", 1600) + `">g</a>`
	_, mail := b.send(t, 8, email.Content{Subject: "S", Text: "T", HTML: odd})
	require.Len(t, mail.links(), 1)
	require.True(t, strings.HasPrefix(mail.HTML, odd))
}

// The pixel is always the same, for every request and caller; nothing is stored on the client.
func TestPixel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	b.later(time.Minute)
	first := b.host.Do(t, httpapitest.Scenario{
		Path: mail.pixel(t), Header: map[string]string{"User-Agent": firefox},
		WantHeader: map[string]string{"Content-Type": "image/png", "Cache-Control": "no-store", "Set-Cookie": "", "ETag": ""},
	})
	require.True(t, strings.HasPrefix(first.Body, "\x89PNG\r\n\x1a\n"))
	for _, id := range []string{"nothing", "k2m7qz5x3n6v4b2c4l7w3t5yad", "a.b", "..%2f", strings.Repeat("a", 500), "%F0%9F%98%80"} {
		got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/track/open/" + id + ".png", Header: map[string]string{"Authorization": "Bearer none", "If-None-Match": "*"}})
		require.Equal(t, first, got, id)
	}
	require.Empty(t, b.host.Do(t, httpapitest.Scenario{Method: "HEAD", Path: mail.pixel(t), Header: map[string]string{"User-Agent": firefox}}).Body)
	require.Equal(t, counts{Opened: 1}, b.counts(t))
	var count int64
	require.NoError(t, b.db.From(t.Context()).Raw(`SELECT sum(count) FROM notifications.hits`).Scan(&count).Error)
	require.Equal(t, int64(1), count, "HEAD counts nothing, and what is no mail neither")
}

func encoded(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// A link leads to the one destination that the mail had under its ID, byte for byte, or nowhere.
func TestHostileDestinations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	link := mail.links()[0]
	path, good, _ := strings.Cut(link, "?url=")
	destination := b.host.Do(t, httpapitest.Scenario{Path: link, Status: 302}).Header.Get("Location")
	other := b.host.Do(t, httpapitest.Scenario{Path: mail.links()[1], Status: 302}).Header.Get("Location")
	require.NotEqual(t, destination, other)
	std := base64.StdEncoding.EncodeToString([]byte(destination))
	for _, same := range []string{good, std, strings.TrimRight(std, "="), url.QueryEscape(std), base64.URLEncoding.EncodeToString([]byte(destination))} {
		b.host.Do(t, httpapitest.Scenario{Path: path + "?url=" + same, Status: 302, WantHeader: map[string]string{"Location": destination, "Cache-Control": "no-store"}})
	}
	hostile := []string{
		"", " ", other, base, "https://evil.example/", "http://" + strings.TrimPrefix(destination, "https://"), strings.ToUpper(destination),
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x", "file:///etc/passwd", "ftp://evil.example",
		"//evil.example", `\\evil.example`, `https:\\evil.example`, `/\evil.example`, "https:evil.example", "https:///evil.example",
		"https://atlas.example@evil.example/", "https://user:pass@atlas.example/v1/gps/900001", "https://atlas.example:443/v1/gps/900001",
		"https://atlas.example.evil.example/", "https://evil.example/#" + destination, "https://evil.example?x=" + destination, "https://evil.example\\@atlas.example",
		destination + "\r\nSet-Cookie: a=b", destination + "\n", destination + "\r", destination + "\x00", "\t" + destination, " " + destination, destination + " ",
		destination + "/", destination + "?", destination + "#", destination + "?a=1", destination[:len(destination)-1],
		"https://аtlas.example/v1/gps/900001", "https://atlas。example/v1/gps/900001", "https://xn--tlas-5cd.example/v1/gps/900001", "https://ａtlas.example/",
		encoded(destination), url.QueryEscape(destination), "%68ttps://atlas.example/v1/gps/900001", "https://atlas.example/v1/gps/%3900001", "\xff\xfe",
	}
	for _, bad := range hostile {
		for _, e := range []*base64.Encoding{base64.RawURLEncoding, base64.StdEncoding} {
			got := b.host.Do(t, httpapitest.Scenario{Path: path + "?url=" + url.QueryEscape(e.EncodeToString([]byte(bad))), Status: 400, WantHeader: map[string]string{"Location": ""}})
			require.Contains(t, got.Body, "url", bad)
			require.NotContains(t, got.Body, "evil")
		}
	}
	for name, query := range map[string]string{
		"missing": "", "empty": "?url=", "not base64": "?url=!!!", "in clear": "?url=" + url.QueryEscape(destination), "twice": "?url=" + good + "&url=" + good,
		"more": "?url=" + good + "&next=https://evil.example", "line break": "?url=" + good[:8] + "%0d%0a" + good[8:], "broken escape": "?url=%zz",
		"long": "?url=" + strings.Repeat("a", 2101), "double": "?url=" + encoded(good),
	} {
		t.Log(name)
		b.host.Do(t, httpapitest.Scenario{Path: path + query, Status: 400, WantHeader: map[string]string{"Location": ""}})
	}
	for _, id := range []string{"k2m7qz5x3n6v4b2c4l7w3t5yad", "none", "%27%20OR%20true--", strings.TrimSuffix(strings.TrimPrefix(mail.pixel(t), "/v1/track/open/"), ".png")} {
		b.host.Do(t, httpapitest.Scenario{Path: "/v1/track/click/" + id + "?url=" + good, Status: 404, WantHeader: map[string]string{"Location": ""}})
	}
	require.Equal(t, counts{}, counts{Opened: b.counts(t).Opened}, "the rest counts nothing")
}

// A person who reads, and comes back, is counted once for each mail.
func TestPeopleAreCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, first := b.send(t, 8, digest(t))
	_, second := b.send(t, 9, digest(t))
	b.later(time.Minute)
	for range 3 {
		b.visit(t, "GET", first.pixel(t), firefox)
		b.visit(t, "GET", first.links()[0], firefox)
		b.later(time.Minute)
	}
	b.visit(t, "GET", first.links()[1], firefox)
	b.visit(t, "GET", second.pixel(t), chrome)
	require.Equal(t, counts{Opened: 2, Clicked: 1}, b.counts(t))
}

// Scanners that follow every link of a mail, with any user agent and at any time, change no rate.
func TestScanners(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var mails []sent
	for i := range 3 {
		_, m := b.send(t, int64(8+i), digest(t))
		mails = append(mails, m)
	}
	agents := []string{scanner, firefox, "", chrome, "Mozilla/5.0", "curl/8.5.0"}
	scan := func(n int) {
		for i, m := range mails {
			agent := agents[(n+i)%len(agents)]
			for _, link := range append(m.links(), m.pixel(t)) {
				b.visit(t, "HEAD", link, agent)
				b.visit(t, "GET", link, agent)
			}
		}
	}
	for n := range 50 { // at once
		scan(n)
	}
	c := b.counts(t)
	require.Zero(t, c.Opened+c.Clicked, "at once after the delivery")
	b.later(time.Hour)
	b.visit(t, "GET", mails[0].pixel(t), firefox)
	b.later(time.Minute)
	b.visit(t, "GET", mails[0].links()[0], firefox)
	before := b.counts(t)
	require.Equal(t, counts{Opened: 1, Clicked: 1, Machines: c.Machines}, before)
	for n := range 50 { // when the mail is moved, forwarded, looked at by another scanner
		b.later(5 * time.Minute)
		scan(n)
		if n%7 == 0 {
			b.counts(t) // written in between
		}
	}
	after := b.counts(t)
	require.Equal(t, before.Opened, after.Opened)
	require.Equal(t, before.Clicked, after.Clicked)
	require.Greater(t, after.Machines, before.Machines)
}

// Haste without the hidden link: scanners that read the text alone follow all its links within seconds.
func TestBurst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	b.later(time.Hour)
	links := mail.links()
	for _, link := range links[:len(links)-1] {
		b.visit(t, "GET", link, chrome)
		b.later(time.Second)
		b.counts(t)
	}
	require.Equal(t, counts{Machines: 2}, b.counts(t))
	b.later(time.Hour)
	b.visit(t, "GET", links[0], chrome)
	require.Equal(t, counts{Clicked: 1, Machines: 2}, b.counts(t), "a person, later")
}

// A scan takes nothing back that a person has done earlier; what comes with it or soon after is its own.
func TestScanTakesNoEarlierClick(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	b.later(time.Hour)
	b.visit(t, "GET", mail.pixel(t), firefox)
	b.visit(t, "GET", mail.links()[0], firefox)
	require.Equal(t, counts{Opened: 1, Clicked: 1}, b.counts(t))
	b.later(30 * time.Second)
	for _, link := range mail.links() {
		b.visit(t, "GET", link, chrome)
	}
	c := b.counts(t)
	require.Equal(t, []int64{1, 1}, []int64{c.Opened, c.Clicked})
	b.later(time.Second)
	b.visit(t, "GET", mail.links()[1], firefox)
	require.Equal(t, int64(1), b.counts(t).Clicked)
}

// Of who opens a mail nothing is written but the verdict: no table has a column for it.
func TestNothingPersonalIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var columns []string
	require.NoError(t, b.db.From(t.Context()).Raw(`SELECT column_name FROM information_schema.columns
		WHERE table_schema = 'notifications' AND table_name IN ('hits', 'tracked_mails', 'tracked_links') ORDER BY table_name, ordinal_position`).Scan(&columns).Error)
	require.Equal(t, []string{
		"mail_id", "link_id", "machine", "count", "first_at", "last_at", "id", "mail_id", "destination", "hidden", "id", "queue_id", "user_id", "kind", "created_at",
	}, columns)
}

// Two processes count the same mail at the same time.
func TestCountersInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	b.later(time.Hour)
	other := &bench{db: b.db, clock: b.clock}
	other.counter = tracking.NewCounter(b.db, b.clock, testLog(t), nil)
	other.host = httpapitest.New(t, tracking.Routes(tracking.NewService(b.db, b.clock, other.counter))...)
	for range 20 {
		b.visit(t, "GET", mail.pixel(t), firefox)
		other.visit(t, "GET", mail.pixel(t), firefox)
		var wg sync.WaitGroup
		errs := make([]error, 2)
		wg.Go(func() { errs[0] = b.counter.Flush(t.Context()) })
		wg.Go(func() { errs[1] = other.counter.Flush(t.Context()) })
		wg.Wait()
		require.Equal(t, []error{nil, nil}, errs)
	}
	var count int64
	require.NoError(t, b.db.From(t.Context()).Raw(`SELECT sum(count) FROM notifications.hits WHERE NOT machine`).Scan(&count).Error)
	require.Equal(t, int64(40), count)
}

// What is left is written at the stop; what cannot be written waits.
func TestStopWrites(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	b.later(time.Hour)
	b.counter.Start(t.Context())
	b.visit(t, "GET", mail.pixel(t), firefox)
	require.NoError(t, b.counter.Stop(t.Context()))
	var count int64
	require.NoError(t, b.db.From(t.Context()).Raw(`SELECT sum(count) FROM notifications.hits`).Scan(&count).Error)
	require.Equal(t, int64(1), count)
}

// Without the database the pixel is served, and clicks get Retry-After.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	b.db.Close()
	b.visit(t, "GET", mail.pixel(t), firefox)
	b.host.Do(t, httpapitest.Scenario{Path: mail.links()[0], Status: 503})
	require.Error(t, b.counter.Flush(t.Context()))
}

// A link that was followed is known for less than a minute without the database, and leads nowhere else. One that does not exist
// is looked for each time.
func TestKnownLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	path, other := mail.links()[0], mail.links()[1]
	_, otherURL, _ := strings.Cut(other, "?")
	id, _, _ := strings.Cut(path, "?")
	unknown := clicksOf(strings.Repeat("a", 26)) + "?" + otherURL
	b.host.Do(t, httpapitest.Scenario{Path: unknown, Status: 404})
	for range 2 {
		b.visit(t, "GET", path, firefox)
	}
	_, err := b.db.Pool().Exec(t.Context(), "DELETE FROM notifications.tracked_mails")
	require.NoError(t, err)
	b.later(59 * time.Second)
	b.visit(t, "GET", path, firefox)
	b.host.Do(t, httpapitest.Scenario{Path: id + "?" + otherURL, Status: 400})
	b.host.Do(t, httpapitest.Scenario{Path: unknown, Status: 404})
	b.later(time.Second)
	b.host.Do(t, httpapitest.Scenario{Path: path, Status: 404})
}

func clicksOf(id string) string { return "/v1/track/click/" + id }

// A flood of invented addresses is bounded, and does not keep mails from being counted afterwards.
func TestFlood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mail := b.send(t, 8, digest(t))
	b.later(time.Hour)
	for i := range 60_000 {
		b.service.Open(strings.Repeat("a", 20)+strings.Map(func(r rune) rune { return 'a' + (r - '0') }, fmt.Sprintf("%06d", i)), firefox)
	}
	require.Equal(t, counts{}, b.counts(t))
	b.visit(t, "GET", mail.pixel(t), firefox)
	require.Equal(t, counts{Opened: 1}, b.counts(t))
}

// What was counted of the mails to a person goes with the account, and after its time.
func TestPersonal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, mine := b.send(t, 8, digest(t))
	b.send(t, 9, digest(t))
	b.later(time.Hour)
	b.visit(t, "GET", mine.pixel(t), firefox)
	b.visit(t, "GET", mine.links()[0], firefox)
	b.visit(t, "GET", mine.pixel(t), scanner)
	b.counts(t)
	part := b.service.Part().Exporters[0]
	require.Equal(t, "notification_tracking", part.Name)
	export := func(id int64) string {
		got, err := part.For(t.Context(), id)
		require.NoError(t, err)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		return string(text)
	}
	require.JSONEq(t, `[{"kind":"activity_digest","created_at":"2026-11-20T09:30:00Z","opens":1,"clicks":1,"by_machines":1}]`, export(8))
	require.NoError(t, b.service.Part().Purged[0](t.Context(), 8))
	require.Equal(t, `[]`, export(8))
	require.Equal(t, counts{}, b.counts(t))
	b.host.Do(t, httpapitest.Scenario{Path: mine.links()[0], Status: 404})
	require.NotEqual(t, `[]`, export(9))

	run := tracking.Handlers(b.service)[0].Run
	b.clock.Move(tracking.Kept - 2*time.Hour)
	require.NoError(t, run(t.Context(), nil))
	require.NotEqual(t, `[]`, export(9))
	b.later(2 * time.Hour)
	for range 2 {
		require.NoError(t, run(t.Context(), nil))
		require.Equal(t, `[]`, export(9))
	}
	b.db.Close()
	require.Error(t, run(t.Context(), nil))
}
