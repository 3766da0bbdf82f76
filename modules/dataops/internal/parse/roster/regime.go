package roster

import (
	"context"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// The list that a roster is: of registered advisers, of exempt reporting ones, or, with the empty value, of both or
// unknown.
//
// What the rows say decides, not which columns are there: a list that has lost a column is still the same list, and must be
// compared with its last edition. Columns decide only where no row says anything.

// ownRegime says under which regime the firm of a row files, by the row itself: its type, its SEC number, its status.
func ownRegime(row *table.Row) catalogapi.Registration {
	firmType, number, status := row.Word(colFirmType), row.Text(colSECNumber), strings.ToLower(row.Word(colStatus))
	switch {
	case strings.EqualFold(firmType, "Registered"):
		return catalogapi.Registered
	case strings.EqualFold(firmType, "ERA"), strings.Contains(strings.ToLower(firmType), "exempt"):
		return catalogapi.ExemptReporting
	case strings.HasPrefix(number, "801-"):
		return catalogapi.Registered
	case strings.HasPrefix(number, "802-"):
		return catalogapi.ExemptReporting
	case strings.HasPrefix(status, "era"):
		return catalogapi.ExemptReporting
	case strings.HasSuffix(status, "approved"), strings.HasSuffix(status, "approval"): // "Approved", "120-Day Approval"
		return catalogapi.Registered
	}
	return ""
}

// evidence counts the rows that say under which regime their firm files.
type evidence struct{ registered, exempt int }

func (e *evidence) add(row *table.Row) {
	switch ownRegime(row) {
	case catalogapi.Registered:
		e.registered++
	case catalogapi.ExemptReporting:
		e.exempt++
	}
}

// strayOneIn is how many rows of the other regime a list may hold: one in so many. Firms change between two editions.
const strayOneIn = 20

// regime returns which list has these rows.
func (e evidence) regime() (r catalogapi.Registration, told bool) {
	stray := (e.registered + e.exempt) / strayOneIn
	switch {
	case e.registered+e.exempt == 0:
		return "", false
	case e.exempt <= stray:
		return catalogapi.Registered, true
	case e.registered <= stray:
		return catalogapi.ExemptReporting, true
	}
	return "", true
}

// byColumns returns which list has these columns: registered advisers answer the items 2.A and 5, exempt ones 2.B.
func byColumns(header []string) catalogapi.Registration {
	starts := func(prefixes ...string) bool {
		return slices.ContainsFunc(header, func(name string) bool {
			return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
		})
	}
	registered, exempt := starts("2a(", "5a", "5c(", "5d(", "5f("), starts("2b(")
	switch {
	case registered && !exempt:
		return catalogapi.Registered
	case exempt && !registered:
		return catalogapi.ExemptReporting
	}
	return ""
}

// exemptName recognizes the roster of exempt reporting advisers by its file's name: ia070124-exempt.xlsx, ia051023exempt.zip.
func exemptName(name string) bool { return strings.Contains(strings.ToLower(name), "exempt") }

// series names the lists that are published side by side each month.
func series(r catalogapi.Registration) string {
	switch r {
	case catalogapi.Registered:
		return string(catalogapi.SourceRoster) + "/registered"
	case catalogapi.ExemptReporting:
		return string(catalogapi.SourceRoster) + "/exempt"
	}
	return string(catalogapi.SourceRoster)
}

// sheetRowsAsked is how many rows of a workbook are asked which list it is. Reading all of a workbook takes seconds.
const sheetRowsAsked = 500

// ask looks at the first rows of a workbook.
func (s *sheet) ask(ctx context.Context) (e evidence, err error) {
	n := 0
	for row, err := range s.Rows(ctx) {
		if err != nil {
			return e, err
		}
		e.add(row)
		if n++; n == sheetRowsAsked {
			break
		}
	}
	return e, nil
}
