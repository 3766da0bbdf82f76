// Package overview puts together what an operator looks at first: the dashboard, the health of the data, and the sources.
package overview

import (
	"time"

	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/extraction"
	"gpatlas/modules/dataops/internal/freshness"
	"gpatlas/modules/dataops/internal/source"
)

// The states of health.
const (
	OK       = "ok"
	Degraded = "degraded"
	Down     = "down"
)

// Health is whether the data is kept up to date.
type Health struct {
	Status         string             `json:"status" enum:"ok,degraded,down" doc:"down: the database is unreachable, or no search index is loaded. degraded: see problems." example:"ok"`
	Problems       []string           `json:"problems" doc:"What is wrong, a sentence each." example:"[]"`
	CheckedAt      time.Time          `json:"checked_at" doc:"Now (UTC)." example:"2026-11-22T08:15:00.000000Z"`
	Database       string             `json:"database" enum:"connected,unreachable" doc:"The database." example:"connected"`
	Index          Index              `json:"index" doc:"The search index of this process."`
	Jobs           *Jobs              `json:"jobs,omitempty" doc:"The job queues; absent while they cannot be asked."`
	FreshnessQueue int64              `json:"freshness_queue" doc:"Entities that wait to be refreshed." example:"0"`
	OpenAlerts     int64              `json:"open_alerts" doc:"Alerts that are not resolved." example:"0"`
	Sources        []freshness.Source `json:"sources" doc:"Configured sources."`
}

// SchemaName is its name in the OpenAPI document.
func (Health) SchemaName() string { return "DataHealth" }

// Index is the search index that this process serves.
type Index struct {
	BuiltAt          *time.Time `json:"built_at" doc:"When it was loaded (UTC); null before the first." example:"2026-11-22T07:19:40.000000Z"`
	AgeSeconds       *int64     `json:"age_seconds" doc:"Its age." example:"3600"`
	Publication      int64      `json:"publication" doc:"Number of the newest publication in it." example:"41"`
	LatestFilingDate *string    `json:"latest_filing_date" format:"date" doc:"Day of the newest filing in it." example:"2026-11-20"`
	Advisers         int        `json:"advisers" doc:"GPs in it." example:"300"`
	Funds            int        `json:"funds" doc:"Funds in it that are not closed." example:"1804"`
}

// SchemaName is its name in the OpenAPI document.
func (Index) SchemaName() string { return "DataIndex" }

// Jobs are the job queues.
type Jobs struct {
	Waiting     int `json:"waiting" doc:"Jobs that wait, among them those to be retried." example:"0"`
	DeadLetters int `json:"dead_letters" doc:"Jobs that failed for good. See /_internal/queues." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Jobs) SchemaName() string { return "DataJobs" }

// Dashboard is what an operator looks at first.
type Dashboard struct {
	Sources     SourceCounts            `json:"sources" doc:"Configured sources, by state."`
	Extractions []extraction.Extraction `json:"extractions" doc:"The latest extractions, 5 at most."`
	Ingestions  Ingestions              `json:"ingestions_24h" doc:"Documents of the last 24 hours."`
	Alerts      Alerts                  `json:"alerts" doc:"Alerts that are not resolved."`
	Managers    freshness.Managers      `json:"managers" doc:"GPs by the calendar of filings."`
	Queue       freshness.Counts        `json:"freshness_queue" doc:"Entities that wait to be refreshed."`
	Quality     Quality                 `json:"quality" doc:"Metrics of quality."`
	Index       Index                   `json:"index" doc:"The search index of this process."`
}

// SchemaName is its name in the OpenAPI document.
func (Dashboard) SchemaName() string { return "DataDashboard" }

// SourceCounts counts sources.
type SourceCounts struct {
	Fresh     int `json:"fresh" doc:"Sources that are fresh." example:"5"`
	Warn      int `json:"warn" doc:"Sources that are a little late." example:"0"`
	Stale     int `json:"stale" doc:"Sources that are late." example:"0"`
	Unwatched int `json:"unwatched" doc:"Sources that are not watched: see the state of a source." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (SourceCounts) SchemaName() string { return "DataSourceCounts" }

// Ingestions sums up ingestions.
type Ingestions struct {
	Documents   int64 `json:"documents" doc:"Documents." example:"2"`
	Failed      int64 `json:"failed" doc:"Documents that were not loaded." example:"0"`
	RowsRead    int64 `json:"rows_read" doc:"Rows of the documents." example:"1830"`
	Quarantined int64 `json:"quarantined" doc:"Rows that could not be used." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Ingestions) SchemaName() string { return "DataIngestions" }

// Alerts are those that are not resolved.
type Alerts struct {
	Unresolved int64         `json:"unresolved" doc:"Alerts that are open or acknowledged." example:"1"`
	Latest     []alert.Alert `json:"latest" doc:"The latest of them, 5 at most."`
}

// SchemaName is its name in the OpenAPI document.
func (Alerts) SchemaName() string { return "DataAlerts" }

// Quality sums up the metrics.
type Quality struct {
	ComputedAt *time.Time `json:"computed_at" doc:"When the metrics were last computed (UTC); null if they never were." example:"2026-11-22T04:50:02.000000Z"`
	Alarms     int        `json:"alarms" doc:"Values above their threshold." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Quality) SchemaName() string { return "DataQuality" }

// Source is a configured source.
type Source struct {
	freshness.Source

	Kind     source.Kind            `json:"kind" enum:"list,index,manifest,periods" doc:"How the source says what it has." example:"index"`
	Enabled  bool                   `json:"enabled" doc:"Whether it may be used." example:"true"`
	Schedule *string                `json:"schedule" doc:"When workers use it, if schedules are on: a cron expression in UTC; null for never." example:"15 7 * * *"`
	Latest   *extraction.Extraction `json:"latest_extraction,omitempty" doc:"The latest extraction; absent if there was none."`
}

// SchemaName is its name in the OpenAPI document.
func (Source) SchemaName() string { return "DataSource" }
