package subscription

import (
	"context"
	"strconv"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/price"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Service applies Stripe's events.
type Service struct {
	db        *database.DB
	clock     clock.Clock
	directory accountsapi.Directory
	plans     accountsapi.Plans
	accounts  *account.Store
	store     *store
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, directory accountsapi.Directory, plans accountsapi.Plans) *Service {
	return &Service{db: db, clock: clk, directory: directory, plans: plans, accounts: account.NewStore(db), store: &store{db}}
}

// Subject is what an event is about.
type Subject struct {
	Customer     string // cus_…; may be empty
	Subscription string // sub_…; empty for an invoice without one
	Account      int64  // named by the event; 0 for none
}

// Owner is the account of a change's subject.
type Owner struct {
	UserID  int64 // 0: not known yet
	Unknown bool  // the event names an account that does not exist
}

// Outcome is what follows from a change besides the plan.
type Outcome struct {
	Paid   []string // invoices that were paid before their account was known
	Cancel int64    // a deleted account with an active subscription, which is to be canceled; 0 for none
}

// Change runs change for the subject of an event, under the locks of its customer and its account, and then sets the plan and
// the API tier that follow from the account's subscriptions. It needs a transaction.
//
// The account is the one that the subscription has, or else the event names, or else the customer has: whichever event comes
// first, its data is stored, and is assigned to the account when another event identifies it. A deleted account is changed as
// well: once it is recovered it has what it pays for.
func (s *Service) Change(ctx context.Context, about Subject, change func(ctx context.Context, owner Owner) error) (done Outcome, err error) {
	lock := about.Customer
	if lock == "" {
		lock = about.Subscription
	}
	if err := s.store.lock(ctx, customers, lock); err != nil {
		return done, err
	}
	owner, there, err := s.owner(ctx, about)
	if err != nil {
		return done, err
	}
	if owner.UserID == 0 {
		return done, change(ctx, owner)
	}
	if err := s.store.lock(ctx, accounts, strconv.FormatInt(owner.UserID, 10)); err != nil {
		return done, err
	}
	before, err := s.state(ctx, owner.UserID)
	if err != nil {
		return done, err
	}
	if err := change(ctx, owner); err != nil {
		return done, err
	}
	if done.Paid, err = s.store.link(ctx, owner.UserID, about.Customer, about.Subscription); err != nil {
		return done, err
	}
	after, err := s.state(ctx, owner.UserID)
	if err != nil {
		return done, err
	}
	if err := s.applyChange(ctx, owner.UserID, about.Customer, there, before, after); err != nil || !there || !after.Backed {
		return done, err
	}
	// Only now: setting the plan has waited for a deletion that had begun, and a later one sees the subscription.
	if _, here, err := s.directory.FindAccount(ctx, owner.UserID); err != nil || here {
		return done, err
	}
	done.Cancel = owner.UserID
	return done, nil
}

// owner finds the account of the subject, and whether it exists, possibly deleted.
func (s *Service) owner(ctx context.Context, about Subject) (owner Owner, there bool, err error) {
	if owner.UserID, err = s.store.owner(ctx, about.Subscription, about.Customer); err != nil {
		return owner, false, err
	}
	known := owner.UserID != 0
	if !known {
		owner.UserID = about.Account
	}
	if owner.UserID == 0 {
		return owner, false, nil
	}
	if there, err = s.plans.HasAccount(ctx, owner.UserID); err != nil {
		return owner, false, err
	}
	if !known && !there {
		return Owner{Unknown: true}, false, nil
	}
	return owner, there, nil
}

func (s *Service) state(ctx context.Context, userID int64) (State, error) {
	list, err := s.store.held(ctx, userID)
	return stateOf(list), err
}

// Held is what a subscription grants, or granted until dunning for one of its invoices ended.
type Held struct {
	price.Entitlement
	Lapsed bool
}

// Collected are an account's subscriptions for which Stripe collects money, the one with the newest event first.
func (s *Service) Collected(ctx context.Context, userID int64) (all []Held, err error) {
	list, err := s.store.held(ctx, userID)
	for i := range list {
		if h := &list[i]; h.collects() {
			all = append(all, Held{price.Entitlement{Plan: text(h.Plan), APITier: text(h.APITier)}, h.Lapsed})
		}
	}
	return all, err
}

// applyChange sets what has changed: the plan and the API tier, whether the account is backed, and its customer. A deleted
// account is set too; one that was purged meanwhile has no plan.
func (s *Service) applyChange(ctx context.Context, userID int64, customer string, there bool, before, after State) error {
	plan, tier := changed(auth.Plans, before.Plan, after.Plan), changed(auth.Tiers, before.APITier, after.APITier)
	if plan+tier != "" {
		err := s.plans.SetPlan(ctx, userID, plan, tier)
		if err != nil && apperr.From(err).Kind == apperr.KindNotFound {
			return nil
		}
		if err != nil {
			return err
		}
	}
	known := customer == "" || !there
	if !known {
		owner, err := s.accounts.FindByCustomer(ctx, customer)
		if err != nil {
			return err
		}
		known = owner != 0
	}
	if known && after.Backed == before.Backed {
		return nil
	}
	_, err := s.accounts.Update(ctx, userID, s.now(), func(a *account.Account) error {
		a.Backed = after.Backed
		if !known && a.StripeCustomer == nil {
			a.StripeCustomer = &customer
		}
		return nil
	})
	return err
}

// changed returns what to set; empty for nothing. A plan or API tier that subscriptions granted falls to the lowest when no
// subscription grants one any more, because its price is missing in BILLING_PRICES.
func changed(ladder []string, before, after string) string {
	if after == "" && before != "" {
		after = ladder[0]
	}
	if after == before {
		return ""
	}
	return after
}

// Subscribe changes a subscription, in the change of its customer. It creates the row if it is missing.
func (s *Service) Subscribe(ctx context.Context, about Subject, owner Owner, change func(row *Subscription) bool) (applied bool, err error) {
	row := Subscription{ID: about.Subscription}
	if _, err := find(ctx, s.store, "a subscription", &row); err != nil {
		return false, err
	}
	row.Customer, row.UserID = about.Customer, own(row.UserID, owner)
	applied = change(&row)
	return applied, put(ctx, s.store, "a subscription", &row)
}

// Pay changes a payment, in the change of its customer. It creates the row if it is missing.
func (s *Service) Pay(ctx context.Context, about Subject, owner Owner, invoice string, b Bill) (applied bool, err error) {
	row := Payment{Invoice: invoice}
	if _, err := find(ctx, s.store, "a payment", &row); err != nil {
		return false, err
	}
	row.Customer, row.UserID = about.Customer, own(row.UserID, owner)
	applied = row.Apply(b)
	return applied, put(ctx, s.store, "a payment", &row)
}

func own(has *int64, owner Owner) *int64 {
	if has != nil || owner.UserID == 0 {
		return has
	}
	return &owner.UserID
}

func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }
