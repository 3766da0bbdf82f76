package email

import "time"

// Mails about the account itself, its trial among it. They cannot be refused.
//
// Spec: not shown; the contents of mails are ours.

// VerifyEmail asks a new user to confirm the address.
type VerifyEmail struct {
	FullName  string `mail:"optional"`
	URL       string // of the page that confirms, with ?token=…
	ExpiresIn string // how long the link works, by Within
}

// Content is the mail.
func (m VerifyEmail) Content() (Content, error) { return ready("verify_email", m) }

// ResetPassword brings the link to whoever has forgotten the password.
type ResetPassword struct {
	FullName  string `mail:"optional"`
	URL       string // of the page that asks for the new password, with ?token=…
	ExpiresIn string // how long the link works, by Within
}

// Content is the mail.
func (m ResetPassword) Content() (Content, error) { return ready("reset_password", m) }

// PasswordChanged warns of a new password, for the case that somebody else has set it.
type PasswordChanged struct {
	FullName  string `mail:"optional"`
	ChangedAt time.Time
	ResetURL  string // of the page that asks for a reset link
}

// Content is the mail.
func (m PasswordChanged) Content() (Content, error) { return ready("password_changed", m) }

// DataExported tells that the export of an account was downloaded, for the case that somebody else did it.
type DataExported struct {
	FullName   string `mail:"optional"`
	ExportedAt time.Time
	ResetURL   string // of the page that asks for a reset link
}

// Content is the mail.
func (m DataExported) Content() (Content, error) { return ready("data_exported", m) }

// AccountDeleted says that the account is gone, and how to get it back.
type AccountDeleted struct {
	FullName     string `mail:"optional"`
	DeletedAt    time.Time
	RecoverURL   string    // of the page, or the operation, that takes address and password
	RecoverUntil time.Time // 30 days after the deletion
}

// Content is the mail.
func (m AccountDeleted) Content() (Content, error) { return ready("account_deleted", m) }

// AccountRecovered says that a deleted account is back, and what is not.
type AccountRecovered struct {
	FullName    string `mail:"optional"`
	RecoveredAt time.Time
	SignInURL   string
	ResetURL    string // of the page that asks for a reset link, should it have been somebody else
}

// Content is the mail.
func (m AccountRecovered) Content() (Content, error) { return ready("account_recovered", m) }

// TrialEnding comes some days before the end of a free trial.
type TrialEnding struct {
	FullName string `mail:"optional"`
	EndsAt   time.Time
	PlansURL string // of the page with plans and prices
}

// Content is the mail.
func (m TrialEnding) Content() (Content, error) { return ready("trial_ending", m) }

// TrialEnded comes when the free plan has taken the trial's place.
type TrialEnded struct {
	FullName string `mail:"optional"`
	EndedAt  time.Time
	PlansURL string // of the page with plans and prices
}

// Content is the mail.
func (m TrialEnded) Content() (Content, error) { return ready("trial_ended", m) }
