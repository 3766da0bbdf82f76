package auth_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// Statements decide as PlanNow does when a trial has ended.
func TestPlanNowInSQL(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	now := time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC)
	const statement = "SELECT " + auth.PlanNowSQL + " FROM (SELECT @plan::text AS subscription_plan, @ends::timestamptz AS trial_ends_at) a"
	for ends, want := range map[*time.Time]string{
		nil: auth.PlanPro, new(now.Add(-time.Microsecond)): auth.PlanFree, new(now): auth.PlanFree, new(now.Add(time.Microsecond)): auth.PlanPro,
	} {
		require.Equal(t, want, auth.PlanNow(auth.PlanPro, ends, now), "%v", ends)
		got, err := database.Values[string](t.Context(), db, "decide", statement, database.Args{"plan": auth.PlanPro, "ends": ends, "now": now})
		require.NoError(t, err)
		require.Equal(t, []string{want}, got, "%v", ends)
	}
}
