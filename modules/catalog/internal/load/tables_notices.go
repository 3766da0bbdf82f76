package load

import "slices"

// What notices of Form D are staged in.
var (
	offeringTable = &table{
		staged: "s_offering", final: "catalog.offerings", like: "catalog.offerings",
		columns: []string{
			"accession", "file_number", "form_type", "filing_date", "previous_accession", "sic_code", "schema_version", "industry_group",
			"fund_type", "is_40_act", "revenue_range", "nav_range", "exemptions", "first_sale", "yet_to_occur", "over_one_year",
			"securities", "minimum_investment", "offering_amount", "indefinite", "amount_sold", "amount_remaining", "non_accredited",
			"non_accredited_count", "investor_count", "sales_commission", "finders_fee", "gross_proceeds",
			"chain", "document", "run_id", "row_hash",
		},
	}
	issuerTable = &table{
		staged: "s_issuer", final: "catalog.offering_issuers", like: "catalog.offering_issuers",
		columns: []string{
			"accession", "seq", "cik", "name", "name_key", "name_form", "previous_names", "street1", "street2", "city", "state",
			"state_name", "postal_code", "phone", "jurisdiction", "entity_type", "year_formed",
		},
	}
	personTable = &table{
		staged: "s_person", final: "catalog.offering_people", like: "catalog.offering_people",
		columns: []string{
			"accession", "seq", "first_name", "middle_name", "last_name", "entity", "city", "state", "country", "relationships",
			"clarification",
		},
	}
	recipientTable = &table{
		staged: "s_recipient", final: "catalog.offering_recipients", like: "catalog.offering_recipients",
		columns: []string{
			"accession", "seq", "name", "crd", "broker_dealer", "broker_crd", "city", "state", "country", "states", "is_foreign",
		},
	}
)

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
