package session

import (
	"context"
	"time"

	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

func (s *Store) addRefresh(ctx context.Context, row *RefreshRow) error {
	return database.Failure("write a refresh token", s.db.From(ctx).Create(row).Error)
}

// lockRefresh finds a refresh token and its session, and locks both until the transaction ends. Either is nil if it does not
// exist.
//
// The session's row is the lock, and the token is read after it, so that a waiting transaction sees what the previous holder
// wrote.
func (s *Store) lockRefresh(ctx context.Context, hash []byte) (*RefreshRow, *Row, error) {
	found, err := s.refresh(ctx, hash)
	if err != nil || found == nil {
		return nil, nil, err
	}
	var sessions []Row
	err = s.db.From(ctx).Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Where("id = ?", found.SessionID).Limit(1).Find(&sessions).Error
	if err != nil || len(sessions) == 0 {
		return nil, nil, database.Failure("read a session", err)
	}
	found, err = s.refresh(ctx, hash)
	return found, &sessions[0], err
}

func (s *Store) refresh(ctx context.Context, hash []byte) (*RefreshRow, error) {
	var rows []RefreshRow
	if err := s.db.From(ctx).Where("hash = ?", hash).Limit(1).Find(&rows).Error; err != nil {
		return nil, database.Failure("read a refresh token", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // may not be there
	}
	return &rows[0], nil
}

// use marks a refresh token as used; false when it was used before.
func (s *Store) use(ctx context.Context, hash []byte, now time.Time) (bool, error) {
	result := s.db.From(ctx).Model(&RefreshRow{}).Where("hash = ? AND used_at IS NULL", hash).Update("used_at", now)
	return result.RowsAffected == 1, database.Failure("use a refresh token", result.Error)
}

// prolong extends a session until its newest refresh token expires.
func (s *Store) prolong(ctx context.Context, id string, now, expires time.Time) error {
	err := s.db.From(ctx).Model(&Row{}).Where("id = ?", id).Updates(map[string]any{"last_active": now, "expires_at": expires}).Error
	return database.Failure("prolong a session", err)
}

// sweep removes sessions that ended, or expired, before an instant, and all tokens that had expired by then: no list shows them
// any more.
func (s *Store) sweep(ctx context.Context, before time.Time) (int64, error) {
	tokens := s.db.From(ctx).Where("expires_at < ?", before).Delete(&RefreshRow{})
	if tokens.Error != nil {
		return 0, database.Failure("sweep refresh tokens", tokens.Error)
	}
	sessions := s.db.From(ctx).Where("expires_at < ? OR ended_at < ?", before, before).Delete(&Row{})
	return sessions.RowsAffected, database.Failure("sweep sessions", sessions.Error)
}
