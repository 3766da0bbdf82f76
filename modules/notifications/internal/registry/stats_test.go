package registry_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// filled has mails of some days; of the digests that were sent in the last week three are tracked: a person opened one and
// followed a link of another, machines did both with the third.
func filled(t *testing.T) *bench {
	t.Helper()
	b := setup(t)
	const digest = "activity_digest"
	b.tracked(t, b.mail(t, digest, digest, "sent", 0), "opened")
	b.tracked(t, b.mail(t, digest, digest, "sent", 1), "clicked")
	b.tracked(t, b.mail(t, digest, digest, "sent", 6), "scanned")
	b.tracked(t, b.mail(t, digest, digest, "sent", 7), "before")
	b.hit(t, "opened", "", false)
	b.hit(t, "opened", "", true)
	b.hit(t, "clicked", "l1", false)
	b.hit(t, "clicked", "l2", false)
	b.hit(t, "scanned", "", true)
	b.hit(t, "scanned", "l3", true)
	b.hit(t, "before", "", false)
	for _, state := range []string{"queued", "sending", "failed", "suppressed", "suppressed"} {
		b.mail(t, digest, digest, state, 0)
	}
	b.mail(t, "market_intel", "market_intel", "sent", 0)
	b.mail(t, "deleted_notice", "product", "sent", 3)
	return b
}

const week = `"queued":1,"sending":1,"sent":3,"failed":1,"suppressed":2,"tracked":3,"opened":2,"clicked":1,"machine_opened":2,"machine_clicked":1,"open_rate":66.67,"click_rate":33.33`

func TestKindStats(t *testing.T) {
	t.Parallel()
	b := filled(t)
	got := b.do(t, "GET", "activity_digest/stats", "", 200)
	require.Contains(t, got, `{"data":{"days":7,"from":"2026-11-14","to":"2026-11-20","id":"activity_digest","category":"activity_digest",`+week+`,"last_sent_at":"2026-11-20T09:30:00.000000Z"`)
	var body struct {
		Data struct {
			ByDay []struct {
				Date             string
				Sent, Suppressed int
				OpenRate         *float64 `json:"open_rate"`
			} `json:"by_day"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(got), &body))
	require.Len(t, body.Data.ByDay, 7)
	require.Equal(t, "2026-11-14", body.Data.ByDay[0].Date)
	require.Equal(t, 1, body.Data.ByDay[0].Sent)
	require.Equal(t, 2, body.Data.ByDay[6].Suppressed)
	require.Nil(t, body.Data.ByDay[1].OpenRate)
	require.InDelta(t, 100, *body.Data.ByDay[6].OpenRate, 0)
	require.Contains(t, b.do(t, "GET", "activity_digest/stats?days=8", "", 200), `"sent":4`)
	require.Contains(t, b.do(t, "GET", "activity_digest/stats?days=1", "", 200), `"from":"2026-11-20","to":"2026-11-20"`)
	require.Contains(t, b.do(t, "GET", "trial_ended/stats?days=90", "", 200), `"open_rate":null,"click_rate":null,"last_sent_at":null`)
	b.do(t, "GET", "nothing_such/stats", "", 404)
}

func TestStats(t *testing.T) {
	t.Parallel()
	b := filled(t)
	got := b.do(t, "GET", "stats", "", 200)
	require.Contains(t, got, `{"id":"activity_digest","category":"activity_digest","queued":1,"sending":1,"sent":4,`)
	require.Contains(t, got, `"open_rate":75,`)
	require.Contains(t, got, `"meta":{"total":8}`)
}

func TestOverview(t *testing.T) {
	t.Parallel()
	b := filled(t)
	got := b.do(t, "GET", "analytics/overview", "", 200)
	require.Contains(t, got, `"totals":{"queued":1,"sending":1,"sent":5,`)
	require.Contains(t, got, `{"category":"activity_digest",`+week+`}`)
	require.Contains(t, got, `{"category":"billing","queued":0,`)
	require.Contains(t, got, `"by_notification":[{"id":"activity_digest",`)
	require.Contains(t, got, `{"id":"deleted_notice","category":"product",`, "mails of kinds that are no more count")
	require.NotContains(t, b.do(t, "GET", "analytics/overview?days=3", "", 200), "deleted_notice")
	for _, at := range []string{"analytics/overview", "activity_digest/stats"} {
		for _, days := range []string{"0", "91", "-1", "1.5", "seven", "99999999999999999999", ""} {
			b.host.Do(t, httpapitest.Scenario{Path: path + at + "?days=" + days, As: admin, Status: 400, Contains: []string{"days"}})
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.JSONEq(t, `{"data":{"total":8,"enabled":8,"disabled":0,"built_in":8,"added":0,"updated_at":null,"by_category":[
		{"category":"account","total":4,"enabled":4},{"category":"billing","total":0,"enabled":0},{"category":"activity_digest","total":2,"enabled":2},
		{"category":"market_intel","total":1,"enabled":1},{"category":"product","total":1,"enabled":1}]}}`, b.do(t, "GET", "summary", "", 200))
	b.do(t, "POST", "", entry("notice", `,"enabled":false`), 201)
	require.Contains(t, b.do(t, "GET", "summary", "", 200), `{"data":{"total":9,"enabled":8,"disabled":1,"built_in":8,"added":1,`)
	require.Contains(t, b.do(t, "GET", "summary", "", 200), `"updated_at":"2026-11-20T09:30:00.000000Z"`)
}

func TestTable(t *testing.T) {
	t.Parallel()
	b := filled(t)
	got := b.host.Do(t, httpapitest.Scenario{Path: path + "table", As: admin, WantHeader: map[string]string{"Content-Type": "text/plain; charset=utf-8"}})
	require.Equal(t, `ID                 CATEGORY         ENABLED  MAX/DAY  SENT/7D  OPENED  CLICKED  NAME
activity_digest    activity_digest  yes      1        3        66.7%   33.3%    Activity digest
market_intel       market_intel     yes      1        1        -       -        Market intelligence
notification_test  product          yes      5        0        -       -        Test email
search_alert       activity_digest  yes      5        0        -       -        Search alert
trial_ended        account          yes      5        0        -       -        Trial ended
trial_ending       account          yes      5        0        -       -        Trial ending
unknown_price      account          yes      1        0        -       -        Unknown price
webhook_disabled   account          yes      5        0        -       -        Webhook disabled
`, got.Body)
}

// The registry's own paths are not taken for IDs.
func TestStaticPathsFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for at, want := range map[string]string{"stats": `"open_rate"`, "summary": `"by_category"`, "table": "MAX/DAY", "export": `"version"`, "analytics/overview": `"totals"`} {
		require.Contains(t, b.do(t, "GET", at, "", 200), want)
	}
	require.Contains(t, b.do(t, "POST", "import", document(), 200), `"reset"`)
	require.Contains(t, b.do(t, "POST", "test", `{"notification_id":"market_intel"}`, 200), `"recipient"`)
	b.do(t, "GET", "test", "", 404)
	b.do(t, "GET", "import", "", 404)
}
