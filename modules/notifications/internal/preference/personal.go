package preference

import "context"

// ExportName is the part's name in the document.
func (*Service) ExportName() string { return "notification_preferences" }

// ExportFor returns the account's preferences.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	return s.Get(ctx, userID)
}

// AccountDeleted does nothing: the account gets no mail, and keeps its preferences for its recovery.
func (*Service) AccountDeleted(context.Context, int64) error { return nil }

// AccountPurged removes the account's preferences.
func (s *Service) AccountPurged(ctx context.Context, userID int64) error {
	return s.store.remove(ctx, userID)
}
