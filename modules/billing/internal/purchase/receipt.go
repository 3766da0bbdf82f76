package purchase

import (
	"context"
	"fmt"
	"strconv"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/platform/jobs"
	"gpatlas/templates/email"
)

// ReceiptJob sends the receipt of one purchase of units. Fees have none: there are too many.
const ReceiptJob = "billing.mail_receipt"

const accountPath = "/account"

// Receipt is the payload of ReceiptJob.
type Receipt struct {
	UserID   int64 `json:"user_id"`
	ChargeID int64 `json:"charge_id"`
}

// key is the natural key of the receipt, and of its mail.
func (r Receipt) key() string { return fmt.Sprintf("%s:%d", ReceiptJob, r.ChargeID) }

// Bought enqueues a receipt. The ledger calls it in the transaction of the charge, for accounts that want receipts.
func (s *Service) Bought(ctx context.Context, b ledger.Bought) error {
	r := Receipt{UserID: b.UserID, ChargeID: b.ChargeID}
	return s.queue.Enqueue(ctx, jobs.Job{Type: ReceiptJob, Payload: r, TaskID: r.key()}) //nolint:wrapcheck // says what it is
}

// Handler sends receipts.
func (s *Service) Handler() jobs.Handler {
	return jobs.Handler{Type: ReceiptJob, Timeout: mailing.Timeout, Retries: mailing.Retries, Run: func(ctx context.Context, payload []byte) error {
		r, err := jobs.Decode[Receipt](payload)
		if err != nil {
			return err
		}
		p, err := s.store.find(ctx, r.UserID, r.ChargeID)
		if err != nil || p == nil || p.Product == nil {
			return err
		}
		return s.mailer.Send(ctx, r.UserID, r.key(), func(account accountsapi.Account) mailing.Content {
			return email.PurchaseReceipt{
				FullName: account.FullName, Charge: strconv.FormatInt(p.ID, 10), Product: *p.Product, Quantity: strconv.Itoa(p.Quantity),
				Amount: email.USD(int64(p.Amount)), About: about(p), BoughtAt: p.CreatedAt, URL: s.mailer.Page(accountPath),
			}
		})
	}}
}

func about(p *Purchase) string {
	if p.CRD == nil {
		return ""
	}
	return "GP " + *p.CRD
}
