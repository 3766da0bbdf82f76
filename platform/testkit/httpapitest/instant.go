package httpapitest

import (
	"fmt"
	"regexp"
)

var (
	instant   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$`)
	sixDigits = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$`)
)

// IsInstant reports whether a JSON value is the text of an instant, in any format.
func IsInstant(value any) bool {
	text, ok := value.(string)
	return ok && instant.MatchString(text)
}

// Instants returns an instant in a JSON value that is not in UTC with six decimals: only texts of one format sort in the order
// of their times.
func Instants(value any) error {
	switch v := value.(type) {
	case string:
		if IsInstant(v) && !sixDigits.MatchString(v) {
			return fmt.Errorf("the instant %q does not end in six digits and Z", v)
		}
	case []any:
		for i, item := range v {
			if err := Instants(item); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
	case map[string]any:
		for name, item := range v {
			if name == "filters_applied" || name == "query" { // copies of what the caller sent
				continue
			}
			if err := Instants(item); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}
