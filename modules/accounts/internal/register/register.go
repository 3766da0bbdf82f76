// Package register makes accounts.
package register

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
)

// VerificationJob sends the mail that verifies an address.
const VerificationJob = "accounts.send_verification"

// VerificationPayload is the payload of VerificationJob.
type VerificationPayload struct {
	UserID int64 `json:"user_id"`
}

// The longest texts of a form, in characters.
const (
	nameMax = 200
	textMax = 500
)

// Form is what a person registers with.
type Form struct {
	Email            string
	Password         string
	FullName         string
	Company          string // "" = not said, as for the others
	JobTitle         string
	UseCase          string
	MarketingConsent bool
}

// clean takes away the spaces around what people type; the password stays as it is.
func (f Form) clean() Form {
	f.Email, f.FullName = strings.TrimSpace(f.Email), strings.TrimSpace(f.FullName)
	f.Company, f.JobTitle, f.UseCase = strings.TrimSpace(f.Company), strings.TrimSpace(f.JobTitle), strings.TrimSpace(f.UseCase)
	return f
}

// faults says everything that is wrong with a clean form.
func (f Form) faults() []apperr.FieldError {
	var list []apperr.FieldError
	add := func(field, message string) {
		if message != "" {
			list = append(list, apperr.FieldError{Field: field, Message: message})
		}
	}
	add("email", user.EmailFault(f.Email))
	add("password", password.Fault(f.Password, f.Email))
	if f.FullName == "" {
		add("full_name", "is required")
	} else {
		add("full_name", textFault(f.FullName, nameMax, false))
	}
	add("company", textFault(f.Company, nameMax, false))
	add("job_title", textFault(f.JobTitle, nameMax, false))
	add("use_case", textFault(f.UseCase, textMax, true))
	return list
}

// textFault says why a text cannot be kept, or "". Names go into mails and lists: a line break there is somebody's trick.
func textFault(text string, most int, lines bool) string {
	switch {
	case !utf8.ValidString(text):
		return "must be valid UTF-8"
	case utf8.RuneCountInString(text) > most:
		return "is too long"
	case strings.ContainsFunc(text, func(r rune) bool {
		return r == '\u2028' || r == '\u2029' || unicode.IsControl(r) && (!lines || r != '\n' && r != '\r' && r != '\t')
	}):
		return "must not contain control characters"
	}
	return ""
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
