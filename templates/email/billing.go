package email

import "time"

// Mails about money.
//
// Spec: not shown; the contents of mails are ours.

// SpendingAlert tells that the charges of a month have reached a threshold of the account's spending cap.
type SpendingAlert struct {
	FullName  string `mail:"optional"`
	Threshold string // "80%"; "0%" for the first charge of a month
	Spent     string // by USD
	Cap       string // by USD
	CrossedAt time.Time
	NewMonth  time.Time // when the month's spending is zero again
	URL       string    // of the page of the account
}

// Content is the mail.
func (m SpendingAlert) Content() (Content, error) { return ready("spending_alert", m) }

// SpendingLimit tells that the charges of a month have reached the limit of accounts without a subscription. It is sent once a month.
type SpendingLimit struct {
	FullName  string `mail:"optional"`
	Spent     string // by USD
	Limit     string // by USD
	ReachedAt time.Time
	NewMonth  time.Time // when the month's spending is zero again
	URL       string    // of the page of the plans
}

// Content is the mail.
func (m SpendingLimit) Content() (Content, error) { return ready("spending_limit", m) }

// PurchaseReceipt tells what an account has bought for ever. It can be turned off.
type PurchaseReceipt struct {
	FullName string `mail:"optional"`
	Charge   string // its ID
	Product  string // "roster"
	Quantity string // "3"
	Amount   string // by USD
	About    string `mail:"optional"` // "GP 900001"
	BoughtAt time.Time
	URL      string // of the page of the account
}

// Content is the mail.
func (m PurchaseReceipt) Content() (Content, error) { return ready("purchase_receipt", m) }
