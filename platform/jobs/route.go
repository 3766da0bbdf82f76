package jobs

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

// Start is an operation that starts a scheduled job now.
type Start struct {
	Path, ID      string                 // of the operation
	Summary, Text string                 // of its documentation; Text is extended by the bucket's rule
	Job           string                 // name of the job
	Bucket        func(time.Time) string // the same as the job's schedule: of all starts in one bucket the first counts
	Every         string                 // name of the bucket: "hour", "day"
	Zone          string                 // of the bucket; empty: "UTC"
	// ByHand is the bucket of calls, if a call starts a run of its own besides the schedule's: work that arrived after this
	// hour's run should not wait for the next. Empty: calls and schedule share the runs.
	ByHand func(time.Time) string
	// EveryByHand is the name of that bucket: "minute".
	EveryByHand string
}

// Manual is a bucket of calls: a run a minute, apart from those of the schedule.
func Manual(t time.Time) string { return "manual:" + t.UTC().Format("2006-01-02T15:04") }

// Run is a run of a job.
type Run struct {
	Job       string    `json:"job" doc:"Name of the job." example:"accounts.trial_check"`
	Bucket    string    `json:"bucket" doc:"Day or hour of the run (UTC, or Eastern time where the operation says so), or its minute with manual: before it." example:"2026-11-20"`
	Status    string    `json:"status" enum:"accepted,already_started" doc:"accepted: the worker will run the job. already_started: the run was started before, and this call did nothing." example:"accepted"`
	StartedAt time.Time `json:"started_at" doc:"When the run was first started (UTC), by the schedule or by a call." example:"2026-11-20T09:30:00.000000Z"`
	Message   string    `json:"message" doc:"Message to show to the person." example:"The job was started."`
}

// SchemaName is its name in the OpenAPI document.
func (Run) SchemaName() string { return "JobRun" }

// The values of Run.Status.
const (
	accepted       = "accepted"
	alreadyStarted = "already_started"
)

// Route declares the operation. It enqueues the job like its schedule.
//
// Spec: not shown what a second call in one bucket is answered; 202 as the first, and the body says that nothing was done.
func Route(s Start, clk clock.Clock, queue *Enqueuer) httpapi.Route {
	zone := cmp.Or(s.Zone, "UTC")
	bucketOf, every := s.Bucket, s.Every
	if s.ByHand != nil {
		bucketOf, every = s.ByHand, s.EveryByHand
	}
	start := func(ctx context.Context, _ *struct{}) (*httpapi.Reply[httpapi.Data[Run]], error) {
		bucket := bucketOf(clk.Now())
		at, first, err := queue.EnqueueOnce(ctx, Job{Type: s.Job, Payload: Bucket{Bucket: bucket}, TaskID: Key(s.Job, bucket)})
		if err != nil {
			return nil, err
		}
		run := Run{Job: s.Job, Bucket: bucket, StartedAt: at, Status: accepted, Message: "The job was started."}
		if !first {
			run.Status = alreadyStarted
			run.Message = "Nothing was done: the run of " + bucket + " was started before. The job runs once per " + every + " (" + zone + ")."
		}
		return &httpapi.Reply[httpapi.Data[Run]]{Body: httpapi.Data[Run]{Data: run}}, nil
	}
	return httpapi.Post(s.Path, s.ID, start,
		httpapi.Tag("Administration"), httpapi.Grant(httpapi.Admin), httpapi.AdminKeyToo(), httpapi.Success(http.StatusAccepted),
		httpapi.Summary(s.Summary), httpapi.Describe(s.Text+" It runs once per "+every+" ("+zone+"). A further call in the same "+every+" does nothing and returns the `status` `already_started`."),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}
