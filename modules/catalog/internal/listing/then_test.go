package listing_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/apperr"
)

// V43: if a load between the selection and the rows takes a record away, the page is selected once again. No page has fewer rows than its total says.
func TestAPastListWithALoadInBetween(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	before := past.NewBuilder(c.DB, c.Clock, slog.New(slog.DiscardHandler), false)
	t.Cleanup(func() { require.NoError(t, before.Stop(context.WithoutCancel(t.Context()))) })
	snapshot, err := c.Index.Snapshot()
	require.NoError(t, err)
	at := catalogapi.Moment{Day: time.Date(2026, time.March, 31, 0, 0, 0, 0, time.UTC)}
	for _, missing := range []int{0, 1, 2} { // so many times a row is missing
		selected, read := 0, 0
		then, total, rows, err := listing.SearchThen(t.Context(), before, at, snapshot, func(then *index.Analysis) (int, []string) {
			selected++
			return then.SearchGPs(&index.GPQuery{Limit: 5})
		}, func(crds []string) ([]string, error) {
			require.NotEmpty(t, crds)
			if read++; read <= missing {
				return crds[1:], nil
			}
			return crds, nil
		})
		if missing == 2 {
			require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
			require.Nil(t, then)
			continue
		}
		require.NoError(t, err)
		require.NotNil(t, then)
		require.Len(t, rows, min(total, 5))
		require.Equal(t, missing+1, selected)
	}
	then, _, rows, err := listing.SearchThen(t.Context(), before, catalogapi.Moment{Day: c.Clock.Now()}, snapshot, nil, func([]string) ([]string, error) { return nil, nil })
	require.NoError(t, err)
	require.Nil(t, then, "the present needs no index")
	require.Empty(t, rows)
}
