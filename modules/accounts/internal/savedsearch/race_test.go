package savedsearch_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/savedsearch"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/testkit/httpapitest"
)

// atOnce calls work from twenty clients and counts how many of them fail with which kind; nil errors count as -1.
func atOnce(work func() error) map[apperr.Kind]int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	kinds := map[apperr.Kind]int{}
	for range 20 {
		wg.Go(func() {
			err := work()
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				kinds[-1]++
			} else {
				kinds[apperr.From(err).Kind]++
			}
		})
	}
	wg.Wait()
	return kinds
}

// However many create at once, an account has no more searches than it may; one of many deletions wins; runs and changes do
// not hurt one another.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	user := b.ada.UserID
	require.NoError(t, b.DB.From(t.Context()).Exec(`INSERT INTO accounts.saved_searches (id, user_id, name, filters, created_at, updated_at)
		SELECT gen_random_uuid(), ?, 'x', '{}', now(), now() FROM generate_series(1, ?)`, user, savedsearch.SearchesMax-3).Error)
	kinds := atOnce(func() error {
		_, err := b.service.Create(t.Context(), user, "one more", nil)
		return err
	})
	require.Equal(t, map[apperr.Kind]int{-1: 3, apperr.KindConflict: 17}, kinds)
	_, err := b.service.Create(t.Context(), b.grace.UserID, "another's", map[string]any{})
	require.NoError(t, err)
	part, err := b.service.ExportFor(t.Context(), user)
	require.NoError(t, err)
	require.Len(t, part, savedsearch.SearchesMax)
	id := part.([]savedsearch.Search)[0].ID
	kinds = atOnce(func() error {
		_, _, err := b.service.Run(t.Context(), user, id, 1, 0)
		if err != nil {
			return err
		}
		_, err = b.service.Replace(t.Context(), user, id, "changed", map[string]any{"city": "Boston"})
		return err
	})
	require.Equal(t, map[apperr.Kind]int{-1: 20}, kinds)
	kinds = atOnce(func() error { return b.service.Delete(t.Context(), user, id) })
	require.Equal(t, map[apperr.Kind]int{-1: 1, apperr.KindNotFound: 19}, kinds)
}

// between is a search that runs a function in the middle.
type between struct {
	catalogapi.GPSearcher
	happens func()
}

func (s between) SearchGPs(ctx context.Context, filters map[string]any, limit, offset int) (catalogapi.GPPage, error) {
	s.happens()
	return s.GPSearcher.SearchGPs(ctx, filters, limit, offset)
}

// What a run has found is not noted on filters that are others by then, nor over a later run; a search that is deleted in the
// middle of its run stays deleted.
func TestRunIsOvertaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.save(t, b.ada, "search", `{"city":"Boston"}`)
	slow := func(happens func()) error {
		_, found, err := savedsearch.NewService(b.DB, b.Clock, between{b.searcher, happens}).Run(t.Context(), b.ada.UserID, id, 10, 0)
		require.Equal(t, 2, found.Total)
		return err
	}
	change := func(city string) {
		b.host.Do(t, httpapitest.Scenario{Method: "PUT", Path: path + "/" + id, As: b.ada, Body: `{"name":"a","filters":{"city":"` + city + `"}}`})
	}
	require.NoError(t, slow(func() { change("Salem") }))
	require.Nil(t, b.get(t, b.ada, id).LastRunAt)
	change("Boston")
	b.Clock.Move(time.Hour)
	b.run(t, b.ada, id, "")
	later := b.get(t, b.ada, id)
	b.Clock.Move(-time.Minute)
	require.NoError(t, slow(func() {}))
	require.Equal(t, later, b.get(t, b.ada, id))
	require.NoError(t, slow(func() {
		b.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: path + "/" + id, As: b.ada, Status: http.StatusNoContent})
	}))
	b.host.Do(t, httpapitest.Scenario{Path: path + "/" + id, As: b.ada, Status: http.StatusNotFound})
}

// failing is a search that cannot be had.
type failing struct{ err error }

func (f failing) CheckGPFilters(map[string]any) error { return f.err }

func (f failing) SearchGPs(context.Context, map[string]any, int, int) (catalogapi.GPPage, error) {
	return catalogapi.GPPage{}, f.err
}

// Filters that have gone bad are named; a search that cannot be had is temporary, and is no run.
func TestRunFails(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.save(t, b.ada, "search", `{"city":"Boston"}`)
	for _, c := range []struct {
		err    error
		status int
		body   string
	}{
		{
			apperr.Invalid(apperr.FieldError{Field: "city", Message: "is gone"}), http.StatusBadRequest,
			`{"detail":"Invalid filters.city: is gone","errors":[{"field":"filters.city","message":"is gone"}]}`,
		},
		{apperr.Unavailable("The catalog is being loaded"), http.StatusServiceUnavailable, `{"detail":"The catalog is being loaded"}`},
		{errors.New("secret"), http.StatusInternalServerError, `{"detail":"Internal server error"}`},
	} {
		host := httpapitest.New(t, savedsearch.Routes(savedsearch.NewService(b.DB, b.Clock, failing{c.err}))...)
		for _, s := range []httpapitest.Scenario{
			{Path: path + "/" + id + "/run"},
			{Path: path, Method: "POST", Body: `{"name":"a","filters":{"city":"Boston"}}`},
			{Path: path + "/" + id, Method: "PUT", Body: `{"name":"a","filters":{"city":"Boston"}}`},
		} {
			s.As, s.Status, s.WantJSON = b.ada, c.status, c.body
			host.Do(t, s)
		}
		require.Nil(t, b.get(t, b.ada, id).LastRunAt)
	}
}

// Without the database everything is temporary; a deleted account saves nothing; a purged one leaves nothing.
func TestAccountsEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.save(t, b.ada, "mine", `{}`)
	b.save(t, b.grace, "hers", `{"city":"Salem"}`)
	part, err := b.service.ExportFor(t.Context(), b.grace.UserID)
	require.NoError(t, err)
	text, err := json.Marshal(part)
	require.NoError(t, err)
	require.Contains(t, string(text), `"name":"hers","filters":{"city":"Salem"},"last_run_at":null`)
	require.NotContains(t, string(text), "mine")
	require.NoError(t, b.Users.Update(t.Context(), b.ada.UserID, map[string]any{"deleted_at": b.Clock.Now()}))
	b.host.Do(t, httpapitest.Scenario{Path: path, Method: "POST", As: b.ada, Body: `{"name":"a","filters":{}}`, Status: http.StatusUnauthorized})
	require.NoError(t, b.DB.From(t.Context()).Exec("DELETE FROM accounts.users WHERE id = ?", b.ada.UserID).Error)
	b.host.Do(t, httpapitest.Scenario{Path: path, Method: "POST", As: b.ada, Body: `{"name":"a","filters":{}}`, Status: http.StatusUnauthorized})
	var owners []int64
	require.NoError(t, b.DB.From(t.Context()).Raw("SELECT user_id FROM accounts.saved_searches").Scan(&owners).Error)
	require.Equal(t, []int64{b.grace.UserID}, owners)
	b.DB.Close()
	const id = "/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"
	for _, s := range []httpapitest.Scenario{
		{Path: path},
		{Path: path, Method: "POST", Body: `{"name":"a","filters":{}}`},
		{Path: path + id},
		{Path: path + id, Method: "PUT", Body: `{"name":"a","filters":{}}`},
		{Path: path + id, Method: "DELETE"},
		{Path: path + id + "/run"},
	} {
		s.As, s.Status = b.grace, http.StatusServiceUnavailable
		b.host.Do(t, s)
	}
}
