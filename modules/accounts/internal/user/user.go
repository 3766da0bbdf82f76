// Package user is the account's row, which every slice of the module reads and writes.
package user

import (
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// User is a row of accounts.users.
type User struct {
	ID                  int64      `gorm:"column:id;primaryKey"`
	Email               string     `gorm:"column:email"`
	EmailKey            string     `gorm:"column:email_key"`
	FullName            string     `gorm:"column:full_name"`
	Company             *string    `gorm:"column:company"`
	JobTitle            *string    `gorm:"column:job_title"`
	UseCase             *string    `gorm:"column:use_case"`
	MarketingConsent    bool       `gorm:"column:marketing_consent"`
	PasswordHash        string     `gorm:"column:password_hash"`
	EmailVerifiedAt     *time.Time `gorm:"column:email_verified_at"`
	Tier                string     `gorm:"column:tier"`
	School              *string    `gorm:"column:school"`
	GraduationYear      *int       `gorm:"column:graduation_year"`
	SubscriptionPlan    string     `gorm:"column:subscription_plan"`
	APITier             string     `gorm:"column:api_tier"`
	APITierSubscribed   bool       `gorm:"column:api_tier_subscribed"`
	TrialEndsAt         *time.Time `gorm:"column:trial_ends_at"`
	TrialNoticedAt      *time.Time `gorm:"column:trial_noticed_at"`
	OnboardingStep      int        `gorm:"column:onboarding_step"`
	OnboardingCompleted bool       `gorm:"column:onboarding_completed"`
	IsAdmin             bool       `gorm:"column:is_admin"`
	CreatedAt           time.Time  `gorm:"column:created_at"`
	UpdatedAt           time.Time  `gorm:"column:updated_at"`
	LastLoginAt         *time.Time `gorm:"column:last_login_at"`
	DeletedAt           *time.Time `gorm:"column:deleted_at"`
}

// TableName is the table with its schema.
func (User) TableName() string { return "accounts.users" }

// Key is the form of an email address by which accounts are found: addresses are compared case-insensitively.
func Key(email string) string { return strings.ToLower(norm.NFKC.String(strings.TrimSpace(email))) }
