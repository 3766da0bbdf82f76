// Package spendingcap is the maximum that an account spends in a month, and the thresholds at which it is notified.
package spendingcap

import (
	"context"
	"slices"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// Status is the spending cap of an account and how much of it is left.
//
// Spec: the names of the fields are decided, their forms are not shown: amounts are dollars, the month's first and last
// day are days of UTC.
type Status struct {
	Cap   *httpapi.Dollars `json:"cap" nullable:"true" doc:"USD. The most that the account spends in a month (UTC). Null for no cap." example:"100"`
	Spent httpapi.Dollars  `json:"spent" doc:"USD spent in the month. Negative if credits exceed the charges." example:"12.75"`
	// Spec: not shown; limit and limit_by are ours. An account without a subscription is refused long before its cap, and must be able to see it.
	Limit       *httpapi.Dollars `json:"limit" nullable:"true" doc:"USD. What applies in the month: the lower of cap and the limit of accounts without an active subscription. Null for no limit." example:"25"`
	LimitBy     *string          `json:"limit_by" nullable:"true" enum:"spending_cap,unbacked_limit" doc:"Where limit comes from, which is also the code of the 402 response: the cap, or the limit of accounts without an active subscription. Null for no limit." example:"unbacked_limit"`
	Remaining   *httpapi.Dollars `json:"remaining" nullable:"true" doc:"USD left until limit, never negative. Null for no limit." example:"12.25"`
	PeriodStart httpapi.Date     `json:"period_start" doc:"First day of the month (UTC)." example:"2026-11-01"`
	PeriodEnd   httpapi.Date     `json:"period_end" doc:"Last day of the month (UTC)." example:"2026-11-30"`
	Thresholds  []int            `json:"thresholds" doc:"Percent of the cap at which an email is sent, ascending." example:"[80,100]"`
}

// SchemaName is its name in the OpenAPI document.
func (Status) SchemaName() string { return "SpendingCap" }

// Service reads and changes spending caps.
type Service struct {
	accounts *account.Store
	clock    clock.Clock
	unbacked *int64
}

// NewService works on db. unbackedMicros is what an account without a subscription may spend in a month; nil for no such limit.
func NewService(db *database.DB, clk clock.Clock, unbackedMicros *int64) *Service {
	return &Service{accounts: account.NewStore(db), clock: clk, unbacked: unbackedMicros}
}

// Get returns the spending cap of an account.
func (s *Service) Get(ctx context.Context, userID int64) (Status, error) {
	a, err := s.accounts.Find(ctx, userID, s.clock.Now())
	return s.of(a), err
}

// SetCap sets the cap; nil removes it. It may be lower than the spending: then nothing more is charged in the month.
func (s *Service) SetCap(ctx context.Context, userID int64, limit *httpapi.Dollars) (Status, error) {
	a, err := s.accounts.Update(ctx, userID, s.clock.Now(), func(a *account.Account) error {
		a.CapMicros = (*int64)(limit)
		return nil
	})
	return s.of(a), err
}

// SetThresholds sets the thresholds, in any order, duplicates among them.
func (s *Service) SetThresholds(ctx context.Context, userID int64, percents []int16) (Status, error) {
	sorted := slices.Compact(slices.Sorted(slices.Values(percents)))
	a, err := s.accounts.Update(ctx, userID, s.clock.Now(), func(a *account.Account) error {
		a.Thresholds = append(account.Percents{}, sorted...)
		return nil
	})
	return s.of(a), err
}

func (s *Service) of(a account.Account) Status {
	status := Status{
		Cap: (*httpapi.Dollars)(a.CapMicros), Spent: httpapi.Dollars(a.SpentMicros),
		PeriodStart: httpapi.Date{Time: a.Period}, PeriodEnd: httpapi.Date{Time: a.Period.AddDate(0, 1, -1)}, Thresholds: make([]int, len(a.Thresholds)),
	}
	for i, percent := range a.Thresholds {
		status.Thresholds[i] = int(percent)
	}
	if limit, by := a.Limit(s.unbacked); limit != nil {
		status.Limit, status.LimitBy = (*httpapi.Dollars)(limit), &by
		status.Remaining = new(max(0, *status.Limit-status.Spent))
	}
	return status
}
