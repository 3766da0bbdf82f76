package load

import (
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

// childTables are all tables of rows that belong to filings or funds.
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
	return newChildTable("identifiers", false, childKind[catalogapi.IdentifierRow]{
		tag:   tagIdentifier,
		of:    func(d *catalogapi.Document) iter.Seq2[*catalogapi.IdentifierRow, error] { return d.Identifiers },
		at:    func(v *catalogapi.IdentifierRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw:   func(v *catalogapi.IdentifierRow) []string { return []string{v.FilingKey, string(v.Kind), v.Value} },
		check: identifierFault,
	})
}

func offices() *childTable {
	return newChildTable("offices", false, childKind[catalogapi.OfficeRow]{
		tag: tagOffice,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.OfficeRow, error] { return d.Offices },
		at:  func(v *catalogapi.OfficeRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw: func(v *catalogapi.OfficeRow) []string {
			return []string{v.FilingKey, v.Street1, v.City, v.State, v.Country}
		},
	})
}

func affiliates() *childTable {
	return newChildTable("affiliates", false, childKind[catalogapi.AffiliateRow]{
		tag: tagAffiliate,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.AffiliateRow, error] { return d.Affiliates },
		at:  func(v *catalogapi.AffiliateRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw: func(v *catalogapi.AffiliateRow) []string {
			return []string{v.FilingKey, v.ReferenceID, v.LegalName, v.CRD}
		},
		check: affiliateFault,
	})
}

func owners() *childTable {
	return newChildTable("owners", false, childKind[catalogapi.OwnerRow]{
		tag: tagOwner,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.OwnerRow, error] { return d.Owners },
		at:  func(v *catalogapi.OwnerRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw: func(v *catalogapi.OwnerRow) []string {
			return []string{v.FilingKey, v.Schedule, v.Name, v.Title, v.OwnershipCode}
		},
		check: ownerFault,
	})
}

func disclosures() *childTable {
	return newChildTable("disclosures", false, childKind[catalogapi.DisclosureRow]{
		tag: tagDisclosure,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.DisclosureRow, error] { return d.Disclosures },
		at:  func(v *catalogapi.DisclosureRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw: func(v *catalogapi.DisclosureRow) []string {
			return []string{v.FilingKey, string(v.Family), v.ReferenceID, v.FiledAgainst, v.CaseNumber}
		},
		check: disclosureFault,
	})
}

func implicated() *childTable {
	return newChildTable("disclosure_affiliates", false, childKind[catalogapi.DisclosureAffiliateRow]{
		tag: tagImplicated,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.DisclosureAffiliateRow, error] { return d.Implicated },
		at:  func(v *catalogapi.DisclosureAffiliateRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw: func(v *catalogapi.DisclosureAffiliateRow) []string {
			return []string{v.FilingKey, v.ReferenceID, v.Type, v.CRD, v.Name}
		},
		check: implicatedFault,
	})
}

func subAdvised() *childTable {
	return newChildTable("sub_advised_funds", false, childKind[catalogapi.SubAdvisedRow]{
		tag: tagSubAdvised,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.SubAdvisedRow, error] { return d.SubAdvised },
		at:  func(v *catalogapi.SubAdvisedRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw: func(v *catalogapi.SubAdvisedRow) []string {
			return []string{v.FilingKey, v.FundID, v.Name, v.AdviserName}
		},
		check: subAdvisedFault,
	})
}

func feeders() *childTable {
	return newChildTable("fund_feeders", true, childKind[catalogapi.FeederRow]{
		tag:   tagFeeder,
		of:    func(d *catalogapi.Document) iter.Seq2[*catalogapi.FeederRow, error] { return d.Feeders },
		at:    func(v *catalogapi.FeederRow) childRow { return childRow{v.FilingKey, v.ReferenceID, v.File, v.Line} },
		raw:   func(v *catalogapi.FeederRow) []string { return []string{v.FilingKey, v.ReferenceID, v.FundID, v.Name} },
		check: feederFault,
	})
}

func providers() *childTable {
	return newChildTable("fund_providers", true, childKind[catalogapi.ProviderRow]{
		tag: tagProvider,
		of:  func(d *catalogapi.Document) iter.Seq2[*catalogapi.ProviderRow, error] { return d.Providers },
		at:  func(v *catalogapi.ProviderRow) childRow { return childRow{v.FilingKey, v.ReferenceID, v.File, v.Line} },
		raw: func(v *catalogapi.ProviderRow) []string {
			return []string{v.FilingKey, v.ReferenceID, string(v.Role), v.Name, v.BusinessName}
		},
		check: providerFault,
	})
}
