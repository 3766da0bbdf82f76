package load

import (
	"cmp"
	"fmt"
	"iter"

	"gpatlas/modules/catalog/catalogapi"
)

// Tags of the child tables in fingerprints. A tag that changes makes every filing look restated once.
const (
	tagIdentifier byte = iota + 21
	tagOffice
	tagAffiliate
	tagOwner
	tagDisclosure
	tagImplicated
	tagSubAdvised
	tagFeeder
	tagProvider
	tagWebsiteRow
)

// childTables are all tables of rows that hang on filings or funds.
var childTables = []*childTable{
	identifiers().of(string(catalogapi.IdentifierCIK), string(catalogapi.IdentifierCRD)), offices(), affiliates(), owners(),
	disclosures().of(string(catalogapi.DisclosureCriminal), string(catalogapi.DisclosureRegulatory), string(catalogapi.DisclosureCivil)),
	implicated(), subAdvised(), feeders(), websites(),
	providers().of(string(catalogapi.RoleGeneralPartner), string(catalogapi.RolePrimeBroker), string(catalogapi.RoleCustodian),
		string(catalogapi.RoleAdministrator), string(catalogapi.RoleMarketer)),
}

// silentTables are the lists of a filing that a document of the source may be silent about.
func silentTables(source catalogapi.Source) (names []string) {
	if source != catalogapi.SourceADVArchive {
		return nil
	}
	for _, t := range childTables {
		names = append(names, t.lists()...)
	}
	return names
}

func childTableOf(name string) (*childTable, error) {
	for _, t := range childTables {
		if t.name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("catalog load: there is no child table %q", name)
}

func identifiers() *childTable {
	return newChildTable("identifiers", false, []string{"kind", "value"}, childKind[*catalogapi.IdentifierRow]{
		tag: tagIdentifier,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.IdentifierRow, error] { return d.Identifiers },
		at: func(v *catalogapi.IdentifierRow) childRow {
			return childRow{filing: v.FilingKey, file: v.File, line: v.Line}
		},
		raw: func(v *catalogapi.IdentifierRow) []string { return []string{v.FilingKey, string(v.Kind), v.Value} },
		put: func(r *rowBuffer, v *catalogapi.IdentifierRow) string {
			switch {
			case v.Kind != catalogapi.IdentifierCIK && v.Kind != catalogapi.IdentifierCRD:
				return fmt.Sprintf("kind of number %q is neither cik nor crd", v.Kind)
			case !catalogapi.IsCRD(v.Value): // CIKs have the same form
				return fmt.Sprintf("%s number %q is not 1 to 10 digits without leading zeros", v.Kind, v.Value)
			}
			r.text(string(v.Kind))
			r.text(v.Value)
			return ""
		},
	})
}

func offices() *childTable {
	columns := []string{
		"street1", "street2", "city", "state", "country", "postal_code", "private_residence", "phone", "employee_count",
	}
	return newChildTable("offices", false, columns, childKind[*catalogapi.OfficeRow]{
		tag: tagOffice,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.OfficeRow, error] { return d.Offices },
		at: func(v *catalogapi.OfficeRow) childRow {
			return childRow{filing: v.FilingKey, file: v.File, line: v.Line}
		},
		raw: func(v *catalogapi.OfficeRow) []string {
			return []string{v.FilingKey, v.Street1, v.City, v.State, v.Country}
		},
		put: func(r *rowBuffer, v *catalogapi.OfficeRow) string {
			r.texts(v.Street1, v.Street2, v.City, v.State, v.Country, v.PostalCode)
			r.optFlag(v.Residence)
			r.text(v.Phone)
			r.optInteger(v.Employees)
			return ""
		},
	})
}

func affiliates() *childTable {
	columns := []string{
		"reference_id", "legal_name", "business_name", "sec_number", "affiliate_crd", "types", "controls", "common_control",
	}
	return newChildTable("affiliates", false, columns, childKind[*catalogapi.AffiliateRow]{
		tag: tagAffiliate,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.AffiliateRow, error] { return d.Affiliates },
		at: func(v *catalogapi.AffiliateRow) childRow {
			return childRow{filing: v.FilingKey, file: v.File, line: v.Line}
		},
		raw: func(v *catalogapi.AffiliateRow) []string {
			return []string{v.FilingKey, v.ReferenceID, v.LegalName, v.CRD}
		},
		put: func(r *rowBuffer, v *catalogapi.AffiliateRow) string {
			if v.LegalName == "" && v.BusinessName == "" && !catalogapi.IsCRD(v.CRD) {
				return "Legal Name, Business Name and CRD Number of the affiliate are all missing"
			}
			if fault := cmp.Or(longName("Legal Name", v.LegalName), longName("Business Name", v.BusinessName)); fault != "" {
				return fault
			}
			r.texts(v.ReferenceID, v.LegalName, v.BusinessName, v.SECNumber)
			r.crd(v.CRD)
			r.list(v.Types)
			r.optFlag(v.Controls)
			r.optFlag(v.CommonControl)
			return ""
		},
	})
}

