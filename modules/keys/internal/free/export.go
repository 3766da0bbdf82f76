package free

import "context"

// exported is an account's free calls in the export.
type exported struct {
	Used int64 `json:"used"`
}

// ExportFor returns the count of an account.
func (a *Allowance) ExportFor(ctx context.Context, userID int64) (any, error) {
	used, err := a.store.used(ctx, userID)
	return exported{used}, err
}
