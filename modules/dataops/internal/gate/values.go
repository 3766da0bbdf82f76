package gate

import (
	"fmt"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// The limits of changed values: from one filing to the next, names, places and kinds change for a few of a hundred advisers, and few amounts
// by more than a factor of three. A column that was shifted, exchanged or written in another unit changes nearly all.
const (
	changedMin = 20 // values,
	changedOf  = 2  // and more than one in so many
)

// Values looks for fields whose values have changed for most advisers or funds.
func Values(changed []catalogapi.ChangedValues) []Finding {
	var fields []string
	for _, c := range changed {
		if c.Changed >= changedMin && c.Changed*changedOf > c.Compared {
			of := ""
			if c.Exempt {
				of = " of exempt advisers"
			}
			fields = append(fields, fmt.Sprintf("%s (%d of %d%s)", c.Field, c.Changed, c.Compared, of))
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return []Finding{{Check: ValuesChanged, Reason: "most values differ from those of the filings before: " + strings.Join(fields, ", ")}}
}
