package load

import (
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// compared are tables whose values change for few advisers at a time, with what finds a row in the filing before, and the fields. Their names
// begin with the table's, except those of advisers.
var compared = []comparison{
	{table: "", match: "o.crd = f.crd", fields: slices.Concat(
		fieldsOf(
			otherText, "legal_name", "business_name", "sec_number", "street1", "postal_code", "city", "state", "country", "phone",
			"org_form", "org_state", "org_country", "fiscal_year_end",
		),
		fieldsOf(otherAmount("3"), "raum", "raum_discretionary", "raum_non_discretionary"),
		fieldsOf(otherAmount("1.5"), "employee_count"), // a shift by a row changes many by less than three times
		fieldsOf(otherValue, "advises_funds"),
	)},
	{table: "funds", match: "o.crd = f.crd AND o.fund_id = n.fund_id", fields: slices.Concat(
		fieldsOf(otherText, "name", "state", "country", "fund_type"),
		fieldsOf(otherAmount("3"), "gross_asset_value", "minimum_investment", "beneficial_owners_count"),
		fieldsOf(otherValue, "is_3c1", "is_3c7", "is_master", "is_feeder", "is_fund_of_funds", "annual_audit", "gaap"),
		fieldsOf(otherList, "auditors", "form_d_file_numbers"),
	)},
	{table: "fund_providers", match: "(o.fund_id, o.role) = (n.fund_id, n.role)", gathered: providersGathered, fields: []comparedField{
		ofRole(catalogapi.RolePrimeBroker), ofRole(catalogapi.RoleCustodian), ofRole(catalogapi.RoleAdministrator),
	}},
	{table: "owners", match: "(o.name, o.owner_id) = (n.name, n.owner_id)", gathered: ownersGathered, fields: slices.Concat(
		fieldsOf(otherSet, "title", "control_person", "schedule"), fieldsOf(lostSet, "acquired", "ownership_code"),
	)},
	{table: "disclosures", match: "(o.family, o.reference_id) = (n.family, n.reference_id)", fields: slices.Concat(
		fieldsOf(otherText, "filed_against", "initiated_by", "case_number", "product", "allegations", "status", "resolution"),
		fieldsOf(otherValue, "event_date", "resolution_date", "felony", "items"),
		fieldsOf(otherAmount("3"), "monetary_amount"),
	)},
}

// comparison is a table to be compared.
type comparison struct {
	table    string // "" = the advisers' own
	match    string // SQL: f is a pair of filings, n a row of the newer one, o one of the other
	gathered string // SQL that makes one row of several, from the rows r of $rows$ of the filings $of$; "" = they are compared as they are
	fields   []comparedField
}

// One fund has several providers in a role, and one owner may be in both schedules, with several titles.
const (
	providersGathered = `SELECT r.accession, r.fund_id, r.role, array_agg(lower(r.name)) AS name
FROM d_pair f JOIN $rows$ r ON r.accession = $of$ WHERE r.role IN ('prime_broker', 'custodian', 'administrator') GROUP BY 1, 2, 3`
	ownersGathered = `SELECT r.accession, r.name, coalesce(r.owner_id, '') AS owner_id, array_remove(array_agg(lower(r.title)), NULL) AS title,
array_remove(array_agg(r.acquired_year * 12 + r.acquired_month), NULL) AS acquired, array_remove(array_agg(r.ownership_code), NULL) AS ownership_code,
array_remove(array_agg(r.control_person), NULL) AS control_person, array_agg(r.schedule) AS schedule
FROM d_pair f JOIN $rows$ r ON r.accession = $of$ GROUP BY 1, 2, 3`
)

// rows returns what has the rows of the document, and those of the filings before.
func (c *comparison) rows(of *table) (staged, final string) {
	if c.gathered == "" {
		return of.staged, of.final
	}
	gather := func(rows, of string) string {
		return "(" + strings.NewReplacer("$rows$", rows, "$of$", of).Replace(c.gathered) + ")"
	}
	return gather(of.staged, "f.accession"), gather(of.final, "f.before")
}

// of returns the table, if the document has it.
func (c *comparison) of(d *filingReader) (*table, error) {
	switch c.table {
	case "":
		return versionTable, nil
	case "funds":
		return fundTable, nil
	}
	t, err := childTableOf(c.table)
	if err != nil || !slices.Contains(d.tables, &t.table) {
		return nil, err
	}
	return &t.table, nil
}

// comparedField is a field, whether its values n and o can be compared, and when they are different: SQL, in which n.$ and o.$ are the values.
type comparedField struct{ name, stated, differs string }

// Equal values need no key.
var (
	otherText  = "n.$ <> o.$ AND " + nameKey("n.$") + " <> " + nameKey("o.$")
	otherValue = "n.$ <> o.$"
	lostValue  = "n.$ IS DISTINCT FROM o.$" // as otherValue; null is other, too
	otherList  = "NOT coalesce(n.$ && o.$, false)"
	otherSet   = "NOT n.$ && o.$"
	lostSet    = "NOT (n.$ && o.$)" // as otherSet; what is empty now is other, too: it may have been unreadable
)

// otherAmount is when amounts differ by more than so many times: assets grow and shrink.
func otherAmount(times string) string {
	return "greatest(n.$, o.$) > " + times + " * least(n.$, o.$)"
}

// When two values can be compared. A list that is empty now can be too, unless the document lacks it.
const (
	bothStated = "n.$ IS NOT NULL AND o.$ IS NOT NULL"
	listStated = "cardinality(o.$) > 0 AND '$' <> ALL (coalesce(n.silent, '{}'))"
	setsStated = "cardinality(n.$) > 0 AND cardinality(o.$) > 0"
	setBefore  = "cardinality(o.$) > 0"
	wasStated  = "o.$ IS NOT NULL"
)

func fieldsOf(differs string, columns ...string) (fields []comparedField) {
	stated := bothStated
	switch differs {
	case otherList:
		stated = listStated
	case otherSet:
		stated = setsStated
	case lostSet:
		stated = setBefore
	case lostValue:
		stated = wasStated
	}
	for _, column := range columns {
		fields = append(fields, comparedField{column, strings.ReplaceAll(stated, "$", column), strings.ReplaceAll(differs, "$", column)})
	}
	return fields
}

// ofRole is the providers of a role.
func ofRole(role catalogapi.ProviderRole) comparedField {
	return comparedField{string(role), "n.role = " + literal(string(role)), "NOT n.name && o.name"}
}
