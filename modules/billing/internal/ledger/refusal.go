package ledger

import (
	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/charge"
)

// affordable says whether the caller is willing to pay the price.
func affordable(item *charge.Item, micros int64) error {
	if item.MaxMicros == nil || micros <= *item.MaxMicros {
		return nil
	}
	return charge.MaxCharge(micros, *item.MaxMicros)
}

// confirmed says whether an unlock needs no further word of the caller.
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

// fits says whether an account, as it is now, may be charged: by its spending cap, and by the limit of accounts that nothing
// stands behind. The statement of a charge decides alike. What costs nothing always fits.
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
