// Package purchase shows an account its charges.
package purchase

import (
	"context"
	"time"

	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// Purchase is a row of the ledger, as its account sees it.
//
// Spec: not shown. Every charge is listed, fees too, so that the amounts add up to what the account has spent.
//
// Spec: not shown; the ID is of one sequence for all accounts, so it shows roughly how many charges the service has made. It stays:
// accounts have it in lists and exports, and a charge must be found under the ID that it was shown with. The sequence also counts requests
// with test keys, so it is no number of sales.
type Purchase struct {
	ID        int64           `json:"id" doc:"ID of the charge." example:"4711"`
	CreatedAt time.Time       `json:"created_at" doc:"When it was charged (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	Operation string          `json:"operation" doc:"ID of the operation. adjustment for a correction." example:"get-gp-metrics"`
	Product   *string         `json:"product" doc:"Product that the charge gives for good. Null for a fee, which pays for one response." example:"roster"`
	CRD       *string         `json:"crd" doc:"CRD number of the GP. Null if the charge is not about one." example:"900001"`
	Subject   *string         `json:"subject" doc:"Parameters of the path, such as the CRD number. Null if there are none." example:"900001"`
	Quantity  int             `json:"quantity" doc:"Units that were paid for. 1 for a fee." example:"1"`
	UnitPrice httpapi.Dollars `json:"unit_price" doc:"USD for each unit." example:"0.15"`
	Amount    httpapi.Dollars `json:"amount" doc:"USD charged. 0 with a test key, negative for a credit." example:"0.15"`
	Mode      string          `json:"mode" enum:"live,test" doc:"test for requests with a test key, which are not charged." example:"live"`
	Key       *Key            `json:"key" db:"-" doc:"The API key that paid. Null for a request of a session, and for a correction."`
	RequestID string          `json:"request_id" doc:"X-Request-ID of the request." example:"6f0d8a9c-3b1e-4c57-9a42-0d8f6f2f7a10"`
	Reason    *string         `json:"reason" doc:"Why a correction was made. Null for charges." example:"Charged during an outage"`
}

// SchemaName is its name in the OpenAPI document.
func (Purchase) SchemaName() string { return "Purchase" }

// Totals are about a whole list.
type Totals struct {
	Total  int
	Amount httpapi.Dollars
}

// Service reads purchases.
type Service struct{ store *store }

// NewService works on db.
func NewService(db *database.DB) *Service { return &Service{&store{db}} }

// Filter selects purchases of an account.
type Filter struct {
	UserID    int64
	CRD       *string    // those about one GP; nil: all
	Month     *time.Time // those that count for a month (UTC), by its first day; nil: all
	Operation *string    // of one operation; nil: all
	Key       *string    // paid by the key with this ID, or by none ("none": sessions and corrections); nil: all
	From      *time.Time // charged at this instant or later; nil: all
	Until     *time.Time // charged before this instant; nil: all
}

// List returns a part of the purchases, the newest first, and the totals of all. by asks for sums by operation, key or day.
func (s *Service) List(ctx context.Context, f Filter, by string, limit, offset int) (list []Purchase, sums []Sum, totals Totals, err error) {
	if by == "" {
		totals, err = s.store.totals(ctx, &f)
	} else {
		sums, err = s.store.groups(ctx, &f, by)
		totals = totalsOf(sums)
	}
	if err != nil {
		return nil, nil, Totals{}, err
	}
	list, err = s.store.list(ctx, &f, 0, limit, offset)
	return list, sums, totals, err
}
