package apikey

import "context"

// Account reacts to changes of accounts: a module.AccountListener and a module.Exporter.
type Account struct{ *Service }

// AccountDeleted revokes every key of the account in the caller's transaction. They stay revoked when it is recovered. Every
// process, including this one, is notified when the transaction commits.
func (a Account) AccountDeleted(ctx context.Context, userID int64) error {
	hashes, err := a.store.revoke(ctx, userID, "", a.clock.Now())
	if err != nil {
		return err
	}
	a.verifier.Forget(hashes)
	return nil
}

// AccountPurged removes the account's keys, their usage and its free calls.
func (a Account) AccountPurged(ctx context.Context, userID int64) error {
	hashes, err := a.store.purge(ctx, userID)
	if err != nil {
		return err
	}
	a.verifier.Forget(hashes)
	return nil
}

// ExportName is the part's name in the document.
func (Account) ExportName() string { return "api_keys" }

// ExportFor returns the account's keys, revoked ones too, without their hashes.
func (a Account) ExportFor(ctx context.Context, userID int64) (any, error) {
	keys, _, err := a.List(ctx, userID, true)
	return keys, err
}
