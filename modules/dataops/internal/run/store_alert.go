package run

import (
	"context"
	"fmt"
	"time"
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
		resolved := s.db.From(ctx).Exec(`UPDATE dataops.alerts a SET resolved_at = ? FROM dataops.ingestion_runs r
			WHERE a.run_id = r.id AND r.series = ? AND a.resolved_at IS NULL AND NOT EXISTS (
				SELECT 1 FROM dataops.ingestion_runs b WHERE b.state = ? AND b.series = r.series AND b.sha256 = ? AND b.id <> ?)`,
			e.At, e.Series, Completed, e.SHA256, id)
		if resolved.Error != nil {
			return resolved.Error
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
	var rows []struct {
		Kind string
		N    int64
	}
	err := s.db.From(ctx).Raw(`SELECT kind, count(*) AS n FROM dataops.alerts WHERE resolved_at IS NULL GROUP BY kind`).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("count the open alerts: %w", err)
	}
	out := make(map[string]int64, len(rows))
	for _, r := range rows {
		out[r.Kind] = r.N
	}
	return out, nil
}
