// Package freshness measures how old the data is: which configured sources are late, which managers have not filed for too long, and
// which entities wait to be refreshed.
package freshness

import "time"

// The states of a source.
const (
	Fresh = "fresh"
	Warn  = "warn"
	Stale = "stale"
)

// Source is how a configured source has been doing.
type Source struct {
	Source       string     `json:"source" doc:"Name of the configured source." example:"adv-monthly"`
	Title        string     `json:"title" doc:"What it brings." example:"Form ADV Part 1, filings of each month since 2025"`
	State        *string    `json:"state" enum:"fresh,warn,stale" doc:"State by the age of the last success. Null for a source that is switched off, has no limits, or is neither scheduled nor ever used." example:"fresh"`
	AgeSeconds   *int64     `json:"age_seconds" doc:"Age of the last success; null if there was none." example:"3600"`
	WarnSeconds  *int64     `json:"warn_after_seconds" doc:"From this age on the state is warn; null for never." example:"129600"`
	StaleSeconds *int64     `json:"stale_after_seconds" doc:"From this age on the state is stale; null for never." example:"345600"`
	LastSuccess  *time.Time `json:"last_success" doc:"When it was last used without a fault (UTC)." example:"2026-11-22T07:15:09.000000Z"`
	LastChecked  *time.Time `json:"last_checked" doc:"When it was last used (UTC)." example:"2026-11-22T07:15:09.000000Z"`
	LastError    *string    `json:"last_error" doc:"Why the last use failed; null if it did not." example:"download https://reports.example/advw.zip: 503 Service Unavailable"`
	Failures     int64      `json:"failures" doc:"Failures in a row." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Source) SchemaName() string { return "SourceFreshness" }

// The states of an entry of the queue.
const (
	Queued  = "queued"
	Running = "running"
	Done    = "done"
	Failed  = "failed"
)

// The types of entities.
const (
	GP       = "gp"
	Person   = "person"
	LP       = "lp"
	Board    = "board"
	BySource = "source"
)

// Entry is an entity that waits to be refreshed, or was.
type Entry struct {
	ID           int64      `json:"id" doc:"ID of the entry." example:"5"`
	EntityType   string     `json:"entity_type" enum:"gp,person,lp,source" doc:"Type of the entity." example:"gp"`
	EntityID     string     `json:"entity_id" doc:"CRD number, person UID, LP ID or name of a source." example:"998243"`
	Reason       string     `json:"reason" doc:"Why it is to be refreshed." example:"A customer reports an old team"`
	Priority     int64      `json:"priority" doc:"0 to 100; the higher, the sooner." example:"50"`
	Status       string     `json:"status" enum:"queued,running,done,failed" doc:"Status of the entry." example:"queued"`
	Result       *string    `json:"result" doc:"What came of it." example:"nothing to refresh"`
	ExtractionID *int64     `json:"extraction_run_id" db:"extraction_id" doc:"Extraction that refreshes a source; null for other entities." example:"12"`
	RequestedBy  int64      `json:"requested_by" doc:"Account that asked for it." example:"3"`
	CreatedAt    time.Time  `json:"created_at" doc:"When it was queued (UTC)." example:"2026-11-22T08:15:00.000000Z"`
	FinishedAt   *time.Time `json:"finished_at" doc:"When it ended (UTC)." example:"2026-11-22T08:16:00.000000Z"`
	Attempts     int64      `json:"-"`
}

// SchemaName is its name in the OpenAPI document.
func (Entry) SchemaName() string { return "FreshnessEntry" }

// Counts are the entries of the queue by their status.
type Counts struct {
	Queued  int64 `json:"queued" doc:"Entries that wait." example:"1"`
	Running int64 `json:"running" doc:"Entries in progress." example:"0"`
	Done    int64 `json:"done" doc:"Entries that were refreshed, or had nothing to refresh." example:"14"`
	Failed  int64 `json:"failed" doc:"Entries that could not be refreshed." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Counts) SchemaName() string { return "FreshnessCounts" }

// Managers is how many GPs have not filed for too long.
type Managers struct {
	Total int64 `json:"total" doc:"GPs that are listed and have not withdrawn." example:"300"`
	Stale int64 `json:"stale" doc:"Those whose newest filing is older than 15 months." example:"4"`
}

// SchemaName is its name in the OpenAPI document.
func (Managers) SchemaName() string { return "FreshnessManagers" }

// Overdue is how many entities of a type are stale.
type Overdue struct {
	Stale int64 `json:"stale" doc:"Stale entities, as the list of stale entities has them." example:"2"`
}

// SchemaName is its name in the OpenAPI document.
func (Overdue) SchemaName() string { return "FreshnessOverdue" }

// Summary is how old everything is.
type Summary struct {
	Sources  []Source `json:"sources" doc:"Configured sources."`
	Managers Managers `json:"managers" doc:"GPs by the calendar of filings."`
	// Spec: not shown; the contract has no people and boards here.
	People Overdue `json:"people" doc:"People by the last enrichment of their GPs."`
	Boards Overdue `json:"job_boards" doc:"Job boards by their last reading."`
	Queue  Counts  `json:"queue" doc:"Entities that wait to be refreshed."`
}

// SchemaName is its name in the OpenAPI document.
func (Summary) SchemaName() string { return "FreshnessSummary" }
