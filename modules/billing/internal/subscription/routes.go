package subscription

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{Subscription{}, Payment{}},
		Exporters: []module.Exporter{{Name: "subscriptions", For: s.ExportFor}}, Purged: []module.AccountListener{s.store.forget},
	}
}

// Routes are the slice's operations.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/billing/subscription", "get-subscription", s.get,
			httpapi.Tag("Billing"), httpapi.Grant(httpapi.Login), httpapi.Volatile(),
			httpapi.Summary("Read the subscription"), httpapi.Describe(getText),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}
}

const getText = `Returns the account's plan and API tier, and the state of its subscription at the payment processor. If the account has several subscriptions, the response shows the one that gives the plan, or else the one that gives the API tier, or else the newest.

` + "`status`, `billing_period` and `cancel_at_period_end`" + ` are null if the account has never subscribed. Plan and API tier are independent: each follows from its own price. They apply while the status is ` + "`active`, `trialing` or `past_due`" + `. If a payment fails and is not made up for, the plan ends eight days later or more, although the status stays ` + "`past_due`" + `.`

// Period is a billing period.
type Period struct {
	_ struct{} `nullable:"true"`

	Start time.Time `json:"start" doc:"Start of the period (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	End   time.Time `json:"end" doc:"End of the period (UTC)." example:"2026-12-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Period) SchemaName() string { return "BillingPeriod" }

// View is an account's subscription.
//
// Spec: not shown which fields; those next to the words "tier, status, billing period", and null if there is no subscription,
// since "none" is not a status of Stripe's.
type View struct {
	Tier              string  `json:"tier" doc:"Tier of the account: the registration tier until the account has a plan, then the plan." example:"pro"`
	Plan              string  `json:"plan" enum:"free,starter,pro,enterprise" doc:"Plan that applies now." example:"pro"`
	APITier           string  `json:"api_tier" enum:"starter,growth,scale" doc:"API tier that applies now." example:"growth"`
	Status            *string `json:"status" doc:"Status of the subscription, in the words of Stripe. Null: no subscription." example:"active"`
	BillingPeriod     *Period `json:"billing_period" doc:"Current billing period. Null: no subscription, or its period is not known yet."`
	CancelAtPeriodEnd *bool   `json:"cancel_at_period_end" doc:"Whether the subscription ends with the period. Null: no subscription." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (View) SchemaName() string { return "Subscription" }

type body = httpapi.Data[View]

func (s *Service) get(ctx context.Context, _ *struct{}) (*httpapi.Reply[body], error) {
	view, err := s.View(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Body: body{Data: view}}, nil
}

// View returns an account's subscription.
func (s *Service) View(ctx context.Context, userID int64) (View, error) {
	a, found, err := s.directory.FindAccount(ctx, userID)
	if err != nil {
		return View{}, err
	}
	if !found {
		return View{}, apperr.New(apperr.KindUnauthenticated, "The account was deleted") // during the request
	}
	view := View{Tier: a.Tier, Plan: a.SubscriptionPlan, APITier: a.APITier}
	list, err := s.store.held(ctx, userID)
	if err != nil || len(list) == 0 {
		return view, err
	}
	shown := foremost(list)
	view.Status, view.CancelAtPeriodEnd = &shown.Status, &shown.CancelAtPeriodEnd
	if shown.PeriodStart != nil && shown.PeriodEnd != nil {
		view.BillingPeriod = &Period{Start: shown.PeriodStart.UTC(), End: shown.PeriodEnd.UTC()}
	}
	return view, nil
}

// foremost is the most important of several subscriptions: the one that grants the plan, or the API tier, or the newest.
func foremost(list []storedSubscription) *storedSubscription {
	best, rank := &list[0], 0
	for i := range list {
		h := &list[i]
		r := 0
		switch counts := h.counts(); {
		case counts && h.Plan != nil:
			r = 3
		case counts && h.APITier != nil:
			r = 2
		case counts:
			r = 1
		}
		if r > rank {
			best, rank = h, r
		}
	}
	return best
}
