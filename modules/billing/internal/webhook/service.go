package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpatlas/modules/billing/internal/cancellation"
	"gpatlas/modules/billing/internal/dunning"
	"gpatlas/modules/billing/internal/price"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/modules/billing/internal/subscription"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
)

// unknownPrice is the kind of the notification about a price that BILLING_PRICES does not name.
const unknownPrice = "unknown_price"

// Service receives events.
type Service struct {
	db            *database.DB
	clock         clock.Clock
	log           *slog.Logger
	queue         *jobs.Enqueuer
	on            bool
	secrets       []string
	prices        price.List
	subscriptions *subscription.Service
	store         *store
	unknown       prometheus.Counter
}

// NewService works on db; metrics may be nil. Events are refused unless on is set and one of the secrets has signed them.
func NewService(
	db *database.DB, clk clock.Clock, log *slog.Logger, queue *jobs.Enqueuer, on bool, secrets []string, prices price.List,
	subscriptions *subscription.Service, metrics prometheus.Registerer,
) *Service {
	s := &Service{
		db: db, clock: clk, log: log, queue: queue, on: on, secrets: secrets, prices: prices, subscriptions: subscriptions, store: &store{db},
		unknown: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gpatlas_billing_unknown_prices_total", Help: "Events about subscriptions with a price that BILLING_PRICES does not name. Alert if it rises.",
		}),
	}
	if metrics != nil {
		metrics.MustRegister(s.unknown)
	}
	return s
}

// Receive verifies an event and applies it, once: duplicate means that it was handled before. The event and all its
// consequences are one transaction. If that fails, Stripe sends the event again.
func (s *Service) Receive(ctx context.Context, body []byte, signature string) (duplicate bool, err error) {
	if !s.on {
		return false, stripe.ErrOff // never a success: Stripe would not send the event again
	}
	now := s.clock.Now().UTC().Truncate(time.Microsecond)
	if err := stripe.Verify(body, signature, s.secrets, now); err != nil {
		return false, errSignature(err)
	}
	e, err := readEvent(body)
	if err != nil {
		return false, errBody(err)
	}
	work, err := s.read(e)
	if err != nil {
		return false, errBody(err)
	}
	r := row{ID: e.ID, Type: e.Type, Created: e.Created, State: applied, ReceivedAt: now}
	if e.Created.IsZero() {
		r.Created = now
	}
	if work == nil {
		r.State = ignored
	} else {
		r.Object = work.object
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		first, err := s.store.add(ctx, r)
		if err != nil {
			return err
		}
		if duplicate = !first; duplicate || work == nil {
			return nil
		}
		return s.apply(ctx, e, work)
	})
	return duplicate, err
}

func errBody(err error) error {
	return apperr.Invalid(apperr.FieldError{Field: httpapi.WholeBody, Message: err.Error()})
}

// work is an event's change of its object.
type work struct {
	object  string
	subject subscription.Subject
	change  func(ctx context.Context, owner subscription.Owner) (applied bool, err error)
	paid    bool // an invoice is paid
}

// read determines the work; nil: none.
func (s *Service) read(e event) (*work, error) {
	switch e.Type {
	case checkoutCompleted:
		c, err := readObject[checkout](e)
		if err != nil || c.Subscription == "" { // a payment, or a card that is set up
			return nil, err
		}
		return s.checkout(c), nil
	case subscriptionCreated, subscriptionUpdated, subscriptionPaused, subscriptionResumed, subscriptionDeleted:
		o, err := readObject[subscribed](e)
		if err == nil && o.Status == "" && e.Type != subscriptionDeleted {
			err = errors.New("data.object has no status")
		}
		if err != nil {
			return nil, err
		}
		return s.subscribed(e, o), nil
	case invoicePaid, invoiceFailed:
		i, err := readObject[invoice](e)
		if err != nil {
			return nil, err
		}
		return s.invoice(e, i), nil
	}
	return nil, nil
}

