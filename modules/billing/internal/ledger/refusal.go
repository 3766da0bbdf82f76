package ledger

import (
	"gpatlas/modules/billing/internal/account"
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
