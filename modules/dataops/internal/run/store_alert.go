package run

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// SourceFailed is the kind of alert about a source that failed again and again. The others are the quality gate's checks.
const SourceFailed = "source_failed"

// alert is dataops.alerts.
type alert struct {
	ID         int64 `gorm:"primaryKey;->"`
	RunID      *int64
	SourceName *string
	Kind       string
	Reason     string
	CreatedAt  time.Time
	ResolvedAt *time.Time
}

// TableName is the table with its schema.
func (alert) TableName() string { return "dataops.alerts" }

//go:embed resolve.sql
var resolveSQL string

// alert writes the alerts that follow from a run. What was stopped stays open until a document of the same series is
// loaded that had not been loaded before: then the catalogue is newer than the defect. So does a doubt about a document that
// was loaded. What the operator let pass is kept as seen to.
func (s *Store) alert(ctx context.Context, id int64, start Start, e End) error {
	var rows []alert
	open := e.Stopped
	if e.Err == nil {
		open = e.Doubts
	}
	for _, f := range open {
		rows = append(rows, alert{RunID: &id, SourceName: optional(start.Source), Kind: string(f.Check), Reason: storable(start.Document + ": " + f.Reason), CreatedAt: e.At})
	}
	for _, f := range e.Passed {
		if e.Err != nil {
			break // it did not pass after all
		}
		rows = append(rows, alert{
			RunID: &id, SourceName: optional(start.Source), Kind: string(f.Check),
			Reason: storable(start.Document + ": " + f.Reason + "; accepted by the operator"), CreatedAt: e.At, ResolvedAt: &e.At,
		})
	}
	if e.Err == nil && e.Series != "" {
		args := database.Args{"at": e.At, "series": e.Series, "sha256": e.SHA256, "run": id}
		if _, err := database.Run(ctx, s.db, "resolve alerts", resolveSQL, args); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return s.db.From(ctx).Create(&rows).Error
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// OpenAlerts counts the alerts that nobody has seen to, by kind.
func (s *Store) OpenAlerts(ctx context.Context) (map[string]int64, error) {
	type count struct {
		Kind string
		N    int64
	}
	const statement = "SELECT kind, count(*) AS n FROM dataops.alerts WHERE resolved_at IS NULL GROUP BY kind"
	rows, err := database.Select[count](ctx, s.db, "count the open alerts", statement, nil)
	if err != nil {
		return nil, err
	}
	out := make(map[string]int64, len(rows))
	for _, r := range rows {
		out[r.Kind] = r.N
	}
	return out, nil
}
