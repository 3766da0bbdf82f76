package tracking_test

import (
	"html"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/modules/notifications/internal/tracking"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/templates/email"
)

const (
	base = "https://atlas.example"
	// Agents of two browsers that people use, and of a scanner that identifies itself.
	firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0"
	chrome  = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
	scanner = "Mozilla/5.0 (compatible; LinkScanner/1.0)"
)

var to = render.Links{PublicURL: base, Unsubscribe: base + "/v1/unsubscribe/secret", Preferences: base + "/account"}

type bench struct {
	db      *database.DB
	clock   *clocktest.Clock
	tracker *tracking.Tracker
	counter *tracking.Counter
	service *tracking.Service
	host    *httpapitest.Host
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.At("2026-11-20T09:30:00Z")}
	b.tracker = tracking.NewTracker(b.db, b.clock, base+"/")
	b.counter = tracking.NewCounter(b.db, b.clock, testLog(t), prometheus.NewRegistry())
	b.service = tracking.NewService(b.db, b.clock, b.counter)
	b.host = httpapitest.New(t, tracking.Routes(b.service)...)
	return b
}

// send puts a mail into the queue as one that is sent now, and gives it tracked.
func (b *bench) send(t *testing.T, userID int64, content email.Content) (int64, sent) {
	t.Helper()
	var id int64
	now := b.clock.Now()
	require.NoError(t, b.db.From(t.Context()).Raw(`INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, state, not_before, created_at, sent_at, message_id)
		VALUES ('activity_digest', 'activity_digest', ?, gen_random_uuid()::text, '{}', 'sent', ?, ?, ?, 'm') RETURNING id`, userID, now, now, now).Scan(&id).Error)
	return id, b.track(t, id, userID, content)
}

func (b *bench) track(t *testing.T, id, userID int64, content email.Content) sent {
	t.Helper()
	digest := kind.Kind{ID: kind.Digest, Category: kind.ActivityDigest}
	got, err := b.tracker.Track(t.Context(), render.Draft{ID: id, UserID: userID, Kind: digest, Content: content, Links: to})
	require.NoError(t, err)
	require.Len(t, got, 1)
	return sent{got[0]}
}

// digest is the mail of digests with invented data.
func digest(t *testing.T) email.Content {
	t.Helper()
	content, err := email.Examples(base, to.Unsubscribe)["activity_digest"].Content()
	require.NoError(t, err)
	return content
}

// sent is a mail as its recipient has it.
type sent struct{ email.Content }

var (
	clicks = regexp.MustCompile(`https://atlas\.example(/v1/track/click/[a-z2-7]{26}\?url=[A-Za-z0-9_-]+)`)
	pixels = regexp.MustCompile(`https://atlas\.example(/v1/track/open/[a-z2-7]{26}\.png)`)
)

// links are the paths of all tracked links of the HTML, each once; the last is the one that people do not see.
func (s sent) links() []string {
	var list []string
	seen := map[string]bool{}
	for _, found := range clicks.FindAllStringSubmatch(html.UnescapeString(s.HTML), -1) {
		if !seen[found[1]] {
			list = append(list, found[1])
		}
		seen[found[1]] = true
	}
	return list
}

func (s sent) pixel(t *testing.T) string {
	t.Helper()
	found := pixels.FindAllStringSubmatch(s.HTML, -1)
	require.Len(t, found, 1)
	return found[0][1]
}

// visit fetches a path of the mail.
func (b *bench) visit(t *testing.T, method, path, agent string) {
	t.Helper()
	status := 302
	if strings.HasSuffix(path, ".png") {
		status = 200
	}
	b.host.Do(t, httpapitest.Scenario{Method: method, Path: path, Header: map[string]string{"User-Agent": agent}, Status: status})
}

// counts are how many mails people have opened, of how many they have followed a link, and all hits of machines.
type counts struct{ Opened, Clicked, Machines int64 }

func (b *bench) counts(t *testing.T) counts {
	t.Helper()
	require.NoError(t, b.counter.Flush(t.Context()))
	var c counts
	require.NoError(t, b.db.From(t.Context()).Raw(`SELECT count(DISTINCT mail_id) FILTER (WHERE NOT machine AND link_id = '') AS opened,
		count(DISTINCT mail_id) FILTER (WHERE NOT machine AND link_id <> '') AS clicked, coalesce(sum(count) FILTER (WHERE machine), 0) AS machines
		FROM notifications.hits`).Scan(&c).Error)
	return c
}

func (b *bench) later(by time.Duration) { b.clock.Move(by) }

func testLog(t *testing.T) *slog.Logger {
	t.Helper()
	return slog.New(slog.NewTextHandler(t.Output(), nil))
}
