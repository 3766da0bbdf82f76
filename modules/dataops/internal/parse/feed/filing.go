package feed

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
)

// filing makes an adviser's filing from a firm's element. The row's fault names what is wrong with it.
//
// FundsListed stays false, because the feed has no funds: item 7.B states only that there are some.
func (f *feed) filing(c *firm) *catalogapi.AdviserFiling {
	row := c.row
	a := &catalogapi.AdviserFiling{
		CRD:       row.CRD(colCRD),
		Submitted: row.Date(colFiled),
		Silent:    f.silent,
		File:      row.File,
		Line:      row.Line,
	}
	stated.Fill(a, row)
	a.Key = "CRD:" + a.CRD
	number := secNumber(row.Text(colSECNumber))
	a.SECNumber, a.Registration = catalogapi.Text(number), catalogapi.Text(string(f.registration(row, number)))
	f.date(row, a)
	return a
}

// date settles the day of the filing and refuses one that cannot be.
//
// Spec: not shown; a firm without a filing date is taken as of the day of its registration's status, which stays the same
// from feed to feed. Without either there is no telling what it is newer than, so it is quarantined.
func (f *feed) date(row *table.Row, a *catalogapi.AdviserFiling) {
	if a.Submitted.IsZero() && row.Fault() == "" {
		if a.StatusDate == nil {
			row.Fail("Filing@Dt is blank, and Rgstn@Dt is too")
		} else {
			a.Submitted = *a.StatusDate
		}
	}
	if f.opts.NotAfter.IsZero() {
		return
	}
	if a.Submitted.After(f.opts.NotAfter) {
		row.Fail("Filing@Dt is in the future: " + a.Submitted.Format("2006-01-02"))
	}
	if !f.genOn.IsZero() && a.Submitted.After(f.genOn) {
		row.Fail("Filing@Dt is after the day of the feed (GenOn " + f.genOn.Format("2006-01-02") + "): " + a.Submitted.Format("2006-01-02"))
	}
}

// registration says under which regime the firm files, by Rgstn@FirmType.
//
// Spec: not shown; firms of the state feed are registered with states alone, which is neither of the SEC's regimes, unless
// the element says otherwise. For an unknown type the SEC number decides.
func (f *feed) registration(row *table.Row, number string) catalogapi.Registration {
	firmType := row.Word(colFirmType)
	switch {
	case strings.EqualFold(firmType, "Registered"):
		return catalogapi.Registered
	case strings.EqualFold(firmType, "ERA"):
		return catalogapi.ExemptReporting
	case f.state:
		return ""
	case strings.HasPrefix(number, "801-"):
		return catalogapi.Registered
	case strings.HasPrefix(number, "802-"):
		return catalogapi.ExemptReporting
	}
	return ""
}

// secNumberMax is the most digits that a file number has after its prefix.
const secNumberMax = 10

// secNumber returns the file number of an adviser: 801- or 802- and digits. Other numbers (a broker-dealer's 8-…) are not the
// adviser's.
func secNumber(s string) string {
	digits, registered := strings.CutPrefix(s, "801-")
	if !registered {
		var exempt bool
		if digits, exempt = strings.CutPrefix(s, "802-"); !exempt {
			return ""
		}
	}
	if len(digits) == 0 || len(digits) > secNumberMax || strings.Trim(digits, "0123456789") != "" {
		return ""
	}
	return s
}

// layout names the attributes that a feed has, in the order of the columns.
func layout(seen []bool) []string {
	var names []string
	for i, column := range columns {
		if seen[i] {
			names = append(names, table.Fold(column.Name))
		}
	}
	return names
}

// silent names the fields of the attributes that no firm of the feed has.
func silent(seen []bool) []string {
	var fields []string
	for i, column := range columns {
		if !seen[i] && column.Field != "" {
			fields = append(fields, column.Field)
		}
	}
	return fields
}
