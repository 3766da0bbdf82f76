package listing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
	"gpatlas/platform/page"
)

// V43: if a load between the selection and the rows takes a record away, the page is selected once again. No page has fewer rows than its total says.
func TestAPastListWithALoadInBetween(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	before := c.Past(t, false)
	snapshot, err := c.Index.Snapshot()
	require.NoError(t, err)
	day := func(on time.Time) moment.Input {
		return moment.Input{AsOf: httpapi.Opt[httpapi.Date]{Set: true, Value: httpapi.Date{Time: on}}}
	}
	for _, missing := range []int{0, 1, 2} { // so many times a row is missing
		selected, read := 0, 0
		then := listing.Past[string]{
			Search: func(then *index.Analysis) (int, []string) {
				selected++
				return then.SearchGPs(&index.GPQuery{Limit: 5})
			},
			Read: func(_ history.AsOf, crds []string) ([]string, error) {
				require.NotEmpty(t, crds)
				if read++; read <= missing {
					return crds[1:], nil
				}
				return crds, nil
			},
			Remarks: func(*index.Analysis, int) listing.Remarks { return listing.Remarks{} },
		}
		reply, err := then.Answer(t.Context(), before, day(time.Date(2026, time.March, 31, 0, 0, 0, 0, time.UTC)), c.Clock, snapshot, &page.Counted{}, &listing.Applied{})
		if missing == 2 {
			require.Equal(t, apperr.KindUnavailable, apperr.From(err).Kind)
			require.Nil(t, reply)
			continue
		}
		require.NoError(t, err)
		require.NotNil(t, reply)
		require.Len(t, reply.Body.Data, min(reply.Body.Meta.Total, 5))
		require.Equal(t, "2026-03-31", *reply.Body.Meta.AsOf)
		require.Equal(t, missing+1, selected)
	}
	reply, err := new(listing.Past[string]).Answer(t.Context(), before, day(c.Clock.Now()), c.Clock, snapshot, &page.Counted{}, &listing.Applied{})
	require.NoError(t, err)
	require.Nil(t, reply, "the present needs no index")
}
