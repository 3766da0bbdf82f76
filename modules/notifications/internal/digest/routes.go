package digest

import (
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Jobs: Handlers(s),
		Schedules: []jobs.Schedule{{Type: Job, Cron: "CRON_TZ=America/New_York 0 6 * * *", Bucket: jobs.DailyEastern}}, Models: []any{reached{}},
		Exporters: []module.Exporter{{Name: "digests", For: s.ExportFor}}, Purged: []module.AccountListener{s.store.forget},
	}
}

// Routes are the operations of administrators on digests.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{jobs.Route(jobs.Start{
		Path: "/v1/admin/jobs/daily-digest", ID: "run-daily-digest", Summary: "Make the activity digests", Text: startText,
		Job: Job, Bucket: jobs.DailyEastern, Every: "day", Zone: "Eastern time",
	}, s.clock, s.jobs)}
}

const startText = `Starts a job that queues one email for each account that watches GPs with alerts on: new filings and new funds that became known since the last digest that was sent to the account, grouped by GP. The first digest goes back at most a week, and no further than the GP is watched. An account with ` + "`weekly_digest`" + ` gets its digest on Mondays only. Without news there is no email. The worker also starts the job by schedule, every day at 6 AM Eastern time.`
