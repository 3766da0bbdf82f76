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

// ExportFor returns the history of the account's exports.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	rows, err := s.store.list(ctx, userID)
	list := make([]storedExport, len(rows))
	for i, r := range rows {
		list[i] = storedExport{r.CreatedAt.UTC(), r.Type, r.Format, json.RawMessage(r.Request), r.Rows, r.Total}
	}
	return list, err
}
