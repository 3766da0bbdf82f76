// Package alert keeps what an operator must look at. Of one kind, source and subject one alert is open at a time: raised
// again, it counts. It is open, acknowledged or resolved.
package alert

import (
	"slices"
	"time"
)

// The kinds of alerts beside the quality gate's checks and the metrics of quality.
const (
	SourceFailed = "source_failed" // a source failed again and again
	SourceLate   = "source_late"   // a source was not used for too long
)

// The states of an alert.
const (
	Open         = "open"
	Acknowledged = "acknowledged" // an operator is looking at it
	Resolved     = "resolved"
)

// Alert is one thing to look at.
type Alert struct {
	ID             int64      `json:"id" doc:"ID of the alert." example:"17"`
	Kind           string     `json:"kind" doc:"What is wrong: a check of the quality gate, source_failed, source_late, or a metric of quality." example:"universe_shrunk"`
	State          string     `json:"state" enum:"open,acknowledged,resolved" doc:"State of the alert." example:"open"`
	Source         *string    `json:"source" doc:"Configured source; null if no source is concerned." example:"rosters"`
	Subject        *string    `json:"subject" doc:"Series of documents or dimension of the metric; null for none." example:"roster/registered"`
	Reason         string     `json:"reason" doc:"What was found, with figures." example:"ia110226.csv: it lists 20 advisers, but ia100126.csv (run 1) listed 40: fewer than nine tenths"`
	RunID          *int64     `json:"ingestion_id" db:"run_id" doc:"Ingestion of the document, as in the runs of an extraction; null for none." example:"8"`
	Times          int64      `json:"times" doc:"How often it was raised while it was open." example:"1"`
	CreatedAt      time.Time  `json:"created_at" doc:"When it was first raised (UTC)." example:"2026-11-22T08:20:00.000000Z"`
	RaisedAt       time.Time  `json:"raised_at" doc:"When it was last raised (UTC)." example:"2026-11-22T08:20:00.000000Z"`
	AcknowledgedAt *time.Time `json:"acknowledged_at" doc:"When it was acknowledged (UTC); null if it was not." example:"2026-11-22T08:30:00.000000Z"`
	AcknowledgedBy *int64     `json:"acknowledged_by" doc:"Account that acknowledged it." example:"3"`
	ResolvedAt     *time.Time `json:"resolved_at" doc:"When it was resolved (UTC); null while it is not." example:"2026-11-22T09:00:00.000000Z"`
	ResolvedBy     *int64     `json:"resolved_by" doc:"Account that resolved it; null if it closed by itself." example:"3"`
	Resolution     *string    `json:"resolution" doc:"Why it was resolved." example:"The regulator confirmed the list."`
}

// SchemaName is its name in the OpenAPI document.
func (Alert) SchemaName() string { return "DataAlert" }

// Raise is an alert to be raised, or to be raised again where it is open.
type Raise struct {
	RunID         *int64
	Source        string // empty = none
	Kind, Subject string
	Reason        string
	At            time.Time
	Passed        bool // the operator let it pass: it is kept as resolved
	Measured      *Measured
}

// Measured is the figure of a metric that raises an alert. It raises none where an operator resolved one for a figure that was as
// high and was measured since a day: it would repeat what is known of the same rows.
type Measured struct {
	Value      float64
	Day, Since time.Time
}

// Merge joins alerts of the same kind, source and subject, because only one of them can be open.
func Merge(list []Raise) (out []Raise) {
	for _, r := range list {
		same := func(o Raise) bool {
			return o.Kind == r.Kind && o.Source == r.Source && o.Subject == r.Subject && o.Passed == r.Passed
		}
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].Reason += "; " + r.Reason
			continue
		}
		out = append(out, r)
	}
	return out
}

// Metrics are the kinds of alerts that metrics of quality raise.
func Metrics() []string {
	return []string{
		"aum_jumps", "duplicate_rows", "fund_sums", "future_dates", "names_reverted", "null_share", "quarantine_share", "vanished_advisers",
	}
}
