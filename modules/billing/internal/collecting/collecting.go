// Package collecting transfers the closed months of accounts to Stripe, each as one invoice item.
package collecting

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// Job collects the closed months that are not collected yet.
const Job = "billing.collect_months"

const (
	timeout = 2 * time.Hour
	retries = 3
	// monthsBack is how far back months are collected, including those before the service began to collect.
	monthsBack = 12
	centMicros = 10_000
)

// Service collects.
type Service struct {
	store   *store
	clock   clock.Clock
	log     *slog.Logger
	stripe  *stripe.Client
	collect bool
}

// NewService collects through client if collect is true.
func NewService(db *database.DB, clk clock.Clock, log *slog.Logger, client *stripe.Client, collect bool) *Service {
	return &Service{&store{db}, clk, log, client, collect}
}

// Part is what the slice provides. The job runs each day, some hours into the day: a month that could not be collected on its
// first day is collected on the next.
func (s *Service) Part() module.Part {
	part := module.Part{Models: []any{row{}}, Jobs: []jobs.Handler{
		{Type: Job, Queue: jobs.Low, Timeout: timeout, Retries: retries, Run: jobs.Plain(s.Collect)},
	}}
	if s.collect {
		part.Schedules = []jobs.Schedule{{Type: Job, Cron: "20 4 * * *", Bucket: jobs.Daily}}
	}
	return part
}

// Collect makes an invoice item of each account's closed month whose charges are above zero, and returns how many months it has
// collected. It may run twice, also concurrently, and may be killed at any moment: there is one item for each month. One that
// fails does not stop the others.
//
// Stripe adds the item to the next invoice of the customer's subscription. For a customer without a subscription it waits until
// an invoice is created there.
func (s *Service) Collect(ctx context.Context) (int, error) {
	if !s.collect {
		return 0, nil
	}
	month := account.Month(s.clock.Now())
	list, err := s.store.due(ctx, month.AddDate(0, -monthsBack, 0), month)
	if err != nil {
		return 0, err
	}
	collected := 0
	var faults []error
	for _, d := range list {
		if err := s.one(ctx, d); err != nil {
			faults = append(faults, fmt.Errorf("collect %s of account %d: %w", d.Period.Format("2006-01"), d.UserID, err))
			continue
		}
		collected++
	}
	s.log.InfoContext(ctx, "months collected", slog.Int("collected", collected), slog.Int("failed", len(faults)))
	return collected, errors.Join(faults...)
}

// one collects one month. An earlier attempt may have reached Stripe, however long ago, and Stripe keeps the key for a day
// only, so the item is looked up first.
func (s *Service) one(ctx context.Context, d due) error {
	began, err := s.store.begin(ctx, d, s.clock.Now())
	if err != nil {
		return err
	}
	item := stripe.InvoiceItem{
		Key: fmt.Sprintf("gpatlas-month-%d-%s", d.UserID, d.Period.Format("200601")), UserID: d.UserID, Customer: d.Customer,
		Cents: cents(began.AmountMicros), Month: d.Period, Description: describe(d.Period, began.AmountMicros),
	}
	id := nothing
	if item.Cents > 0 {
		id = ""
		if began.again {
			id, err = s.stripe.FindInvoiceItem(ctx, d.Customer, d.UserID, d.Period)
		}
		if err == nil && id == "" {
			id, err = s.stripe.CreateInvoiceItem(ctx, item)
		}
		if err != nil {
			return err
		}
	}
	return s.store.finish(ctx, d.UserID, d.Period, id)
}

// cents are whole cents of an amount, rounded half up. The rest, less than a cent a month, is not carried over.
func cents(micros int64) int64 { return (micros + centMicros/2) / centMicros }

// describe is the line of the invoice. It contains the exact amount if that is not whole cents.
func describe(month time.Time, micros int64) string {
	text := "GP Atlas, charges of " + month.Format("January 2006")
	if micros%centMicros != 0 {
		text += fmt.Sprintf(" (%d.%06d USD, rounded to cents)", micros/1e6, micros%1e6)
	}
	return text
}
