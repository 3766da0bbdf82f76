package gate

import (
	"fmt"

	"gpatlas/modules/catalog/catalogapi"
)

// The limits of rows that another adviser had before: few firms take over several funds or owners of another in one filing.
const (
	takenRows   = 3  // rows that an adviser has new and another one had,
	takenFilers = 5  // of so many advisers,
	takenOf     = 20 // and of more than one in so many
)

// taken reports whether many advisers have rows of other advisers beside their own. Only funds and owners are checked: in other lists, firms of
// one group often state the same rows.
func (l *goneList) taken() bool {
	return (l.is == "funds" || l.is == catalogapi.TableOwners) && l.takers >= takenFilers && l.takers*takenOf > l.filers
}

func (l *goneList) takenReason() string {
	return fmt.Sprintf("%s: the filings of %d of %d advisers have %d rows or more that they did not have before, and other advisers had", l.name, l.takers, l.filers, takenRows)
}
