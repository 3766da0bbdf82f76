package trial

import (
	"context"
	"net/http"

	"gpatlas/platform/httpapi"
)

// Routes are the operations of administrators on trials.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/admin/jobs/trial-check", "run-trial-check", s.start,
			httpapi.Grant(httpapi.Admin), httpapi.AdminKeyToo(), httpapi.Success(http.StatusAccepted),
			httpapi.Summary("Check free trials"), httpapi.Describe(startText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Administration"))
}

const startText = `Has the worker tell whoever's free trial ends within three days, once, and lower whoever's trial is over to the free plan. The worker does so by itself every day at 6 in the morning, Eastern time; whoever starts it, it runs once a day (UTC), and a further call changes nothing.`

// Run is a run of a job.
type Run struct {
	Job    string `json:"job" doc:"What was started." example:"accounts.trial_check"`
	Bucket string `json:"bucket" doc:"The run: the day (UTC) it belongs to." example:"2026-11-20"`
	Status string `json:"status" enum:"accepted" doc:"The worker will see to it." example:"accepted"`
}

func (s *Service) start(ctx context.Context, _ *struct{}) (*httpapi.Reply[httpapi.Data[Run]], error) {
	bucket, err := s.Start(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[Run]]{Body: httpapi.Data[Run]{Data: Run{Job: Job, Bucket: bucket, Status: "accepted"}}}, nil
}
