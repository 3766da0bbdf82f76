package ledger

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
)

// limitedMax bounds how many accounts are remembered as limited.
const limitedMax = 10_000

// refusedAccounts remembers which accounts were refused in which month for the limit of accounts without a subscription, so that their
// next refusals do not query the database. It may forget: the row of the alert is written once.
type refusedAccounts struct {
	mu   sync.Mutex
	seen map[int64]time.Time
}

// first reports whether an account is not remembered for a month yet, and remembers it.
func (l *refusedAccounts) first(userID int64, month time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[userID].Equal(month) {
		return false
	}
	if l.seen == nil || len(l.seen) >= limitedMax {
		l.seen = map[int64]time.Time{}
	}
	l.seen[userID] = month
	return true
}

// noted stores a refusal for the limit of accounts without a subscription once a month, for a mail, and returns the refusal. An
// error of storing it does not change the refusal.
func (m *Meter) noted(ctx context.Context, p payer, refusal error) error {
	if refusal == nil || apperr.From(refusal).Code != charge.CodeUnbacked || m.hooks.Alerted == nil {
		return refusal
	}
	now := m.clock.Now().UTC()
	month := account.Month(now)
	if !m.limited.first(p.userID, month) {
		return refusal
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTimeout)
	defer cancel()
	first, err := m.store.limited(ctx, p.userID, month, now, *m.rules.UnbackedMicros)
	if err != nil {
		m.log.WarnContext(ctx, "the limit that an account has reached was not noted", slog.Int64("account", p.userID), slog.Any("error", err))
	}
	if first {
		m.hooks.Alerted(ctx, p.userID)
	}
	return refusal
}
