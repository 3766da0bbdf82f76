package adv

import (
	"cmp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// disclosure reads a disclosure reporting page of one family. A page says mostly free text; only its filing must be good.
//
// Spec: not shown; a page that is marked "DRP Removed" takes its event out of the filer's record (Form ADV, DRP, Part I, B).
// The filing states that the event is no longer reported, as a filing without the page does.
func disclosure(family catalogapi.DisclosureFamily) convert[catalogapi.DisclosureRow] {
	var of *table.Row
	var items, sanctions []string // by the file's column; "" for all others
	sets := make(map[string][]string)
	return func(row *table.Row, filing string) *catalogapi.DisclosureRow {
		if removed := value.Loose(value.Flag(row.Cell(colPageRemoved))); removed != nil && *removed {
			return nil
		}
		if row != of {
			of, items, sanctions = row, itemNames(row), sanctionNames(row)
		}
		d := &catalogapi.DisclosureRow{
			FilingKey:      filing,
			Family:         family,
			ReferenceID:    row.Text(colPageReference),
			Amended:        amended(row),
			Items:          answered(row, items, sets),
			FiledAgainst:   row.Word(colFiledAgainst),
			InitiatedBy:    row.Word(colInitiatedBy),
			InitiatorType:  row.Word(colInitiatorType),
			Court:          row.Text(colCourt),
			CaseNumber:     row.Text(colCaseNumber),
			EventDate:      value.Loose(value.Date(row.Cell(colEventDate))),
			Product:        row.Word(colProduct),
			Allegations:    row.Text(colAllegations),
			Felony:         value.Loose(value.Flag(row.Cell(colFelony))),
			Status:         row.Word(colStatus),
			Resolution:     row.Word(colResolution),
			ResolutionDate: value.Loose(value.Date(row.Cell(colResolutionDate))),
			MonetaryAmount: value.Dollars(row.Cell(colMonetaryAmount)),
			SanctionDetail: row.Text(colSanctionDetail),
			Summary:        row.Text(colSummary),
			File:           row.File,
			Line:           row.Line,
		}
		d.Sanctions = imposed(row, d, answered(row, sanctions, sets))
		return d
	}
}

// amended reads "Initial/Amended".
func amended(row *table.Row) *bool {
	yes, no := true, false
	switch cell := row.Word(colInitialAmended); {
	case strings.EqualFold(cell, "AMENDED"):
		return &yes
	case strings.EqualFold(cell, "INITIAL"):
		return &no
	}
	return nil
}

// itemNames finds the columns of item 11 and writes their names alike: "11.C(1)", "11.G", "11.H(1)(a)".
func itemNames(row *table.Row) []string {
	names := make([]string, row.Width())
	for i := range names {
		names[i] = itemName(alphanumeric(row.Header(i)))
	}
	return names
}

// itemName accepts "11c1" or "11h1a"; it returns "" for anything that is no answer of item 11.
func itemName(plain string) string {
	rest, ok := strings.CutPrefix(plain, "11")
	if !ok || len(rest) < 1 || len(rest) > 3 || rest[0] < 'a' || rest[0] > 'h' {
		return ""
	}
	name := "11." + strings.ToUpper(rest[:1])
	if len(rest) > 1 {
		if rest[1] < '1' || rest[1] > '9' {
			return ""
		}
		name += "(" + rest[1:2] + ")"
	}
	if len(rest) > 2 {
		if rest[2] < 'a' || rest[2] > 'z' {
			return ""
		}
		name += "(" + rest[2:] + ")"
	}
	return name
}

// sanctionColumns are the columns that each mean one sanction, folded.
var sanctionColumns = map[string]string{
	"monetarysanction":            "monetary sanction",
	"monetary/fine":               "monetary sanction",
	"revocation/expulsion/denial": "revocation/expulsion/denial",
	"censure":                     "censure",
	"bar":                         "bar",
	"disgorgement/restitution":    "disgorgement/restitution",
	"disgorgement":                "disgorgement",
	"restitution":                 "restitution",
	"ceaseanddesist/injunction":   "cease and desist/injunction",
	"ceaseanddesist":              "cease and desist",
	"injunction":                  "injunction",
	"suspension":                  "suspension",
}

// sanctionOrder is the order of the columns in the SEC's files.
var sanctionOrder = []string{
	"monetary sanction", "revocation/expulsion/denial", "censure", "bar", "disgorgement/restitution", "disgorgement", "restitution",
	"cease and desist/injunction", "cease and desist", "injunction", "suspension",
}

// inForm compares two answers of one list: sanctions by their order, items and letters by their names.
func inForm(a, b string) int {
	return cmp.Or(cmp.Compare(slices.Index(sanctionOrder, a), slices.Index(sanctionOrder, b)), strings.Compare(a, b))
}

func sanctionNames(row *table.Row) []string {
	names := make([]string, row.Width())
	for i := range names {
		names[i] = sanctionColumns[table.Fold(row.Header(i))]
	}
	return names
}

// imposed adds the sanctions that are named in words to those answered Y.
//
// Spec: not shown; "Principal Sanction", "Other Sanctions" of a regulatory page and "Relief Sought" are what was asked for,
// not what was ordered. They count only while nothing is resolved: then nothing else is known. On a civil judicial page
// "Other Sanctions" is one of those that were ordered.
func imposed(row *table.Row, d *catalogapi.DisclosureRow, marked []string) []string {
	list := named(marked, row.Word(colOtherOrdered))
	if d.Family == catalogapi.DisclosureCivil {
		list = named(list, row.Word(colOtherSanctions))
	}
	if len(list) > 0 || d.Resolution != "" || !d.ResolutionDate.IsZero() {
		return list
	}
	list = named(list, row.Word(colPrincipalSanction))
	if d.Family != catalogapi.DisclosureCivil {
		list = named(list, row.Word(colOtherSanctions))
	}
	return named(list, row.Word(colReliefSought))
}

// named adds what a cell names to the list, in lower case. A mere answer names nothing, nor does "none".
func named(list []string, cell string) []string {
	name := strings.ToLower(cell)
	switch name {
	case "", "y", "n", "yes", "no", "none", "n/a", "na":
		return list
	}
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// implicated reads one advisory affiliate of a page.
func implicated(row *table.Row, filing string) *catalogapi.DisclosureAffiliateRow {
	return &catalogapi.DisclosureAffiliateRow{
		FilingKey:   filing,
		ReferenceID: row.Required(colImplicatedReference),
		Type:        row.Word(colDisclosureType),
		CRD:         value.Loose(value.CRD(row.Cell(colImplicatedCRD))),
		Kind:        row.Word(colImplicatedKind),
		Registered:  value.Loose(value.Flag(row.Cell(colImplicatedRegistered))),
		Name:        name(row, colImplicatedName),
		File:        row.File,
		Line:        row.Line,
	}
}
