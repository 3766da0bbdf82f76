package dataops_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
	"gpatlas/platform/testkit/httpapitest"
)

// corrector stands in for a module that can be corrected: it keeps values in a table, so that it is seen that they are of the
// register's transaction. An entity "old-x" is "x".
type corrector struct {
	db    *database.DB
	types []string
}

func newCorrector(t *testing.T, db *database.DB, types ...string) *corrector {
	t.Helper()
	require.NoError(t, db.From(t.Context()).Exec("CREATE TABLE public.corrected (entity text, id bigint, value jsonb)").Error)
	return &corrector{db, types}
}

func (c *corrector) OverrideTypes() []string { return c.types }

func (c *corrector) AboutPersons(overrideType string) bool {
	return strings.HasPrefix(overrideType, "person_")
}

func (c *corrector) Apply(ctx context.Context, o *overrides.Override) (json.RawMessage, error) {
	if string(o.Value) == `"broken"` {
		return nil, errors.New("broken")
	}
	if string(o.Value) == `"wrong"` {
		return nil, apperr.Invalid(apperr.FieldError{Field: "value", Message: "must not be wrong"})
	}
	o.EntityID = strings.TrimPrefix(o.EntityID, "old-")
	_, err := database.Run(ctx, c.db, "correct", "INSERT INTO public.corrected VALUES (@entity, @id, @value::jsonb)",
		database.Args{"entity": o.EntityID, "id": o.ID, "value": o.Value})
	return json.RawMessage(`{"was": null}`), err
}

func (c *corrector) Undo(ctx context.Context, o *overrides.Override) error {
	_, err := database.Run(ctx, c.db, "undo", "DELETE FROM public.corrected WHERE entity = @entity AND id = @id AND value = @value::jsonb",
		database.Args{"entity": o.EntityID, "id": o.ID, "value": o.Value})
	return err
}

func (c *corrector) list(t *testing.T) (out []string) {
	t.Helper()
	out, err := database.Values[string](t.Context(), c.db, "look", "SELECT entity || ' ' || value FROM public.corrected ORDER BY 1", nil)
	require.NoError(t, err)
	return out
}

// An override is applied and kept, listed and deleted; each step is recorded once.
func TestOverrides(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	c := newCorrector(t, deps.DB, "gp_field", "fund_status")
	o := newOps(t, deps, c)
	first := o.data(t, "POST", "overrides", `{"override_type":"gp_field","entity_id":"old-7","field":"website","value":"a.example","reason":" moved ","valid_from":"2026-03-01"}`, 201)
	require.Equal(t, map[string]any{
		"id": 1.0, "override_type": "gp_field", "entity_id": "7", "field": "website", "value": "a.example", "original": map[string]any{"was": nil},
		"reason": "moved", "valid_from": "2026-03-01", "active": true, "created_at": "2026-11-21T09:00:00.000000Z", "created_by": 1.0,
		"removed_at": nil, "removed_by": nil,
	}, first)
	second := o.data(t, "POST", "overrides", `{"override_type":"fund_status","entity_id":"805-1","value":null,"reason":"closed"}`, 201)
	require.Equal(t, []any{nil, nil, "2026-11-21"}, []any{second["field"], second["value"], second["valid_from"]}, "JSON null is a value; today is the default")
	require.Equal(t, []string{"7 \"a.example\"", "805-1 null"}, c.list(t))

	for _, entity := range []string{"7", "old-7"} {
		body := `{"override_type":"gp_field","entity_id":"` + entity + `","field":"website","value":1,"reason":"x"}`
		require.Contains(t, o.do(t, 1, "POST", "overrides", body, 409)["detail"], "Override 1 corrects the same field")
	}
	ids := func(query string) (out []float64) {
		answer := o.do(t, 1, "GET", "overrides"+query, "", 200)
		for _, e := range answer["data"].([]any) { //nolint:forcetypeassert // a list
			out = append(out, e.(map[string]any)["id"].(float64)) //nolint:forcetypeassert // an object
		}
		require.InDelta(t, len(out), answer["meta"].(map[string]any)["total"], 0) //nolint:forcetypeassert // as above
		return out
	}
	require.Equal(t, []float64{second["id"].(float64), 1}, ids("")) //nolint:forcetypeassert // a number
	require.Equal(t, []float64{1}, ids("?override_type=gp_field"))

	gone := func(as int64, id string, status int) {
		o.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: below + "overrides/" + id, As: admin(as), Status: status})
	}
	gone(2, "1", 204)
	gone(2, "1", 204)
	gone(1, "1", 409)
	gone(1, "99", 404)
	require.Equal(t, []string{"805-1 null"}, c.list(t))
	require.Empty(t, ids("?override_type=gp_field"))
	require.Equal(t, []float64{1}, ids("?override_type=gp_field&active_only=false"))
	require.Equal(t, []string{"2 override.delete", "1 override.create", "1 override.create"}, o.audited(t), "a second call is no change")

	kept := c.list(t)
	preview := o.data(t, "POST", "overrides?preview=true", `{"override_type":"gp_field","entity_id":"8","field":"website","value":"b.example","reason":"moved"}`, 201)
	require.Equal(t, []any{"8", "b.example", map[string]any{"was": nil}}, []any{preview["entity_id"], preview["value"], preview["original"]})
	o.do(t, 1, "POST", "overrides?preview=true", `{"override_type":"gp_field","entity_id":"8","field":"website","value":"wrong","reason":"x"}`, 400)
	require.Equal(t, kept, c.list(t), "a preview changes nothing")
	require.Len(t, o.audited(t), 3)
	o.data(t, "POST", "overrides", `{"override_type":"gp_field","entity_id":"7","field":"website","value":"b.example","reason":"x"}`, 201)
	require.Equal(t, []string{"7 \"b.example\"", "805-1 null"}, c.list(t))
}

