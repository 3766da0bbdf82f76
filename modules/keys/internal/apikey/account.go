package apikey

import "context"

// AccountDeleted revokes every key of the account in the caller's transaction. They stay revoked when it is recovered. Every
// process, including this one, is notified when the transaction commits.
func (s *Service) AccountDeleted(ctx context.Context, userID int64) error {
	hashes, err := s.store.revoke(ctx, userID, "", s.clock.Now())
	if err != nil {
		return err
	}
	s.verifier.Forget(hashes)
	return nil
}

// AccountPurged removes the account's keys, their usage and its free calls.
func (s *Service) AccountPurged(ctx context.Context, userID int64) error {
	hashes, err := s.store.purge(ctx, userID)
	if err != nil {
		return err
	}
	s.verifier.Forget(hashes)
	return nil
}

// ExportFor returns the account's keys, revoked ones too, without their hashes.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	keys, _, err := s.List(ctx, userID, true)
	return keys, err
}
