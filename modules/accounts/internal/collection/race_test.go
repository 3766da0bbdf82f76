package collection_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
)

// Twenty collections and no more, also of clients that make them at the same time; another account is not in the way.
func TestCollectionsMax(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 15 {
		b.create(t, b.ada, "Collection "+strconv.Itoa(n))
	}
	require.Equal(t, map[apperr.Kind]int{done: 5, apperr.KindConflict: 15}, race(func(n int) error {
		_, err := b.service.Create(t.Context(), b.ada.ID, "Another "+strconv.Itoa(n), "")
		return err
	}))
	require.JSONEq(t, `{"detail":"An account can have at most 20 collections; delete one first"}`, b.send(t, b.ada, "POST", path, `{"name":"One more"}`, 409))
	list, err := b.service.List(t.Context(), b.ada.ID)
	require.NoError(t, err)
	require.Len(t, list, 20)
	b.create(t, b.grace, "One more")
	b.send(t, b.ada, "DELETE", path+"/"+list[7].ID, "", 204)
	b.create(t, b.ada, "One more")
}

// Five hundred GPs and no more, also of clients that add them at the same time.
func TestItemsMax(t *testing.T) {
	t.Parallel()
	b := setup(t)
	filings := make([]*catalogapi.AdviserFiling, 20)
	for n := range filings {
		crd := strconv.Itoa(910001 + n)
		filings[n] = &catalogapi.AdviserFiling{
			Key: crd, FilingID: crd, CRD: crd, Submitted: sessiontest.Start.AddDate(0, -1, 0),
			Statement: catalogapi.Statement{LegalName: "Mossgate " + crd + " LLC"},
			Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true,
		}
	}
	b.load(t, filings...)
	at := b.create(t, b.ada, "Everything")
	b.fill(t, at, 495)
	require.Equal(t, map[apperr.Kind]int{done: 5, apperr.KindConflict: 15}, race(func(n int) error {
		_, err := b.service.AddItem(t.Context(), b.ada.ID, id(at), filings[n].CRD)
		return err
	}))
	require.JSONEq(t, `{"detail":"A collection can have at most 500 GPs; remove one first"}`, b.send(t, b.ada, "POST", at+"/items", `{"crd":"900001"}`, 409))
	got, err := b.service.Get(t.Context(), b.ada.ID, id(at), 1, 0)
	require.NoError(t, err)
	require.Equal(t, 500, got.ItemCount)
	b.send(t, b.ada, "DELETE", at+"/items/800001", "", 204)
	b.add(t, b.ada, at, "900001")
}

// Of concurrent identical requests one succeeds.
func TestInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	oneOf := func(other apperr.Kind) map[apperr.Kind]int { return map[apperr.Kind]int{done: 1, other: 19} }
	require.Equal(t, oneOf(apperr.KindConflict), race(func(int) error {
		_, err := b.service.Create(t.Context(), b.ada.ID, "Boston buyout", "")
		return err
	}))
	list, err := b.service.List(t.Context(), b.ada.ID)
	require.NoError(t, err)
	require.Len(t, list, 1)
	at := list[0].ID
	require.Equal(t, oneOf(apperr.KindConflict), race(func(int) error {
		_, err := b.service.AddItem(t.Context(), b.ada.ID, at, "900001")
		return err
	}))
	require.Equal(t, oneOf(apperr.KindNotFound), race(func(int) error { return b.service.RemoveItem(t.Context(), b.ada.ID, at, "900001") }))
	require.Equal(t, oneOf(apperr.KindNotFound), race(func(int) error { return b.service.Delete(t.Context(), b.ada.ID, at) }))
}

// Collections that are renamed to one name at once: one gets it.
func TestRenameInParallel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ids := make([]string, 20)
	for n := range ids {
		ids[n] = id(b.create(t, b.ada, "Collection "+strconv.Itoa(n)))
	}
	name := "Boston buyout"
	require.Equal(t, map[apperr.Kind]int{done: 1, apperr.KindConflict: 19}, race(func(n int) error {
		_, err := b.service.Update(t.Context(), b.ada.ID, ids[n], patch(name))
		return err
	}))
}

// A collection is deleted while GPs are added: later additions find it gone.
func TestDeleteWhileAdding(t *testing.T) {
	t.Parallel()
	b := setup(t)
	at := id(b.create(t, b.ada, "Boston buyout"))
	kinds := race(func(n int) error {
		if n == 10 {
			return b.service.Delete(t.Context(), b.ada.ID, at)
		}
		_, err := b.service.AddItem(t.Context(), b.ada.ID, at, "900001")
		return err
	})
	require.Zero(t, kinds[apperr.KindInternal])
	require.Equal(t, 20, kinds[done]+kinds[apperr.KindConflict]+kinds[apperr.KindNotFound])
	require.GreaterOrEqual(t, kinds[done], 1)
	var left int
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT count(*) FROM accounts.collection_items").Scan(&left).Error)
	require.Zero(t, left)
}
