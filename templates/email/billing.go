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

	UnsubscribeURL string `mail:"optional"`
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

	UnsubscribeURL string `mail:"optional"`
}

// Content is the mail.
func (m SpendingLimit) Content() (Content, error) { return ready("spending_limit", m) }

// PurchaseReceipt tells what an account has bought for ever since the receipt before.
type PurchaseReceipt struct {
	FullName  string `mail:"optional"`
	Purchases string // "1 purchase", "40 purchases"
	Amount    string // of all, by USD
	First     time.Time
	Last      time.Time
	Lines     []ReceiptLine
	More      string `mail:"optional"` // what is not listed: "3 lines for 12.00 USD"
	URL       string // of the page of the account

	// What requests that are charged each cost in a time, by USD. They are no purchases.
	Fees                 string    `mail:"optional"`
	FeesSince, FeesUntil time.Time `mail:"optional"`

	UnsubscribeURL string `mail:"optional"`
}

// ReceiptLine is what was bought about one manager at one price.
type ReceiptLine struct {
	Manager string // "Harbor Ridge Capital Partners LLC (CRD 900001)", or what else it is about
	What    string // "3 people of the team or alumni"
	Unit    string // price of each, by USD
	Amount  string // by USD
}

// Content is the mail.
func (m PurchaseReceipt) Content() (Content, error) { return ready("purchase_receipt", m) }
