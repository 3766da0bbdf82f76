package load_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/testscale"
)

// A column that a document of funds lacks, in an archive or a list, leaves what was stated last, whatever comes first. One
// that is there and empty ends it.
func TestAMissingColumnOfFundsErasesNothing(t *testing.T) {
	t.Parallel()
	yes, minimum, owners := true, int64(500), int64(7)
	archived := func(id, date string, edit func(*catalogapi.FundRow)) document {
		doc := archive(id+".zip", filing(id, "7001", date, "ALDER POINT LLC"))
		row := fund(id, "1000000001", "ALDER FUND", 5)
		edit(row)
		doc.funds = []*catalogapi.FundRow{row}
		return doc
	}
	whole := func(f *catalogapi.FundRow) {
		f.Is3C7, f.MinInvestment, f.Owners, f.State, f.Country, f.FundType = &yes, &minimum, &owners, "Delaware", "United States", "Hedge Fund"
	}
	docs := []document{
		archived("1", "2025-03-01", whole),
		archived("2", "2026-03-01", func(f *catalogapi.FundRow) {
			whole(f)
			f.Is3C7, f.MinInvestment, f.Silent = nil, nil, []string{catalogapi.FieldFundIs3C7, catalogapi.FieldFundMinimum}
		}),
		archived("3", "2026-04-01", func(f *catalogapi.FundRow) {
			whole(f)
			f.Owners, f.State, f.Country, f.Silent = nil, "", "Cayman Islands", []string{catalogapi.FieldFundOwners, catalogapi.FieldState}
		}),
	}
	shown := []string{"true", "500", "7", "∅", "Cayman Islands", "Cayman Islands"}
	for _, order := range orders(rand.New(rand.NewPCG(3, 5)), len(docs), testscale.Rounds(t, 2)) {
		b := newBench(t)
		for _, n := range order {
			b.load(docs[n])
		}
		require.Equal(t, shown, b.row(`SELECT is_3c7, minimum_investment, beneficial_owners_count, state, country, jurisdiction FROM catalog.funds`), "order %v", order)
		require.Equal(t, int64(0), b.load(docs[2]).FundsChanged, "nothing is new")
		b.load(archived("4", "2026-05-01", func(f *catalogapi.FundRow) { f.Owners, f.State, f.Country = &owners, "", "" }))
		require.Equal(t, []string{"∅", "∅", "7", "∅"}, b.row(`SELECT is_3c7, minimum_investment, beneficial_owners_count, country FROM catalog.funds`), "the columns are there, and empty")
	}
}

// Answers that belong together are not mixed from two filings: a column that is lost carries nothing from before where
// another field of its group has a new answer.
func TestAnswersThatBelongTogetherAreNotMixed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before, after func(f *catalogapi.FundRow)
		silent        []string
		query         string
		want          []string
	}{
		"another state without a country": {
			func(f *catalogapi.FundRow) { f.State, f.Country = "", "Cayman Islands" },
			func(f *catalogapi.FundRow) { f.State, f.Country = "Delaware", "" },
			[]string{catalogapi.FieldCountry},
			"state, country, country_code",
			[]string{"Delaware", "∅", "US"},
		},
		"the same state without a country": {
			func(f *catalogapi.FundRow) { f.State, f.Country = "Delaware", "United States" },
			func(f *catalogapi.FundRow) { f.State, f.Country = "Delaware", "" },
			[]string{catalogapi.FieldCountry},
			"state, country, country_code",
			[]string{"Delaware", "United States", "US"},
		},
		"another master without its number": {
			func(f *catalogapi.FundRow) { f.IsFeeder, f.MasterName, f.MasterFundID = new(true), "A", "805-1" },
			func(f *catalogapi.FundRow) { f.IsFeeder, f.MasterName = new(true), "B" },
			[]string{catalogapi.FieldFundMasterID},
			"is_feeder, master_fund_name, master_fund_id",
			[]string{"true", "B", "∅"},
		},
		"no feeder without a master": {
			func(f *catalogapi.FundRow) { f.IsFeeder, f.MasterName, f.MasterFundID = new(true), "A", "805-1" },
			func(f *catalogapi.FundRow) { f.IsFeeder = new(false) },
			[]string{catalogapi.FieldFundMasterID, catalogapi.FieldFundMasterName},
			"is_feeder, master_fund_name, master_fund_id",
			[]string{"false", "∅", "∅"},
		},
		"the same feeder": {
			func(f *catalogapi.FundRow) { f.IsFeeder, f.MasterName, f.MasterFundID = new(true), "A", "805-1" },
			func(f *catalogapi.FundRow) { f.IsFeeder, f.MasterName = new(true), "a" },
			[]string{catalogapi.FieldFundMasterID},
			"is_feeder, master_fund_name, master_fund_id",
			[]string{"true", "a", "805-1"},
		},
		"a type that needs no words": {
			func(f *catalogapi.FundRow) { f.FundType, f.FundTypeOther = "Other Private Fund", "loans" },
			func(f *catalogapi.FundRow) { f.FundType = "Hedge Fund" },
			[]string{catalogapi.FieldFundTypeOther},
			"fund_type, fund_type_other",
			[]string{"Hedge Fund", "∅"},
		},
		"words for no type": { // the form before answered what it did not ask
			func(f *catalogapi.FundRow) { f.FundType, f.FundTypeOther = "Hedge Fund", "loans" },
			func(f *catalogapi.FundRow) { f.FundType = "Hedge Fund" },
			[]string{catalogapi.FieldFundTypeOther},
			"fund_type, fund_type_other",
			[]string{"Hedge Fund", "∅"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			for i, edit := range []func(f *catalogapi.FundRow){test.before, test.after} {
				id := []string{"1", "2"}[i]
				doc := archive(id+".zip", filing(id, "7001", []string{"2025-03-01", "2026-03-01"}[i], "ALDER POINT LLC"))
				row := fund(id, "1000000001", "ALDER FUND", 5)
				edit(row)
				if i == 1 {
					row.Silent = test.silent
				}
				doc.funds = []*catalogapi.FundRow{row}
				b.load(doc)
			}
			require.Equal(t, test.want, b.row(`SELECT `+test.query+` FROM catalog.funds`))
		})
	}
}
