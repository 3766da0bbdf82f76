package trial_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/trial"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/auth"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/jobstest"
)

const (
	ada = "ada@larkspur.example"
	day = 24 * time.Hour
)

// ends is when the trial of an account that was made at the start of a bench is over.
var ends = sessiontest.Start.Add(14 * day)

type bench struct {
	*sessiontest.Bench

	service *trial.Service
	told    []mail.Notification // what was handed to module notifications
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{Bench: sessiontest.New(t)}
	b.service = trial.NewService(b.DB, b.Clock, jobs.NewEnqueuer(b.DB))
	return b
}

// take is what module notifications has in the place of its handler.
func (b *bench) take() jobs.Handler {
	return jobs.Handler{Type: mail.NotifyJob, Run: func(_ context.Context, payload []byte) error {
		n, err := jobs.Decode[mail.Notification](payload)
		b.told = append(b.told, n)
		return err
	}}
}

// check runs the job at an instant, and gives all notifications so far.
func (b *bench) check(t *testing.T, at time.Time) []string {
	t.Helper()
	b.Clock.Set(at)
	h := trial.Handlers(b.service)[0]
	require.Equal(t, trial.Job, h.Type)
	require.NoError(t, h.Run(t.Context(), []byte(`{"bucket":"2026-11-20"}`)))
	jobstest.Deliver(t, b.DB, b.take())
	list := []string{}
	for _, n := range b.told {
		list = append(list, fmt.Sprintf("%s to %d of %s", n.Kind, n.UserID, n.Data.(map[string]any)["at"]))
		require.Equal(t, fmt.Sprintf("%s:%d:%s", n.Kind, n.UserID, n.Data.(map[string]any)["at"]), n.Key)
	}
	return list
}

func (b *bench) find(t *testing.T, id int64) *user.User {
	t.Helper()
	u, err := b.Users.FindByID(t.Context(), id)
	require.NoError(t, err)
	return u
}

// Fourteen days, to the second: notified once, three days before; lowered once, at the end.
func TestCheck(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u, student := b.MakeUser(t, ada), b.MakeUser(t, "grace@mossgate.edu")
	soon, over := fmt.Sprintf("trial_ending to %d of 2026-12-04T09:30:00Z", u.ID), fmt.Sprintf("trial_ended to %d of 2026-12-04T09:30:00Z", u.ID)

	require.Empty(t, b.check(t, ends.Add(-3*day-time.Microsecond)))
	require.Equal(t, []string{soon}, b.check(t, ends.Add(-3*day)))
	require.Equal(t, []string{soon}, b.check(t, ends.Add(-2*day)), "once")
	require.Equal(t, []string{soon}, b.check(t, ends.Add(-time.Microsecond)))
	require.Equal(t, []string{"pro", "starter", "free_trial"}, []string{b.find(t, u.ID).SubscriptionPlan, b.find(t, u.ID).APITier, b.find(t, u.ID).Tier})
	require.Equal(t, []string{soon, over}, b.check(t, ends))
	now := b.find(t, u.ID)
	require.Equal(t, []string{"free", "starter", "free_trial"}, []string{now.SubscriptionPlan, now.APITier, now.Tier})
	require.Nil(t, now.TrialEndsAt)
	require.Equal(t, []string{soon, over}, b.check(t, ends.Add(day)), "once")
	require.Equal(t, student.Record(student.CreatedAt), b.find(t, student.ID).Record(student.CreatedAt), "other tiers have no trial")
}

// Whoever subscribes before the end has no trial any more; a deleted account is paused until it is recovered.
func TestCheckLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	subscriber, gone := b.MakeUser(t, ada), b.MakeUser(t, "gone@mossgate.example")
	require.NoError(t, user.NewDirectory(b.Users, b.Clock).SetPlan(t.Context(), subscriber.ID, "enterprise", "scale"))
	require.NoError(t, b.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": b.Clock.Now()}))
	require.Empty(t, b.check(t, ends.Add(-day)))
	require.Empty(t, b.check(t, ends))
	require.Equal(t, "enterprise", b.find(t, subscriber.ID).SubscriptionPlan)
	require.Equal(t, "pro", b.find(t, gone.ID).SubscriptionPlan)
	require.NoError(t, b.Users.Update(t.Context(), gone.ID, map[string]any{"deleted_at": nil}))
	require.Equal(t, []string{fmt.Sprintf("trial_ended to %d of 2026-12-04T09:30:00Z", gone.ID)}, b.check(t, ends.Add(day)))
	require.Equal(t, "free", b.find(t, gone.ID).SubscriptionPlan)
}

