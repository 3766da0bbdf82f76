// Package fundlist reads the list of private funds that was scraped from the regulator's site: a CSV file whose header
// names seven columns while its rows have eight, the adviser's CRD first.
package fundlist

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

const (
	colCRD = iota
	colFirm
	colFund
	colFundID
	colPlace
	colType
	colGross
	colOwners
)

// columns of the list. The first is usually there without a name, which is then "".
var columns = []table.Column{
	{Name: "crd", Aliases: []string{""}, Required: true},
	{Name: "firm_name", Required: true},
	{Name: "fund_name", Required: true},
	{Name: "fund_id", Required: true},
	{Name: "country", Field: catalogapi.FieldCountry},
	{Name: "fund_type", Field: catalogapi.FieldFundType},
	{Name: "gross", Required: true},
	{Name: "num_owners", Field: catalogapi.FieldFundOwners},
}

// unlisted are the fields of a fund that no list has.
var unlisted = []string{
	catalogapi.FieldFundIs3C1, catalogapi.FieldFundIs3C7, catalogapi.FieldFundIsMaster, catalogapi.FieldFundIsFeeder, catalogapi.FieldFundMasterName,
	catalogapi.FieldFundMasterID, catalogapi.FieldFundOfFunds, catalogapi.FieldFundTypeOther, catalogapi.FieldFundMinimum,
	catalogapi.FieldFundPctRelated, catalogapi.FieldFundPctFunds, catalogapi.FieldFundPctNonUS, catalogapi.FieldFundAnnualAudit,
	catalogapi.FieldFundGAAP, catalogapi.FieldFundUnqualified,
}

// silence is what a list says nothing of. Its one column of places is state and country.
func silence(row *table.Row) []string {
	silent := slices.Concat(unlisted, row.Silent())
	if slices.Contains(silent, catalogapi.FieldCountry) {
		silent = append(silent, catalogapi.FieldState)
	}
	return silent
}

var known = table.Known(columns)

// Format describes the list to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name:    string(catalogapi.SourceFundList),
		Looks:   "list of funds",
		Columns: telling,
		Detect:  detect,
		Open:    open,
	}
}

// telling are the columns that identify a list of funds.
var telling = []string{"firm_name", "fund_name", "fund_id", "gross"}

func detect(in *archive.Input) (bool, error) {
	if len(in.Members) != 1 || in.Members[0].Workbook {
		return false, nil
	}
	header, err := format.Header(in.Members[0])
	if err != nil {
		return false, err
	}
	for _, name := range telling {
		if !slices.Contains(header, name) {
			return false, nil
		}
	}
	return true, nil
}

var errNoDay = errors.New("the file name lacks the day of the list (yyyy-mm-dd)")

func open(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	m := in.Members[0]
	day, ok := value.DateInName(m.Name)
	if !ok {
		day, ok = value.DateInName(in.Name)
	}
	if !ok {
		return format.Opened{}, errNoDay
	}
	names, err := format.Header(m)
	if err != nil {
		return format.Opened{}, err
	}
	file := &table.File{Name: m.Name, Open: m.Open, Columns: columns, Reject: opts.Reject}
	if !slices.Contains(names, "crd") && !slices.Contains(names, "") {
		file.Unnamed = 1
	}
	if err := file.Inspect(ctx, nil, nil); err != nil {
		return format.Opened{}, err
	}
	var made int64 // filings, which are made of the rows of their funds
	return format.Opened{
		Document: catalogapi.Document{
			Source: catalogapi.SourceFundList, Filings: filings(ctx, *file, day, &made), Funds: fundRows(ctx, file),
			Edition: func() time.Time { return day },
		},
		Layout: map[string][]string{"": names},
		Reads:  func(_, header string) string { return known(header) },
		Joined: func() int64 { return -made },
	}, nil
}

// filings returns each adviser that has a usable row, once. Unusable rows are left to the funds, which quarantine them.
//
// FundsListed stays false: the list is a cut of the site, so a fund that it does not name is not thereby closed.
func filings(ctx context.Context, file table.File, day time.Time, made *int64) iter.Seq2[*catalogapi.AdviserFiling, error] {
	file.Reject = func(catalogapi.Rejected) {}
	return func(yield func(*catalogapi.AdviserFiling, error) bool) {
		*made = 0
		seen := make(map[string]bool)
		for row, err := range file.Rows(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			fund(row)
			crd, name := row.CRD(colCRD), row.Required(colFirm)
			if row.Fault() != "" || seen[crd] {
				continue
			}
			seen[crd] = true
			*made++
			f := &catalogapi.AdviserFiling{
				Key: key(crd), CRD: crd, Submitted: day,
				Statement: catalogapi.Statement{LegalName: name},
				File:      row.File, Line: row.Line,
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func fundRows(ctx context.Context, file *table.File) iter.Seq2[*catalogapi.FundRow, error] {
	return func(yield func(*catalogapi.FundRow, error) bool) {
		var silent []string
		for row, err := range file.Rows(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if silent == nil {
				silent = silence(row)
			}
			f := fund(row)
			f.Silent = silent
			if row.Fault() != "" {
				file.Quarantine(row)
				continue
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}

func fund(row *table.Row) *catalogapi.FundRow {
	row.Required(colFirm)
	state, country := place(row.Word(colPlace))
	return &catalogapi.FundRow{
		FilingKey: key(row.CRD(colCRD)),
		FundID:    row.FundID(colFundID),
		Name:      row.Required(colFund),
		State:     state,
		Country:   country,
		FundType:  row.Word(colType),
		GAV:       row.Money(colGross),
		Owners:    row.Count(colOwners),
		File:      row.File,
		Line:      row.Line,
	}
}

func key(crd string) string { return "CRD:" + crd }
