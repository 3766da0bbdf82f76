package dunning

import (
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{step{}}, Jobs: Handlers(s),
		Schedules: []jobs.Schedule{{Type: Job, Cron: "10 * * * *", Bucket: jobs.Hourly}},
	}
}

// Routes are the operations of administrators on payments.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{jobs.Route(jobs.Start{
		Path: "/v1/admin/jobs/payment-check", ID: "run-payment-check", Summary: "Check failed payments", Text: startText,
		Job: Job, Bucket: jobs.Hourly, Every: "hour",
	}, s.clock, s.queue)}
}

const startText = `Starts a job that reminds every account whose payment failed by email: at once, after three days and after seven days, each once. One day after the last reminder, what the unpaid subscription gives ends: the plan becomes ` + "`free`, the API tier `starter`" + `. A payment in between stops the reminders. The worker also starts the job by schedule, every hour.`
