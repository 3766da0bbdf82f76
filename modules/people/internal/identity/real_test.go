package identity_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/realdata"
)

// TestRealScheduleA reads a real Schedule A: as many people as it has different names of individuals. Names stay out of messages.
func TestRealScheduleA(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(realdata.File(t, "sec-api-samples/form-adv-schedule-a-direct-owners.json"))
	require.NoError(t, err)
	var reply struct{ Text string }
	require.NoError(t, json.Unmarshal(content, &reply))
	var rows []struct{ Name, OwnerType, TitleStatus, DateTitleStatusAcquired, CRD string }
	require.NoError(t, json.Unmarshal([]byte(reply.Text), &rows))
	require.Len(t, rows, 10)
	var schedule []fixture.Person
	individuals := map[string]bool{}
	for _, r := range rows {
		schedule = append(schedule, fixture.Person{
			Name: r.Name, Title: r.TitleStatus, Since: r.DateTitleStatusAcquired, Number: r.CRD, Entity: r.OwnerType != "I",
		})
		if r.OwnerType == "I" {
			individuals[strings.Join(strings.Fields(r.Name), " ")] = true
		}
	}
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("149777", "2026-08-01", schedule))
	const statement = "SELECT count(DISTINCT person_uid) FROM people.posts WHERE standing = 'team' AND acquired_on IS NOT NULL"
	found, err := database.Values[int](t.Context(), w.DB, "count people", statement, database.Args{})
	require.NoError(t, err)
	require.Equal(t, len(individuals), found[0])
}
