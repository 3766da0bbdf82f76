package charge

import "gpatlas/platform/apperr"

// Why a request is refused for money (402): the values of code.
const (
	CodeSpendingCap  = "spending_cap"          // the charge does not fit under the account's spending cap
	CodeFreeCalls    = "free_calls"            // the account's free calls are used up
	CodeConfirmation = "confirmation_required" // an unlock above the one-click threshold, or with one-click off
	CodeUnbacked     = "unbacked_limit"        // more than an account without a subscription may spend in a month
	CodeMaxCharge    = "max_charge"            // the charge is more than the caller's max_charge
)

// Refusal is a refusal for money. micros is the amount in question, 0 where there is none.
func Refusal(code string, micros int64, format string, args ...any) *apperr.Error {
	e := apperr.New(apperr.KindPaymentRequired, format, args...)
	e.Code, e.AmountMicros = code, micros
	return e
}
