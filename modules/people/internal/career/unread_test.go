package career_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

// No history is shown or sold while loaded documents of the manager are not read yet.
func TestHistoryWaitsForPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	quill := b.uid(t, "QUILL")
	b.said[quill], b.names[quill] = enrichment.Profile{PersonUID: quill}, true
	at := "/v1/people/" + quill + "/history"
	b.LoadOnly(t, fixture.Filed("900102", "2026-04-01", people{{Name: "HOLM, OLE", Title: "PARTNER"}}))
	b.host.Do(t, httpapitest.Scenario{Path: at, As: ada, Status: 503, Contains: []string{`"code":"people_not_read"`}})
	b.host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/900102/careers/unlock-all", Body: `{}`, As: ada, Status: 503})
	require.Zero(t, b.meter.Spent(7))
	_, err := b.People.Resolve(t.Context())
	require.NoError(t, err)
	got := b.host.Do(t, httpapitest.Scenario{Path: at, As: ada})
	require.NotContains(t, got.Body, `"current":true`, "the person has left")
}
