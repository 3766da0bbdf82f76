package person_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/auth"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/httpapitest"
)

// roster is what the account of ada has bought with teams.
type roster map[string]bool

func (r roster) Owned(_ context.Context, userID int64, product string, units []string) (map[string]bool, error) {
	owned := map[string]bool{}
	for _, u := range units {
		if product == "roster" && userID == ada.UserID && r[u] {
			owned[u] = true
		}
	}
	return owned, nil
}

func (r roster) Placed(context.Context, int64, string, []string) (map[string]bool, error) {
	return map[string]bool{}, nil
}

// An account that has bought the person with a team can buy the profile, although the manager is not enriched: it consists of
// filings. Others do not find it, and nothing is charged.
func TestProfileOfABoughtPerson(t *testing.T) {
	t.Parallel()
	w, names, meter := fixture.New(t, catalogtest.NewLoader), roster{}, &chargetest.Meter{CallersOnly: true}
	b := &bench{World: w, meter: meter}
	b.load(t)
	profiles := enrichment.NewService(w.DB, nil, enrichment.Settings{}, w.Clock, slog.New(slog.DiscardHandler))
	host := httpapitest.NewMetered(t, meter, person.Routes(person.NewService(person.NewStore(w.DB), profiles, names, w.Clock))...)
	uid := b.uid(t, "FERNLEY")
	path := "/v1/people/" + uid
	unknown := host.Do(t, httpapitest.Scenario{Path: path, As: ada, Status: 404}).Body
	names[uid] = true
	ben := &auth.Principal{Kind: auth.Session, UserID: 8}
	require.Equal(t, unknown, host.Do(t, httpapitest.Scenario{Path: path, As: ben, Status: 404}).Body)
	require.Empty(t, meter.Charged())
	for _, query := range []string{"", "?force_refresh=true"} { // no provider is asked about the person
		host.Do(t, httpapitest.Scenario{Path: path + query, As: ada, Contains: []string{
			`"full_name":"Iris Fernley"`, `"contact":{}`, `"education":[]`, `"crd":"900103"`, `"source":"filings"`, `"updated_at":null`,
		}})
	}
	charged := meter.Charged()
	require.Len(t, charged, 2)
	require.Equal(t, []string{uid}, charged[0].Units)
	require.Equal(t, "900103", charged[0].CRD, "the manager that named the person last, as of alumni")
	require.Equal(t, int64(500_000), meter.Spent(ada.UserID), "bought once")
	host.Do(t, httpapitest.Scenario{Path: "/v1/people/" + b.uid(t, "HOLM"), As: ada, Status: 404})
}
