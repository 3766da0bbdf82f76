package price_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/price"
)

func TestParse(t *testing.T) {
	t.Parallel()
	list, err := price.Parse("price_a=plan:pro, price_b=tier:growth,price_c=plan:pro,")
	require.NoError(t, err)
	require.Equal(t, price.List{
		{ID: "price_a", Entitlement: price.Entitlement{Plan: "pro"}}, {ID: "price_b", Entitlement: price.Entitlement{APITier: "growth"}}, {ID: "price_c", Entitlement: price.Entitlement{Plan: "pro"}},
	}, list)
	for _, bad := range []string{
		"price_a", "price_a=pro", "price_a=plan:free", "price_a=tier:starter", "=plan:pro", "price_a=plan:pro,price_a=tier:scale", "price a=plan:pro", "prod_a=plan:pro",
	} {
		_, err := price.Parse(bad)
		require.Error(t, err, bad)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	list, err := price.Parse("price_a=plan:pro,price_b=tier:growth,price_c=plan:pro")
	require.NoError(t, err)
	found, ok := list.Find("price_c")
	require.True(t, ok)
	require.Equal(t, "pro", found.Plan)
	_, ok = list.Find("price_d")
	require.False(t, ok)
	found, ok = list.For(price.Entitlement{Plan: "pro"})
	require.True(t, ok)
	require.Equal(t, "price_a", found.ID, "the first")
	_, ok = list.For(price.Entitlement{Plan: "starter"})
	require.False(t, ok)
	empty, err := price.Parse("")
	require.NoError(t, err)
	require.Empty(t, empty)
}
