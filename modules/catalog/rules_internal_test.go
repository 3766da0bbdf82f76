package catalog

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// Rules that stand in Go and, for statements, in SQL beside it decide alike. The order of versions is compared in filing.TestOrder.
func TestRulesInSQL(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	decide := func(statement string, args database.Args) bool {
		t.Helper()
		got, err := database.Values[bool](t.Context(), db, "decide", "SELECT coalesce("+statement, args)
		require.NoError(t, err)
		return got[0]
	}
	rng := rand.New(rand.NewPCG(28, 11))
	believed := 0
	for range 300 {
		filed := time.Date(1899+rng.IntN(3)*63, 12, 30+rng.IntN(4), 0, 0, 0, 0, time.UTC)
		sale := filed.AddDate(0, 0, rng.IntN(5)-2)
		want := derive.FirstSale(sale, filed)
		if want {
			believed++
		}
		require.Equal(t, want, decide(derive.FirstSaleSQL+", false) FROM (SELECT @sale::date AS first_sale, @filed::date AS filing_date) o",
			database.Args{"sale": sale.Format(time.DateOnly), "filed": filed.Format(time.DateOnly)}), "%s filed %s", sale, filed)
	}
	require.Greater(t, believed, 50)
	require.Less(t, believed, 250)
	for _, mark := range []*string{nil, new("I"), new("DE"), new("FE"), new("i"), new("")} {
		require.Equal(t, catalogapi.MarksPerson(mark), decide(strings.ReplaceAll(catalogapi.MarksPersonSQL, "$", "o")+", false) FROM (SELECT @mark::text AS entity_type) o",
			database.Args{"mark": mark}), "%v", mark)
	}
}
