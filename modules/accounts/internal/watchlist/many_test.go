package watchlist_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gpatlas/modules/accounts/internal/manygps"
	"gpatlas/platform/testkit/httpapitest"
)

// V54: ten requests of 200 numbers at once add each GP once, and say of each number what became of it.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.add(t, b.ada, "900002")
	crds := []string{"900003", "900001", "900002", "12x"}
	for len(crds) < manygps.Max {
		crds = append(crds, "4"+strings.Repeat("0", len(crds)%9))
	}
	outcomes := make([]*manygps.Outcome, 10)
	var all errgroup.Group
	for i := range outcomes {
		all.Go(func() (err error) {
			outcomes[i], err = b.service.AddMany(t.Context(), b.ada.ID, &manygps.Body{CRDs: crds})
			return err
		})
	}
	require.NoError(t, all.Wait())
	added := map[string]int{}
	for _, o := range outcomes {
		for _, crd := range o.Added {
			added[crd]++
		}
		require.Len(t, append(o.Added, o.Already...), 3)
		require.Equal(t, "12x", o.Unknown[0])
	}
	require.Equal(t, map[string]int{"900001": 1, "900003": 1}, added)
	require.ElementsMatch(t, []string{"900001", "900002", "900003"}, b.listed(t, b.ada))
	require.Empty(t, b.listed(t, b.grace))
}

// What is added is answered, in the order that was sent; bad input names its field.
func TestManyOverHTTP(t *testing.T) {
	t.Parallel()
	b := setup(t)
	many := `"1"` + strings.Repeat(`,"1"`, 200)
	post := func(body string, status int, contains string) {
		b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path + "/batch", Body: body, As: as(b.ada), Status: status, Contains: []string{contains}})
	}
	b.add(t, b.ada, "900001")
	post(`{"crds":["900003","900001","5","900003"]}`, http.StatusOK, `{"data":{"added":["900003"],"already":["900001"],"unknown":["5"]}}`)
	post(`{"crds":[`+many+`]}`, http.StatusBadRequest, "crds")
	post(`{"crds":[]}`, http.StatusBadRequest, "crds")
	post(`{"crds":[""]}`, http.StatusBadRequest, "crds")
	post(`{"crds":["900001"],"alert":true}`, http.StatusBadRequest, "alert")
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: path + "/batch", Body: `{"crds":["900001"]}`, Status: http.StatusUnauthorized})
}
