package subscription

import (
	"context"
	"time"

	"gpatlas/platform/clock"
)

// exported is an account's subscriptions in the export.
type exported struct {
	Subscriptions []exportedSubscription `json:"subscriptions"`
	Payments      []exportedPayment      `json:"payments"`
}

type exportedSubscription struct {
	ID                string     `json:"id"`
	Customer          string     `json:"customer"`
	Status            string     `json:"status"`
	Plan              *string    `json:"plan"`
	APITier           *string    `json:"api_tier"`
	PeriodStart       *time.Time `json:"period_start"`
	PeriodEnd         *time.Time `json:"period_end"`
	CancelAtPeriodEnd bool       `json:"cancel_at_period_end"`
}

type exportedPayment struct {
	Invoice     string     `json:"invoice"`
	Status      string     `json:"status"`
	AmountCents int64      `json:"amount_cents"`
	Currency    string     `json:"currency"`
	FailedAt    *time.Time `json:"failed_at"`
	PaidAt      *time.Time `json:"paid_at"`
}

// ExportFor returns all subscriptions and payments of an account.
func (s *Service) ExportFor(ctx context.Context, userID int64) (any, error) {
	list, err := s.store.held(ctx, userID)
	if err != nil {
		return nil, err
	}
	payments, err := s.store.payments(ctx, userID)
	if err != nil {
		return nil, err
	}
	e := exported{[]exportedSubscription{}, []exportedPayment{}}
	for _, h := range list {
		e.Subscriptions = append(e.Subscriptions, exportedSubscription{
			h.ID, h.Customer, h.Status, h.Plan, h.APITier, clock.UTC(h.PeriodStart), clock.UTC(h.PeriodEnd), h.CancelAtPeriodEnd,
		})
	}
	for _, p := range payments {
		e.Payments = append(e.Payments, exportedPayment{p.Invoice, p.Status, p.AmountCents, p.Currency, clock.UTC(p.FailedAt), clock.UTC(p.PaidAt)})
	}
	return e, nil
}
