package gate

import (
	"fmt"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// The limits of changed values: from one filing to the next, names, places and kinds change for a few of a hundred advisers, and few amounts
// by more than a factor of three. A column that was shifted, exchanged or written in another unit changes nearly all.
var (
	changedUsual = changedLimit{20, 2}
	changedOther = map[string]changedLimit{
		"crd":      {5, 20},                                                       // an SEC number belongs to one adviser
		"auditors": {20, 4}, "form_d_file_numbers": {20, 4}, "fund_type": {20, 4}, // no amendment is filed for these alone
	}
)

// changedLimit is how many values are changed at least, and that they are more than one in so many.
type changedLimit struct{ least, of int64 }

// Values looks for fields whose values have changed for most advisers or funds.
func Values(changed []catalogapi.ChangedValues) []Finding {
	var fields []string
	for _, c := range changed {
		limit, other := changedOther[c.Field]
		if !other {
			limit = changedUsual
		}
		if c.Changed >= limit.least && c.Changed*limit.of > c.Compared {
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
	return []Finding{{Check: ValuesChanged, Reason: "too many values differ from those of the filings before: " + strings.Join(fields, ", ")}}
}

// Misdated looks for filings that are dated outside the days that the document's name states.
func Misdated(outside, filings int64) []Finding {
	if outside < misdatedMin || outside*misdatedOf <= filings {
		return nil
	}
	return []Finding{{Check: ValuesChanged, Reason: fmt.Sprintf("%d of its %d filings are dated outside the days in the names of its tables", outside, filings)}}
}

const (
	misdatedMin = 5  // filings,
	misdatedOf  = 20 // and more than one in so many
)
