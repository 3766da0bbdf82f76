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

// affordable reports whether the caller is willing to pay the price.
func affordable(item *charge.Item, micros int64) error {
	if item.MaxMicros == nil || micros <= *item.MaxMicros {
		return nil
	}
	return charge.MaxCharge(micros, *item.MaxMicros)
}

// confirmed reports whether an unlock needs no further confirmation.
func confirmed(a *account.Account, item *charge.Item, micros int64) error {
	switch {
	case !item.Unlock || item.Confirmed || micros == 0:
		return nil
	case !a.OneClickEnabled:
		return charge.Refusal(charge.CodeConfirmation, micros, "One-click purchases are off: confirm the charge of $%s", charge.Dollars(micros))
	case micros > a.OneClickThresholdMicros:
		return charge.Unconfirmed(micros, a.OneClickThresholdMicros)
	}
	return nil
}

// fits reports whether an account's present state allows a charge: by its spending cap, and by the limit of unbacked accounts.
// The statement of a charge decides in the same way. A charge of zero always fits.
func (m *Meter) fits(a *account.Account, micros int64) error {
	if micros == 0 {
		return nil
	}
	limit, code := a.Limit(m.rules.UnbackedMicros)
	if limit == nil || a.SpentMicros+micros <= *limit {
		return nil
	}
	if code == charge.CodeSpendingCap {
		return charge.AboveCap(micros, *a.CapMicros, a.SpentMicros)
	}
	return charge.Unbacked(micros, *limit, a.SpentMicros)
}

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
