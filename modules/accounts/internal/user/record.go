package user

import (
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
)

// Record is an account as its holder reads it.
type Record struct {
	ID               int64      `json:"id" doc:"ID of the account." example:"4711"`
	Email            string     `json:"email" doc:"Email address as registered." example:"ada@larkspur.example"`
	FullName         string     `json:"full_name" doc:"Name of the person." example:"Ada Larkspur"`
	SubscriptionPlan string     `json:"subscription_plan" enum:"free,starter,pro,enterprise" doc:"Access to the web application. Independent of api_tier." example:"pro"`
	APITier          string     `json:"api_tier" enum:"starter,growth,scale" doc:"Rate limits and features of the API. Independent of subscription_plan." example:"starter"`
	EmailVerified    bool       `json:"email_verified" doc:"Whether the email address was verified with the link in the verification email." example:"true"`
	CreatedAt        time.Time  `json:"created_at" doc:"When the account was registered (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	Tier             string     `json:"tier" doc:"Registration tier (<school>_student, student, free_trial) until there is a subscription, then the plan." example:"free_trial"`
	TrialEndsAt      *time.Time `json:"trial_ends_at" doc:"When the free trial ends (UTC). Null if there is no free trial." example:"2026-12-04T09:30:00.000000Z"`
	IsAdmin          bool       `json:"is_admin" doc:"Whether the account has administrator rights." example:"false"`
	Onboarding       Onboarding `json:"onboarding" doc:"Progress of the onboarding."`
}

// SchemaName is its name in the OpenAPI document.
func (Record) SchemaName() string { return "User" }

// Onboarding is the progress of the introduction.
type Onboarding struct {
	Step      int  `json:"step" minimum:"1" maximum:"3" doc:"Current step, 1 to 3. Steps only increase." example:"1"`
	Completed bool `json:"completed" doc:"True from step 3 on, permanently." example:"false"`
}

// Summary is the part of a Record in the response to a login.
type Summary struct {
	ID    int64  `json:"id" doc:"ID of the account." example:"4711"`
	Email string `json:"email" doc:"Email address as registered." example:"ada@larkspur.example"`
	Tier  string `json:"tier" doc:"Registration tier until there is a subscription, then the plan." example:"free_trial"`
}

// SchemaName is its name in the OpenAPI document.
func (Summary) SchemaName() string { return "UserSummary" }

// Record is the account as its holder reads it at an instant: a trial ends on time, even before the daily job has run.
func (u *User) Record(now time.Time) Record {
	return Record{
		ID: u.ID, Email: u.Email, FullName: u.FullName, SubscriptionPlan: auth.PlanNow(u.SubscriptionPlan, u.TrialEndsAt, now), APITier: u.APITier,
		EmailVerified: u.EmailVerifiedAt != nil, CreatedAt: u.CreatedAt.UTC(), Tier: u.Tier, TrialEndsAt: clock.UTC(u.TrialEndsAt),
		IsAdmin: u.IsAdmin, Onboarding: Onboarding{Step: u.OnboardingStep, Completed: u.OnboardingCompleted},
	}
}

// Summary is the part of the record in the response to a login.
func (u *User) Summary() Summary { return Summary{ID: u.ID, Email: u.Email, Tier: u.Tier} }

// Deleted reports whether the account has been deleted; it may still be recovered.
func (u *User) Deleted() bool { return u.DeletedAt != nil }

// ConfirmedName is the name by which mails address the person: none until the address is confirmed, because a person who registers with
// another's address chooses the name.
func (u *User) ConfirmedName() string {
	if u.EmailVerifiedAt == nil {
		return ""
	}
	return u.FullName
}
