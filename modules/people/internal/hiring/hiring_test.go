package hiring_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// TestHiring reads a board of each vendor and shows what is on it.
func TestHiring(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	w.answers(respondsWith(`{"jobs":[{"id":4012345,"internal_job_id":7,"title":"Senior  Associate, Private Credit","updated_at":"2026-11-20T10:00:00-05:00",
		"first_published":"2026-11-01T23:30:00-05:00","location":{"name":"Boston, MA"},"absolute_url":"https://boards.greenhouse.io/harborridge/jobs/4012345",
		"content":"&lt;p&gt;Text&lt;/p&gt;","departments":[{"id":1,"name":"Private Credit"}]},
		{"id":4012346,"title":"Software Engineer","updated_at":"2026-11-20T10:00:00.000000Z","location":{"name":"Remote"},"absolute_url":"javascript:alert(1)","departments":[]}],"meta":{"total":2}}`))
	require.Equal(t, 1, w.fetch(t).Read)
	require.Equal(t, []string{"boards-api.greenhouse.io/v1/boards/harborridge/jobs?content=true"}, w.requests())
	w.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/hiring", As: ada, WantJSON: `{"data":[
		{"id":"greenhouse:harborridge:4012346","title":"Software Engineer","role":null,"department":"operations","department_name":null,"location":"Remote",
			"employment_type":null,"url":null,"posted_at":"2026-11-22T09:00:00.000000Z","posted_at_source":"first_seen","first_seen":"2026-11-22T09:00:00.000000Z",
			"last_seen":"2026-11-22T09:00:00.000000Z","source":"greenhouse"},
		{"id":"greenhouse:harborridge:4012345","title":"Senior Associate, Private Credit","role":"associate","department":"investment","department_name":"Private Credit",
			"location":"Boston, MA","employment_type":null,"url":"https://boards.greenhouse.io/harborridge/jobs/4012345","posted_at":"2026-11-02T04:30:00.000000Z",
			"posted_at_source":"board","first_seen":"2026-11-22T09:00:00.000000Z","last_seen":"2026-11-22T09:00:00.000000Z","source":"greenhouse"}],
		"meta":{"returned":2,"total":2,"configured":true,"hiring_velocity":{"openings_per_30_days":null,"closings_per_30_days":null,"open_positions":2,
			"observed_since":"2026-11-22T09:00:00.000000Z","reason":"The job boards have been observed for less than 30 days."},"as_of":"2026-11-22T09:00:00.000000Z",
			"sources":[{"vendor":"greenhouse","board":"harborridge","url":"https://boards.greenhouse.io/harborridge","state":"ok",
				"last_checked":"2026-11-22T09:00:00.000000Z","last_success":"2026-11-22T09:00:00.000000Z"}],
			"filters_applied":{"role":null,"department":null,"posted_after":null,"limit":50},"pricing":{"cost":0.1,"description":"$0.10 per request"}}}`})
	require.Len(t, w.meter.Charged(), 1)
	require.Equal(t, int64(100_000), w.meter.Charged()[0].UnitMicros)
	for path, status := range map[string]int{
		"/v1/gps/999999/hiring": 404, "/v1/gps/0/hiring": 400, "/v1/gps/900101/hiring?role=other": 400, "/v1/gps/900101/hiring?department=hr": 400,
		"/v1/gps/900101/hiring?limit=101": 400, "/v1/gps/900101/hiring?limit=0": 400, "/v1/gps/900101/hiring?posted_after=2026-11-23": 400,
		"/v1/gps/900101/hiring?posted_after=yesterday": 400,
	} {
		w.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Status: status})
	}
	w.host.Do(t, httpapitest.Scenario{Path: "/v1/gps/900101/hiring", Status: 401})
}

// A manager without a board, and one whose board has not been read, are answered without positions, and for nothing.
func TestNoPostingsAreFree(t *testing.T) {
	t.Parallel()
	w := setup(t)
	a := w.get(t, "")
	require.Empty(t, a.Data)
	require.False(t, a.Meta.Configured)
	require.Equal(t, "No job board of the manager is configured.", *a.Meta.Velocity.Reason)
	w.configure(t, "900101", "ashby", "harborridge")
	a = w.get(t, "")
	require.True(t, a.Meta.Configured)
	require.Nil(t, a.Meta.AsOf)
	require.Equal(t, "pending", a.Meta.Sources[0].State)
	require.Equal(t, "A job board of the manager has not been read yet.", *a.Meta.Velocity.Reason)
	w.answers(respondsWith(`{"jobs":[{"id":"a","title":"Analyst","publishedAt":"2026-11-20T00:00:00+00:00"}]}`))
	w.fetch(t)
	require.Empty(t, w.meter.Charged())
	require.Empty(t, w.get(t, "?role=md").Data)
	require.Len(t, w.meter.Charged(), 1, "the velocity counts one open position")
	require.Len(t, w.get(t, "?posted_after=2026-11-20").Data, 1)
	require.Len(t, w.meter.Charged(), 2)
	require.Empty(t, w.get(t, "?posted_after=2026-11-21").Data)
}

// TestVelocity simulates days: the velocity is null until 30 days are known, then counts what opened in the last 30.
func TestVelocity(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.configure(t, "900101", "greenhouse", "harborridge")
	onDay := map[int][]string{ // what the board lists from that day on
		0:  {"1 Analyst", "2 Associate"},
		3:  {"1 Analyst", "2 Associate", "3 Partner"},
		10: {"1 Analyst", "3 Partner", "4 Analyst"},
		12: {"1 Analyst", "3 Partner"}, // 4 was open for two days
		32: {"1 Analyst", "3 Partner", "5 Analyst"},
		36: {"1 Analyst", "2 Associate", "3 Partner", "5 Analyst"}, // 2 is back: no opening
	}
	type figures struct{ openings, closings int64 }
	want := map[int]figures{30: {2, 2}, 32: {3, 2}, 33: {2, 2}, 40: {1, 1}, 41: {1, 1}, 42: {1, 0}, 61: {1, 0}, 62: {0, 0}}
	for day := range 63 {
		if list, ok := onDay[day]; ok {
			w.answers(respondsWith(lists(list...)))
		}
		require.Equal(t, 1, w.fetch(t).Read, day)
		require.Equal(t, 0, w.fetch(t).Read, "a second run finds nothing due")
		v := w.get(t, "").Meta.Velocity
		if day < 30 {
			require.Nil(t, v.Openings)
			require.Nil(t, v.Closings)
			require.Contains(t, *v.Reason, "less than 30 days")
		} else {
			require.Nil(t, v.Reason)
			if expected, ok := want[day]; ok {
				require.Equal(t, expected, figures{*v.Openings, *v.Closings}, "day %d", day)
			}
		}
		w.Clock.Move(24 * time.Hour)
	}
	// After a gap too long to know what was missed, observation restarts.
	w.Clock.Move(20 * 24 * time.Hour)
	w.fetch(t)
	require.Nil(t, w.get(t, "").Meta.Velocity.Openings)
}
