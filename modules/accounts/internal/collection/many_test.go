package collection_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/manygps"
	"gpatlas/platform/apperr"
)

// V54: many GPs are added at once, by twenty requests at the same time too; a mistyped number does not stop the others, and a
// collection that would have too many gets none.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := b.create(t, b.ada, "Everything")
	crds := []string{"900003", "900001", "12x", "900002"}
	for n := range manygps.Max - len(crds) {
		crds = append(crds, strconv.Itoa(500_000+n))
	}
	require.Equal(t, map[apperr.Kind]int{done: 20}, race(func(int) error {
		_, err := b.service.AddMany(t.Context(), b.ada.ID, id(at), &manygps.Body{CRDs: crds})
		return err
	}))
	got, err := b.service.Get(t.Context(), b.ada.ID, id(at), 10, 0)
	require.NoError(t, err)
	require.Equal(t, 3, got.ItemCount)

	const full = `{"detail":"A collection can have at most 500 GPs, and these would be more; nothing was added"}`
	other := b.create(t, b.ada, "Nearly full")
	b.fill(t, other, 498)
	require.JSONEq(t, full, b.send(t, b.ada, "POST", other+"/items/batch", `{"crds":["900001","900002","900003"]}`, 409))
	require.JSONEq(t, `{"data":{"added":["900002","900001"],"already":[],"unknown":["5"]}}`,
		b.send(t, b.ada, "POST", other+"/items/batch", `{"crds":["900002","900001","5"]}`, 200))
	require.JSONEq(t, `{"data":{"added":[],"already":["900002"],"unknown":[]}}`, b.send(t, b.ada, "POST", other+"/items/batch", `{"crds":["900002"]}`, 200))
	b.send(t, b.grace, "POST", other+"/items/batch", `{"crds":["900003"]}`, 404)
	require.Contains(t, b.send(t, b.ada, "POST", other+"/items/batch", `{"crds":["1"`+strings.Repeat(`,"1"`, 200)+`]}`, 400), "crds")
	require.Contains(t, b.send(t, b.ada, "POST", other+"/items/batch", `{"crds":[]}`, 400), "crds")
	require.Contains(t, b.send(t, b.ada, "POST", other+"/items/batch", `{"crds":["1"],"crd":"2"}`, 400), "crd")
}
