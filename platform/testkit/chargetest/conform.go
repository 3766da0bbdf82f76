package chargetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
)

// Adapter is a meter with the operations that its tests need. Amounts are micro-dollars.
type Adapter interface {
	charge.Meter
	// Account makes an account without a spending cap.
	Account() int64
	// SetCap sets an account's spending cap like another process; nil for none.
	SetCap(account int64, micros *int64)
	// SetOneClick sets an account's one-click settings like another process: whether unlocks without confirmation are allowed,
	// and their largest charge. A new account needs no confirmation for what the checks buy elsewhere.
	SetOneClick(account int64, enabled bool, thresholdMicros int64)
	// Spent is the sum of an account's ledger.
	Spent(account int64) int64
	// Owned are the units of a product that an account is entitled to, in order.
	Owned(account int64, product string) []string
	// Advance moves the meter's clock.
	Advance(d time.Duration)
	// Visits is how often the meter has read the database.
	Visits() int
	// Break makes the ledger unavailable for the rest of the test.
	Break()
}

// Conform checks the promises of charge.Meter. create makes a meter with a ledger of its own.
func Conform(t *testing.T, create func(tb testing.TB) Adapter) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, fault := range c.faults(t.Context(), create(t)) {
				t.Error(fault)
			}
		})
	}
}

// check is one promise. It collects faults, so that tests can check that a wrong meter has some.
type check struct {
	name string
	run  func(p *probe)
}

func (c check) faults(ctx context.Context, a Adapter) []string {
	p := &probe{Adapter: a, ctx: ctx}
	c.run(p)
	return p.found
}

// probe calls a meter and collects faults.
type probe struct {
	Adapter

	ctx   context.Context //nolint:containedctx // of one check
	found []string
}

func (p *probe) equal(want, got any, what string) {
	if !reflect.DeepEqual(want, got) {
		p.found = append(p.found, fmt.Sprintf("%s: %v, want %v", what, got, want))
	}
}

// as is the context of a request of an account; mode is that of its key, "" for a session.
func (p *probe) as(account int64, mode string) context.Context {
	caller := &auth.Principal{Kind: auth.Session, UserID: account, SessionID: "sess_chargetest"}
	if mode != "" {
		caller = &auth.Principal{Kind: auth.Key, UserID: account, KeyID: "1f0e8a65-90b1-4d5c-9b53-5f7b1b0c9d21", Mode: mode}
	}
	return auth.With(p.ctx, caller)
}

// pays charges an account and compares the receipt and what it adds to the ledger.
func (p *probe) pays(account int64, item charge.Item, micros int64, newUnits int, what string) {
	before := p.Spent(account)
	receipt, err := p.Charge(p.as(account, ""), item)
	p.equal(nil, err, what+": error")
	p.equal(charge.Receipt{Micros: micros, NewUnits: newUnits}, receipt, what+": receipt")
	p.equal(before+micros, p.Spent(account), what+": ledger")
}

// refusesFor compares the code of a refusal for money, and its amount; 0 for any amount.
func (p *probe) refusesFor(code string, micros int64, err error, what string) {
	p.refuses(apperr.KindPaymentRequired, err, what)
	if err == nil {
		return
	}
	refusal := apperr.From(err)
	p.equal(code, refusal.Code, what+": code of the refusal")
	if micros > 0 {
		p.equal(micros, refusal.AmountMicros, what+": amount of the refusal")
	}
}

// quotes compares a quote.
func (p *probe) quotes(ctx context.Context, item charge.Item, micros int64, owned int, what string) {
	quote, err := p.Quote(ctx, item)
	p.equal(nil, err, what+": error")
	p.equal(charge.Quote{Micros: micros, Owned: owned}, quote, what+": quote")
}

// refuses compares the kind of an error.
func (p *probe) refuses(want apperr.Kind, err error, what string) {
	if err == nil {
		p.found = append(p.found, what+": was not refused")
		return
	}
	p.equal(want, apperr.From(err).Kind, what+": kind of the refusal")
}

const price = 500_000

// product is the product that the checks sell by the unit.
const product = "roster"

func fee() charge.Item {
	return charge.Item{Operation: "get-gp-metrics", Subject: "900001", Per: charge.PerRequest, UnitMicros: price, RequestID: "req-1"}
}

func persons(ids ...string) charge.Item {
	return charge.Item{
		Operation: "get-gp-team", Subject: "900001", Product: product, Units: ids, Per: charge.PerPerson, UnitMicros: price, RequestID: "req-1",
	}
}

