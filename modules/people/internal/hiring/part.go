package hiring

import (
	"time"

	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// FetchJob reads the boards that are due.
const FetchJob = "people.fetch_boards"

const fetchTimeout = 50 * time.Minute

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Models: []any{boardRow{}, postingRow{}, vendorRow{}}, Routes: Routes(s),
		Jobs:      []jobs.Handler{{Type: FetchJob, Queue: jobs.Low, Timeout: fetchTimeout, Retries: 1, Run: jobs.Plain(s.FetchDue)}},
		Schedules: []jobs.Schedule{{Type: FetchJob, Cron: "41 * * * *", Bucket: jobs.Hourly}},
	}
}
