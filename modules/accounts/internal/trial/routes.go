package trial

import (
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Jobs: Handlers(s),
		Schedules: []jobs.Schedule{{Type: Job, Cron: "CRON_TZ=America/New_York 0 6 * * *", Bucket: jobs.Daily}},
	}
}

// Routes are the operations of administrators on trials.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{jobs.Route(jobs.Start{
		Path: "/v1/admin/jobs/trial-check", ID: "run-trial-check", Summary: "Check free trials", Text: startText,
		Job: Job, Bucket: jobs.Daily, Every: "day",
	}, s.clock, s.queue)}
}

const startText = `Starts a job that notifies every account whose free trial ends within three days, once, and moves every account whose trial is over to the free plan. The worker also starts it by schedule, every day at 6 AM Eastern time.`
