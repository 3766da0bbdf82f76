package console

import (
	"fmt"
	"unicode/utf8"

	"gpatlas/platform/apperr"
)

// Kinds of fields, as HTML's input has them.
const (
	Text     = "text"
	Email    = "email"
	Password = "password" // its value is never shown again
	Hidden   = "hidden"
	Checkbox = "checkbox"
)

// Field is one field of a form.
type Field struct {
	Name         string // as the API calls it
	Label        string // "Email address"
	Type         string // Text, Email, Password, Hidden or Checkbox
	Autocomplete string // HTML's word, for password managers: "current-password"
	Hint         string
	Optional     bool
	Max          int // characters

	Value string // as it was typed
	Error string // what is wrong with it, after its label: "is required"
}

// Checked says whether a checkbox was ticked.
func (f Field) Checked() bool { return f.Type == Checkbox && f.Value != "" }

// Form is a form with what was typed into it and what is wrong with that. The zero value of what was typed is a new form.
type Form struct {
	Action string // path that it is sent to
	Submit string // text of the button
	Fields []Field

	general string // a fault of no single field
}

// Problem is one line of the summary above a form.
type Problem struct {
	Field string // name of the field; "" where it is none's
	Text  string
}

// Problems is everything that is wrong, for the summary.
func (f *Form) Problems() (list []Problem) {
	if f.general != "" {
		list = append(list, Problem{Text: f.general})
	}
	for _, field := range f.Fields {
		if field.Error != "" {
			list = append(list, Problem{Field: field.Name, Text: field.Label + " " + field.Error})
		}
	}
	return list
}

// Value is what a field holds; "" where there is no such field.
func (f *Form) Value(name string) string {
	if field := f.find(name); field != nil {
		return field.Value
	}
	return ""
}

// Take takes the values of a request, for a service that finds all that is wrong with them. An error is about a value that
// no browser sends; it is already in the form.
func (f *Form) Take(r *Request) error {
	return f.take(r, func(*Field) string { return "" })
}

// Read takes the values of a request. An error is about what is missing or too long; it is already in the form.
func (f *Form) Read(r *Request) error {
	return f.take(r, func(field *Field) string {
		switch {
		case field.Value == "" && !field.Optional:
			return "is required"
		case field.Max > 0 && utf8.RuneCountInString(field.Value) > field.Max:
			return fmt.Sprintf("must have at most %d characters", field.Max)
		}
		return ""
	})
}

func (f *Form) take(r *Request, check func(*Field) string) error {
	var faults []apperr.FieldError
	for i := range f.Fields {
		field := &f.Fields[i]
		field.Value = r.Value(field.Name)
		fault := check(field)
		if field.Type == Checkbox && field.Value != "" && field.Value != "yes" {
			field.Value, fault = "", "must be yes, or absent"
		}
		if fault != "" {
			faults = append(faults, apperr.FieldError{Field: field.Name, Message: fault})
		}
	}
	if faults == nil {
		return nil
	}
	err := apperr.Invalid(faults...)
	f.Fail(err)
	return err
}

// Fail puts an error into the form and says whether a person can do something about it. If not, the error is for the error
// page.
func (f *Form) Fail(err error) bool {
	failure := apperr.From(err)
	switch failure.Kind {
	case apperr.KindInvalid, apperr.KindUnauthenticated, apperr.KindConflict, apperr.KindRateLimited:
	default:
		return false
	}
	placed := false
	for _, fault := range failure.Fields {
		if field := f.find(fault.Field); field != nil && field.Type != Hidden {
			field.Error, placed = fault.Message, true
		}
	}
	if !placed {
		f.general = failure.Message
	}
	return true
}

func (f *Form) find(name string) *Field {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}
