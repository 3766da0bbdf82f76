package session

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// browserCaller is what a request needs to know of its browser's session.
type browserCaller struct {
	caller

	ID        string
	UserID    int64
	ExpiresAt time.Time
}

//go:embed browser.sql
var browserSQL string

// browser finds a browser's session that goes on and whose account is not deleted; nil when there is none.
func (s *Store) browser(ctx context.Context, hash []byte, now time.Time) (*browserCaller, error) {
	list, err := database.Select[browserCaller](ctx, s.db, "read a session", browserSQL, database.Args{"hash": hash, "now": now})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}