func (s *Service) checkout(c checkout) *work {
	w := &work{object: c.key(), subject: c.subject()}
	w.change = func(ctx context.Context, owner subscription.Owner) (bool, error) {
		return s.subscriptions.Subscribe(ctx, w.subject, owner, func(row *subscription.Subscription) bool {
			row.CheckedOut(c.paid(), c.entitlement(s.prices))
			return true
		})
	}
	return w
}

func (s *Service) subscribed(e event, o subscribed) *work {
	w := &work{object: o.key(), subject: o.subject()}
	w.change = func(ctx context.Context, owner subscription.Owner) (bool, error) {
		news, unknown := o.update(e, s.prices)
		for _, id := range unknown {
			s.unknown.Inc()
			s.log.ErrorContext(ctx, "a subscription has a price that BILLING_PRICES does not name: the account keeps what the subscription gave before",
				slog.String("subscription", o.key()), slog.String("price", id))
			if err := s.warnOperators(ctx, o.key(), id); err != nil {
				return false, err
			}
		}
		return s.subscriptions.Subscribe(ctx, w.subject, owner, func(row *subscription.Subscription) bool { return row.Apply(news) })
	}
	return w
}

// warnOperators enqueues an email about an unknown price to every administrator, at most once a day (UTC) for all prices.
func (s *Service) warnOperators(ctx context.Context, subscription, price string) error {
	administrators, err := s.store.administrators(ctx)
	if err != nil {
		return err
	}
	day := s.clock.Now().UTC().Format(time.DateOnly)
	for _, id := range administrators {
		if err := mail.Notify(ctx, s.queue, mail.Notification{
			Kind: unknownPrice, UserID: id, Key: fmt.Sprintf("%s:%d:%s", unknownPrice, id, day),
			Data: map[string]string{"subscription": subscription, "price": price},
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) invoice(e event, i invoice) *work {
	w := &work{object: i.key(), subject: i.subject(), paid: e.Type == invoicePaid}
	w.change = func(ctx context.Context, owner subscription.Owner) (bool, error) {
		return s.subscriptions.Pay(ctx, w.subject, owner, i.key(), i.bill(e))
	}
	return w
}

// apply does the work of a new event, in its transaction.
func (s *Service) apply(ctx context.Context, e event, w *work) error {
	state, receipts := applied, []string(nil)
	done, err := s.subscriptions.Change(ctx, w.subject, func(ctx context.Context, owner subscription.Owner) error {
		changed, err := w.change(ctx, owner)
		switch {
		case owner.Unknown:
			state = ignored
			s.log.WarnContext(ctx, "an event of Stripe names an account that there is not: a subscription would be neither honoured nor cancelled",
				slog.String("event", e.ID), slog.String("type", e.Type), slog.String("customer", w.subject.Customer),
				slog.String("subscription", w.subject.Subscription), slog.Int64("account", w.subject.Account))
		case !changed:
			state = stale
		case w.paid && owner.UserID != 0:
			receipts = append(receipts, w.object)
		}
		return err
	})
	if err != nil {
		return err
	}
	if done.Cancel != 0 {
		s.log.WarnContext(ctx, "a deleted account has a subscription at Stripe: it is being cancelled",
			slog.String("event", e.ID), slog.String("subscription", w.subject.Subscription), slog.Int64("account", done.Cancel))
		if err := cancellation.Enqueue(ctx, s.queue, done.Cancel); err != nil {
			return err
		}
	}
	for _, invoice := range append(receipts, done.Paid...) {
		if err := dunning.Receipt(ctx, s.queue, invoice); err != nil {
			return err
		}
	}
	if state == applied {
		return nil
	}
	return s.store.mark(ctx, e.ID, state)
}

func errSignature(err error) error {
	return apperr.Invalid(apperr.FieldError{Field: stripe.SignatureHeader, Message: err.Error()})
}
