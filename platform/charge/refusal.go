package charge

import (
	"errors"
	"fmt"

	"gpatlas/platform/apperr"
)

// Why a request is refused for money (402): the values of code.
const (
	CodeSpendingCap  = "spending_cap"          // the charge does not fit under the account's spending cap
	CodeFreeCalls    = "free_calls"            // the account's free calls are used up
	CodeConfirmation = "confirmation_required" // an unlock above the one-click threshold, or with one-click off
	CodeUnbacked     = "unbacked_limit"        // more than an account without a subscription may spend in a month
	CodeMaxCharge    = "max_charge"            // the charge is more than the caller's max_charge
)

// FreeCalls is how many calls an account has without a subscription.
const FreeCalls = 1_000

// ErrChanged refuses a request that was executed before, and was charged for other units than it would deliver now (see
// Meter.Charge).
var ErrChanged = apperr.New(apperr.KindConflict, "The request with this Idempotency-Key was charged, but its response was lost and would differ now. Nothing was charged again; use a new key")

// MaxCharge refuses a charge above the request's max_charge.
func MaxCharge(micros, most int64) *apperr.Error {
	return Refusal(CodeMaxCharge, micros, "The charge would be $%s, more than max_charge ($%s)", Dollars(micros), Dollars(most))
}

// Unconfirmed refuses an unlock above the account's one-click threshold.
func Unconfirmed(micros, threshold int64) *apperr.Error {
	return Refusal(CodeConfirmation, micros, "The charge of $%s is more than the one-click threshold of $%s: confirm it", Dollars(micros), Dollars(threshold))
}

// AboveCap refuses a charge that does not fit under the account's spending cap.
func AboveCap(micros, most, spent int64) *apperr.Error {
	return Refusal(CodeSpendingCap, micros, "The charge of $%s does not fit under the monthly spending cap of $%s: $%s are spent", Dollars(micros), Dollars(most), Dollars(spent))
}

// Unbacked refuses a charge above the limit of accounts without a subscription.
func Unbacked(micros, limit, spent int64) *apperr.Error {
	return Refusal(CodeUnbacked, micros, "An account without a subscription can spend $%s a month and has spent $%s: the charge of $%s does not fit. Subscribe to go on",
		Dollars(limit), Dollars(spent), Dollars(micros))
}

// FreeCallsUsed refuses a call after the free calls of the account.
func FreeCallsUsed() *apperr.Error {
	return Refusal(CodeFreeCalls, 0, "All %d free API calls of this account are used; subscribe to a plan or an API tier to continue. Test keys remain free of charge", FreeCalls)
}

// ErrUnsure is in the errors of Meter.Charge after which the charge may have been made: the answer to its commit was lost.
var ErrUnsure = errors.New("the charge may stand")

// Unsure is the caller's error in that case.
func Unsure(cause error) error {
	return apperr.Unavailable("It is not known whether this request was charged. Repeat it with the same Idempotency-Key, and it is charged once. " +
		"If it had no key, look at GET /v1/me/purchases first").Wrap(fmt.Errorf("%w: %w", ErrUnsure, cause))
}

// Refusal is a refusal for money. micros is the amount concerned, 0 if there is none.
func Refusal(code string, micros int64, format string, args ...any) *apperr.Error {
	e := apperr.New(apperr.KindPaymentRequired, format, args...)
	e.Code, e.AmountMicros = code, micros
	return e
}
