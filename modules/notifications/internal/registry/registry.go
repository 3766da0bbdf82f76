// Package registry holds the kinds of mail that the service sends: which of them are enabled, and how many of one kind an
// account gets in a day. Administrators change them, and add kinds with their own texts.
package registry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/platform/apperr"
	"gpatlas/platform/plaintext"
)

// Notification is one kind of mail.
//
// Spec: the record is not shown, except that ids are unique and snake_case.
type Notification struct {
	ID          string     `json:"id" doc:"ID of the notification: unique, in snake_case." example:"activity_digest"`
	Name        string     `json:"name" doc:"Name for administrators." example:"Activity digest"`
	Description string     `json:"description" doc:"What the email says and when it is sent. May be empty." example:"New filings and funds of the GPs on the watchlist."`
	Category    string     `json:"category" enum:"account,billing,activity_digest,market_intel,product" doc:"Category that recipients can refuse. account cannot be refused, and only built-in notifications are of it." example:"activity_digest"`
	Enabled     bool       `json:"enabled" doc:"Whether it is sent. Emails that wait in the queue when it is disabled are not sent." example:"true"`
	MaxPerDay   int        `json:"max_per_day" doc:"Most emails of this kind to one account in a day (UTC)." example:"1"`
	BuiltIn     bool       `json:"built_in" doc:"Whether the service sends it by itself. Built-in notifications cannot be deleted." example:"true"`
	Subject     *string    `json:"subject" doc:"Subject of the email. Null for built-in notifications, whose texts are part of the service." example:"Maintenance on Sunday"`
	Text        *string    `json:"text" doc:"Text of the email. Null for built-in notifications." example:"The service is unavailable on Sunday from 6:00 to 7:00 UTC."`
	CreatedAt   *time.Time `json:"created_at" doc:"When it was created (UTC). Null for built-in notifications that were never changed." example:"2026-11-20T09:30:00.000000Z"`
	UpdatedAt   *time.Time `json:"updated_at" doc:"When it was last changed (UTC). Null if it was never changed." example:"2026-11-20T09:30:00.000000Z"`
	UpdatedBy   *int64     `json:"updated_by" doc:"ID of the administrator's account that changed it last. Null if it was never changed, or if the account no longer exists." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (Notification) SchemaName() string { return "Notification" }

const (
	idMax          = 50
	nameMax        = 100
	descriptionMax = 300
	subjectMax     = 120 // characters; platform/mail accepts 500 bytes
	textMax        = 2_000
	perDayMax      = 100
	// customMax bounds the kinds that administrators add. Together with the maximum lengths it keeps an export small enough to
	// import.
	customMax = 100
)

const (
	idPattern = `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`
	idRule    = "snake_case: lower-case letters and digits in words joined by single underscores, beginning with a letter, 50 characters at most"
)

var snakeCase = regexp.MustCompile(idPattern)

// reserved are the last path segments of the registry's own operations: a kind with such an ID could not be read.
var reserved = []string{"analytics", "export", "import", "stats", "summary", "table", "test"}

// settings are an administrator's values for a kind. Absent values of an entry are filled in before the check.
type settings struct {
	ID, Name, Description, Category string
	Enabled                         bool
	MaxPerDay                       int
	Subject, Text                   *string
}

// clean normalizes texts for storage.
func (s *settings) clean() {
	s.Name, s.Description = strings.TrimSpace(s.Name), strings.TrimSpace(s.Description)
	s.Subject, s.Text = cleaned(s.Subject), cleaned(s.Text)
}

func cleaned(text *string) *string {
	if text == nil {
		return nil
	}
	return new(strings.TrimSpace(strings.ReplaceAll(*text, "\r\n", "\n")))
}

// faults are all faults of a kind, each with its field below at.
func (s *settings) faults(at string) []apperr.FieldError {
	var list []apperr.FieldError
	add := func(field, message string) {
		if message != "" {
			list = append(list, apperr.FieldError{Field: at + field, Message: message})
		}
	}
	add("id", idFault(s.ID))
	add("name", lineFault(s.Name, nameMax))
	if s.Description != "" {
		add("description", lineFault(s.Description, descriptionMax))
	}
	if !slices.Contains(kind.Categories(), s.Category) {
		add("category", "must be one of "+strings.Join(kind.Categories(), ", "))
	}
	if s.MaxPerDay < 1 || s.MaxPerDay > perDayMax {
		add("max_per_day", fmt.Sprintf("must be between 1 and %d", perDayMax))
	}
	own, builtIn := builtIns()[s.ID]
	if !builtIn && s.Category == kind.Account { // mails of category account cannot be refused, so only built-in kinds may have it
		add("category", "must not be account, which is for built-in notifications: they cannot be refused")
	}
	switch {
	case builtIn:
		if s.Category != own.Category && slices.Contains(kind.Categories(), s.Category) {
			add("category", "cannot be changed: "+s.ID+" is built in, and its category is "+own.Category)
		}
		for _, f := range []struct {
			name  string
			value *string
		}{{"subject", s.Subject}, {"text", s.Text}} {
			if f.value != nil {
				add(f.name, "cannot be set: "+s.ID+" is built in, and its text is part of the service")
			}
		}
	case s.Subject == nil:
		add("subject", "is required")
	case s.Text == nil:
		add("text", "is required")
	}
	if !builtIn && s.Subject != nil {
		add("subject", lineFault(*s.Subject, subjectMax))
	}
	if !builtIn && s.Text != nil {
		add("text", textFault(*s.Text))
	}
	return list
}

func idFault(id string) string {
	switch {
	case !snakeCase.MatchString(id) || len(id) > idMax:
		return "must be " + idRule
	case slices.Contains(reserved, id):
		return "is reserved; choose another than " + strings.Join(reserved, ", ")
	}
	return ""
}

func lineFault(text string, most int) string {
	switch {
	case text == "":
		return "must not be empty"
	case utf8.RuneCountInString(text) > most:
		return fmt.Sprintf("must not be longer than %d characters", most)
	}
	return plaintext.LineFault(text)
}

func textFault(text string) string {
	switch {
	case text == "":
		return "must not be empty"
	case utf8.RuneCountInString(text) > textMax:
		return fmt.Sprintf("must not be longer than %d characters", textMax)
	case strings.ContainsAny(text, "\t\r"):
		return "must not contain control characters other than line breaks"
	}
	return plaintext.Fault(text)
}

var (
	errTooMany  = apperr.New(apperr.KindConflict, "The registry has %d notifications besides the built-in ones, which is the maximum; delete one first", customMax)
	errNoChange = apperr.Invalid(apperr.FieldError{Field: "body", Message: "must contain at least one field"})
	errGone     = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
)

func errUnknown(id string) error { return apperr.NotFound("Notification %s not found", id) }

func errTaken(id string) error {
	return apperr.New(apperr.KindConflict, "A notification with the ID %s already exists", id)
}

func errBuiltIn(id string) error {
	return apperr.New(apperr.KindConflict, "%s is built in and cannot be deleted; disable it instead", id)
}

func errAlwaysOn(id string) error {
	return apperr.New(apperr.KindConflict, "%s is of category account and cannot be disabled", id)
}
