package gate

import (
	"fmt"
	"math"
)

// lostAgain compares filings that were loaded before with what they had then: a filing does not change. One alone may be corrected.
func lostAgain(table string, rows []int32, filers []Filer, before []*Filed) string {
	had, lost, filings, fell := 0, 0, 0, 0
	for i, f := range before {
		if f == nil || f.FilingID != filers[i].FilingID || f.Rows[table] == 0 {
			continue
		}
		had, filings = had+int(f.Rows[table]), filings+1
		if gone := int(f.Rows[table] - rows[i]); gone > 0 {
			lost, fell = lost+gone, fell+1
		}
	}
	if fell < againFellMin || lost < againLostMin || float64(lost) <= againShare*float64(had) {
		return ""
	}
	return fmt.Sprintf("%s has lost %d of the %d rows that the same %d filings had when they were loaded before", table, lost, had, filings)
}

// lostByAdviser compares the same advisers. One adviser alone may lose all its rows.
func lostByAdviser(table string, rows []int32, before []*Filed) string {
	var had, kept, lostMost, ofHad, ofKept int64 // the last three: of the adviser that lost most
	advisers, fell, rose := 0, 0, 0
	for i, f := range before {
		if f == nil {
			continue
		}
		p := int64(f.Rows[table])
		k := min(p, int64(rows[i]))
		if int64(rows[i]) > p {
			rose++
		}
		if p == 0 {
			continue
		}
		had, kept, advisers = had+p, kept+k, advisers+1
		if k < p {
			fell++
		}
		if p-k > lostMost {
			lostMost, ofHad, ofKept = p-k, p, k
		}
	}
	all := func(lost func(kept, had int64) bool) bool { return lost(kept, had) && lost(kept-ofKept, had-ofHad) }
	third := func(kept, had int64) bool { return kept*keptOf < had*keptParts }
	tenth := func(kept, had int64) bool { return float64(had-kept) > lostShare*float64(had) }
	seventh := func(kept, had int64) bool { return float64(had-kept) > manyLostShare*float64(had) }
	beyondChance := func(kept, had int64) bool {
		usual := lostShare * float64(had)
		return float64(had-kept) > usual+lostErrors*math.Sqrt(usual)
	}
	switch {
	case had >= keptRowsMin && all(third):
	case fell >= fellMin && fell >= fellPerRose*rose && all(beyondChance):
	case had >= manyRowsMin && fell >= manyFellPerRose*rose && float64(fell-rose) >= lostErrors*math.Sqrt(float64(fell+rose)) && all(seventh):
	case fell >= mostFellMin && fell >= mostFellPerRose*rose && 2*fell > advisers && all(tenth):
	default:
		return ""
	}
	return fmt.Sprintf("%s has only %d of the %d rows that the same %d advisers had in their filings before", table, kept, had, advisers)
}

// lostByFiling compares the mean of rows per filing with that of the series, by its standard error.
func lostByFiling(table string, rows []int32, series Spread) string {
	if series.Rows == 0 || len(rows) == 0 {
		return ""
	}
	now := spreadOf(rows)
	mean, usual, least := now.mean(), series.mean(), series.mean()*varianceLeast
	variance := max(series.variance(), least)
	deviation := math.Sqrt(variance/float64(series.Filings) + max(variance, now.variance())/float64(now.Filings))
	if mean >= usual*meanOf || usual-mean < meanErrors*deviation {
		return ""
	}
	return fmt.Sprintf("%s has %.2f rows for each of its %d filings; earlier documents of the series had %.2f", table, mean, len(rows), usual)
}
