package catalogapi

// Group is fields whose answers belong together. If a document lacks the column of one of them and changes the answer to
// another, the missing answer is not taken from an older document: answers of two documents would be mixed. The fields of the
// main office, which are one address, have their own rule.
type Group struct {
	Fields []string
	// Asks is the answer to the first field for which a form asks for the others: with any other answer they are not
	// carried. Empty: they are asked for always.
	Asks string
}

// AdviserGroups are the groups of the fields of AdviserFiling (Form ADV items 5.F.(2) and 3.C), and FundGroups those of FundRow
// (Schedule D section 7.B.(1)).
var (
	AdviserGroups = []Group{
		{Fields: []string{FieldRAUM, FieldRAUMDiscretion, FieldRAUMNonDiscr}},
		{Fields: []string{FieldOrgState, FieldOrgCountry}},
	}
	FundGroups = []Group{
		{Fields: []string{FieldState, FieldCountry}},
		{Fields: []string{FieldFundIsFeeder, FieldFundMasterName, FieldFundMasterID}, Asks: "true"},
		{Fields: []string{FieldFundType, FieldFundTypeOther}, Asks: "Other Private Fund"},
	}
)
