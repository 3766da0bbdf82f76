package usage

import "context"

// Exporter is this module's part of the personal export: a module.Exporter.
type Exporter struct{ store *Store }

// NewExporter reads from a store.
func NewExporter(s *Store) Exporter { return Exporter{s} }

// Exported is the usage of a key at an endpoint on a day (UTC).
type Exported struct {
	KeyID    string `json:"key_id"`
	Date     string `json:"date"`
	Endpoint string `json:"endpoint"`
	Requests int64  `json:"requests"`
	Failed   int64  `json:"failed"`
}

// ExportName is the part's name in the document.
func (Exporter) ExportName() string { return "api_usage" }

// ExportFor returns the usage of all keys of the account, revoked ones too, the oldest first.
func (e Exporter) ExportFor(ctx context.Context, userID int64) (any, error) {
	return e.store.exported(ctx, userID)
}
