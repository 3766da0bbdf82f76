package lplist

import (
	"fmt"
	"math"
	"strings"

	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
	"gpatlas/modules/people/peopleapi"
)

// survey is what a first reading of a list finds out about the whole of it.
type survey struct {
	found    headings
	lps      map[string]bool // their names and states, as bytes; no more than two are kept
	largest  int64           // commitment, were it in dollars
	small    int             // rates that are fractions, if they are not fractions of a percent
	large    int             // rates that are percentages
	anything bool
	sums     sums
}

// fractionMax is the largest rate that looks like a fraction: 150 percent.
const fractionMax = 1.5

func (s *survey) row(row *table.Row) {
	s.anything = true
	s.sums.row(row, s.found[colCommitted].power)
	if len(s.lps) < 2 {
		s.lps[string(row.Cell(colLP))+"\x00"+string(row.Cell(colState))] = true
	}
	if n, err := amount(row.Text(colCommitted), 0); err == nil && n != nil {
		s.largest = max(s.largest, *n)
	}
	if text := row.Text(colIRR); !strings.Contains(text, "%") {
		if f, err := number(text, 0, math.MaxFloat64); err == nil && f != nil && *f != 0 {
			if math.Abs(*f) <= fractionMax {
				s.small++
			} else {
				s.large++
			}
		}
	}
}

// dollarsMin is what the largest commitment of a list in dollars reaches at least.
const dollarsMin = 100_000

// units reports whether the numbers of the column of rates are percentages, and refuses lists with unclear units: a figure
// that is wrong by a factor of a million is worse than none.
func (s *survey) units() (percent bool, err error) {
	if h := s.found[colCommitted]; !h.unitful && s.anything && s.largest < dollarsMin {
		return false, fmt.Errorf("column %q: no unit is named, and no commitment reaches %d dollars; if it is in millions, name it %q", h.text, dollarsMin, h.text+" ($M)")
	}
	h := s.found[colIRR]
	switch {
	case h == nil:
		return false, nil
	case h.percent:
		return true, nil
	case h.text == columns[colIRR].Name, s.large*10 <= s.small: // the normalized form has fractions
		return false, nil
	case s.small <= s.large:
		return true, nil
	default:
		return false, fmt.Errorf("column %q: it cannot be told whether rates are percentages or fractions; if they are percentages, name it %q", h.text, h.text+" (%)")
	}
}

// series is the list's: those of one LP follow one another.
func (s *survey) series(charset value.Charset) string {
	if len(s.lps) != 1 {
		return Name
	}
	for cells := range s.lps {
		lp, state, _ := strings.Cut(cells, "\x00")
		if lp = peopleapi.Key(value.Text([]byte(lp), charset)); lp != "" {
			return strings.TrimSuffix(Name+"/"+lp+", "+value.Text([]byte(state), charset), ", ")
		}
	}
	return Name
}
