// Package subscription stores the subscriptions and invoices of Stripe's events, and derives the plan and the API tier of
// accounts from them.
package subscription

import (
	"cmp"
	"slices"
	"time"

	"gpatlas/modules/billing/internal/price"
	"gpatlas/platform/auth"
	"gpatlas/platform/plaintext"
)

// The statuses of Stripe that matter here.
const (
	active            = "active"
	trialing          = "trialing"
	pastDue           = "past_due"
	canceled          = "canceled"
	incomplete        = "incomplete"
	incompleteExpired = "incomplete_expired"
)

// Subscription is a row of billing.subscriptions. Its contents do not depend on the order in which events arrive.
type Subscription struct {
	ID                string     `gorm:"column:id;primaryKey"`
	Customer          string     `gorm:"column:customer"`
	UserID            *int64     `gorm:"column:user_id"` // nil until an event identifies the account
	Status            string     `gorm:"column:status"`  // Stripe's word
	Plan              *string    `gorm:"column:plan"`    // what its prices grant; nil: nothing
	APITier           *string    `gorm:"column:api_tier"`
	PeriodStart       *time.Time `gorm:"column:period_start"`
	PeriodEnd         *time.Time `gorm:"column:period_end"`
	CancelAtPeriodEnd bool       `gorm:"column:cancel_at_period_end"`
	CheckoutCompleted bool       `gorm:"column:checkout_completed"`
	Deleted           bool       `gorm:"column:deleted"`
	LastEvent         *time.Time `gorm:"column:last_event"`
}

// TableName is the table with its schema.
func (Subscription) TableName() string { return "billing.subscriptions" }

// Update is an event's data about a subscription.
type Update struct {
	At                     time.Time // when it was made, by Stripe's clock
	Status                 string
	Entitlement            price.Entitlement // what all its prices grant
	Unknown                bool              // one of its prices is not configured
	PeriodStart, PeriodEnd *time.Time
	CancelAtPeriodEnd      bool
	Deleted                bool
}

// Apply changes the subscription to an update, and returns whether it did. An event that is strictly older than the newest one
// is not applied, and a subscription that has ended stays so. Stripe's clock shows whole seconds: of two events of one second
// the one that arrives later applies.
func (s *Subscription) Apply(u Update) bool {
	if s.Deleted || s.LastEvent != nil && u.At.Before(*s.LastEvent) {
		return false
	}
	// Spec: not shown; a missing price is a mistake of the operator, and removes nothing that is paid for.
	if last := (price.Entitlement{Plan: text(s.Plan), APITier: text(s.APITier)}); u.Unknown {
		u.Entitlement = price.Entitlement{Plan: cmp.Or(u.Entitlement.Plan, last.Plan), APITier: cmp.Or(u.Entitlement.APITier, last.APITier)}
	}
	s.Status, s.Plan, s.APITier = u.Status, plaintext.Optional(u.Entitlement.Plan), plaintext.Optional(u.Entitlement.APITier)
	s.PeriodStart, s.PeriodEnd, s.CancelAtPeriodEnd = u.PeriodStart, u.PeriodEnd, u.CancelAtPeriodEnd
	s.LastEvent = &u.At
	if u.Deleted {
		s.Status = canceled
	}
	s.Deleted = s.Status == canceled || s.Status == incompleteExpired
	return true
}

// CheckedOut applies a completed checkout session, and whether it is paid. The session's price holds until the subscription's
// own first event.
func (s *Subscription) CheckedOut(paid bool, g price.Entitlement) {
	s.CheckoutCompleted = s.CheckoutCompleted || paid
	if s.LastEvent != nil {
		return
	}
	s.Plan, s.APITier, s.Status = plaintext.Optional(g.Plan), plaintext.Optional(g.APITier), incomplete
	if s.CheckoutCompleted {
		s.Status = active
	}
}

// Collects reports whether Stripe collects money for a subscription of a status. It then grants what its prices grant, until dunning for one
// of its invoices has ended.
//
// Spec: not shown which statuses count; active, trialing and past_due, since Stripe still tries to collect then.
func Collects(status string, checkoutCompleted, deleted bool) bool {
	switch status {
	case active, trialing, pastDue:
		return !deleted
	case incomplete: // its own event is older than the checkout, which has paid for it
		return !deleted && checkoutCompleted
	}
	return false
}

func (h *storedSubscription) collects() bool {
	return Collects(h.Status, h.CheckoutCompleted, h.Deleted)
}

// counts reports whether the subscription now grants what its prices grant.
func (h *storedSubscription) counts() bool { return h.collects() && !h.Lapsed }

// began reports whether the subscription has ever counted, by its status alone. Before its first payment it is incomplete.
func (s *Subscription) began() bool {
	return s.CheckoutCompleted || s.Status != incomplete && s.Status != incompleteExpired
}

// State is what an account has by all of its subscriptions. An empty plan or API tier means that none of them concerns it, so
// that it is not changed: for example the trial of an account whose first payment failed.
type State struct {
	Plan, APITier string
	Backed        bool // one of them counts
}

// stateOf derives the state.
func stateOf(list []storedSubscription) (st State) {
	for _, h := range list {
		if !h.began() {
			continue
		}
		counts := h.counts()
		st.Backed = st.Backed || counts
		st.Plan, st.APITier = raise(auth.Plans, st.Plan, h.Plan, counts), raise(auth.Tiers, st.APITier, h.APITier, counts)
	}
	return st
}

// raise returns the higher one of the present value and what a subscription grants: its own value if it counts, else the
// lowest.
func raise(ladder []string, has string, about *string, counts bool) string {
	if about == nil {
		return has
	}
	gives := ladder[0]
	if counts {
		gives = *about
	}
	if slices.Index(ladder, gives) > slices.Index(ladder, has) {
		return gives
	}
	return has
}

// Best is the highest plan and the highest API tier of several entitlements.
func Best(entitlements ...price.Entitlement) (best price.Entitlement) {
	for _, g := range entitlements {
		best.Plan, best.APITier = raise(auth.Plans, best.Plan, plaintext.Optional(g.Plan), true), raise(auth.Tiers, best.APITier, plaintext.Optional(g.APITier), true)
	}
	return best
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
