package gate

import (
	"fmt"
	"math"
	"strings"
)

// lostDue looks for filings whose answers require rows that are not there. It needs no earlier filing.
func lostDue(d Due, tables map[string][]int32, filings int) string {
	due, without := 0, 0
	for i := range filings {
		if !d.Filings[i] {
			continue
		}
		due++
		none := true
		for _, table := range d.Tables {
			of, there := tables[table]
			if !there {
				return "" // it says nothing of any filing
			}
			none = none && of[i] == 0
		}
		if none {
			without++
		}
	}
	usual := dueShare * float64(due)
	if without < dueMin || float64(without) <= usual+dueErrors*math.Sqrt(usual) {
		return ""
	}
	return fmt.Sprintf("%s: %d of the %d filings that %s have no rows", strings.Join(d.Tables, " and "), without, due, d.Why)
}
