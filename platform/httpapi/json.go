package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"gpatlas/platform/apperr"
)

// maxDepth is the maximum nesting of objects and lists in a body. No operation needs ten; PostgreSQL fails at some thousands.
const maxDepth = 64

// maxValues is the maximum number of values in a body, including names. A value of two bytes takes a hundred in memory, so a
// body within the size limit could take a hundred times its size. No operation needs a thousand.
const maxValues = 10_000

// unmarshal reads a JSON body. A body is parsed twice, to check it as a tree and to fill the input. JSON that parsers interpret
// differently, or cannot keep, is rejected first: otherwise the two results could differ, and so could the stored value from
// the sent one.
func unmarshal(data []byte, v any) *apperr.FieldError {
	var err error
	if _, tree := v.(*any); tree {
		err = checkJSON(data)
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err == nil {
		return nil
	}
	fault := &apperr.FieldError{Field: WholeBody, Message: err.Error()}
	if misfit, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && misfit.Field != "" {
		fault.Field, fault.Message = misfit.Field, "must be of another type"
		switch {
		case misfit.Value == jsonNull:
			fault.Message = "must not be null"
		case misfit.Type == typeOfDollars:
			fault.Message = misfit.Value
		case strings.HasPrefix(misfit.Value, "number"): // its type has been checked, its size has not
			fault.Message = "is a number out of range"
		}
	} else if !strings.HasPrefix(fault.Message, "must ") {
		fault.Message = "is not valid JSON: " + fault.Message
	}
	return fault
}

const jsonNull = "null"

var (
	errUTF8      = errors.New("must be valid UTF-8")
	errNUL       = errors.New(`must not contain the character \u0000`)
	errSurrogate = errors.New(`must not contain half of a surrogate pair, such as \ud800 alone`)
	errDepth     = fmt.Errorf("must not be nested more than %d levels deep", maxDepth)
	errHuge      = errors.New("must not contain a number beyond 64-bit floating point")
	errMany      = fmt.Errorf("must not contain more than %d values", maxValues)
)

// checkJSON rejects what encoding/json accepts: broken UTF-8 and halves of surrogate pairs, which it replaces; NUL, which
// PostgreSQL does not store; a name that occurs twice in one object (some parsers use the first, some the last); and
// depth, numbers and counts of values that later stages cannot handle. Whether the text is JSON at all is found by parsing it.
func checkJSON(data []byte) error {
	if !utf8.Valid(data) {
		return errUTF8
	}
	if err := checkEscapes(data); err != nil {
		return err
	}
	type level struct {
		names map[string]bool // nil in a list
		name  bool            // a name comes next, or the end
	}
	var levels []level
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	for count := 0; ; count++ {
		if count > maxValues {
			return errMany
		}
		token, err := d.Token()
		if err != nil { // the end; or a fault, which parsing will find
			return nil //nolint:nilerr // see above
		}
		top := len(levels) - 1
		if top >= 0 && levels[top].name {
			if name, ok := token.(string); ok {
				if levels[top].names[name] {
					return fmt.Errorf("must not contain the field %q twice in one object", printable(name))
				}
				levels[top].names[name], levels[top].name = true, false
				continue
			}
		} else if top >= 0 && levels[top].names != nil {
			levels[top].name = true // a value is here, or begins
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				levels = append(levels, level{names: map[string]bool{}, name: true})
			case '[':
				levels = append(levels, level{})
			default:
				levels = levels[:top]
			}
			if len(levels) > maxDepth {
				return errDepth
			}
		case json.Number:
			if _, err := strconv.ParseFloat(token.String(), 64); err != nil {
				return errHuge
			}
		}
	}
}

// checkEscapes checks the escapes of a JSON text. A backslash outside a string is found by parsing.
func checkEscapes(data []byte) error {
	for rest := data; ; {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 || at+1 >= len(rest) {
			return nil
		}
		unit, ok := codeUnit(rest[at:])
		if !ok { // an escape of one letter, or a broken one
			rest = rest[at+2:]
			continue
		}
		rest = rest[at+6:]
		switch {
		case unit == 0:
			return errNUL
		case unit >= 0xd800 && unit < 0xdc00:
			if low, ok := codeUnit(rest); !ok || low < 0xdc00 || low > 0xdfff {
				return errSurrogate
			}
			rest = rest[6:]
		case unit >= 0xdc00 && unit <= 0xdfff:
			return errSurrogate
		}
	}
}

// codeUnit reads an escape such as \u00e9 at the beginning of a text.
func codeUnit(text []byte) (uint16, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return uint16(unit), err == nil
}
