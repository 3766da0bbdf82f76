package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

const (
	bareFilings = 100 // filings of a first document that prove something where a table has no row for any of them
	thinnedRows = 8   // rows that an adviser rarely loses at once
	// Few exempt advisers have anything to disclose, so their tables of disclosures may be empty.
	rarelyFilled = "era_drp_"
	gainedMin    = 5 // advisers that gain rows together
)

// Doubts looks for rows that may be missing although nothing stops the document: from a table of the first document of a series,
// which nothing can be compared with; from an earlier document, as this one shows; or from one adviser. gone are rows that advisers
// had, and have no more.
func Doubts(filed []Filers, known Known, series []Counted, gone ...catalogapi.LostRows) []Finding {
	var reasons []string
	add := func(reason string) {
		if reason != "" {
			reasons = append(reasons, reason)
		}
	}
	var bare []string
	for _, g := range filed {
		before := g.before(known)
		runs := g.runs(before)
		for _, table := range slices.Sorted(maps.Keys(g.Tables)) {
			rows := g.Tables[table]
			now := spreadOf(rows)
			if now.Rows == 0 && now.Filings >= bareFilings && total(series, table).Filings == 0 && !strings.HasPrefix(table, rarelyFilled) {
				bare = append(bare, table)
			}
			add(lackedByFiling(table, now, series))
			if g.Named() {
				if r := runs[table]; r.doubtful() {
					add(r.reason(table))
				}
				add(lackedByAdviser(table, rows, g.Filers, before))
				add(thinnedAdvisers(table, rows, g.Filers, before))
			}
		}
	}
	for _, l := range listsOf(gone) {
		if !l.lost() && l.doubtful() {
			add(l.reason())
		}
	}
	add(replaced(gone))
	add(exchanged(gone))
	if len(bare) > 0 {
		add("it is the first of its series, and has no rows for any of its filings in " + list(bare))
	}
	if len(reasons) == 0 {
		return nil
	}
	return []Finding{{Check: RowsDoubtful, Reason: strings.Join(reasons, "; ") + ". If rows are missing, load the whole document again"}}
}

// lackedByFiling looks for an earlier document with far fewer rows per filing than all others, now that this one is known. What was
// seen before is not repeated.
func lackedByFiling(table string, now Spread, series []Counted) string {
	var lacking []string
	all := total(series, table)
	for _, d := range series {
		others := all.without(d.Spreads[table])
		if !fewer(d.Spreads[table], others) && fewer(d.Spreads[table], others.Add(now)) {
			lacking = append(lacking, fmt.Sprintf("%s (%.2f)", d.Document, d.Spreads[table].mean()))
		}
	}
	if len(lacking) == 0 {
		return ""
	}
	return fmt.Sprintf("%s has %.2f rows per filing, and far fewer in earlier documents: %s", table, now.mean(), list(lacking))
}

// lackedByAdviser looks for advisers that had far fewer rows in their filings before, as if a part of an earlier table were missing, or rows of
// others had been added to this one.
func lackedByAdviser(table string, rows []int32, filers []Filer, before []*Filed) string {
	var has, had, rose, ofHas, ofHad int64 // the last two: of the adviser that gained most
	advisers, gained := 0, 0
	for i, f := range before {
		if f == nil || f.FilingID == filers[i].FilingID || rows[i] == 0 {
			continue
		}
		n, p := int64(rows[i]), min(int64(f.Rows[table]), int64(rows[i]))
		has, had, advisers = has+n, had+p, advisers+1
		if n > p {
			gained++
		}
		if n-p > rose {
			rose, ofHas, ofHad = n-p, n, p
		}
	}
	third := func(kept, had int64) bool { return kept*keptOf < had*keptParts }
	if has < keptRowsMin || gained < gainedMin || !third(had, has) || !third(had-ofHad, has-ofHas) {
		return ""
	}
	return fmt.Sprintf("%s has %d rows of %d advisers, of which their filings before had only %d: rows are missing there, or too many are here", table, has, advisers, had)
}

// thinnedAdvisers names advisers that have lost many rows. A list that lost a part cannot be
// distinguished from a list that really changed.
func thinnedAdvisers(table string, rows []int32, filers []Filer, before []*Filed) string {
	var crds []string
	for i, f := range before {
		if f != nil && f.Rows[table]-rows[i] >= thinnedRows && lostMany(rows[i], f, table) {
			crds = append(crds, fmt.Sprintf("CRD %s (%d rows, %d before)", filers[i].CRD, rows[i], f.Rows[table]))
		}
	}
	if len(crds) == 0 {
		return ""
	}
	return fmt.Sprintf("%s has far fewer rows of advisers that had many: %s", table, list(crds))
}

// replaced names advisers that have lost many rows, even if they have new ones: disclosures, owners and funds rarely change at once.
func replaced(gone []catalogapi.LostRows) string {
	var crds []string
	for _, l := range gone {
		if l.Gone >= thinnedRows && l.Gone*manyOf >= l.Had*(manyOf-manyParts) {
			crds = append(crds, fmt.Sprintf("CRD %s (%d of %d, %s)", l.CRD, l.Gone, l.Had, listName.Replace(l.List)))
		}
	}
	if len(crds) == 0 {
		return ""
	}
	return "rows are gone that filings had before: " + list(crds)
}

// exchangedMin is how many rows a list has at least that is recognized under another adviser.
const exchangedMin = 3

// exchanged names advisers whose whole list is gone and stands under others, as if FilingIDs were exchanged.
func exchanged(gone []catalogapi.LostRows) string {
	var crds []string
	for _, l := range gone {
		if l.Had >= exchangedMin && l.Gone == l.Had && 2*l.Elsewhere > l.Had {
			crds = append(crds, fmt.Sprintf("CRD %s (%d of %d, %s)", l.CRD, l.Elsewhere, l.Had, listName.Replace(l.List)))
		}
	}
	if len(crds) == 0 {
		return ""
	}
	return "whole lists are gone, and other advisers state their rows: " + list(crds)
}

var listName = strings.NewReplacer(catalogapi.SilentTable, "", "_", " ", ":", ": ")
