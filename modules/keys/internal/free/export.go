package free

import "context"

// Exporter is this module's part of the personal export: a module.Exporter.
type Exporter struct{ store *Store }

// NewExporter reads from a store.
func NewExporter(s *Store) Exporter { return Exporter{s} }

// Exported is an account's free calls in the export.
type Exported struct {
	Used int64 `json:"used"`
}

// ExportName is the part's name in the document.
func (Exporter) ExportName() string { return "free_calls" }

// ExportFor returns the count of the account.
func (e Exporter) ExportFor(ctx context.Context, userID int64) (any, error) {
	used, err := e.store.used(ctx, userID)
	return Exported{Used: used}, err
}
