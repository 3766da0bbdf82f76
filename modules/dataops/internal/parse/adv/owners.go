package adv

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// owner reads a row of Schedules A and B. A number of an owner that cannot be one is left out (value.OwnerID), and so are
// a kind of owner and an ownership code that the form does not have.
func owner(row *table.Row, filing string) *catalogapi.OwnerRow {
	o := &catalogapi.OwnerRow{
		FilingKey:       filing,
		Schedule:        oneOf(row.Word(colSchedule), "A", "B"),
		Name:            name(row, colOwnerName),
		EntityType:      oneOf(row.Word(colOwnerType), "I", "DE", "FE"),
		OwnedEntity:     row.Text(colOwnedEntity),
		Title:           row.Word(colTitle),
		OwnershipCode:   oneOf(row.Word(colOwnershipCode), "NA", "A", "B", "C", "D", "E", "F"),
		ControlPerson:   value.Loose(value.Flag(row.Cell(colControlPerson))),
		PublicReporting: value.Loose(value.Flag(row.Cell(colPublicReporting))),
		OwnerID:         value.OwnerID(row.Cell(colOwnerID)),
		File:            row.File,
		Line:            row.Line,
	}
	o.AcquiredYear, o.AcquiredMonth = value.MonthYear(row.Cell(colAcquired))
	if o.Schedule == "" {
		row.Fail("Schedule is neither A nor B: " + row.Text(colSchedule))
	}
	return o
}

// oneOf returns the answer in the cell, or "". Slashes are ignored: "N/A" is "NA".
func oneOf(cell string, answers ...string) string {
	for _, a := range answers {
		if strings.EqualFold(cell, a) {
			return a
		}
	}
	if plain := strings.ReplaceAll(cell, "/", ""); plain != cell {
		return oneOf(plain, answers...)
	}
	return ""
}
