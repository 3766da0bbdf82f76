package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/apperr"
)

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
