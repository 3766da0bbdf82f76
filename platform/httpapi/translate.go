package httpapi

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"
)

var errDate = errors.New("must be a date such as 2026-01-31")

// ErrNoDay rejects the zero time, which internally means that nothing was sent.
var ErrNoDay = errors.New("must not be 0001-01-01, which programs send for an unset date; leave it out instead")

// instantRule is what an Instant must be, after "must be ".
const instantRule = "a timestamp such as 2026-01-31T06:00:00Z, or a date such as 2026-01-31"

var errInstant = errors.New("must be " + instantRule)

// translateMessages restates huma's validation messages as what the caller should send.
func translateMessages() {
	validation.MsgUnexpectedProperty = unknownField
	validation.MsgExpectedRequiredProperty = requiredPrefix + "%s"
	validation.MsgExpectedBoolean = "must be true or false"
	validation.MsgExpectedNumber = "must be a number"
	validation.MsgExpectedInteger = "must be a whole number"
	validation.MsgExpectedString = "must be a string"
	validation.MsgExpectedArray = "must be a list"
	validation.MsgExpectedObject = "must be an object"
	validation.MsgExpectedArrayItemsUnique = "must not repeat an item"
	validation.MsgExpectedOneOf = "must be one of %s"
	validation.MsgExpectedConst = "must be %v"
	validation.MsgExpectedMinimumNumber = "must be at least %v"
	validation.MsgExpectedExclusiveMinimumNumber = "must be more than %v"
	validation.MsgExpectedMaximumNumber = "must be at most %v"
	validation.MsgExpectedExclusiveMaximumNumber = "must be less than %v"
	validation.MsgExpectedNumberBeMultipleOf = "must be a multiple of %v"
	validation.MsgExpectedMinLength = "must have at least %d characters"
	validation.MsgExpectedMaxLength = "must have at most %d characters"
	validation.MsgExpectedBePattern = "must be %s"
	validation.MsgExpectedMatchPattern = "must match %s"
	validation.MsgExpectedMinItems = "must have at least %d items"
	validation.MsgExpectedMaxItems = "must have at most %d items"
	validation.MsgExpectedRFC3339DateTime = "must be a timestamp such as 2026-01-31T12:00:00Z"
	validation.MsgExpectedRFC3339Date = errDate.Error()
	validation.MsgExpectedRFC5322Email = "must be an email address (%v)"
	validation.MsgExpectedRFC4122UUID = "must be a UUID (%v)"
	validation.MsgExpectedRFC3986URI = "must be a URI (%v)"
	validation.MsgExpectedMatchAtLeastOneSchema = "does not match any of the allowed forms"
	validation.MsgExpectedMatchExactlyOneSchema = "does not match exactly one of the allowed forms"
}

const requiredPrefix = "is required: "

// several finds a limit of one with a plural noun: huma inserts any number into the messages above.
var several = regexp.MustCompile(`^(must have (?:at least|at most)) 1 (character|item)s$`)

func singular(sentence string) string { return several.ReplaceAllString(sentence, "$1 1 $2") }

// rule describes what a schema accepts, or "" if it has no rule.
func rule(s *huma.Schema) string {
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprint(v)
		}
		return "must be one of " + strings.Join(words, ", ")
	}
	switch s.Type {
	case huma.TypeInteger:
		return "must be a whole number" + bounds(s.Minimum, s.Maximum)
	case huma.TypeNumber:
		return "must be a number" + bounds(s.Minimum, s.Maximum)
	case huma.TypeBoolean:
		return "must be true or false"
	case huma.TypeArray:
		if s.Items != nil && s.Items.Type != huma.TypeArray {
			if r := rule(s.Items); r != "" {
				return "each item " + r
			}
		}
		return ""
	case huma.TypeString:
		return stringRule(s)
	}
	return ""
}

func stringRule(s *huma.Schema) string {
	switch {
	case s.PatternDescription != "":
		return "must be " + s.PatternDescription
	case s.Format == "date":
		return errDate.Error()
	case s.MinLength != nil && s.MaxLength != nil:
		return fmt.Sprintf("must have %d to %d characters", *s.MinLength, *s.MaxLength)
	case s.MinLength != nil:
		return singular(fmt.Sprintf("must have at least %d characters", *s.MinLength))
	case s.MaxLength != nil:
		return singular(fmt.Sprintf("must have at most %d characters", *s.MaxLength))
	}
	return ""
}

func bounds(low, high *float64) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	switch {
	case low != nil && high != nil:
		return " from " + number(*low) + " to " + number(*high)
	case low != nil:
		return ", at least " + number(*low)
	case high != nil:
		return ", at most " + number(*high)
	}
	return ""
}

func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
