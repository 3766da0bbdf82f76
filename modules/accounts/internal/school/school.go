// Package school is the school program: students of the graduate classes of certain schools use the service free of charge
// until they graduate, and answer a short survey once a month for it.
package school

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// Eligibility is whether an address qualifies for a school's program. It depends on the address alone, not on registrations.
type Eligibility struct {
	Eligible       bool    `json:"eligible" doc:"Whether a registration with this email address gets the school's tier." example:"true"`
	School         string  `json:"school" doc:"Slug of the school." example:"bschool"`
	SchoolName     string  `json:"school_name" doc:"Name of the school." example:"Business School"`
	GraduationYear *int    `json:"graduation_year" doc:"Year of the graduate class in the email address. Null if it has none." example:"2027"`
	Tier           *string `json:"tier" doc:"Registration tier that the email address gets. Null if it gets none." example:"bschool_student"`
	Reason         *string `json:"reason" enum:"not_a_class_address,graduated" doc:"Reason why it is not eligible. Null if it is eligible." example:"graduated"`
}

// SchemaName is its name in the OpenAPI document.
func (Eligibility) SchemaName() string { return "StudentEligibility" }

// eligibility judges an address by the calendar's year in UTC.
func eligibility(s user.School, address string, now time.Time) Eligibility {
	e := Eligibility{School: s.Slug, SchoolName: s.Name}
	year, ok := s.Year(address)
	reason := "not_a_class_address"
	if ok {
		e.GraduationYear, reason = &year, "graduated"
	}
	if ok && year >= now.UTC().Year() {
		tier := s.Tier()
		e.Eligible, e.Tier = true, &tier
		return e
	}
	e.Reason = &reason
	return e
}

// Month is a calendar month in UTC, by its first day: "2026-11-01".
type Month string

// MonthOf is the month of an instant.
func MonthOf(t time.Time) Month { return monthStarting(begin(t)) }

func begin(t time.Time) time.Time {
	year, month, _ := t.UTC().Date()
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

func monthStarting(t time.Time) Month { return Month(t.Format(time.DateOnly)) }

// before is the beginning of the month before that of an instant. A student who has neither answered nor registered since then
// has missed a whole month.
func before(t time.Time) time.Time { return begin(t).AddDate(0, -1, 0) }

// next is the beginning of the month after the one of an instant.
func next(t time.Time) time.Time { return begin(t).AddDate(0, 1, 0) }

// The limits of answers.
const (
	answersMax   = 50    // answers
	nameMax      = 64    // characters of a question's name
	textMax      = 2000  // characters of a text
	listMax      = 50    // choices of one question
	answersBytes = 32768 // all answers, as JSON
)

// checkAnswers returns answers as they are stored, or all their faults.
//
// Spec: not shown; answers are by the names of questions: a text, a number, true or false, or a list of texts.
func checkAnswers(answers map[string]any) ([]byte, error) {
	var faults []apperr.FieldError
	add := func(field, message string) {
		faults = append(faults, apperr.FieldError{Field: field, Message: message})
	}
	if len(answers) == 0 || len(answers) > answersMax {
		add("answers", fmt.Sprintf("must have 1 to %d answers", answersMax))
		return nil, apperr.Invalid(faults...)
	}
	names := make([]string, 0, len(answers))
	for name := range answers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "" || !isText(name, nameMax) {
			add("answers", fmt.Sprintf("must have names of 1 to %d characters", nameMax))
			continue
		}
		if fault := valueFault(answers[name]); fault != "" {
			add("answers."+name, fault)
		}
	}
	if faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	var encoded bytes.Buffer
	e := json.NewEncoder(&encoded)
	e.SetEscapeHTML(false)
	if err := e.Encode(answers); err != nil {
		return nil, err
	}
	if encoded.Len() > answersBytes {
		return nil, apperr.Invalid(apperr.FieldError{Field: "answers", Message: "are too long"})
	}
	return encoded.Bytes(), nil
}

func valueFault(value any) string {
	switch v := value.(type) {
	case bool:
		return ""
	case float64:
		if math.Abs(v) > httpapi.ExactMax {
			return fmt.Sprintf("must be a number from %d to %d, which JSON represents exactly", -httpapi.ExactMax, httpapi.ExactMax)
		}
		return ""
	case string:
		if !isText(v, textMax) {
			return fmt.Sprintf("must have at most %d characters, and no NUL", textMax)
		}
		return ""
	case []any:
		if len(v) > listMax || slices.ContainsFunc(v, func(item any) bool {
			s, ok := item.(string)
			return !ok || !isText(s, textMax)
		}) {
			return fmt.Sprintf("must be a list of at most %d strings", listMax)
		}
		return ""
	default:
		return "must be a string, a number, true or false, or a list of strings"
	}
}

// isText reports whether a text can be stored: PostgreSQL accepts no NUL.
func isText(s string, most int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsRune(s, 0)
}
