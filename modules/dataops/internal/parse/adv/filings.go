package adv

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// filings streams the filings of registered advisers, then those of exempt reporting ones. A FilingID that comes again
// is quarantined: the first row rules.
func (d *document) filings(yield func(*catalogapi.AdviserFiling, error) bool) {
	d.seen, d.filed = map[kind]numbers{ia: {}, era: {}}, map[kind]*filed{ia: newFiled(), era: newFiled()}
	d.repeated, d.given, d.misdated = 0, 0, 0
	for _, k := range []kind{ia, era} {
		for _, p := range d.tables[base(k)] {
			silent := d.silence(k, p)
			for row, err := range p.file.Rows(d.ctx) {
				if err != nil {
					yield(nil, err)
					return
				}
				f := d.filing(row, k)
				if row.Fault() == "" && !d.seen[k].add(f.FilingID) {
					d.repeated++
					row.Fail("FilingID repeats an earlier filing: " + f.FilingID)
				}
				if row.Fault() != "" {
					p.file.Quarantine(row)
					continue
				}
				f.Silent = d.silentOf(k, f.FilingID, silent(f.Submitted))
				f.FundsListed = d.listed(k, p, f.Submitted, f.FilingID)
				d.filed[k].filing(f)
				d.given++
				if day := f.Submitted.Truncate(24 * time.Hour); day.Before(p.from) || day.After(p.to) {
					d.misdated++
				}
				if !yield(f, nil) {
					return
				}
			}
		}
	}
	d.drained = true
}

func (d *document) filing(row *table.Row, k kind) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		FilingID:  row.FilingID(colFilingID),
		CRD:       row.CRD(colCRD),
		Submitted: row.RequiredDate(colSubmitted),
		File:      row.File,
		Line:      row.Line,

		HasWebsites: yes(row, colHasWebsites),
	}
	baseFields.Fill(f, row)
	table.RepairPostal(&f.Statement)
	f.Registration = new(string(catalogapi.Registered))
	if k == era {
		f.Registration = new(string(catalogapi.ExemptReporting))
	}
	f.Key = key(k, f.FilingID)
	if !d.opts.NotAfter.IsZero() && f.Submitted.After(d.opts.NotAfter) {
		row.Fail("DateSubmitted is in the future: " + row.Text(colSubmitted))
	}
	return f
}

// organization converts base B; a filing's second row is refused.
func (d *document) organization() convert[catalogapi.OrganizationRow] {
	seen := numbers{}
	return func(row *table.Row, filing string) *catalogapi.OrganizationRow {
		id := row.FilingID(colFilingID)
		if row.Fault() == "" && !seen.add(id) {
			row.Fail("FilingID repeats an earlier row: " + id)
		}
		o := &catalogapi.OrganizationRow{FilingKey: filing, File: row.File, Line: row.Line}
		organizationFields.Fill(o, row)
		return o
	}
}

// yes reports whether a cell is answered Y. What is no answer is none.
func yes(row *table.Row, column int) bool {
	answer := value.Loose(value.Flag(row.Cell(column)))
	return answer != nil && *answer
}

func website(row *table.Row, filing string) *catalogapi.WebsiteRow {
	return &catalogapi.WebsiteRow{
		FilingKey: filing,
		Website:   row.Required(colWebsite),
		File:      row.File,
		Line:      row.Line,
	}
}

var errOrder = errors.New("the filing types were read before the filings")

// types streams the table of filing types. The table does not state whether a filing is a registered adviser's or an exempt
// reporting one's; the filings read before do. A number that both kinds have is yielded for both. One that neither has is
// quarantined.
func (d *document) types(yield func(*catalogapi.FilingTypeRow, error) bool) {
	if !d.drained {
		yield(nil, errOrder)
		return
	}
	seen := numbers{}
	for _, p := range d.tables[tableID{"", filingTypes}] {
		var names []string
		for row, err := range p.file.Rows(d.ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if names == nil {
				names = typeNames(row)
			}
			id := row.FilingID(colFilingID)
			if row.Fault() == "" && !seen.add(id) {
				row.Fail("FilingID repeats an earlier row: " + id)
			}
			types := marked(row, names)
			known := int64(0)
			for _, k := range []kind{ia, era} {
				if row.Fault() != "" || !d.seen[k].has(id) {
					continue
				}
				known++
				if len(types) > 0 { // each filing has one
					d.filed[k].table(filingTypes).row(row.Cell(colFilingID))
				}
				if !yield(&catalogapi.FilingTypeRow{FilingKey: key(k, id), Types: types, File: row.File, Line: row.Line}, nil) {
					return
				}
			}
			d.joined -= max(known-1, 0)
			if known == 0 && row.Fault() == "" {
				row.Fail(fmt.Sprintf("FilingID %s is not a filing of this archive", id))
			}
			if row.Fault() != "" {
				p.file.Quarantine(row)
			}
		}
	}
}

// typeNames returns the headers in lower case, blanks collapsed.
func typeNames(row *table.Row) []string {
	names := make([]string, row.Width())
	for i := range names {
		names[i] = strings.ToLower(strings.Join(strings.Fields(row.Header(i)), " "))
	}
	return names
}

// marked returns the names of the columns that are answered Y. An answer in the column of the fiscal year shows that the cells were moved.
func marked(row *table.Row, names []string) []string {
	types := []string{}
	for i, name := range names {
		yes, err := value.Flag(row.At(i))
		switch {
		case err != nil || yes == nil:
		case strings.HasSuffix(name, "fiscal year"):
			row.Fail(fmt.Sprintf("%s is not a year: %s", row.Header(i), row.At(i)))
		case *yes:
			types = append(types, name)
		}
	}
	return types
}
