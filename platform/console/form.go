package console

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gpatlas/platform/apperr"
)

// Kinds of fields: the types of HTML's input.
const (
	Text     = "text"
	Email    = "email"
	Password = "password" // its value is never shown again
	Hidden   = "hidden"
	Checkbox = "checkbox"
	Number   = "number" // a text field: the browser sends any text, and the API reports an invalid number
	Select   = "select"
	Date     = "date"
)

// Field is one field of a form.
type Field struct {
	Name         string // the field's name in the API
	Label        string // "Email address"
	Type         string // Text, Email, Password, Hidden, Checkbox, Number, Select or Date
	Options      []Pair // of a Select: the value that is sent, and its text
	Autocomplete string // HTML's word, for password managers: "current-password"
	Hint         string
	Optional     bool
	Always       bool // it is sent to an operation even if it is optional and empty
	Max          int  // characters

	Value string // the typed value
	Error string // its fault, to follow the label: "is required"
	ID    string // on the page, set by Shown
}

// Options are those of a Select: each value that is sent, followed by its text.
func Options(values ...string) (list []Pair) {
	for i := 0; i+1 < len(values); i += 2 {
		list = append(list, Pair{Name: values[i], Value: values[i+1]})
	}
	return list
}

// Checked reports whether a checkbox was ticked.
func (f Field) Checked() bool { return f.Type == Checkbox && f.Value != "" }

// Form is a form with its typed values and their faults. The zero value of the values is a new form.
type Form struct {
	Action string // path that it is sent to
	Submit string // text of the button
	Fields []Field

	// What forms have that share their page with others.
	Title, Text string // the heading, and a sentence below it
	Danger      bool   // what it does cannot be undone
	// Check returns what an Action refuses before it asks the API; nil checks nothing.
	Check  func(f *Form) error
	Prefix string // of the IDs of its fields on the page, where two forms have fields of one name

	general string // a fault of no single field
}

// Problem is one line of the summary above a form.
type Problem struct {
	Field string // name of the field; "" if it belongs to none
	Text  string
}

// Problems are all faults, for the summary.
func (f *Form) Problems() (list []Problem) {
	if f.general != "" {
		list = append(list, Problem{Text: f.general})
	}
	for _, field := range f.Fields {
		if field.Error != "" {
			list = append(list, Problem{Field: f.Prefix + field.Name, Text: field.Label + " " + field.Error})
		}
	}
	return list
}

// Shown are the fields with their IDs on the page.
func (f *Form) Shown() []Field {
	fields := slices.Clone(f.Fields)
	for i := range fields {
		fields[i].ID = f.Prefix + fields[i].Name
	}
	return fields
}

// Value is the value of a field; "" if there is no such field.
func (f *Form) Value(name string) string {
	if field := f.find(name); field != nil {
		return field.Value
	}
	return ""
}

// Take reads the values of a request, for a service that checks them itself. An error concerns a value that no browser sends;
// it is already in the form.
func (f *Form) Take(r *Request) error {
	return f.take(r, func(*Field) string { return "" })
}

// Read reads the values of a request. An error concerns missing or too long values; it is already in the form.
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
		if field.Type == Checkbox && r.Values.Has(field.Name) && field.Value != "yes" {
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

// Fail puts an error into the form and reports whether a person can act on it. If not, the error is for the error page.
func (f *Form) Fail(err error) bool {
	failure := apperr.From(err)
	switch failure.Kind {
	case apperr.KindInvalid, apperr.KindUnauthenticated, apperr.KindConflict, apperr.KindRateLimited:
	default:
		return false
	}
	placed := false
	for _, fault := range failure.Fields {
		name, _, _ := strings.Cut(strings.ReplaceAll(fault.Field, "[", "."), ".") // an element's fault is the list's
		if field := f.find(name); field != nil && field.Type != Hidden {
			field.Error, placed = fault.Message, true
		}
	}
	if !placed {
		f.general = failure.Message
	}
	return true
}

// Refuse is Fail for the error of an operation that the form was sent to. What the caller may not do, or cannot pay for, is shown in the
// form too, and so is a 404 about something that a field names.
func (f *Form) Refuse(err error) bool {
	failure := apperr.From(err)
	switch failure.Kind {
	case apperr.KindNotFound, apperr.KindForbidden, apperr.KindPaymentRequired, apperr.KindUnprocessable:
		f.general = failure.Message
		return true
	default:
		return f.Fail(err)
	}
}

func (f *Form) find(name string) *Field {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			return &f.Fields[i]
		}
	}
	return nil
}
