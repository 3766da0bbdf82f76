package history_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/correction"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/platform/clock"
	"gpatlas/platform/overrides"
)

// Both advisers that an operator merges name the merger as what their organization comes from, kept or folded anew, whatever was
// said of the second before; once it is taken back, they name what remains.
func TestMergerIsToldOfBoth(t *testing.T) {
	t.Parallel()
	today := date("2026-11-22")
	k := newKeeper(t, today)
	k.loadSome(t)
	corrector := correction.New(k.db, k.loader, clock.Fixed(today))
	correct := func(id int64, crd, value, from string) *overrides.Override {
		o := &overrides.Override{
			ID: id, Type: "canonical_group", EntityID: crd, Value: json.RawMessage(value), ValidFrom: date(from), Reason: "x",
		}
		_, err := corrector.Apply(t.Context(), o)
		require.NoError(t, err)
		return o
	}
	told := func(crd string) string {
		t.Helper()
		current, sources, ok, err := k.store.AdviserWithSources(t.Context(), crd)
		require.NoError(t, err)
		require.True(t, ok)
		folded, err := k.store.AdviserAt(t.Context(), current, history.AsOf{Today: today})
		require.NoError(t, err)
		require.Equal(t, folded.Provenance.Sources(), sources.Sources())
		return sources[fold.OverrideOrganization].Accession
	}
	alone := correct(41, crds[0], `"alone"`, "2026-07-01")
	require.Equal(t, "OVERRIDE-41", told(crds[0]))
	merger := correct(42, crds[1], `"`+crds[0]+`"`, "2026-08-01")
	require.Equal(t, []string{"OVERRIDE-42", "OVERRIDE-42"}, []string{told(crds[0]), told(crds[1])})
	require.NoError(t, corrector.Undo(t.Context(), alone))
	require.Equal(t, []string{"OVERRIDE-42", "OVERRIDE-42"}, []string{told(crds[0]), told(crds[1])})
	require.NoError(t, corrector.Undo(t.Context(), merger))
	require.Equal(t, []string{"", ""}, []string{told(crds[0]), told(crds[1])})
}
