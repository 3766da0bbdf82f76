package registry_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/audit"
)

// Every write of the registry is in the audit, with who did it and what was there before and after. What changes nothing is not.
func TestAudit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.do(t, "POST", "", entry("notice", ""), 201)
	b.do(t, "PUT", "notice", `{"max_per_day":2}`, 200)
	b.do(t, "PUT", "notice", `{"max_per_day":2}`, 200)
	b.do(t, "PUT", "notice", `{"max_per_day":0}`, 400)
	b.do(t, "POST", "market_intel/disable", "", 200)
	b.do(t, "POST", "market_intel/enable", "", 200)
	b.do(t, "POST", "import", document(entry("other", "")), 200)
	b.do(t, "DELETE", "other", "", 204)
	list, err := audit.New(b.db, b.clock).List(t.Context(), 100)
	require.NoError(t, err)
	var got []string
	for _, l := range slices.Backward(list) {
		require.Equal(t, admin.UserID, *l.ActorID)
		got = append(got, l.Action+" "+l.Subject)
	}
	require.Equal(t, []string{
		"notification.create notification notice", "notification.update notification notice", "notification.disable notification market_intel",
		"notification.enable notification market_intel", "notification.import notification notice", "notification.import notification other",
		"notification.delete notification other",
	}, got)
	require.Contains(t, string(list[5].Before), `"max_per_day": 5`)
	require.Contains(t, string(list[5].After), `"max_per_day": 2`)
	require.Nil(t, list[0].After)
}