// careers are persons with a price in bulk.
func careers(ids ...string) charge.Item {
	item := persons(ids...)
	item.Operation, item.Product, item.UnitMicros, item.BulkMicros = "unlock-gp-careers", "careers", 750_000, 600_000
	return item
}

func profile(ids ...string) charge.Item {
	item := persons(ids...)
	item.Operation, item.Product, item.Per = "get-person", "profile", charge.PerRequest
	return item
}

var checks = []check{
	{"a fee without units is charged each time", func(p *probe) {
		a := p.Account()
		p.pays(a, fee(), price, 0, "first")
		p.pays(a, fee(), price, 0, "second")
		p.equal([]string{}, p.Owned(a, product), "owned")
	}},
	{"persons are charged once for each account", func(p *probe) {
		a, other := p.Account(), p.Account()
		p.pays(a, persons("p1", "p2"), 2*price, 2, "new")
		p.pays(a, persons("p1", "p2"), 0, 0, "owned")
		p.pays(a, persons("p1", "p2", "p3"), price, 1, "one of them new")
		p.pays(a, persons(), 0, 0, "none")
		p.equal([]string{"p1", "p2", "p3"}, p.Owned(a, product), "owned")
		p.equal([]string{}, p.Owned(other, product), "owned by another account")
		p.pays(other, persons("p1"), price, 1, "another account")
	}},
	{"another operation with the product charges nothing for what is owned", func(p *probe) {
		a, elsewhere := p.Account(), persons("p1", "p2")
		elsewhere.Operation, elsewhere.Subject, elsewhere.UnitMicros = "unlock-gp-alumni", "900002", 2*price
		p.pays(a, persons("p1"), price, 1, "first operation")
		p.pays(a, elsewhere, 2*price, 1, "second operation, at its own price")
	}},
	{"an execution is charged once", func(p *probe) {
		a, other, keyed := p.Account(), p.Account(), fee()
		keyed.Execution = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"
		p.pays(a, keyed, price, 0, "first")
		again, err := p.Charge(p.as(a, ""), keyed)
		p.equal(nil, err, "again: error")
		p.equal(charge.Receipt{Micros: price, Earlier: true}, again, "again: the first receipt")
		p.equal(int64(price), p.Spent(a), "again: ledger")
		keyed.Execution = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f61"
		p.pays(a, keyed, price, 0, "another execution")
		p.pays(other, fee(), price, 0, "another account")
	}},
	{"an execution delivers nothing that was not paid for", func(p *probe) {
		a, keyed := p.Account(), persons("p1", "p2")
		keyed.Execution = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f63"
		p.pays(a, keyed, 2*price, 2, "first")
		keyed.Units = []string{"p1", "p3"}
		_, err := p.Charge(p.as(a, ""), keyed)
		p.equal(apperr.KindConflict, apperr.From(err).Kind, "one of them new: kind")
		p.equal([]string{"p1", "p2"}, p.Owned(a, product), "one of them new: owned")
		p.pays(a, persons("p3"), price, 1, "bought otherwise")
		receipt, err := p.Charge(p.as(a, ""), keyed)
		p.equal(nil, err, "all owned: error")
		p.equal(charge.Receipt{Micros: 2 * price, NewUnits: 2, Earlier: true}, receipt, "all owned: the first receipt")
		p.equal(int64(3*price), p.Spent(a), "all owned: ledger")
	}},
	{"products are owned apart", func(p *probe) {
		a := p.Account()
		p.pays(a, persons("p1"), price, 1, "roster")
		p.pays(a, profile("p1"), price, 1, "profile")
		p.equal([]string{"p1"}, p.Owned(a, "profile"), "owned")
	}},
	{"a price per request is charged while a unit is new", func(p *probe) {
		a := p.Account()
		p.pays(a, profile("p1", "p2"), price, 2, "new")
		p.pays(a, profile("p2", "p1"), 0, 0, "owned")
		p.pays(a, profile("p2", "p3"), price, 1, "one of them new")
	}},
	{"a unit that is named twice is one unit", func(p *probe) {
		a := p.Account()
		p.pays(a, persons("p1", "p1", "p2"), 2*price, 2, "twice in one request")
	}},
	{"the cap refuses a charge as a whole", func(p *probe) {
		a := p.Account()
		p.SetCap(a, new(int64(3*price)))
		p.pays(a, persons("p1", "p2"), 2*price, 2, "below the cap")
		_, err := p.Charge(p.as(a, ""), persons("p2", "p3", "p4"))
		p.refuses(apperr.KindPaymentRequired, err, "beyond the cap")
		p.equal([]string{"p1", "p2"}, p.Owned(a, product), "owned after the refusal")
		p.equal(int64(2*price), p.Spent(a), "spent after the refusal")
		p.pays(a, persons("p1", "p2", "p3"), price, 1, "exactly the cap, the owned ones apart")
		p.pays(a, persons("p1", "p2", "p3"), 0, 0, "owned ones at the cap")
		p.SetCap(a, new(int64(price)))
		p.pays(a, persons("p1"), 0, 0, "owned ones above the cap")
		_, err = p.Charge(p.as(a, ""), fee())
		p.refuses(apperr.KindPaymentRequired, err, "above a cap that was lowered")
		p.SetCap(a, nil)
		p.pays(a, fee(), price, 0, "without a cap")
	}},
	{"charges at the same time do not exceed the cap", func(p *probe) {
		a := p.Account()
		p.SetCap(a, new(int64(20*price)))
		sold, refused := p.together(100, func(int) (charge.Receipt, error) { return p.Charge(p.as(a, ""), fee()) })
		p.equal([]int64{20 * price, 80}, []int64{sold.Micros, refused}, "charged micro-dollars and refusals")
		p.equal(int64(20*price), p.Spent(a), "spent")
	}},
	{"requests that overlap pay for each person once", func(p *probe) {
		a := p.Account()
		const requests, size, all = 16, 20, 30
		sold, refused := p.together(requests, func(n int) (charge.Receipt, error) {
			units := make([]string, size)
			for i := range units {
				units[i] = fmt.Sprintf("p%02d", (n*7+i*11)%all)
			}
			return p.Charge(p.as(a, ""), persons(units...))
		})
		p.equal([]int64{all * price, all, 0}, []int64{sold.Micros, int64(sold.NewUnits), refused}, "charged micro-dollars, new units and refusals")
		p.equal([]int64{all, all * price}, []int64{int64(len(p.Owned(a, product))), p.Spent(a)}, "owned and spent")
	}},
	{"nobody is asked to sign in", func(p *probe) {
		p.refuses(apperr.KindUnauthenticated, p.Allow(p.ctx, fee()), "Allow")
		_, err := p.Charge(p.ctx, fee())
		p.refuses(apperr.KindUnauthenticated, err, "Charge")
		_, err = p.Quote(p.ctx, fee())
		p.refuses(apperr.KindUnauthenticated, err, "Quote")
	}},
	{"a test key is charged nothing and entitled to nothing", func(p *probe) {
		a := p.Account()
		p.SetCap(a, new(int64(0)))
		for _, item := range []charge.Item{fee(), persons("p1")} {
			p.equal(nil, p.Allow(p.as(a, "test"), item), "Allow")
			receipt, err := p.Charge(p.as(a, "test"), item)
			p.equal(nil, err, "error")
			p.equal(charge.Receipt{}, receipt, "receipt")
		}
		p.equal([]string{}, p.Owned(a, product), "owned")
		p.equal(int64(0), p.Spent(a), "spent")
		_, err := p.Charge(p.as(a, "live"), fee())
		p.refuses(apperr.KindPaymentRequired, err, "the account's live key")
	}},
	{"without a ledger nothing is sold", func(p *probe) {
		a := p.Account()
		p.Break()
		receipt, err := p.Charge(p.as(a, ""), persons("p1"))
		away := func(err error) bool {
			return err != nil && slices.Contains([]apperr.Kind{apperr.KindUnavailable, apperr.KindInternal}, apperr.From(err).Kind)
		}
		p.equal(true, away(err), "Charge without a ledger is refused as unavailable")
		p.equal(charge.Receipt{}, receipt, "receipt")
		_, err = p.Quote(p.as(a, ""), persons("p1"))
		p.equal(true, away(err), "Quote without a ledger is refused as unavailable")
	}},
	{"nothing above max_charge is charged", func(p *probe) {
		a := p.Account()
		most := func(item charge.Item, micros int64) charge.Item {
			item.MaxMicros = &micros
			return item
		}
		p.pays(a, most(fee(), price), price, 0, "exactly the most")
		_, err := p.Charge(p.as(a, ""), most(fee(), price-1))
		p.refusesFor(charge.CodeMaxCharge, price, err, "a micro-dollar more")
		p.pays(a, persons("p1"), price, 1, "without a most")
		_, err = p.Charge(p.as(a, ""), most(persons("p1", "p2", "p3"), 2*price-1))
		p.refusesFor(charge.CodeMaxCharge, 2*price, err, "two new persons")
		p.equal([]string{"p1"}, p.Owned(a, product), "owned after the refusal")
		p.equal(int64(2*price), p.Spent(a), "spent after the refusal")
		p.pays(a, most(persons("p1", "p2", "p3"), 2*price), 2*price, 2, "owned ones do not count")
		p.pays(a, most(persons("p1", "p2", "p3"), 0), 0, 0, "owned ones cost nothing")
		_, err = p.Charge(p.as(a, ""), most(fee(), 0))
		p.refusesFor(charge.CodeMaxCharge, price, err, "a fee with a most of nothing")
		receipt, err := p.Charge(p.as(a, "test"), most(fee(), 0))
		p.equal(nil, err, "with a test key: error")
		p.equal(charge.Receipt{}, receipt, "with a test key")
	}},
	{"an execution that was refused is not charged", func(p *probe) {
		a, keyed := p.Account(), fee()
		keyed.Execution, keyed.MaxMicros = "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f62", new(int64(price-1))
		_, err := p.Charge(p.as(a, ""), keyed)
		p.refusesFor(charge.CodeMaxCharge, price, err, "too costly")
		_, err = p.Charge(p.as(a, ""), keyed)
		p.refusesFor(charge.CodeMaxCharge, price, err, "again")
		keyed.MaxMicros = new(int64(price))
		p.pays(a, keyed, price, 0, "with enough")
		receipt, err := p.Charge(p.as(a, ""), keyed)
		p.equal(nil, err, "once more: error")
		p.equal(charge.Receipt{Micros: price, Earlier: true}, receipt, "once more: the first receipt")
		p.equal(int64(price), p.Spent(a), "once more: ledger")
	}},
	{"two new persons or more have the price in bulk", func(p *probe) {
		a := p.Account()
		p.pays(a, careers("p1"), 750_000, 1, "one")
		p.pays(a, careers("p1", "p2"), 750_000, 1, "one of them new")
		p.pays(a, careers("p1", "p2", "p3", "p4"), 1_200_000, 2, "two of them new")
		p.pays(a, careers("p5", "p5"), 750_000, 1, "one, named twice")
		p.pays(a, careers("p1", "p2"), 0, 0, "owned")
		p.quotes(p.as(a, ""), careers("p1", "p6", "p7"), 1_200_000, 1, "two of them new")
		p.quotes(p.as(a, ""), careers("p1", "p6"), 750_000, 1, "one of them new")
		exact := careers("p6", "p7", "p8")
		exact.MaxMicros = new(int64(1_800_000))
		p.pays(a, exact, 1_800_000, 3, "in bulk, exactly the most")
	}},
	{"an unlock above the one-click threshold is confirmed", func(p *probe) {
		const price = 5_000_000 // the settings allow thresholds of 5 to 500 dollars
		a := p.Account()
		ctx := p.as(a, "")
		unlock := func(confirmed bool, ids ...string) charge.Item {
			item := persons(ids...)
			item.UnitMicros, item.Unlock, item.Confirmed = price, true, confirmed
			return item
		}
		p.SetOneClick(a, true, 2*price)
		p.pays(a, unlock(false, "p1", "p2"), 2*price, 2, "exactly the threshold")
		_, err := p.Charge(ctx, unlock(false, "p2", "p3", "p4", "p5"))
		p.refusesFor(charge.CodeConfirmation, 3*price, err, "above the threshold")
		p.equal([]string{"p1", "p2"}, p.Owned(a, product), "owned after the refusal")
		p.equal(int64(2*price), p.Spent(a), "spent after the refusal")
		p.pays(a, unlock(false, "p1", "p2", "p3", "p4"), 2*price, 2, "the new ones at the threshold")
		p.pays(a, unlock(true, "p5", "p6", "p7"), 3*price, 3, "confirmed")
		read := unlock(false, "p8", "p9", "p10")
		read.Unlock = false
		p.pays(a, read, 3*price, 3, "no unlock")
		p.SetOneClick(a, false, 100*price)
		_, err = p.Charge(ctx, unlock(false, "p11"))
		p.refusesFor(charge.CodeConfirmation, price, err, "one-click is off")
		p.pays(a, unlock(false, "p1", "p2"), 0, 0, "one-click is off, owned")
		p.pays(a, unlock(true, "p11"), price, 1, "one-click is off, confirmed")
		most := unlock(false)
		most.Product, most.Per, most.Now = "", charge.PerRequest, true
		p.refusesFor(charge.CodeConfirmation, price, p.Allow(ctx, most), "the most that an unlock can cost")
		most.Confirmed = true
		p.equal(nil, p.Allow(ctx, most), "the most, confirmed")
	}},
	{"a quote is what would be charged", func(p *probe) {
		a := p.Account()
		ctx := p.as(a, "")
		p.quotes(ctx, fee(), price, 0, "a fee")
		p.quotes(ctx, persons("p1", "p2"), 2*price, 0, "new persons")
		p.quotes(ctx, persons(), 0, 0, "nobody")
		p.quotes(ctx, profile("p1", "p2"), price, 0, "by the request")
		p.equal(int64(0), p.Spent(a), "spent by quotes")
		p.equal([]string{}, p.Owned(a, product), "owned by quotes")
		p.pays(a, persons("p1"), price, 1, "one")
		p.quotes(ctx, persons("p1", "p2", "p3"), 2*price, 1, "one of them owned")
		p.quotes(ctx, persons("p1"), 0, 1, "all owned")
		p.quotes(ctx, persons("p2", "p2"), price, 0, "named twice")
		p.pays(a, profile("p1"), price, 1, "by the request")
		p.quotes(ctx, profile("p1"), 0, 1, "by the request, all owned")
		p.quotes(ctx, profile("p1", "p2"), price, 1, "by the request, one of them owned")
		p.SetCap(a, new(int64(0)))
		refused := persons("p2")
		refused.MaxMicros, refused.Unlock = new(int64(0)), true
		p.SetOneClick(a, false, 25_000_000)
		p.quotes(ctx, refused, price, 0, "whatever refuses the charge")
		p.quotes(p.as(a, "test"), fee(), 0, 0, "a fee with a test key")
		quote, err := p.Quote(p.as(a, "test"), persons("p1", "p2"))
		p.equal(nil, err, "with a test key: error")
		p.equal(int64(0), quote.Micros, "with a test key")
		p.quotes(p.as(p.Account(), ""), persons("p1"), price, 0, "another account")
	}},
	{"Allow writes nothing", func(p *probe) {
		a := p.Account()
		for _, item := range []charge.Item{fee(), persons(), profile()} {
			p.equal(nil, p.Allow(p.as(a, ""), item), "Allow")
		}
		p.equal(int64(0), p.Spent(a), "spent")
		p.pays(a, fee(), price, 0, "afterwards")
	}},
	{"Allow visits the database once a second for each account", func(p *probe) {
		accounts := []int64{p.Account(), p.Account()}
		for second := range 3 {
			before := p.Visits()
			_, refused := p.together(50, func(n int) (charge.Receipt, error) {
				return charge.Receipt{}, p.Allow(p.as(accounts[n%2], ""), fee())
			})
			p.equal(int64(0), refused, "refusals")
			if visits := p.Visits() - before; visits > len(accounts) {
				p.found = append(p.found, fmt.Sprintf("second %d: %d visits for %d accounts", second, visits, len(accounts)))
			}
			p.Advance(charge.MaxStateAge)
		}
	}},
	{"Allow refuses a fee above max_charge", func(p *probe) {
		a, item := p.Account(), fee()
		item.MaxMicros = new(int64(price - 1))
		p.refusesFor(charge.CodeMaxCharge, price, p.Allow(p.as(a, ""), item), "a fee above max_charge")
		p.equal(nil, p.Allow(p.as(a, "test"), item), "with a test key")
		item.Product = product
		p.equal(nil, p.Allow(p.as(a, ""), item), "units of a product may be owned")
	}},
	{"Allow knows a reached cap after a second", func(p *probe) {
		a := p.Account()
		ctx := p.as(a, "")
		p.SetCap(a, new(int64(price)))
		p.equal(nil, p.Allow(ctx, fee()), "exactly the cap")
		p.pays(a, fee(), price, 0, "exactly the cap")
		p.Advance(charge.MaxStateAge)
		p.refuses(apperr.KindPaymentRequired, p.Allow(ctx, fee()), "at the cap")
		p.equal(nil, p.Allow(ctx, persons()), "units of a product may be owned")
		p.equal(nil, p.Allow(ctx, profile()), "units of a product may be owned")
		p.SetCap(a, nil)
		p.Advance(charge.MaxStateAge)
		p.equal(nil, p.Allow(ctx, fee()), "after the cap was lifted")
	}},
}

// together makes n concurrent calls. It returns the sum of the receipts, and how many were refused for the cap; other errors
// are faults.
func (p *probe) together(n int, ask func(n int) (charge.Receipt, error)) (sum charge.Receipt, refused int64) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			receipt, err := ask(i)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				sum.Micros += receipt.Micros
				sum.NewUnits += receipt.NewUnits
			case apperr.From(err).Kind == apperr.KindPaymentRequired:
				refused++
			case len(p.found) == 0 || !strings.HasPrefix(p.found[len(p.found)-1], "at the same time"):
				p.found = append(p.found, fmt.Sprintf("at the same time: %v", err))
			}
		})
	}
	wg.Wait()
	return sum, refused
}
