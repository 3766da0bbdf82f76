package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The months of the ledger are made ahead, and rows that were there before are moved into theirs.
func TestMonthsAhead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.Charge(as(t.Context(), 1, ""), fee())
	require.NoError(t, err)
	work := b.Part().Background[0]
	work.Start(t.Context())
	tables := func() []string {
		return list[string](b, "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'billing.charges'::regclass ORDER BY 1", nil)
	}
	require.Eventually(t, func() bool { return len(tables()) == 3 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, work.Stop(context.WithoutCancel(t.Context())))
	require.Equal(t, []string{"billing.charges_2026_11", "billing.charges_2026_12", "billing.charges_rest"}, tables())
	_, err = b.Charge(as(t.Context(), 1, ""), team("p1"))
	require.NoError(t, err)
	require.Equal(t, []string{"billing.charges_2026_11", "billing.charges_2026_11"}, list[string](b, "SELECT tableoid::regclass::text FROM billing.charges", nil))
	for _, statement := range []string{
		"UPDATE billing.charges SET amount_micros = 0", "DELETE FROM billing.charges", "TRUNCATE billing.charges",
		"TRUNCATE billing.charges_2026_11", "TRUNCATE billing.charges_rest",
	} {
		require.ErrorContains(t, b.db.From(t.Context()).Exec(statement).Error, "append-only", statement)
	}
}