func subAdvised() *childTable {
	columns := []string{"fund_id", "name", "adviser_name", "adviser_sec_number"}
	return newChildTable("sub_advised_funds", false, columns, childKind[*catalogapi.SubAdvisedRow]{
		tag: tagSubAdvised,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.SubAdvisedRow, error] { return d.SubAdvised },
		at: func(v *catalogapi.SubAdvisedRow) childRow {
			return childRow{filing: v.FilingKey, file: v.File, line: v.Line}
		},
		raw: func(v *catalogapi.SubAdvisedRow) []string {
			return []string{v.FilingKey, v.FundID, v.Name, v.AdviserName}
		},
		put: func(r *rowBuffer, v *catalogapi.SubAdvisedRow) string {
			if !catalogapi.IsFundID(v.FundID) && v.Name == "" {
				return fmt.Sprintf("Fund Name is blank and Fund ID %q is not 805- and ten digits", v.FundID)
			}
			if fault := cmp.Or(longName("Fund Name", v.Name), longName("Adviser Name", v.AdviserName)); fault != "" {
				return fault
			}
			r.optFundID(v.FundID)
			r.texts(v.Name, v.AdviserName, v.AdviserSECNumber)
			return ""
		},
	})
}

func feeders() *childTable {
	return newChildTable("fund_feeders", true, []string{"feeder_fund_id", "name"}, childKind[*catalogapi.FeederRow]{
		tag: tagFeeder,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.FeederRow, error] { return d.Feeders },
		at:  func(v *catalogapi.FeederRow) childRow { return childRow{v.FilingKey, v.ReferenceID, v.File, v.Line} },
		raw: func(v *catalogapi.FeederRow) []string { return []string{v.FilingKey, v.ReferenceID, v.FundID, v.Name} },
		put: func(r *rowBuffer, v *catalogapi.FeederRow) string {
			if !catalogapi.IsFundID(v.FundID) && v.Name == "" {
				return fmt.Sprintf("Private Fund Name is blank and Fund ID %q is not 805- and ten digits", v.FundID)
			}
			if fault := longName("Private Fund Name", v.Name); fault != "" {
				return fault
			}
			r.optFundID(v.FundID)
			r.text(v.Name)
			return ""
		},
	})
}

func providers() *childTable {
	columns := []string{
		"role", "name", "business_name", "crd", "sec_number", "lei", "city", "state", "country", "related", "website",
	}
	return newChildTable("fund_providers", true, columns, childKind[*catalogapi.ProviderRow]{
		tag: tagProvider,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.ProviderRow, error] { return d.Providers },
		at:  func(v *catalogapi.ProviderRow) childRow { return childRow{v.FilingKey, v.ReferenceID, v.File, v.Line} },
		raw: func(v *catalogapi.ProviderRow) []string {
			return []string{v.FilingKey, v.ReferenceID, string(v.Role), v.Name, v.BusinessName}
		},
		put: putProvider,
	})
}

func putProvider(r *rowBuffer, v *catalogapi.ProviderRow) string {
	switch v.Role {
	case catalogapi.RoleGeneralPartner, catalogapi.RolePrimeBroker, catalogapi.RoleCustodian, catalogapi.RoleAdministrator, catalogapi.RoleMarketer:
	default:
		return fmt.Sprintf("role %q is unknown", v.Role)
	}
	name, field := v.Name, "the name of the fund's "+string(v.Role)
	if clean(name) == "" {
		name = v.BusinessName
	}
	if clean(name) == "" {
		return field + " is blank"
	}
	if fault := cmp.Or(longName(field, name), longName(field, v.BusinessName)); fault != "" {
		return fault
	}
	r.texts(string(v.Role), name, v.BusinessName)
	r.crd(v.CRD)
	r.texts(v.SECNumber, v.LEI, v.City, v.State, v.Country)
	r.optFlag(v.Related)
	r.text(v.Website)
	return ""
}
