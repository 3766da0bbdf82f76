package history_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/record"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/apperr"
)

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// adviserAsOf is what the filings of an adviser up to a day said, or nil.
func adviserAsOf(t *testing.T, store *history.Store, current *fold.Adviser, day time.Time) (*fold.Adviser, error) {
	t.Helper()
	state, err := store.AdviserAt(t.Context(), current, asOf(day))
	if state == nil {
		return nil, err
	}
	return &state.Adviser, err
}

// fundAsOf is what the filings up to a day said of a fund, or nil.
func fundAsOf(t *testing.T, store *history.Store, current *fold.Fund, day time.Time) (*fold.Fund, error) {
	t.Helper()
	fund, err := store.FundAt(t.Context(), current, asOf(day))
	if fund == nil {
		return nil, err
	}
	return &fund.Fund, err
}

func asOf(day time.Time) history.AsOf {
	return history.AsOf{Point: catalogapi.Point{Moment: catalogapi.Moment{Day: day}}}
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
		folded, err := adviserAsOf(t, store, current, today)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(current, folded), snapshot.GP(id).CRD)
	}
	for id := range uint32(snapshot.Freshness().Funds) {
		current, err := store.FindFund(t.Context(), snapshot.Fund(id).FundID, 0)
		require.NoError(t, err)
		folded, err := fundAsOf(t, store, current, today)
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

	then, err := adviserAsOf(t, store, current, date("2020-01-01"))
	require.NoError(t, err)
	require.Equal(t, "Harbor Ridge Partners LLC", then.LegalName)
	require.Equal(t, "Providence", *then.City)
	require.Equal(t, int64(1_000_000_000), *then.TotalAUM)
	require.Equal(t, int64(2), *then.FundCount, "the fund that is closed today was not closed then")
	require.Equal(t, int64(900_000_000), *then.TotalGAV)
	require.Equal(t, fold.FilingSource{AccessionNumber: "ADV-900001-1001", FilingType: "ADV", FilingDate: "2019-03-28"}, then.Source())

	before, err := adviserAsOf(t, store, current, date("2019-03-27"))
	require.NoError(t, err)
	require.Nil(t, before)
	on, err := adviserAsOf(t, store, current, date("2019-03-28"))
	require.NoError(t, err)
	require.Equal(t, then, on)

	fund, err := store.FindFund(t.Context(), "805-0000000010", 0)
	require.NoError(t, err)
	require.Equal(t, "closed", fund.Status)
	earlier, err := fundAsOf(t, store, fund, date("2020-01-01"))
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
}

// While the database is away every read says so.
func TestWithoutDatabase(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	adviser, err := store.FindAdviser(t.Context(), "900001")
	require.NoError(t, err)
	fund, err := store.FindFund(t.Context(), "805-0000000010", 0)
	require.NoError(t, err)
	c.DB.Close()
	for name, read := range map[string]func() error{
		"adviser":  func() error { _, err := store.AdviserAt(t.Context(), adviser, history.AsOf{}); return err },
		"fund":     func() error { _, err := store.FundAt(t.Context(), fund, history.AsOf{}); return err },
		"timeline": func() error { _, err := store.Timeline(t.Context(), adviser, history.AsOf{}); return err },
		"current":  func() error { _, err := store.FindAdviser(t.Context(), "900001"); return err },
	} {
		require.Equal(t, apperr.KindUnavailable, apperr.From(read()).Kind, name)
	}
}

// Within a transaction the reads are its own, and leave it open.
func TestInATransaction(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	err := c.DB.InTx(t.Context(), func(ctx context.Context) error {
		var filed []byte
		require.NoError(t, c.DB.From(ctx).Raw("SELECT filed FROM catalog.records WHERE crd = '900001'").Row().Scan(&filed))
		of, err := record.NewDecoder().Decode("900001", filed, nil, nil)
		require.NoError(t, err)
		for i := range of.Filings {
			of.Filings[i].LegalName = "Larkspur LLC"
		}
		require.NoError(t, c.DB.From(ctx).Exec("UPDATE catalog.records SET filed = ? WHERE crd = '900001'", record.Encode(of)).Error)
		adviser, err := store.FindAdviser(ctx, "900001")
		require.NoError(t, err)
		state, err := store.AdviserAt(ctx, adviser, history.AsOf{})
		require.NoError(t, err)
		require.Equal(t, "Larkspur LLC", state.LegalName)
		return context.Canceled // undone
	})
	require.ErrorIs(t, err, context.Canceled)
	adviser, err := store.FindAdviser(t.Context(), "900001")
	require.NoError(t, err)
	state, err := store.AdviserAt(t.Context(), adviser, history.AsOf{})
	require.NoError(t, err)
	require.Equal(t, "Harbor Ridge Capital Partners LLC", state.LegalName)
}