// An API tier that is bought during a trial neither ends the trial nor ends with it.
func TestTierOutlivesTrial(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.MakeUser(t, ada)
	require.NoError(t, user.NewDirectory(b.Users, b.Clock).SetPlan(t.Context(), u.ID, "", "growth"))
	require.Len(t, b.check(t, ends.Add(-day)), 1)
	require.Equal(t, []string{"pro", "growth", "free_trial"}, []string{b.find(t, u.ID).SubscriptionPlan, b.find(t, u.ID).APITier, b.find(t, u.ID).Tier})
	require.Len(t, b.check(t, ends), 2)
	require.Equal(t, []string{"free", "growth", "free_trial"}, []string{b.find(t, u.ID).SubscriptionPlan, b.find(t, u.ID).APITier, b.find(t, u.ID).Tier})
}

// Concurrent checks notify each holder once.
func TestCheckInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, email := range []string{ada, "b@mossgate.example", "c@mossgate.example", "d@mossgate.example"} {
		b.MakeUser(t, email)
	}
	for _, at := range []time.Time{ends.Add(-day), ends} {
		b.Clock.Set(at)
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				_, err := b.service.Check(t.Context())
				require.NoError(t, err)
			})
		}
		wg.Wait()
	}
	tasks := map[string]int{}
	for _, job := range jobstest.Waiting(t, b.DB) {
		tasks[job.TaskID]++
	}
	require.Len(t, tasks, 8)
	require.Len(t, jobstest.Waiting(t, b.DB), 8)
	b.check(t, ends)
	require.Len(t, b.told, 8)
}

// The endpoint starts the run that the schedule starts; only administrators may, also by their keys.
func TestStart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	host := httpapitest.New(t, trial.Routes(b.service)...)
	const path = "/v1/admin/jobs/trial-check"
	for _, s := range []httpapitest.Scenario{
		{Status: 401},
		{As: &auth.Principal{Kind: auth.Session, UserID: 1}, Status: 403},
		{As: &auth.Principal{Kind: auth.Key, UserID: 1}, Status: 403},
	} {
		s.Method, s.Path = "POST", path
		host.Do(t, s)
	}
	require.Empty(t, jobstest.Waiting(t, b.DB))
	call := func(kind auth.Kind) map[string]any {
		got := host.Do(t, httpapitest.Scenario{Method: "POST", Path: path, As: &auth.Principal{Kind: kind, UserID: 1, Admin: true}, Status: 202})
		var body struct{ Data map[string]any }
		require.NoError(t, json.Unmarshal([]byte(got.Body), &body))
		return body.Data
	}
	first := call(auth.Session)
	require.Equal(t, []any{"accounts.trial_check", "2026-11-20", "accepted", "The job was started."}, []any{first["job"], first["bucket"], first["status"], first["message"]})
	for _, kind := range []auth.Kind{auth.Session, auth.Key} {
		again := call(kind)
		require.Equal(t, "already_started", again["status"])
		require.Contains(t, again["message"], "Nothing was done")
		require.Equal(t, []any{first["job"], first["bucket"], first["started_at"]}, []any{again["job"], again["bucket"], again["started_at"]})
	}
	waiting := jobstest.Waiting(t, b.DB)
	require.Len(t, waiting, 1, "one run")
	schedule := b.service.Part().Schedules[0]
	require.Equal(t, jobs.Key(schedule.Type, schedule.Bucket(b.Clock.Now())), waiting[0].TaskID, "one run, whoever starts it")
	require.JSONEq(t, `{"bucket":"2026-11-20"}`, waiting[0].Payload)

	b.Clock.Move(day)
	bucket := jobs.Daily(b.Clock.Now())
	_, scheduled, err := jobs.NewEnqueuer(b.DB).EnqueueOnce(t.Context(), jobs.Job{Type: schedule.Type, TaskID: jobs.Key(schedule.Type, bucket)})
	require.NoError(t, err)
	require.True(t, scheduled, "a new day")
	require.Equal(t, "already_started", call(auth.Session)["status"], "the schedule was first")
}
