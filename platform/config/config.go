// Package config reads every setting of the service from the environment, once, at the start. Each package with settings
// declares them as a struct with `env` tags and a Validate method; numbers and durations have `min` and `max` tags if they have
// limits. The command combines those structs in one, whose fields are its sections, and passes it to Load. No other code reads
// the environment.
package config

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Fault is one invalid setting.
type Fault struct {
	Name    string // the environment variable
	Message string
}

// String names the variable, then its fault.
func (f Fault) String() string { return f.Name + ": " + f.Message }

// Error is all faults of the settings, in the order of their declaration.
type Error struct{ Faults []Fault }

// Error is one line for one fault; several are listed, a line each.
func (e *Error) Error() string {
	if len(e.Faults) == 1 {
		return "wrong setting " + e.Faults[0].String()
	}
	lines := make([]string, 0, len(e.Faults)+1)
	lines = append(lines, fmt.Sprintf("%d settings are invalid:", len(e.Faults)))
	for _, fault := range e.Faults {
		lines = append(lines, "  "+fault.String())
	}
	return strings.Join(lines, "\n")
}

// Load fills target, a pointer to a struct of sections, from an environment ("NAME=value" lines) and validates each section
// that has a Validate method. All faults are returned together, as an *Error.
func Load(environ []string, target any) error {
	return load(environ, target, func(string) bool { return true })
}

// LoadFor is Load for a command that does not need some settings: faults of variables for which wants returns false are left
// out.
func LoadFor(environ []string, target any, wants func(name string) bool) error {
	return load(environ, target, wants)
}

func load(environ []string, target any, wants func(string) bool) error {
	vars := env.ToMap(environ)
	var faults []Fault
	add := func(f Fault) {
		known := slices.ContainsFunc(faults, func(g Fault) bool { return g.Name == f.Name })
		if !known && wants(f.Name) {
			faults = append(faults, f)
		}
	}
	for _, s := range sections(target) {
		err := env.ParseWithOptions(s.value.Addr().Interface(), env.Options{Environment: vars, Prefix: s.prefix})
		if agg, ok := errors.AsType[env.AggregateError](err); ok {
			for _, e := range agg.Errors {
				add(s.parseFault(e, vars))
			}
		} else if err != nil {
			return err
		}
		for _, v := range s.variables() {
			if !v.inRange() {
				add(Fault{v.name, fmt.Sprintf("%q is not %s", vars[v.name], v.allowed())})
			}
		}
		if v, ok := reflect.TypeAssert[interface{ Validate() error }](s.value.Addr()); ok {
			for _, e := range flatten(v.Validate()) {
				add(s.validationFault(e))
			}
		}
	}
	if len(faults) > 0 {
		return &Error{Faults: faults}
	}
	return nil
}

// section is one package's settings: a field of the target.
type section struct {
	name   string
	prefix string
	value  reflect.Value
}

func sections(target any) []section { return sectionsOf(reflect.ValueOf(target).Elem()) }

// sectionsOf treats an embedded struct as further sections.
func sectionsOf(root reflect.Value) []section {
	var list []section
	for i := range root.NumField() {
		switch field := root.Type().Field(i); {
		case field.Type.Kind() != reflect.Struct || !field.IsExported():
		case field.Anonymous:
			list = append(list, sectionsOf(root.Field(i))...)
		default:
			list = append(list, section{name: field.Name, prefix: field.Tag.Get("envPrefix"), value: root.Field(i)})
		}
	}
	return list
}

// variable is one setting of a section.
type variable struct {
	name  string // of the environment variable
	value string // the default
	field reflect.StructField
	owner reflect.Type
	now   reflect.Value // the field's content
}

func (s section) variables() []variable { return variables(s.value, s.prefix) }

func variables(root reflect.Value, prefix string) []variable {
	var list []variable
	for field := range root.Type().Fields() {
		key, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		switch now := root.FieldByIndex(field.Index); {
		case !field.IsExported() || key == "-":
		case key != "":
			list = append(list, variable{prefix + key, field.Tag.Get("envDefault"), field, root.Type(), now})
		case field.Type.Kind() == reflect.Struct:
			list = append(list, variables(now, prefix+field.Tag.Get("envPrefix"))...)
		}
	}
	return list
}

// inRange reports whether a number or a duration is within the `min` and `max` tags of its field.
func (v variable) inRange() bool {
	least, most := v.field.Tag.Get("min"), v.field.Tag.Get("max")
	now := v.number(fmt.Sprint(v.now.Interface()))
	return (least == "" || now >= v.number(least)) && (most == "" || now <= v.number(most))
}

// number parses a value of the variable's type. A text that is no number, which only a tag could hold, is in no range.
func (v variable) number(text string) float64 {
	if v.field.Type == reflect.TypeFor[time.Duration]() {
		if d, err := time.ParseDuration(text); err == nil {
			return float64(d)
		}
		return math.NaN()
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// allowed describes the valid values: the `allowed` tag, or the type and the range; "" if the type's own parser has a better
// message.
func (v variable) allowed() string {
	if text := v.field.Tag.Get("allowed"); text != "" {
		return text
	}
	text := kindName(v.field.Type)
	switch least, most := v.field.Tag.Get("min"), v.field.Tag.Get("max"); {
	case least != "" && most != "":
		text += " from " + least + " to " + most
	case least != "":
		text += " of " + least + " or more"
	}
	if v.field.Type == reflect.TypeFor[time.Duration]() {
		text += `, such as "30s" or "5m"`
	}
	return text
}

// parseFault rewrites a parser's error: which variable, its value, and what is allowed.
func (s section) parseFault(err error, vars map[string]string) Fault {
	if e, ok := errors.AsType[env.ParseError](err); ok {
		for _, v := range s.variables() {
			if v.field.Name == e.Name {
				if allowed := v.allowed(); allowed != "" {
					return Fault{v.name, fmt.Sprintf("%q is not %s", vars[v.name], allowed)}
				}
				return Fault{v.name, fmt.Sprintf("%q is invalid: %v", vars[v.name], e.Err)}
			}
		}
	}
	if e, ok := errors.AsType[env.VarIsNotSetError](err); ok {
		return Fault{e.Key, "is not set"}
	}
	if e, ok := errors.AsType[env.EmptyVarError](err); ok {
		return Fault{e.Key, "is empty"}
	}
	return Fault{s.name, err.Error()}
}

// kindName describes the valid values of a type; "" if its own parser has a better message.
func kindName(t reflect.Type) string {
	switch {
	case reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return ""
	case t == reflect.TypeFor[time.Duration]():
		return "a duration"
	case t.Kind() == reflect.Bool:
		return `"true" or "false"`
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return "a whole number"
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return "a whole number, not negative"
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		return "a number"
	case t.Kind() == reflect.Slice:
		return "a list separated by commas"
	default:
		return ""
	}
}

// validationFault parses "NAME: what is wrong", the format of errors of Validate methods.
func (s section) validationFault(err error) Fault {
	text := err.Error()
	for _, v := range s.variables() {
		if after, ok := strings.CutPrefix(text, v.name); ok && strings.HasPrefix(after, ": ") {
			return Fault{v.name, after[2:]}
		}
	}
	return Fault{s.name, text}
}

// flatten splits joined errors.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var list []error
	for _, e := range joined.Unwrap() {
		list = append(list, flatten(e)...)
	}
	return list
}
