package career_test

import (
	"testing"

	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/httpapitest"
)

// An account that has bought the person with a team can buy the history, although the manager is not enriched. Others do not
// find it.
func TestHistoryOfABoughtPerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fernley := b.uid(t, "FERNLEY")
	at := "/v1/people/" + fernley + "/history"
	b.host.Do(t, httpapitest.Scenario{Path: at, As: ada, Status: 404})
	b.names[fernley] = true
	b.host.Do(t, httpapitest.Scenario{Path: at, As: ada, Contains: []string{`"full_name":"Iris Fernley"`, `"paid_before":false`}})
	b.host.Do(t, httpapitest.Scenario{Path: at, As: &auth.Principal{Kind: auth.Session, UserID: 8}, Status: 404})
}
