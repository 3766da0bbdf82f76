package run

import "context"

// List returns the newest runs, newest first.
func (s *Store) List(ctx context.Context, limit int) (list []row, err error) {
	return list, s.db.From(ctx).Order("started_at DESC, id DESC").Limit(limit).Find(&list).Error
}
