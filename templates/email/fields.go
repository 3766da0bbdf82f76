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
// made one line.
func ready[T any](name string, data T) (Content, error) {
	clean := reflect.New(reflect.TypeFor[T]()).Elem()
	clean.Set(reflect.ValueOf(data))
	var faults []error
	for i := range clean.NumField() {
		field, value := clean.Type().Field(i), clean.Field(i)
		if value.IsZero() {
			if field.Tag.Get("mail") != "optional" {
				faults = append(faults, fmt.Errorf("mail %s: %s is empty", name, field.Name))
			}
			continue
		}
		switch {
		case value.Kind() != reflect.String:
		case strings.HasSuffix(field.Name, "URL"):
			if !absolute(value.String()) {
				// The address may hold a token: it is not repeated.
				faults = append(faults, fmt.Errorf("mail %s: %s is not an absolute http or https URL", name, field.Name))
			}
		default:
			value.SetString(oneLine(value.String()))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return Content{}, err
	}
	subject, text, html, err := Render(name, clean.Interface())
	if err != nil {
		return Content{}, err
	}
	return Content{Subject: subject, Text: text, HTML: html}, nil
}

// absolute tells web addresses that stand in a text as they are.
func absolute(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") && !strings.ContainsAny(text, " \t\r\n<>\"")
}
