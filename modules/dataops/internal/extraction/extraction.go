// Package extraction keeps the uses of configured sources: each is one row that gathers the runs of its documents. Operators
// trigger them, schedules and the command line begin their own.
//
// A use is running while its process holds the lock of the source. If its state is running and no process holds the lock, the
// process was killed.
package extraction

import (
	"time"

	"gpatlas/modules/dataops/internal/run"
)

// The states of an extraction.
const (
	Queued    = "queued"
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
)

// What begins an extraction.
const (
	ByOperator = "operator"
	ByQueue    = "queue"
	BySchedule = "schedule"
	ByCommand  = "command"
)

// Extraction is one use of a source.
type Extraction struct {
	RunID       int64      `json:"run_id" doc:"ID of the extraction." example:"12"`
	Source      string     `json:"source" doc:"Configured source." example:"adv-monthly"`
	State       string     `json:"state" enum:"queued,running,completed,failed" doc:"State. completed: everything that is new was loaded. failed: the error says what was not; the rest was loaded." example:"completed"`
	Trigger     string     `json:"trigger" enum:"operator,queue,schedule,command" doc:"What began it: an operator, the freshness queue, the schedule, or the command line." example:"operator"`
	RequestedBy *int64     `json:"requested_by" doc:"Account that asked for it; null for none." example:"3"`
	Accept      []string   `json:"accept" doc:"Checks of the quality gate that it lets pass." example:"[\"universe_shrunk\"]"`
	CreatedAt   time.Time  `json:"created_at" doc:"When it was asked for (UTC)." example:"2026-11-22T08:15:00.000000Z"`
	StartedAt   *time.Time `json:"started_at" doc:"When it began (UTC); null while it is queued." example:"2026-11-22T08:15:01.000000Z"`
	FinishedAt  *time.Time `json:"finished_at" doc:"When it ended (UTC); null before." example:"2026-11-22T08:19:30.000000Z"`
	Files       Files      `json:"files" db:"-" doc:"Files of the source."`
	Documents   int64      `json:"documents" doc:"Documents that it ingested, failed ones among them." example:"1"`
	RowsRead    int64      `json:"rows_read" doc:"Rows of the documents." example:"1830"`
	Quarantined int64      `json:"quarantined" doc:"Rows that could not be used." example:"0"`
	Error       *string    `json:"error" doc:"Why it failed." example:"download https://reports.example/advw.zip: 503 Service Unavailable"`

	Listed, Known, Loaded, Awaited int64 `json:"-"`
}

// SchemaName is its name in the OpenAPI document.
func (Extraction) SchemaName() string { return "Extraction" }

// Files counts the files of a source.
type Files struct {
	Listed  int64 `json:"listed" doc:"Files that the source has, or should have." example:"23"`
	Known   int64 `json:"known" doc:"Files that were loaded before and have not changed." example:"22"`
	Loaded  int64 `json:"loaded" doc:"Files loaded now." example:"1"`
	Awaited int64 `json:"awaited" doc:"Files that are not published yet." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Files) SchemaName() string { return "ExtractionFiles" }

// Document is one document of an extraction.
type Document struct {
	ID             int64      `json:"id" doc:"ID of the ingestion." example:"41"`
	Document       string     `json:"document" doc:"Name of the file." example:"ADV_Filing_Data_20261001_20261031.zip"`
	Kind           string     `json:"kind" doc:"Kind of the document." example:"adv_archive"`
	State          string     `json:"state" enum:"running,completed,failed" doc:"State of the ingestion." example:"completed"`
	StartedAt      time.Time  `json:"started_at" doc:"When it began (UTC)." example:"2026-11-22T08:15:02.000000Z"`
	FinishedAt     *time.Time `json:"finished_at" doc:"When it ended (UTC)." example:"2026-11-22T08:19:30.000000Z"`
	RowsRead       int64      `json:"rows_read" doc:"Rows of the document." example:"1830"`
	FilingsNew     int64      `json:"filings_new" doc:"New filings." example:"212"`
	FilingsChanged int64      `json:"filings_changed" doc:"Changed filings." example:"0"`
	Quarantined    int64      `json:"quarantined" doc:"Rows that could not be used." example:"0"`
	Error          *string    `json:"error" doc:"Why it failed." example:"stopped by the quality gate"`
}

// SchemaName is its name in the OpenAPI document.
func (Document) SchemaName() string { return "ExtractionDocument" }

// Detail is an extraction with its documents.
type Detail struct {
	Extraction

	Runs []Document `json:"runs" doc:"Documents that it ingested, in their order."`
	// Spec: not shown; an operator needs the rows to see what is wrong with a file.
	QuarantinedRows []run.Quarantined `json:"quarantined_rows" doc:"First rows of its documents that could not be used, as many as quarantine_limit says; quarantined counts all."`
}

// SchemaName is its name in the OpenAPI document.
func (Detail) SchemaName() string { return "ExtractionDetail" }
