package trial

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Jobs: Handlers(s), Schedules: Schedules()}
}

// Routes are the operations of administrators on trials.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/admin/jobs/trial-check", "run-trial-check", s.start,
			httpapi.Grant(httpapi.Admin), httpapi.AdminKeyToo(), httpapi.Success(http.StatusAccepted),
			httpapi.Summary("Check free trials"), httpapi.Describe(startText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Administration"))
}

const startText = `Starts a job that notifies every account whose free trial ends within three days, once, and moves every account whose trial is over to the free plan. The worker also starts it by schedule, every day at 6 AM Eastern time. The check runs once per day (UTC). A further call on the same day does nothing and returns the ` + "`status` `already_started`" + `.`

// The values of Run.Status.
const (
	accepted       = "accepted"
	alreadyStarted = "already_started"
)

// Run is a run of a job.
type Run struct {
	Job       string    `json:"job" doc:"Name of the job." example:"accounts.trial_check"`
	Bucket    string    `json:"bucket" doc:"Day (UTC) of the run." example:"2026-11-20"`
	Status    string    `json:"status" enum:"accepted,already_started" doc:"accepted: the worker will run the job. already_started: today's run was started before, and this call did nothing." example:"accepted"`
	StartedAt time.Time `json:"started_at" doc:"When today's run was first started (UTC), by the schedule or by a call." example:"2026-11-20T09:30:00Z"`
	Message   string    `json:"message" doc:"Message to show to the person." example:"The check was started."`
}

// SchemaName is its name in the OpenAPI document.
func (Run) SchemaName() string { return "TrialCheckRun" }

// Spec: not shown what a second call on one day is answered; 202 as the first, and the body says that nothing was done.
func (s *Service) start(ctx context.Context, _ *struct{}) (*httpapi.Reply[httpapi.Data[Run]], error) {
	started, err := s.Start(ctx)
	if err != nil {
		return nil, err
	}
	run := Run{Job: Job, Bucket: started.Bucket, StartedAt: started.At, Status: accepted, Message: "The check was started."}
	if !started.First {
		run.Status = alreadyStarted
		run.Message = "Nothing was done: the check of " + started.Bucket + " was started before. It runs once a day (UTC)."
	}
	return &httpapi.Reply[httpapi.Data[Run]]{Body: httpapi.Data[Run]{Data: run}}, nil
}
