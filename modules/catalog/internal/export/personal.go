package export

import (
	"context"
	"encoding/json"
	"time"
)

// storedExport is an export in the account's own export of its data.
type storedExport struct {
	CreatedAt time.Time       `json:"created_at"`
	Type      string          `json:"type"`
	Format    string          `json:"format"`
	Request   json.RawMessage `json:"request"`
	Rows      int             `json:"rows"`
	Total     int             `json:"total"`
}

// ExportName is the part's name in the document.
func (s *Service) ExportName() string { return "exports" }

// ExportFor returns the history of the account's exports.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	rows, err := s.store.list(ctx, userID)
	list := make([]storedExport, len(rows))
	for i, r := range rows {
		list[i] = storedExport{r.CreatedAt.UTC(), r.Type, r.Format, json.RawMessage(r.Request), r.Rows, r.Total}
	}
	return list, err
}

// AccountDeleted changes nothing: the contract keeps the history of exports of a deleted account until it is purged.
func (s *Service) AccountDeleted(context.Context, int64) error { return nil }

// AccountPurged forgets the account's exports.
func (s *Service) AccountPurged(ctx context.Context, userID int64) error {
	return s.store.forget(ctx, userID)
}
