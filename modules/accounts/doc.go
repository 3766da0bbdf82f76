// Package accounts holds accounts and what belongs to them: registration, verification, sign-in, sessions, passwords,
// onboarding, deletion and recovery, export, schools; watchlist, collections, saved searches, activity. Tables: schema
// accounts. It may read the catalog (searches, and the views that it publishes); other modules read it through accountsapi and
// the view accounts.pub_account.
package accounts
