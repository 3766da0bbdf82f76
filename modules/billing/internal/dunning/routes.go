package dunning

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Models: Models(), Jobs: Handlers(s), Schedules: Schedules()}
}

// Routes are the operations of administrators on payments.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Post("/v1/admin/jobs/payment-check", "run-payment-check", s.start,
			httpapi.Tag("Administration"), httpapi.Grant(httpapi.Admin), httpapi.AdminKeyToo(), httpapi.Success(http.StatusAccepted),
			httpapi.Summary("Check failed payments"), httpapi.Describe(startText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}
}

const startText = `Starts a job that reminds every account whose payment failed by email: at once, after three days and after seven days, each once. One day after the last reminder, what the unpaid subscription gives ends: the plan becomes ` + "`free`, the API tier `starter`" + `. A payment in between stops the reminders. The worker also starts the job by schedule, every hour. The check runs once per hour (UTC). A further call in the same hour does nothing and returns the ` + "`status` `already_started`" + `.`

// The values of Run.Status.
const (
	accepted       = "accepted"
	alreadyStarted = "already_started"
)

// Run is a run of the job.
type Run struct {
	Job       string    `json:"job" doc:"Name of the job." example:"billing.payment_check"`
	Bucket    string    `json:"bucket" doc:"Hour (UTC) of the run." example:"2026-11-20T09"`
	Status    string    `json:"status" enum:"accepted,already_started" doc:"accepted: the worker will run the job. already_started: this hour's run was started before, and this call did nothing." example:"accepted"`
	StartedAt time.Time `json:"started_at" doc:"When this hour's run was first started (UTC), by the schedule or by a call." example:"2026-11-20T09:10:00Z"`
	Message   string    `json:"message" doc:"Message to show to the person." example:"The check was started."`
}

// SchemaName is its name in the OpenAPI document.
func (Run) SchemaName() string { return "PaymentCheckRun" }

// Spec: not shown what a second call in one hour is answered; 202 as the first, and the body says that nothing was done.
func (s *Service) start(ctx context.Context, _ *struct{}) (*httpapi.Reply[httpapi.Data[Run]], error) {
	started, err := s.Start(ctx)
	if err != nil {
		return nil, err
	}
	run := Run{Job: Job, Bucket: started.Bucket, StartedAt: started.At, Status: accepted, Message: "The check was started."}
	if !started.First {
		run.Status = alreadyStarted
		run.Message = "Nothing was done: the check of " + started.Bucket + " was started before. It runs once an hour (UTC)."
	}
	return &httpapi.Reply[httpapi.Data[Run]]{Body: httpapi.Data[Run]{Data: run}}, nil
}
