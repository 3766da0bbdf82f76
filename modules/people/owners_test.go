package people_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// V26: who was bought in the team is free among the owners, and the reverse, at this manager and at another one. Free answers know what was
// delivered at the manager.
func TestPeopleAreBoughtOnceInTeamAndOwners(t *testing.T) {
	t.Parallel()
	const team, owners = "/v1/gps/900101/team", "/v1/gps/900101/owners/persons"
	for _, order := range [][3]string{{team, owners, "1.50"}, {owners, team, "1.50"}, {team + "?limit=2", owners, "1.00"}, {owners + "?limit=1", team, "0.50"}} {
		t.Run(order[0], func(t *testing.T) {
			t.Parallel()
			_, host, meter := twoManagers(t, true, never)
			ask := func(path, charged string) {
				t.Helper()
				got := host.Do(t, httpapitest.Scenario{Path: path, As: caller})
				require.Equal(t, charged, got.Header.Get("X-Charge"), path)
			}
			ask(order[0], order[2])
			rest := 1_500_000 - meter.Spent(caller.UserID)
			free := fmt.Sprintf("%.2f", float64(rest)/1e6)
			quote := host.Do(t, httpapitest.Scenario{Method: "HEAD", Path: order[1], As: caller})
			require.Equal(t, free, quote.Header.Get("X-Charge-Estimate"))
			ask(order[1], free)
			ask(order[0], "0.00")
			ask("/v1/gps/900102/owners/persons", "1.00") // one of three is on both teams
			ask("/v1/gps/900102/team", "0.00")
			require.EqualValues(t, 2_500_000, meter.Spent(caller.UserID))
		})
	}
}

// V26: 100 purchases at a time, in both operations and of both managers, charge each person once.
func TestParallelPurchasesOfOwners(t *testing.T) {
	t.Parallel()
	_, host, meter := twoManagers(t, true, never)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			path := [...]string{"/v1/gps/900101/owners/persons", "/v1/gps/900101/team", "/v1/gps/900102/owners/persons?control=true", "/v1/gps/900102/owners/persons"}[i%4]
			if got := host.Ask(t, httpapitest.Scenario{Path: path, As: caller}); got.Status != 200 {
				t.Errorf("%s: %d %s", path, got.Status, got.Body)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, 2_500_000, meter.Spent(caller.UserID), "five people, one of them on both teams")
}
