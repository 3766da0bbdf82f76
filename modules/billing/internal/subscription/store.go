package subscription

import (
	"context"
	_ "embed"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"gpatlas/platform/database"
)

// LastStep is the step of dunning that ends what a subscription grants, in billing.dunning.
const LastStep = 3

// store reads and writes subscriptions and payments.
type store struct{ db *database.DB }

// The classes of the advisory locks; the numbers are arbitrary.
const (
	customers = 7_403_101
	accounts  = 7_403_102
)

// Held until the transaction ends. Customers and accounts have classes of their own: a caller that needs both takes the
// customer first.
const lockSQL = `SELECT pg_advisory_xact_lock(@class, hashtext(@name))::text`

func (s *store) lock(ctx context.Context, class int32, name string) error {
	_, err := database.Values[string](ctx, s.db, "wait for other events", lockSQL, database.Args{"class": class, "name": name})
	return err
}

// storedSubscription is a subscription of an account.
type storedSubscription struct {
	Subscription

	Lapsed bool // dunning for one of its invoices has ended
}

//go:embed held.sql
var heldSQL string

// held reads the subscriptions of an account, the one with the newest event first.
func (s *store) held(ctx context.Context, userID int64) ([]storedSubscription, error) {
	return database.Select[storedSubscription](ctx, s.db, "read subscriptions", heldSQL, database.Args{"user": userID, "last": LastStep})
}

// The account of a subscription and a customer, as far as it is known; else 0.
const ownerSQL = `SELECT coalesce(
	(SELECT user_id FROM billing.subscriptions WHERE id = @subscription),
	(SELECT user_id FROM billing.accounts WHERE stripe_customer = @customer),
	(SELECT min(user_id) FROM billing.subscriptions WHERE customer = @customer AND @customer <> ''),
	0)`

func (s *store) owner(ctx context.Context, subscription, customer string) (int64, error) {
	list, err := database.Values[int64](ctx, s.db, "look whose a customer is", ownerSQL, database.Args{"subscription": subscription, "customer": customer})
	if err != nil {
		return 0, err
	}
	return list[0], nil
}

//go:embed link.sql
var linkSQL string

// link assigns the data of a customer to an account, and returns the paid ones of its invoices.
func (s *store) link(ctx context.Context, userID int64, customer, subscription string) (invoices []string, err error) {
	args := database.Args{"user": userID, "customer": customer, "subscription": subscription}
	return database.Values[string](ctx, s.db, "link a customer", linkSQL, args)
}

// find reads a row by its key for a change; false if there is none.
func find[T any](ctx context.Context, s *store, what string, row *T) (bool, error) {
	err := s.db.From(ctx).Clauses(clause.Locking{Strength: "UPDATE"}).Take(row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return false, nil
	}
	return err == nil, database.Failure("read "+what, err)
}

// put writes a new or existing row.
func put[T any](ctx context.Context, s *store, what string, row *T) error {
	return database.Failure("write "+what, s.db.From(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(row).Error)
}

// FindPayment reads an invoice; nil for none.
func (s *Service) FindPayment(ctx context.Context, invoice string) (*Payment, error) {
	p := Payment{}
	err := s.store.db.From(ctx).Where("invoice = ?", invoice).Take(&p).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &p, database.Failure("read a payment", err)
}

// payments reads the invoices of an account, the newest first.
func (s *store) payments(ctx context.Context, userID int64) (list []Payment, err error) {
	err = s.db.From(ctx).Where("user_id = ?", userID).Order("last_event DESC, invoice").Find(&list).Error
	return list, database.Failure("read payments", err)
}

// forget removes the subscriptions of an account, and what identifies the person from its payments. The payments stay: they are
// accounting records.
func (s *store) forget(ctx context.Context, userID int64) error {
	tx := s.db.From(ctx)
	if err := tx.Where("user_id = ?", userID).Delete(&Subscription{}).Error; err != nil {
		return database.Failure("remove subscriptions", err)
	}
	err := tx.Model(&Payment{}).Where("user_id = ?", userID).Updates(map[string]any{"customer": "", "page": nil}).Error
	return database.Failure("unlink payments", err)
}
