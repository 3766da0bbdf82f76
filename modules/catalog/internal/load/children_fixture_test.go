package load_test

import (
	"iter"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/itertest"
)

// children are the tables that only some documents have: nil is no table, an empty one is a table without rows.
type children struct {
	identifiers []*catalogapi.IdentifierRow
	offices     []*catalogapi.OfficeRow
	affiliates  []*catalogapi.AffiliateRow
	owners      []*catalogapi.OwnerRow
	disclosures []*catalogapi.DisclosureRow
	implicated  []*catalogapi.DisclosureAffiliateRow
	subAdvised  []*catalogapi.SubAdvisedRow
	feeders     []*catalogapi.FeederRow
	providers   []*catalogapi.ProviderRow
	withdrawals []*catalogapi.WithdrawalRow
}

var childNames = []string{
	"identifiers", "offices", "affiliates", "owners", "disclosures", "disclosure_affiliates", "sub_advised_funds",
	"fund_providers", "fund_feeders",
}

func (c children) addTo(d *catalogapi.Document) {
	d.Identifiers, d.Offices, d.Affiliates = table(c.identifiers), table(c.offices), table(c.affiliates)
	d.Owners, d.Disclosures, d.Implicated = table(c.owners), table(c.disclosures), table(c.implicated)
	d.SubAdvised, d.Feeders, d.Providers = table(c.subAdvised), table(c.feeders), table(c.providers)
	d.Withdrawals = table(c.withdrawals)
}

func table[T any](rows []T) iter.Seq2[T, error] {
	if rows == nil {
		return nil
	}
	return itertest.Rows(rows...)
}

// one row of each table, on filing "1" of 7001 and its fund f1.
func oneOfEach() children {
	return children{
		identifiers: []*catalogapi.IdentifierRow{{FilingKey: "1", Kind: catalogapi.IdentifierCIK, Value: "1700001", File: "cik.csv", Line: 2}},
		offices: []*catalogapi.OfficeRow{{
			FilingKey: "1", Street1: "2 INVENTED STREET", Street2: "FLOOR 3", City: "CHICAGO", State: "IL", Country: "United States",
			PostalCode: "60601", Residence: new(false), Phone: "312-555-0100", Employees: new(int64(7)), File: "1f.csv", Line: 2,
		}},
		affiliates: []*catalogapi.AffiliateRow{{
			FilingKey: "1", ReferenceID: "a1", LegalName: "ALDER POINT SECURITIES LLC", BusinessName: "ALDER", SECNumber: "8-1", CRD: "7009",
			Types: []string{"a", "m"}, Controls: new(false), CommonControl: new(true), File: "7a.csv", Line: 2,
		}},
		owners: []*catalogapi.OwnerRow{{
			FilingKey: "1", Schedule: "B", Name: "PERSON, INVENTED, X", EntityType: "I", OwnedEntity: "ALDER HOLDINGS", Title: "MEMBER",
			AcquiredYear: 2011, AcquiredMonth: 9, OwnershipCode: "E", ControlPerson: new(true), PublicReporting: new(false), OwnerID: "1000018",
			File: "ab.csv", Line: 2,
		}},
		disclosures: []*catalogapi.DisclosureRow{{
			FilingKey: "1", Family: catalogapi.DisclosureRegulatory, ReferenceID: "1771958", Amended: new(true), Items: []string{"11.E(3)"},
			FiledAgainst: "Affiliates", InitiatedBy: "INVENTED REGULATOR", InitiatorType: "SRO", Court: "", CaseNumber: "2020000001",
			EventDate: day("2021-02-19"), Product: "No Product", Allegations: "invented", Felony: nil, Status: "Final",
			Resolution: "Consent", ResolutionDate: day("2021-03-01"), Sanctions: []string{"censure"}, MonetaryAmount: new(int64(5000)),
			SanctionDetail: "paid", Summary: "none", File: "drp.csv", Line: 2,
		}},
		implicated: []*catalogapi.DisclosureAffiliateRow{{
			FilingKey: "1", ReferenceID: "1771958", Type: "Regulatory Action", CRD: "7009", Kind: "Firm", Registered: new(true),
			Name: "ALDER POINT SECURITIES LLC", File: "drp_aa.csv", Line: 2,
		}},
		subAdvised: []*catalogapi.SubAdvisedRow{{
			FilingKey: "1", FundID: "805-" + f3, Name: "Fenwick I", AdviserName: "FENWICK LP", AdviserSECNumber: "801-2", File: "7b2.csv", Line: 2,
		}},
		feeders: []*catalogapi.FeederRow{{FilingKey: "1", ReferenceID: "r" + f1, FundID: "805-" + f2, Name: "Alder Feeder", File: "6b.csv", Line: 2}},
		providers: []*catalogapi.ProviderRow{{
			FilingKey: "1", ReferenceID: "r" + f1, Role: catalogapi.RoleCustodian, Name: "INVENTED CUSTODY NA", BusinessName: "CUSTODY", CRD: "77",
			SECNumber: "8-77", LEI: "5493000EXAMPLE000001", City: "NEW YORK", State: "NY", Country: "United States", Related: new(false),
			Website: "https://custody.example.com", File: "a25.csv", Line: 2,
		}},
	}
}

func owner(filing, name string) *catalogapi.OwnerRow {
	return &catalogapi.OwnerRow{FilingKey: filing, Schedule: "A", Name: name, OwnershipCode: "NA", File: "ab.csv", Line: 2}
}

func provider(filing, fund, name string) *catalogapi.ProviderRow {
	return &catalogapi.ProviderRow{FilingKey: filing, ReferenceID: "r" + fund, Role: catalogapi.RolePrimeBroker, Name: name, File: "a24.csv", Line: 2}
}

// affiliate is under common control with the filing's adviser.
func affiliate(filing, crd, name string) *catalogapi.AffiliateRow {
	return &catalogapi.AffiliateRow{FilingKey: filing, CRD: crd, LegalName: name, CommonControl: new(true), File: "7a.csv", Line: 2}
}

func withdrawals(name string, rows ...*catalogapi.WithdrawalRow) document {
	return document{name: name, source: catalogapi.SourceADVW, children: children{withdrawals: rows}}
}

func withdrawal(crd, id, date string, full bool) *catalogapi.WithdrawalRow {
	return &catalogapi.WithdrawalRow{
		CRD: crd, FilingID: id, Submitted: day(date), LegalName: "GONE LLC", Full: full, Ceased: new(true), CeasedOn: day(date),
		Reason: "no clients left", File: "advw.csv", Line: 2,
	}
}
