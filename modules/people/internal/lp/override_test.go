package lp_test

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/lp"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/overrides"
	"gpatlas/platform/testkit/httpapitest"
)

// apply applies an override as module dataops does: in a transaction.
func (b *bench) apply(ctx context.Context, entity, field, value string) (x *overrides.Override, original string, err error) {
	x = &overrides.Override{Type: "lp_match", EntityID: entity, Field: field, Value: json.RawMessage(value), ValidFrom: b.clock.Now().Truncate(24 * time.Hour)}
	err = b.db.InTx(ctx, func(ctx context.Context) error {
		was, err := lp.NewOverrider(b.service).Apply(ctx, x)
		original = string(was)
		return err
	})
	return x, original, err
}

func (b *bench) undo(t *testing.T, x *overrides.Override) {
	t.Helper()
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error { return lp.NewOverrider(b.service).Undo(ctx, x) }))
}

// Guarantee: the operator's manager of an investment holds through loads and matches, also if it is none; once it is undone,
// everything is as in a module without overrides.
func TestOverride(t *testing.T) {
	t.Parallel()
	lists := [][]*peopleapi.Commitment{
		{commitment("Larkspur Teachers", "MA", "Quill Capital Partners VI", "2025-06-30", 1), commitment("Larkspur Teachers", "MA", "Europe V", "2025-06-30", 1)},
		{commitment("Larkspur Teachers", "MA", "Quill Capital Partners VI", "2026-06-30", 2)},
		{commitment("Larkspur Teachers", "MA", "Quill Capital Partners VI", "2024-06-30", 3), commitment("Larkspur Teachers", "MA", "Fernley Growth III", "2024-06-30", 3)},
	}
	plain := setup(t)
	plain.file(t, market()...)
	for _, list := range lists {
		plain.load(t, list...)
	}
	plain.match(t)
	for _, order := range [][]int{{1, 2, 0}, {2, 0, 1}} {
		b := setup(t)
		b.load(t, lists[0]...)
		ids := map[string]string{}
		for _, i := range b.investments(t, 1) {
			ids[i.FundName] = strconv.FormatInt(i.ID, 10)
		}
		b.file(t, market()...)
		b.match(t)
		none, original, err := b.apply(t.Context(), ids["Quill Capital Partners VI"], "gp_crd", "null")
		require.NoError(t, err)
		require.Equal(t, `"900101"`, original)
		other, original, err := b.apply(t.Context(), ids["Europe V"], "", `"900104"`)
		require.NoError(t, err)
		require.Equal(t, "null", original)
		require.Equal(t, "gp_crd", other.Field)
		check := func() {
			t.Helper()
			for _, got := range b.investments(t, 1) {
				switch got.FundName {
				case "Quill Capital Partners VI":
					require.Nil(t, got.GPCRD, "no guess comes back")
					require.Nil(t, got.FundID)
				case "Europe V":
					require.Equal(t, "900104", *got.GPCRD)
				default:
					require.Equal(t, "fund_series", got.Match.Method)
					continue
				}
				require.Equal(t, "operator", got.Match.Method)
				require.InDelta(t, 1, got.Match.Confidence, 0)
			}
			b.host.Do(t, httpapitest.Scenario{Path: "/v1/lps?invested_with_crd=900101", As: ada, Contains: []string{`"total":0`}})
			b.host.Do(t, httpapitest.Scenario{Path: "/v1/lps?invested_with_crd=900104", As: ada, Contains: []string{`"total":1`}})
		}
		check()
		for _, n := range order {
			b.load(t, lists[n]...)
			b.match(t)
			check()
		}
		if order[0] == 1 {
			b.undo(t, none)
			b.undo(t, other)
		} else {
			b.undo(t, other)
			b.undo(t, none)
		}
		want, got := plain.investments(t, 1), b.investments(t, 1)
		for i := range want { // the order in which lists were loaded numbers the investments
			want[i].ID, got[i].ID = 0, 0
		}
		require.Equal(t, want, got)
	}
}

// Guarantee: a manager whose name the operator corrects is found by the corrected name at the next matching, and by the filed one again
// once the correction is taken back. Nothing need be loaded for it.
func TestMatchesOfACorrectedName(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.file(t, market()...)
	row := commitment("Larkspur Teachers", "MA", "Europe VI", "2025-06-30", 1)
	row.Manager = "Corrected Harbour"
	b.load(t, row)
	b.match(t)
	before := b.dump(t)
	names := catalogtest.NewOverrider(b.db, b.clock)
	x := &overrides.Override{
		ID: 1, Type: "gp_field", EntityID: "900105", Field: "legal_name", Value: json.RawMessage(`"Corrected Harbour LLC"`), ValidFrom: b.clock.Now().Truncate(24 * time.Hour),
	}
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error {
		_, err := names.Apply(ctx, x)
		return err
	}))
	require.Positive(t, b.match(t).Changed)
	require.Equal(t, "900105", *b.investments(t, 1)[0].GPCRD)
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error { return names.Undo(ctx, x) }))
	b.match(t)
	require.Equal(t, before, b.dump(t))
	require.Zero(t, b.match(t), "nothing has changed since")
}

// An override that cannot be names what is wrong, and of two at once the later holds until it is undone.
func TestOverrideFaults(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.file(t, market()...)
	b.load(t, commitment("Larkspur Teachers", "MA", "Europe V", "2025-06-30", 1))
	b.match(t)
	before := b.dump(t)
	for _, c := range []struct {
		entity, field, value string
		want                 []string
	}{
		{"Europe V", "gp_crd", "null", []string{"entity_id"}},
		{"-1", "gp_crd", "null", []string{"entity_id"}},
		{"01", "gp_crd", "null", []string{"entity_id"}},
		{"+1", "gp_crd", "null", []string{"entity_id"}},
		{"1", "fund_id", "null", []string{"field"}},
		{"1", "gp_crd", "900104", []string{"value"}},
		{"1", "gp_crd", `"999999"`, []string{"value"}},
		{"1", "gp_crd", `""`, []string{"value"}},
		{"0", "name", "{}", []string{"entity_id", "field", "value"}},
	} {
		_, _, err := b.apply(t.Context(), c.entity, c.field, c.value)
		e := apperr.From(err)
		require.Equal(t, apperr.KindInvalid, e.Kind, "%+v: %v", c, err)
		var fields []string
		for _, f := range e.Fields {
			fields = append(fields, f.Field)
		}
		require.Equal(t, c.want, fields, "%+v", c)
	}
	_, err := lp.NewOverrider(b.service).Apply(t.Context(), &overrides.Override{Type: "lp_match", EntityID: "1", Value: json.RawMessage("null"), ValidFrom: b.clock.Now().AddDate(0, 0, -1)})
	require.Equal(t, "valid_from", apperr.From(err).Fields[0].Field)
	_, _, err = b.apply(t.Context(), "7", "gp_crd", "null")
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
	require.Equal(t, before, b.dump(t))

	errs := make([]error, 2)
	var all sync.WaitGroup
	for i, value := range []string{`"900104"`, `"900103"`} {
		all.Go(func() { _, _, errs[i] = b.apply(t.Context(), "1", "gp_crd", value) })
	}
	all.Wait()
	require.Equal(t, []error{nil, nil}, errs)
	got := b.investments(t, 1)[0]
	require.True(t, slices.Contains([]string{"900103", "900104"}, *got.GPCRD))
	b.undo(t, &overrides.Override{Type: "lp_match", EntityID: "1"})
	require.Equal(t, before, b.dump(t))
}
