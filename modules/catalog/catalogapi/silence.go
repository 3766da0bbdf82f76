package catalogapi

// SilentTable is the prefix of the names of a filing's lists that have tables of their own and are no fields. A filing of an
// archive without the table states nothing about the list: the statement of an earlier edition or filing stays valid.
const SilentTable = "table:"

// The lists of a filing that a document may be silent about. Tables whose rows come from several tables of an archive
// have one list for each of these: see OfPart.
const (
	TableIdentifiers = SilentTable + "identifiers" // of a part: the IdentifierKind
	TableOffices     = SilentTable + "offices"
	TableAffiliates  = SilentTable + "affiliates"
	TableOwners      = SilentTable + "owners"
	TableDisclosures = SilentTable + "disclosures" // of a part: the DisclosureFamily
	TableImplicated  = SilentTable + "disclosure_affiliates"
	TableSubAdvised  = SilentTable + "sub_advised_funds"
	TableFeeders     = SilentTable + "fund_feeders"
	TableProviders   = SilentTable + "fund_providers" // of a part: the ProviderRole
	TableWebsites    = SilentTable + "websites"
)

// OfPart names one part of a list, such as the disclosures of one family.
func OfPart[T ~string](table string, part T) string { return table + ":" + string(part) }

// DisclosureTables are the lists of the disclosures of all families.
func DisclosureTables() (names []string) {
	for _, family := range DisclosureFamilies {
		names = append(names, OfPart(TableDisclosures, family))
	}
	return names
}

// The fields of FundRow that a document may be silent about; state and country are called as those of AdviserFiling.
const (
	FieldFundIs3C1       = "is_3c1"
	FieldFundIs3C7       = "is_3c7"
	FieldFundIsMaster    = "is_master"
	FieldFundIsFeeder    = "is_feeder"
	FieldFundMasterName  = "master_fund_name"
	FieldFundMasterID    = "master_fund_id"
	FieldFundOfFunds     = "is_fund_of_funds"
	FieldFundType        = "fund_type"
	FieldFundTypeOther   = "fund_type_other"
	FieldFundMinimum     = "minimum_investment"
	FieldFundOwners      = "beneficial_owners_count"
	FieldFundPctRelated  = "pct_owned_related"
	FieldFundPctFunds    = "pct_owned_funds"
	FieldFundPctNonUS    = "pct_owned_non_us"
	FieldFundAnnualAudit = "annual_audit"
	FieldFundGAAP        = "gaap"
	FieldFundUnqualified = "unqualified_opinion"
	FieldFundAuditors    = "auditors"            // of a table of their own
	FieldFundFormD       = "form_d_file_numbers" // likewise
)
