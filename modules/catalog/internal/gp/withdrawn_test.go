package gp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/httpapi/httpapitest"
)

// An adviser that has withdrawn is in no search, and no fund of its is; its detail says since when, and as of a day before
// that it does not.
func TestWithdrawn(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	before := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?q=kestrel"})
	require.Equal(t, "2", crds(t, before.Body))
	c.Withdraw(t, "900002", "2026-07-02")
	after := host.Do(t, httpapitest.Scenario{Path: "/v1/gps?q=kestrel"})
	require.Empty(t, crds(t, after.Body))
	snapshot, err := c.Index.Snapshot()
	require.NoError(t, err)
	_, found := snapshot.FindFund("805-0000000021")
	require.False(t, found, "its fund is not searched either")
	require.Equal(t, 7, snapshot.Freshness().Advisers)
	require.Contains(t, sources(snapshot), "advw")
	host.Run(t, []httpapitest.Scenario{
		{Name: "detail", Path: "/v1/gps/900002", Contains: []string{
			`"withdrawn_on":"2026-07-02"`, `"latest_filing_date":"2026-07-02"`,
			`"source":{"accession_number":"ADV-900002-2002","filing_type":"ADV","filing_date":"2026-06-15"}`,
		}},
		{Name: "as of the day", Path: "/v1/gps/900002?as_of=2026-07-02", Contains: []string{`"withdrawn_on":"2026-07-02"`}},
		{Name: "as of the day before", Path: "/v1/gps/900002?as_of=2026-07-01", Contains: []string{`"withdrawn_on":null`}},
	})
}

func sources(s *index.Snapshot) (out []string) {
	for _, c := range s.Freshness().Coverage {
		out = append(out, string(c.Source))
	}
	return out
}
