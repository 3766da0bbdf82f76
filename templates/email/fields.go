package email

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"
)

// ready renders a mail after looking at its fields: each must be there unless it is tagged optional, those that end in
// URL must be absolute web addresses (a mail program has no page that a link could be relative to), and other texts are
// made one line. So are the fields of what it lists.
func ready[T any](name string, data T) (Content, error) {
	rule, err := RuleOf(name)
	if err != nil {
		return Content{}, err
	}
	clean := reflect.New(reflect.TypeFor[T]()).Elem()
	clean.Set(reflect.ValueOf(data))
	if err := errors.Join(tidy("", clean)...); err != nil {
		return Content{}, fmt.Errorf("mail %s: %w", name, err)
	}
	subject, text, html, err := Render(name, clean.Interface())
	if err != nil {
		return Content{}, err
	}
	return Content{Subject: subject, Text: text, HTML: html, Category: rule.Category}, nil
}

// tidy cleans the fields of a struct, whose address in the mail is path, and says what is wrong with them.
func tidy(path string, clean reflect.Value) (faults []error) {
	for i := range clean.NumField() {
		field, value := clean.Type().Field(i), clean.Field(i)
		name := path + field.Name
		if value.IsZero() {
			if field.Tag.Get("mail") != "optional" {
				faults = append(faults, fmt.Errorf("%s is empty", name))
			}
			continue
		}
		switch {
		case value.Kind() == reflect.Slice:
			faults = append(faults, tidyList(name, value)...)
		case value.Kind() != reflect.String:
		case strings.HasSuffix(field.Name, "URL"):
			if !absolute(value.String()) {
				// The address may hold a token: it is not repeated.
				faults = append(faults, fmt.Errorf("%s is not an absolute http or https URL", name))
			}
		default:
			value.SetString(oneLine(value.String()))
		}
	}
	return faults
}

// tidyList cleans a copy of a list of strings or structs, for the caller's is not ours to change.
func tidyList(name string, list reflect.Value) (faults []error) {
	clean := reflect.MakeSlice(list.Type(), list.Len(), list.Len())
	reflect.Copy(clean, list)
	list.Set(clean)
	for i := range clean.Len() {
		element := clean.Index(i)
		if element.Kind() == reflect.String {
			element.SetString(oneLine(element.String()))
		} else {
			faults = append(faults, tidy(fmt.Sprintf("%s[%d].", name, i), element)...)
		}
	}
	return faults
}

// absolute tells web addresses that stand in a text as they are.
func absolute(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && !strings.ContainsAny(text, " \t\r\n<>\"")
}
