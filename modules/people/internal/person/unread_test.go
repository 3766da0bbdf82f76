package person_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

// A search that may miss people who are not read yet is refused, and a profile that may be out of date is not sold.
func TestSearchAndProfileWaitForPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t)
	b.enrich(t, "900101")
	ada1 := b.uid(t, "LARKSPUR")
	b.LoadOnly(t, fixture.Filed("900101", "2026-03-01", people{{Name: "BIRCH, OLAF", Title: "PARTNER"}}))
	for _, path := range []string{"/v1/people/search?q=olaf+birch", "/v1/people/" + ada1} {
		b.host.Do(t, httpapitest.Scenario{Path: path, As: ada, Status: 503, Contains: []string{`"code":"people_not_read"`}})
	}
	require.Empty(t, b.meter.Charged())
	_, err := b.People.Resolve(t.Context())
	require.NoError(t, err)
	names, _ := b.search(t, ada, "q=olaf+birch")
	require.Equal(t, []string{"Olaf Birch"}, names)
}
