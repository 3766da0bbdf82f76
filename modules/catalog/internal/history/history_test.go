package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/fixture"
	"gpatlas/modules/catalog/internal/history"
)

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// The fold of today is the current row: the loader's SQL and this package's Go say the same.
func TestTodayIsTheCurrentState(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	snapshot, err := c.Index.Snapshot()
	require.NoError(t, err)
	today := c.Clock.Now()
	for id := range uint32(snapshot.Freshness().Advisers) {
		current, err := store.FindAdviser(t.Context(), snapshot.GP(id).CRD)
		require.NoError(t, err)
		require.NotNil(t, current)
		folded, err := store.AdviserAsOf(t.Context(), current, today)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(current, folded), snapshot.GP(id).CRD)
	}
	for id := range uint32(snapshot.Freshness().Funds) {
		current, err := store.FindFund(t.Context(), snapshot.Fund(id).FundID, 0)
		require.NoError(t, err)
		folded, err := store.FundAsOf(t.Context(), current, today)
		require.NoError(t, err)
		folded.Exemptions = current.Exemptions // not of Form ADV
		require.Empty(t, cmp.Diff(current, folded), current.FundID)
		again, err := store.FindFund(t.Context(), "", current.ID)
		require.NoError(t, err)
		require.Equal(t, current, again)
	}
}

func TestAnEarlierDay(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	current, err := store.FindAdviser(t.Context(), "900001")
	require.NoError(t, err)
	require.Equal(t, "Harbor Ridge Capital Partners LLC", current.LegalName)

	then, err := store.AdviserAsOf(t.Context(), current, date("2020-01-01"))
	require.NoError(t, err)
	require.Equal(t, "Harbor Ridge Partners LLC", then.LegalName)
	require.Equal(t, "Providence", *then.City)
	require.Equal(t, int64(1_000_000_000), *then.TotalAUM)
	require.Equal(t, int64(2), *then.FundCount, "the fund that is closed today was not closed then")
	require.Equal(t, int64(900_000_000), *then.TotalGAV)
	require.Equal(t, history.FilingSource{AccessionNumber: "ADV-900001-1001", FilingType: "ADV", FilingDate: "2019-03-28"}, then.Source())

	before, err := store.AdviserAsOf(t.Context(), current, date("2019-03-27"))
	require.NoError(t, err)
	require.Nil(t, before)
	on, err := store.AdviserAsOf(t.Context(), current, date("2019-03-28"))
	require.NoError(t, err)
	require.Equal(t, then, on)

	fund, err := store.FindFund(t.Context(), "805-0000000010", 0)
	require.NoError(t, err)
	require.Equal(t, "closed", fund.Status)
	earlier, err := store.FundAsOf(t.Context(), fund, date("2020-01-01"))
	require.NoError(t, err)
	require.Equal(t, "active", earlier.Status)
	require.Equal(t, fund.ID, earlier.ID)
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	store := history.NewStore(fixture.New(t).DB)
	a, err := store.FindAdviser(t.Context(), "1")
	require.NoError(t, err)
	require.Nil(t, a)
	f, err := store.FindFund(t.Context(), "805-9999999999", 0)
	require.NoError(t, err)
	require.Nil(t, f)
	name, err := store.AdviserName(t.Context(), "1")
	require.NoError(t, err)
	require.Empty(t, name)
}
