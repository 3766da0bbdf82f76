package load

import (
	"context"

	"gpatlas/modules/catalog/catalogapi"
)

// comparedNotices are the tables of Form D whose values stay in most amendments. An offering begins with nothing sold, so amounts of zero are not
// compared.
var comparedNotices = []struct {
	comparison
	of *table
}{
	{comparison{table: "notices", match: "true", fields: append(
		fieldsOf("least(n.$, o.$) > 0 AND "+otherAmount("10"), "offering_amount", "amount_sold", "minimum_investment", "investor_count"),
		fieldsOf(otherValue, "file_number", "first_sale", "industry_group", "fund_type")...,
	)}, offeringTable},
	{comparison{table: "notices", match: "o.accession = n.accession", fields: fieldsOf(otherValue, "previous_accession", "filing_date", "form_type")}, offeringTable},
	{comparison{table: "notices", match: "true", gathered: ciksGathered, fields: fieldsOf(otherSet, "issuers")}, issuerTable},
	{comparison{table: "issuers", match: "o.cik = n.cik", fields: fieldsOf(otherText, "name", "street1", "city", "state", "jurisdiction")}, issuerTable},
}

// One notice has several issuers.
const ciksGathered = `SELECT r.accession, array_remove(array_agg(r.cik), NULL) AS issuers FROM d_pair f JOIN $rows$ r ON r.accession = $of$ GROUP BY 1`

const ciksInOrder = `SELECT r.accession, array_remove(array_agg(DISTINCT r.cik ORDER BY r.cik), NULL) AS issuers
FROM d_pair f JOIN $rows$ r ON r.accession = $of$ WHERE f.before = f.accession GROUP BY 1`

// restatedNotices are the fields of notices that the catalog has already. A notice never changes, so any other value counts. An edition without the
// file number restates nothing of one that has it: see formd_classify.sql.
var restatedNotices = comparison{
	table: "restated notices", match: "o.accession = n.accession AND (n.file_number IS NOT NULL OR o.file_number IS NULL)",
	fields: fieldsOf(
		lostValue, "offering_amount", "indefinite", "amount_sold", "amount_remaining", "minimum_investment", "investor_count", "non_accredited",
		"non_accredited_count", "sales_commission", "finders_fee", "gross_proceeds", "first_sale", "yet_to_occur", "over_one_year", "exemptions",
		"securities", "industry_group", "fund_type", "is_40_act", "revenue_range", "nav_range", "file_number", "form_type", "filing_date",
	),
}

// restatedIssuers are the issuers of such notices. One more or one less is another set of them, too.
var restatedIssuers = comparison{
	table: "restated notices", match: "o.accession = n.accession", gathered: ciksInOrder,
	fields: []comparedField{{"issuers", "n.issuers <> '{}' AND o.issuers <> '{}'", "n.issuers <> o.issuers"}},
}

// compareRestated compares restated notices with their editions before. The same of them are repeated word for word.
func (s *session) compareRestated(ctx context.Context, same int) ([]catalogapi.ChangedValues, error) {
	found, err := s.compareRows(ctx, &restatedNotices, offeringTable)
	if err != nil {
		return nil, err
	}
	issuers, err := s.compareRows(ctx, &restatedIssuers, issuerTable)
	found = append(found, issuers...)
	held := int64(0)
	for _, c := range found {
		held = max(held, c.Compared)
	}
	for i := range found {
		found[i].Compared, found[i].Most = held+int64(same), 0
	}
	return found, err
}

// compareNotices compares, for the quality check, the notices of a document with those before them. The same of them are repeated word for
// word.
func (s *session) compareNotices(ctx context.Context, d *noticeReader, same int) (changed []catalogapi.ChangedValues, err error) {
	if d.opts.Accept == nil {
		return nil, nil
	}
	if err := s.run(ctx, "formd_pairs"); err != nil {
		return nil, err
	}
	if changed, err = s.compareRestated(ctx, same); err != nil {
		return nil, err
	}
	for _, c := range comparedNotices {
		found, err := s.compareRows(ctx, &c.comparison, c.of)
		if err != nil {
			return nil, err
		}
		changed = append(changed, found...)
	}
	return changed, nil
}
