package history_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/itertest"
)

// formOf is an archive with one form, and one of its funds, of an adviser of these tests.
func formOf(id, filed string, edit func(f *catalogapi.AdviserFiling, fund *catalogapi.FundRow)) catalogapi.Document {
	f := &catalogapi.AdviserFiling{
		Key: id, FilingID: id, CRD: "900201", Submitted: date(filed),
		Statement: catalogapi.Statement{
			LegalName: "Zinnia Teal LLC", SECNumber: new("801-900201"), City: new("Boston"), State: new("MA"),
			Country: new("United States"), RAUM: new(int64(9)),
		},
		Basis:       catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
		FundsListed: true, File: "f", Line: 1,
	}
	number, _ := strconv.Atoi(id)
	fund := &catalogapi.FundRow{
		FilingKey: id, ReferenceID: id, FundID: "805-0000000901", Name: "Zinnia Fund", Owners: new(int64(number)), File: "f", Line: 1,
	}
	edit(f, fund)
	return catalogapi.Document{Name: id + ".zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(f), Funds: itertest.Rows(fund)}
}

// What is not known because a document lacks its column is told from what a document says there is not.
func TestATimelineNamesWhatIsNotStated(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	c.Add(t, formOf("9101", "2025-03-01", func(*catalogapi.AdviserFiling, *catalogapi.FundRow) {}))
	c.Add(t, formOf("9102", "2026-03-01", func(f *catalogapi.AdviserFiling, _ *catalogapi.FundRow) {
		f.City, f.State, f.Silent = new("Austin"), nil, []string{catalogapi.FieldState}
	}))
	c.Add(t, formOf("9103", "2026-04-01", func(f *catalogapi.AdviserFiling, _ *catalogapi.FundRow) {
		f.City, f.State, f.RAUM = new("Paris"), nil, nil
	}))
	current, err := store.FindAdviser(t.Context(), "900201")
	require.NoError(t, err)
	states, err := store.Timeline(t.Context(), current, history.AsOf{Today: c.Clock.Now()})
	require.NoError(t, err)
	require.Len(t, states, 3)
	for i, want := range [][]string{nil, {"state"}, nil} {
		require.Equal(t, want, states[i].Unstated)
		require.Equal(t, i == 0, states[i].State != nil)
	}
}

// The investors of an adviser come from the filing that states the owners of its fund.
func TestTheInvestorsComeFromWhoStatesThem(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	c.Add(t, formOf("9101", "2025-03-01", func(*catalogapi.AdviserFiling, *catalogapi.FundRow) {}))
	c.Add(t, formOf("9102", "2026-03-01", func(_ *catalogapi.AdviserFiling, fund *catalogapi.FundRow) {
		fund.Owners, fund.Silent = nil, []string{catalogapi.FieldFundOwners}
	}))
	store := history.NewStore(c.DB)
	current, err := store.FindAdviser(t.Context(), "900201")
	require.NoError(t, err)
	state, err := store.AdviserAt(t.Context(), current, history.AsOf{Today: c.Clock.Now()})
	require.NoError(t, err)
	require.Equal(t, int64(9101), *state.TotalInvestors)
	require.Equal(t, "ADV-900201-9101", state.Provenance["total_investors"].Accession)
	require.Equal(t, "ADV-900201-9102", state.Provenance["fund_count"].Accession)
}
