// Package accounts knows who a person is: registration, verification, sign-in, sessions, passwords, onboarding, deletion
// and recovery, export, schools. Tables: schema accounts. It asks no module; others ask it through accountsapi and the
// view accounts.pub_account.
package accounts
