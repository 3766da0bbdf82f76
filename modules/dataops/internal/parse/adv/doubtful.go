package adv

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// inspected are the tables that are read once through before the filings, which must know whether their lists are whole: the filings' own
// for their numbers, and the lists in which a missing row says something: a fund has closed, a person has left, an event is no longer reported.
func inspected() map[string]func(*table.Row) {
	return map[string]func(*table.Row){
		baseA:         func(*table.Row) {},
		baseERA:       func(*table.Row) {},
		funds:         func(row *table.Row) { fundAnswers(row, &catalogapi.FundRow{}) },
		owners:        converted(owner),
		drpCriminal:   converted(disclosure(catalogapi.DisclosureCriminal)),
		drpRegulatory: converted(disclosure(catalogapi.DisclosureRegulatory)),
		drpCivil:      converted(disclosure(catalogapi.DisclosureCivil)),
		drpAffiliates: converted(implicated),
	}
}

func converted[T any](c convert[T]) func(*table.Row) {
	return func(row *table.Row) { c(row, "") }
}

// inspect notes the filings with a row in a table that cannot be used. A row that cannot even be parted into fields counts for the filing whose
// number it begins with. A row without a usable number, or with that of no filing, counts for the filings of the rows beside it, because the rows of
// a filing stand together.
func (d *document) inspect(id tableID, p *piece, read func(*table.Row)) error {
	doubtful, named := d.doubtful[id], d.named[id.kind]
	if doubtful == nil {
		doubtful = numbers{}
		d.doubtful[id] = doubtful
	}
	before, stray := "", false // the filing of the row before; whether a row that has none follows it
	note := func(filing string, err error, usable bool) {
		switch {
		case id == base(id.kind):
			if err == nil {
				named.add(filing)
			}
			return
		case err != nil || !named.has(filing):
			stray = true
			if before != "" {
				doubtful.add(before)
			}
			return
		case !usable || stray:
			doubtful.add(filing)
		}
		before, stray = filing, false
	}
	visit := func(row *table.Row) {
		read(row)
		filing, err := value.FilingID(row.Cell(colFilingID))
		note(filing, err, row.Fault() == "")
	}
	bad := func(b table.Bad) {
		first, _, _ := bytes.Cut(b.Raw, []byte{','})
		filing, err := value.FilingID(bytes.Trim(first, `"`))
		note(filing, err, false)
	}
	return p.file.Inspect(d.ctx, visit, bad)
}

// name reads a name that must be there. One that is too long to load is at fault here already, so that its filing is known to have it.
func name(row *table.Row, column int) string {
	text := row.Required(column)
	if utf8.RuneCountInString(text) > catalogapi.NameMax {
		row.Fail(fmt.Sprintf("%s has %d characters; a name has at most %d", row.Header(column), utf8.RuneCountInString(text), catalogapi.NameMax))
	}
	return text
}

// broken reports whether a row of a filing in one of some tables cannot be used.
func (d *document) broken(k kind, filing string, tables ...string) bool {
	return slices.ContainsFunc(tables, func(name string) bool {
		return d.doubtful[tableID{k, name}].has(filing)
	})
}

// silentOf returns what a filing does not state: what the document lacks, and the lists with a row of the filing that cannot be used. Otherwise a row
// in quarantine would read as a person who left or an event that ended. Its list goes to quarantine as a whole.
func (d *document) silentOf(k kind, filing string, silent []string) []string {
	var more []string
	for name, tables := range stands {
		if d.broken(k, filing, tables...) {
			more = append(more, name)
		}
	}
	if more == nil {
		return silent
	}
	more = append(more, silent...)
	slices.Sort(more)
	return slices.Compact(more)
}
