package load

import (
	"context"
	"slices"
)

// What is staged of notices, as offeringStaging writes it.
var (
	stagedOfferingColumns = []string{
		"accession", "file_number", "form_type", "filing_date", "previous_accession", "sic_code", "schema_version", "industry_group",
		"fund_type", "is_40_act", "revenue_range", "nav_range", "exemptions", "first_sale", "yet_to_occur", "over_one_year",
		"securities", "minimum_investment", "offering_amount", "indefinite", "amount_sold", "amount_remaining", "non_accredited",
		"non_accredited_count", "investor_count", "sales_commission", "finders_fee", "gross_proceeds",
		"chain", "document", "run_id", "row_hash",
	}
	stagedIssuerColumns = []string{
		"accession", "seq", "cik", "name", "name_key", "name_form", "previous_names", "street1", "street2", "city", "state",
		"state_name", "postal_code", "phone", "jurisdiction", "entity_type", "year_formed",
	}
	stagedPersonColumns = []string{
		"accession", "seq", "first_name", "middle_name", "last_name", "entity", "city", "state", "country", "relationships",
		"clarification",
	}
	stagedRecipientColumns = []string{
		"accession", "seq", "name", "crd", "broker_dealer", "broker_crd", "city", "state", "country", "states", "is_foreign",
	}
)

func intoOfferings() target {
	return into("s_offering", "catalog.offerings", stagedOfferingColumns)
}

func intoIssuers() target { return into("s_issuer", "catalog.offering_issuers", stagedIssuerColumns) }

func intoPeople() target { return into("s_person", "catalog.offering_people", stagedPersonColumns) }

func intoRecipients() target {
	return into("s_recipient", "catalog.offering_recipients", stagedRecipientColumns)
}

// offeringParams are the lists of columns as the statements name them.
func offeringParams() []string {
	var params []string
	for name, columns := range map[string][]string{
		"offering_columns$": stagedOfferingColumns, "issuer_columns$": stagedIssuerColumns,
		"person_columns$": stagedPersonColumns, "recipient_columns$": stagedRecipientColumns,
	} {
		params = append(params, "$"+name, quoteList("", columns), "$s_"+name, quoteList("s.", columns), "$c_"+name, quoteList("c.", columns))
	}
	return slices.Concat(params, []string{"$columns$", quoteList("", offeringColumns), "$s_columns$", quoteList("s.", offeringColumns)})
}

// stageOfferings drains the document's sequences into the temporary tables of Form D, or straight into the catalogue's (see
// perform). The notices wait until all that belongs to them has passed. listed is told when they themselves have.
func (s *session) stageOfferings(ctx context.Context, st *offeringStaging, listed func()) error {
	d := st.doc
	if err := drain(ctx, d.Offerings, st.offering); err != nil {
		return err
	}
	listed()
	if err := s.run(ctx, "formd_stage", offeringParams()...); err != nil {
		return err
	}
	if err := drainInto(ctx, s, intoIssuers(), d.Issuers, st.issuer); err != nil {
		return err
	}
	if err := drainInto(ctx, s, intoPeople(), d.RelatedPersons, st.person); err != nil {
		return err
	}
	if err := drainInto(ctx, s, intoRecipients(), d.Recipients, st.recipient); err != nil {
		return err
	}
	if err := s.copyIn(ctx, intoOfferings(), numbered(len(st.notices), &st.rowsKept, st.noticeRow)); err != nil {
		return err
	}
	return s.exec(ctx, "analyze", "ANALYZE s_offering; ANALYZE s_issuer; ANALYZE s_person; ANALYZE s_recipient")
}
