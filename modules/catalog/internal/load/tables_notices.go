package load

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// issuerRow is an issuer with the key of its name.
type issuerRow struct {
	catalogapi.IssuerRow

	NameKey  string `gorm:"column:name_key"`
	NameForm string `gorm:"column:name_form"`
}

// What notices of Form D are staged in.
var (
	offeringTable = &table{
		staged: "s_offering", final: "catalog.offerings", like: "catalog.offerings",
		columns: append(catalogapi.ColumnNames[catalogapi.OfferingRow](), "chain", "document", "run_id", "row_hash"),
	}
	issuerTable = &table{
		staged: "s_issuer", final: "catalog.offering_issuers", like: "catalog.offering_issuers",
		columns: ofNotice(issuerColumns),
	}
	personTable = &table{
		staged: "s_person", final: "catalog.offering_people", like: "catalog.offering_people",
		columns: ofNotice(catalogapi.ColumnNames[catalogapi.RelatedPersonRow]()),
	}
	recipientTable = &table{
		staged: "s_recipient", final: "catalog.offering_recipients", like: "catalog.offering_recipients",
		columns: ofNotice(catalogapi.ColumnNames[catalogapi.RecipientRow]()),
	}

	issuerColumns = slices.Insert(catalogapi.ColumnNames[catalogapi.IssuerRow](), 2, "name_key", "name_form")
)

// formAt is the place of the name's form among the columns of issuers.
const formAt = 5

func ofNotice(columns []string) []string { return slices.Concat([]string{"accession", "seq"}, columns) }

// offeringParams are the lists of columns as the statements name them.
func offeringParams() []string {
	var params []string
	for name, t := range map[string]*table{
		"offering_columns$": offeringTable, "issuer_columns$": issuerTable, "person_columns$": personTable, "recipient_columns$": recipientTable,
	} {
		columns := t.columns
		params = append(params, "$"+name, quoteList("", columns), "$s_"+name, quoteList("s.", columns), "$c_"+name, quoteList("c.", columns))
	}
	return slices.Concat(params, []string{"$columns$", quoteList("", offeringColumns), "$s_columns$", quoteList("s.", offeringColumns)})
}
