package apikey

import (
	"context"
	"log/slog"
	"strconv"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/platform/database"
)

// RevokedChannel is the PostgreSQL channel on which revoked keys are announced, by hash.
const RevokedChannel = "keys_revoked"

// watch listens until ctx ends. Notices sent while we were not listening are lost, so the cache is reset, except for entries
// kept while the database is unavailable.
func (v *Verifier) watch(ctx context.Context) {
	v.store.db.Follow(ctx, database.Follower{
		Listening: func() {
			v.cache.clear()
			v.heard.Store(true)
		},
		Heard: v.hear,
		Lost: func(err error) {
			v.heard.Store(false)
			v.log.WarnContext(ctx, "no notifications of changed keys and accounts; API keys are looked up every second until they return", slog.Any("error", err))
		},
	}, RevokedChannel, accountsapi.ChangedChannel)
	v.heard.Store(false)
}

func (v *Verifier) hear(n database.Notice) {
	switch n.Channel {
	case RevokedChannel:
		if h, ok := parseHash(n.Payload); ok {
			v.cache.forget(h)
		}
	case accountsapi.ChangedChannel:
		if id, err := strconv.ParseInt(n.Payload, 10, 64); err == nil {
			v.cache.forgetUser(id)
		}
	}
}
