package adv

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// In the tables of this file and those of owners, disclosures and providers an optional column is empty if its cell cannot be
// read: filers write "N/A", "NONE" and worse there. Only the value that a row is about, such as an identifier's
// number, makes the row unusable.

// identifier reads a further number of the firm. Both kinds are 1 to 10 digits.
func identifier(k catalogapi.IdentifierKind) convert[catalogapi.IdentifierRow] {
	return func(row *table.Row, filing string) *catalogapi.IdentifierRow {
		number := value.Loose(value.CRD(row.Cell(colNumber)))
		if number == "" {
			row.Fail(strings.ToUpper(string(k)) + " is not a number of 1 to 10 digits: " + row.Text(colNumber))
		}
		return &catalogapi.IdentifierRow{FilingKey: filing, Kind: k, Value: number, File: row.File, Line: row.Line}
	}
}

func office(row *table.Row, filing string) *catalogapi.OfficeRow {
	o := &catalogapi.OfficeRow{
		FilingKey: filing,
		Street1:   row.Text(colOfficeStreet1),
		Street2:   row.Text(colOfficeStreet2),
		City:      row.Word(colOfficeCity),
		State:     row.Word(colOfficeState),
		Country:   row.Word(colOfficeCountry),
		Residence: value.Loose(value.Flag(row.Cell(colOfficeResidence))),
		Phone:     row.Text(colOfficePhone),
		Employees: value.Loose(value.Count(row.Cell(colOfficeEmployees))),
		File:      row.File,
		Line:      row.Line,
	}
	o.PostalCode = value.Postal(row.Text(colOfficePostal), o.Country)
	// The archives leave out the address of a private residence on purpose. Such an office counts too.
	if o.Street1 == "" && o.City == "" && o.Country == "" && o.PostalCode == "" && o.Phone == "" && o.Residence == nil {
		row.Fail("Street 1, City, Country and Postal Code are blank")
	}
	return o
}

// affiliate reads a related person. Which columns are the answers 5.(a) to 5.(p) is found once for each file.
func affiliate() convert[catalogapi.AffiliateRow] {
	var of *table.Row
	var letters []string // by the file's column; "" for all others
	sets := make(map[string][]string)
	return func(row *table.Row, filing string) *catalogapi.AffiliateRow {
		if row != of {
			of, letters = row, typeLetters(row)
		}
		a := &catalogapi.AffiliateRow{
			FilingKey:     filing,
			ReferenceID:   row.Text(colAffiliateReference),
			LegalName:     row.Text(colAffiliateName),
			BusinessName:  row.Text(colAffiliateBusiness),
			SECNumber:     row.Text(colAffiliateSECNumber),
			CRD:           value.Loose(value.CRD(row.Cell(colAffiliateCRD))),
			Types:         answered(row, letters, sets),
			Controls:      value.Loose(value.Flag(row.Cell(colAffiliateControl))),
			CommonControl: value.Loose(value.Flag(row.Cell(colAffiliateCommon))),
			File:          row.File,
			Line:          row.Line,
		}
		if a.LegalName == "" && a.BusinessName == "" {
			row.Fail("Legal Name is blank")
		}
		return a
	}
}

// typeLetters finds the columns "5a" to "5p", however their letters are bracketed.
func typeLetters(row *table.Row) []string {
	letters := make([]string, row.Width())
	for i := range letters {
		name := alphanumeric(row.Header(i))
		if len(name) == 2 && name[0] == '5' && name[1] >= 'a' && name[1] <= 'p' {
			letters[i] = name[1:]
		}
	}
	return letters
}

// answered returns the names of the columns that are answered Y, in the order of the form and not of the file. Columns without a
// name are skipped. Equal answers share one list, kept in sets: there are few different ones in very many rows.
func answered(row *table.Row, names []string, sets map[string][]string) []string {
	var buf [128]byte
	marks := buf[:0]
	for i, name := range names {
		if name == "" {
			continue
		}
		if yes := value.Loose(value.Flag(row.At(i))); yes != nil && *yes {
			marks = append(append(marks, name...), '\n')
		}
	}
	if len(marks) == 0 {
		return nil
	}
	list, ok := sets[string(marks)]
	if !ok {
		list = strings.Split(strings.TrimSuffix(string(marks), "\n"), "\n")
		slices.SortFunc(list, inForm)
		list = slices.Compact(list)
		sets[string(marks)] = list
	}
	return slices.Clip(list) // so that adding to one copies it
}

// alphanumeric returns a header's letters and digits, in lower case.
func alphanumeric(header string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, header)
}
