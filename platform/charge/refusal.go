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

// ErrChanged refuses a request that was executed before, and charged for other units than it would deliver now (see Meter.Charge).
var ErrChanged = apperr.New(apperr.KindConflict, "The request with this Idempotency-Key was charged, but its response was lost and would differ now. Nothing was charged again; use a new key")

// Refusal is a refusal for money. micros is the amount in question, 0 where there is none.
func Refusal(code string, micros int64, format string, args ...any) *apperr.Error {
	e := apperr.New(apperr.KindPaymentRequired, format, args...)
	e.Code, e.AmountMicros = code, micros
	return e
}
