package ledger

import (
	"context"
	"time"

	"gpatlas/platform/httpapi"
)

// Exported is a person's purchases in the export.
type Exported struct {
	Settings     ExportedSettings `json:"settings"`
	Purchases    []ExportedLine   `json:"purchases"`
	Entitlements map[string]int64 `json:"entitlements"` // units that are owned, by product
}

// ExportedSettings are an account's purchase settings. Amounts are dollars.
type ExportedSettings struct {
	SpendingCap       *httpapi.Dollars `json:"spending_cap"`
	Thresholds        []int16          `json:"thresholds"`
	OneClickEnabled   bool             `json:"one_click_enabled"`
	OneClickThreshold httpapi.Dollars  `json:"one_click_threshold"`
	EmailReceipts     bool             `json:"email_receipts"`
	WeeklyDigest      bool             `json:"weekly_digest"`
	StripeCustomer    *string          `json:"stripe_customer"`
}

// ExportedLine is a row of the ledger.
type ExportedLine struct {
	ID        int64           `json:"id"`
	CreatedAt time.Time       `json:"created_at"`
	Operation string          `json:"operation"`
	Product   string          `json:"product,omitempty"`
	CRD       string          `json:"crd,omitempty"`
	Subject   string          `json:"subject"`
	Quantity  int             `json:"quantity"`
	UnitPrice httpapi.Dollars `json:"unit_price"`
	Amount    httpapi.Dollars `json:"amount"`
	Mode      string          `json:"mode"`
	KeyID     string          `json:"key_id,omitempty"`
	RequestID string          `json:"request_id"`
	Reason    string          `json:"reason,omitempty"`
}

// ExportFor returns the account's billing data.
func (b *Books) ExportFor(ctx context.Context, userID int64) (any, error) {
	a, err := b.accounts.Find(ctx, userID, b.clock.Now())
	if err != nil {
		return nil, err
	}
	lines, err := b.store.exported(ctx, userID)
	if err != nil {
		return nil, err
	}
	e := Exported{Purchases: make([]ExportedLine, len(lines)), Settings: ExportedSettings{
		SpendingCap: (*httpapi.Dollars)(a.CapMicros), Thresholds: a.Thresholds, OneClickEnabled: a.OneClickEnabled,
		OneClickThreshold: httpapi.Dollars(a.OneClickThresholdMicros), EmailReceipts: a.EmailReceipts, WeeklyDigest: a.WeeklyDigest,
		StripeCustomer: a.StripeCustomer,
	}}
	for i, l := range lines {
		e.Purchases[i] = ExportedLine{
			l.ID, l.At.UTC(), l.Operation, l.Product, l.CRD, l.Subject, l.Quantity, httpapi.Dollars(l.UnitMicros), httpapi.Dollars(l.AmountMicros),
			l.Mode, l.KeyID, l.RequestID, l.Reason,
		}
	}
	e.Entitlements, err = b.store.counts(ctx, userID)
	return e, err
}

// AccountPurged removes the data that identifies the person: the customer at Stripe, purchase settings, alerts, and where units were delivered. The ledger
// stays, with the number of an account that no longer exists, because accounting records must be kept. So do entitlements,
// which are part of the ledger's sums, and the account's spending.
func (b *Books) AccountPurged(ctx context.Context, userID int64) error {
	if err := b.accounts.Forget(ctx, userID); err != nil {
		return err
	}
	if err := b.store.forgetPlaces(ctx, userID); err != nil {
		return err
	}
	return b.store.forgetAlerts(ctx, userID)
}
