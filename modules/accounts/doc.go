// Package accounts knows who a person is and what is theirs: registration, verification, sign-in, sessions, passwords,
// onboarding, deletion and recovery, export, schools; watchlist, collections, saved searches, activity. Tables: schema
// accounts. It may ask the catalogue (searches, and the views that it publishes); others ask it through accountsapi and
// the view accounts.pub_account.
package accounts
