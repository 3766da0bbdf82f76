// Package mailingtest provides a mailer for tests, and accounts as recipients.
package mailingtest

import (
	"context"
	"sync"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/billing/internal/mailing"
	"gpatlas/platform/testkit/mailtest"
)

// Base is the public URL in the links of mails.
const Base accountsapi.PublicURL = "https://atlas.example"

// Directory replaces module accounts.
type Directory struct {
	mutex    sync.Mutex
	accounts map[int64]accountsapi.Account
	fault    error
}

// NewDirectory has some accounts.
func NewDirectory(accounts ...accountsapi.Account) *Directory {
	d := &Directory{accounts: map[int64]accountsapi.Account{}}
	for _, a := range accounts {
		d.accounts[a.ID] = a
	}
	return d
}

// Ada is an account with a verified address.
func Ada(id int64) accountsapi.Account {
	return accountsapi.Account{ID: id, Email: "ada@larkspur.example", FullName: "Ada Larkspur", EmailVerified: true}
}

// FindAccount finds an account.
func (d *Directory) FindAccount(_ context.Context, id int64) (accountsapi.Account, bool, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	a, found := d.accounts[id]
	return a, found, d.fault
}

// Put adds an account, or replaces it.
func (d *Directory) Put(a accountsapi.Account) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.accounts[a.ID] = a
}

// Remove deletes an account.
func (d *Directory) Remove(id int64) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	delete(d.accounts, id)
}

// Fail makes every further call return err; nil ends that.
func (d *Directory) Fail(err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.fault = err
}

// Stop is the page that stops mails of category billing.
const Stop = "https://atlas.example/v1/unsubscribe/token"

// Wishes replaces module notifications: the accounts in it want no mails of category billing.
type Wishes map[int64]bool

// Billing implements billingapi.Wishes.
func (w Wishes) Billing(_ context.Context, userID int64) (string, bool, error) {
	return Stop, !w[userID], nil
}

// Managers implements billingapi.Wishes: the catalog lists 900001.
func (Wishes) Managers(context.Context, []string) (map[string]string, error) {
	return map[string]string{"900001": "Harbor Ridge Capital Partners LLC"}, nil
}

// Mailer sends into a capture.
func Mailer(accounts *Directory) (*mailing.Mailer, *mailtest.Capture) {
	capture := mailtest.NewCapture()
	return mailing.NewMailer(accounts, Wishes{}, capture, Base), capture
}
