package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
)

// Each place in which an account was delivered units is noted with the charge, also with one of nothing; not for test keys, and not if the
// charge is refused.
func TestPlacesAreNoted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := ledger.NewPurchaseReader(b.db, b.clock)
	at := func(crd string, units ...string) charge.Item {
		item := team(units...)
		for _, u := range units {
			item.Places = append(item.Places, crd+"/"+u)
		}
		return item
	}
	placed := func(userID int64, product string) map[string]bool {
		got, err := d.Placed(t.Context(), userID, product, []string{"1/p1", "1/p2", "2/p1", "2/p3"})
		require.NoError(t, err)
		return got
	}
	_, err := b.Charge(as(t.Context(), 1, ""), at("1", "p1", "p2"))
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"1/p1": true, "1/p2": true}, placed(1, "roster"))
	receipt, err := b.Charge(as(t.Context(), 1, ""), at("2", "p1"))
	require.NoError(t, err)
	require.Zero(t, receipt.Micros)
	none := at("2", "p3")
	none.MaxMicros = new(int64)
	_, err = b.Charge(as(t.Context(), 1, ""), none)
	require.Error(t, err)
	_, err = b.Charge(as(t.Context(), 1, "test"), at("2", "p3"))
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"1/p1": true, "1/p2": true, "2/p1": true}, placed(1, "roster"))
	require.Empty(t, placed(1, "profile"))
	require.Empty(t, placed(2, "roster"))
	require.NoError(t, b.books().AccountPurged(t.Context(), 1))
	require.Empty(t, placed(1, "roster"))
}

func TestPurchaseReader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := ledger.NewPurchaseReader(b.db, b.clock)
	_, err := b.Charge(as(t.Context(), 1, ""), team("p1", "p2"))
	require.NoError(t, err)
	for _, c := range []struct {
		userID  int64
		product string
		units   []string
		want    map[string]bool
	}{
		{1, "roster", []string{"p1", "p2", "p3"}, map[string]bool{"p1": true, "p2": true}},
		{1, "profile", []string{"p1"}, map[string]bool{}},
		{2, "roster", []string{"p1"}, map[string]bool{}},
		{0, "roster", []string{"p1"}, map[string]bool{}},
		{1, "roster", nil, map[string]bool{}},
	} {
		owned, err := d.Owned(t.Context(), c.userID, c.product, c.units)
		require.NoError(t, err)
		require.Equal(t, c.want, owned)
	}
	b.change(1, func(a *account.Account) { a.WeeklyDigest = true })
	for userID, want := range map[int64]bool{1: true, 2: false} {
		weekly, err := d.WeeklyDigest(t.Context(), userID)
		require.NoError(t, err)
		require.Equal(t, want, weekly)
	}
	some, err := d.WeeklyDigests(t.Context(), []int64{1, 2, 3})
	require.NoError(t, err)
	require.Equal(t, map[int64]bool{1: true}, some)
	b.db.Close()
	_, err = d.Owned(t.Context(), 1, "roster", []string{"p1"})
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	_, err = d.WeeklyDigest(t.Context(), 1)
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
	_, err = d.WeeklyDigests(t.Context(), []int64{1})
	require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
}
