// Package register makes accounts.
package register

import (
	"strings"
	"unicode/utf8"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/plaintext"
)

// The longest texts of a form, in characters.
const (
	nameMax = 200
	textMax = 500
)

// Form is the data of a registration.
type Form struct {
	Email            string
	Password         string
	FullName         string
	Company          string // "" = not stated, as for the others
	JobTitle         string
	UseCase          string
	MarketingConsent bool
}

// clean trims the fields; the password stays as it is.
func (f Form) clean() Form {
	f.Email, f.FullName = strings.TrimSpace(f.Email), strings.TrimSpace(f.FullName)
	f.Company, f.JobTitle, f.UseCase = strings.TrimSpace(f.Company), strings.TrimSpace(f.JobTitle), strings.TrimSpace(f.UseCase)
	return f
}

// faults returns all faults of a clean form.
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
		add("full_name", textFault(f.FullName, nameMax, plaintext.LineFault))
	}
	add("company", textFault(f.Company, nameMax, plaintext.LineFault))
	add("job_title", textFault(f.JobTitle, nameMax, plaintext.LineFault))
	add("use_case", textFault(f.UseCase, textMax, plaintext.Fault))
	return list
}

// textFault reports why a text is rejected, or "". Names go into mails and lists, where a line break could be an attack. An
// empty text is valid.
func textFault(text string, most int, fault func(string) string) string {
	switch {
	case text == "":
		return ""
	case utf8.RuneCountInString(text) > most:
		return "is too long"
	}
	return fault(text)
}
