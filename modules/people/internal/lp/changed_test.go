package lp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/changes"
	"gpatlas/platform/testkit/itertest"
)

// A matching appends one event for each fund whose commitments have changed. The event names no LP. The first matching appends none, nor does one that
// changes nothing.
func TestChangedCommitments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.file(t, joinable()...)
	last := int64(0)
	told := func() (lines []string) {
		t.Helper()
		b.match(t)
		p, err := changes.After(t.Context(), b.db, last, 100, changes.Filter{Kinds: []string{catalogapi.ChangeCommitment}})
		require.NoError(t, err)
		last = p.Next
		for _, e := range p.Events {
			require.NotContains(t, string(e.Said), "Investor")
			lines = append(lines, e.CRD+" "+e.Subject+" "+string(e.Said))
		}
		return lines
	}
	row := func(lp, fund, on string, amount int64) *peopleapi.Commitment {
		return commitment(lp, "MA", fund, on, amount)
	}
	const (
		one = `900101 805-9001010000 {"reason": "list", "gp_name": "Quill Capital LLC", "fund_name": "Quill Ventures I LP"}`
		two = `900101 805-9001010001 {"reason": "list", "gp_name": "Quill Capital LLC", "fund_name": "Quill Ventures II LP"}`
		gp  = `900101  {"reason": "list", "gp_name": "Quill Capital LLC"}`
	)
	b.load(t, row("Investor A", "Quill Ventures I", "2025-06-30", 5), row("Investor B", "Quill Ventures I", "2025-06-30", 6), row("Investor B", "Nothing Anywhere Fund I", "2025-06-30", 6))
	require.Empty(t, told(), "the first matching")
	b.load(t, row("Investor A", "Quill Ventures I", "2025-06-30", 5))
	require.Empty(t, told(), "nothing has changed")
	b.load(t, row("Investor A", "Quill Ventures I", "2025-06-30", 7), row("Investor B", "Quill Ventures I", "2025-06-30", 8), row("Investor B", "Nothing Anywhere Fund I", "2025-06-30", 8))
	b.load(t, row("Investor A", "Quill Ventures I", "2026-06-30", 9))
	require.Equal(t, []string{one}, told(), "two lists and two LPs")
	b.load(t, row("Investor C", "Quill Ventures II", "2025-06-30", 5), row("Investor C", "Quill Ventures IX", "2025-06-30", 5))
	require.Equal(t, []string{gp, two}, told(), "new commitments")
	require.Empty(t, told())

	b.loaded++
	list := peopleapi.List{RunID: int64(b.loaded), Before: []int64{int64(b.loaded) - 1}, Dated: true, Rows: itertest.Rows(row("Investor C", "Quill Ventures IX", "2025-06-30", 5))}
	_, err := b.service.Load(t.Context(), list)
	require.NoError(t, err)
	require.Equal(t, []string{two}, told(), "a list without a commitment that it had")
}
