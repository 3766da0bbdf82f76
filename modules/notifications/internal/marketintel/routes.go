package marketintel

import (
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Jobs: Handlers(s),
		Schedules: []jobs.Schedule{{Type: Job, Cron: "CRON_TZ=America/New_York 0 8 * * 1", Bucket: jobs.DailyEastern}},
	}
}

// Routes are the operations of administrators on market intel.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{jobs.Route(jobs.Start{
		Path: "/v1/admin/jobs/market-intel", ID: "run-market-intel", Summary: "Make the market intel", Text: startText,
		Job: Job, Bucket: jobs.DailyEastern, Every: "day", Zone: "Eastern time",
	}, s.clock, s.jobs)}
}

// Spec: top-tier users are accounts with the plan enterprise.
const startText = `Starts a job that queues one email for each account with the plan ` + "`enterprise`" + `: what became known in the last whole week, Monday to Sunday, Eastern time. It lists new advisers, the largest changes of assets, new funds and closings. Nothing is sent about a week without news, nor about the first week of a new database, which has nothing to compare with. An account gets one email per week, however often the job runs. The worker also starts the job by schedule, on Mondays at 8 AM Eastern time.`