// What is refused names the field at fault, and leaves nothing behind.
func TestBadOverrides(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	c := newCorrector(t, deps.DB, "gp_field")
	o := newOps(t, deps, c)
	body := func(change string) string {
		all := map[string]any{"override_type": "gp_field", "entity_id": "7", "field": "website", "value": "a", "reason": "x"}
		name, value, given := strings.Cut(change, "=")
		delete(all, name)
		if given {
			all[name] = json.RawMessage(value)
		}
		text, err := json.Marshal(all)
		require.NoError(t, err)
		return string(text)
	}
	for _, change := range []string{
		"override_type", `override_type="gp"`, `override_type="lp_match"`, "entity_id", `entity_id=""`, `entity_id=7`, "value", `value="wrong"`,
		`value="` + strings.Repeat("a", 4096) + `"`, "reason", `reason="  "`, `valid_from="2026-11-22"`, `valid_from="2026-02-30"`, `valid_from="today"`,
	} {
		answer := o.do(t, 1, "POST", "overrides", body(change), 400)
		name, _, _ := strings.Cut(change, "=")
		require.Equal(t, name, answer["errors"].([]any)[0].(map[string]any)["field"], "%s: %v", change, answer) //nolint:forcetypeassert // a list of objects
	}
	o.do(t, 1, "POST", "overrides", body(`value="broken"`), 500)
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM dataops.overrides`))
	require.Empty(t, c.list(t))
	require.Empty(t, o.audited(t))
	o.do(t, 1, "GET", "overrides?override_type=gp", "", 400)

	_, err := dataops.Build(deps, c, c)
	require.ErrorContains(t, err, "two modules apply overrides of type gp_field")
}

// An override of a command has no account, and is checked as that of a request is.
func TestOverrideByCommand(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	c := newCorrector(t, deps.DB, "person_suppress")
	o := newOps(t, deps, c)
	x := &overrides.Override{Type: "person_suppress", EntityID: "per_x", Value: json.RawMessage("true"), Reason: " "}
	create := func() error { return dataops.CreateOverride(t.Context(), deps.DB, deps.Clock, c, x) }
	require.EqualError(t, create(), "Invalid reason: must have a visible character")
	x.Reason = "objected"
	require.NoError(t, create())
	require.EqualError(t, create(), "Override 1 corrects the same field; delete it first")
	answer := o.do(t, 1, "GET", "overrides", "", 200)
	entry := answer["data"].([]any)[0].(map[string]any) //nolint:forcetypeassert // a list of objects
	require.Equal(t, []any{1.0, "objected", "2026-11-21", nil}, []any{entry["id"], entry["reason"], entry["valid_from"], entry["created_by"]})
	o.host.Do(t, httpapitest.Scenario{Method: "DELETE", Path: below + "overrides/1", As: admin(1), Status: 204})
	require.Empty(t, c.list(t))
}

// Many correct the same field at once, under the entity's two IDs: one override is made, and the others learn its number.
func TestOverridesAtOnce(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	c := newCorrector(t, deps.DB, "gp_field")
	o := newOps(t, deps, c)
	var wg sync.WaitGroup
	answers := make([]httpapitest.Response, 10)
	for i := range answers {
		wg.Go(func() {
			body := fmt.Sprintf(`{"override_type":"gp_field","entity_id":"%s7","field":"website","value":%d,"reason":"x"}`, strings.Repeat("old-", i%2), i)
			answers[i] = o.host.Ask(t, httpapitest.Scenario{Method: "POST", Path: below + "overrides", Body: body, As: admin(1)})
		})
	}
	wg.Wait()
	by, id := map[int]int{}, ints(t, deps.DB, `SELECT id FROM dataops.overrides`)
	require.Len(t, id, 1)
	for _, a := range answers {
		by[a.Status]++
		if a.Status == http.StatusConflict {
			require.Contains(t, a.Body, fmt.Sprintf("Override %d corrects", id[0]))
		}
	}
	require.Equal(t, map[int]int{http.StatusCreated: 1, http.StatusConflict: 9}, by)
	require.Len(t, c.list(t), 1)
	// The index alone refuses a second one, too.
	err := deps.DB.From(t.Context()).Exec(`INSERT INTO dataops.overrides (type, entity_id, field, value, reason, valid_from, created_at, created_by)
		SELECT type, entity_id, field, value, reason, valid_from, ?, 1 FROM dataops.overrides`, time.Now()).Error
	require.ErrorContains(t, err, "overrides_active")
}

// taken is a module whose table knows the active correction before the register does.
type taken struct{ corrector }

func (c *taken) Apply(ctx context.Context, o *overrides.Override) (json.RawMessage, error) {
	o.Field = "status"
	n, err := database.Values[int](ctx, c.db, "look", "SELECT count(*) FROM public.corrected", nil)
	if err == nil && n[0] > 0 {
		return nil, overrides.ErrActive
	}
	if err != nil {
		return nil, err
	}
	return c.corrector.Apply(ctx, o)
}

// A module may find the active override of a field that the request left out.
func TestOverrideOfAFieldLeftOut(t *testing.T) {
	t.Parallel()
	deps := setup(t)
	o := newOps(t, deps, &taken{*newCorrector(t, deps.DB, "fund_status")})
	const body = `{"override_type":"fund_status","entity_id":"805-1","value":"closed","reason":"x"}`
	require.Equal(t, "status", o.data(t, "POST", "overrides", body, 201)["field"])
	require.Contains(t, o.do(t, 1, "POST", "overrides", body, 409)["detail"], "Override 1 corrects the same field")
}
