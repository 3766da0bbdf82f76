package gate

import (
	"fmt"
	"math"
	"slices"
)

// lostAgain compares filings that were loaded before with what they had then: a filing does not change. One alone may be corrected,
// but it does not lose all of many rows.
func lostAgain(table string, rows []int32, filers []Filer, before []*Filed) string {
	had, lost, filings, fell, lostAll := 0, 0, 0, 0, false
	for i, f := range before {
		if f == nil || f.FilingID != filers[i].FilingID || f.Rows[table] == 0 {
			continue
		}
		had, filings = had+int(f.Rows[table]), filings+1
		if gone := int(f.Rows[table] - rows[i]); gone > 0 {
			lost, fell = lost+gone, fell+1
			lostAll = lostAll || rows[i] == 0 && gone >= keptRowsMin
		}
	}
	if !lostAll && (fell < againFellMin || lost < againLostMin || float64(lost) <= againShare*float64(had)) {
		return ""
	}
	return fmt.Sprintf("%s has lost %d of the %d rows that the same %d filings had when they were loaded before", table, lost, had, filings)
}

// lostByAdviser compares the same advisers. One adviser alone may lose all its rows, unless they are a third of a large table.
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
	case had >= keptRowsMin && all(third), had >= oneRowsMin && third(kept, had):
	case had-kept >= someLostMin && kept*someOf < had*someParts && had-kept-lostMost >= othersLostMin:
	case fell >= fellMin && fell >= fellPerRose*rose && all(beyondChance):
	case had >= manyRowsMin && fell >= manyFellPerRose*rose && float64(fell-rose) >= lostErrors*math.Sqrt(float64(fell+rose)) && all(seventh):
	case fell >= mostFellMin && fell >= mostFellPerRose*rose && 2*fell > advisers && all(tenth):
	default:
		return ""
	}
	return fmt.Sprintf("%s has only %d of the %d rows that the same %d advisers had in their filings before", table, kept, had, advisers)
}

// lostByFiling compares the mean of rows per filing with that of the series, by its standard error.
func lostByFiling(table string, now, series Spread) string {
	if !fewer(now, series) {
		return ""
	}
	return fmt.Sprintf("%s has %.2f rows for each of its %d filings; earlier documents of the series had %.2f", table, now.mean(), now.Filings, series.mean())
}

// fewer reports whether the mean of rows per filing is far below the usual one.
func fewer(now, usual Spread) bool {
	if usual.Rows == 0 || now.Filings == 0 {
		return false
	}
	least := usual.mean() * varianceLeast
	variance := max(usual.variance(), least)
	deviation := math.Sqrt(variance/float64(usual.Filings) + max(variance, now.variance())/float64(now.Filings))
	return now.mean() < usual.mean()*meanOf && usual.mean()-now.mean() >= meanErrors*deviation
}

// fewNotices compares the number of notices with those of the earlier sets of Form D. A set covers a quarter; the newest one may not have
// reached its end.
func fewNotices(g *Filers, series []Counted) string {
	if g.Named() || len(series) == 0 || len(g.Filers) == 0 {
		return ""
	}
	byDay := func(a, b Filer) int { return a.Submitted.Compare(b.Submitted) }
	days := slices.MaxFunc(g.Filers, byDay).Submitted.Sub(slices.MinFunc(g.Filers, byDay).Submitted).Hours()/24 + 1
	var earlier []int64
	for _, d := range series {
		notices := int64(0)
		for table := range g.Tables {
			notices = max(notices, d.Spreads[table].Filings)
		}
		earlier = append(earlier, notices)
	}
	slices.Sort(earlier)
	usual := float64(earlier[len(earlier)/2]) * min(1, days/quarterDays)
	if usual < noticesMin || 2*float64(len(g.Filers)) >= usual {
		return ""
	}
	return fmt.Sprintf("it has %d notices of %.0f days; in so many days, half of the earlier sets had %.0f or more", len(g.Filers), days, usual)
}
