package gp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/testkit/httpapitest"
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
	for _, s := range snapshot.Aggregate(&index.AggregateQuery{GroupBy: index.GroupAUMBand}) {
		require.LessOrEqual(t, s.GPCount, 7)
	}
	of, similar, found := snapshot.RelatedTo("900002", catalogapi.FactorGeography|catalogapi.FactorAUMBand|catalogapi.FactorStrategy, 10)
	require.True(t, found, "its related managers are answered as its detail is")
	require.Equal(t, "900002", of.CRD)
	for _, gp := range similar {
		require.NotEqual(t, "900002", gp.CRD)
	}
	require.Equal(t, 7, snapshot.Freshness().Advisers)
	require.Contains(t, sources(snapshot), "advw")
	host.Run(t, []httpapitest.Scenario{
		{Name: "detail", Path: "/v1/gps/900002", Contains: []string{
			`"withdrawn_on":"2026-07-02"`, `"latest_filing_date":"2026-07-02"`,
			`"source":{"accession_number":"ADV-900002-2002","filing_type":"ADV","filing_date":"2026-06-15"}`,
		}},
		{Name: "its funds", Path: "/v1/gps/900002/funds", Contains: []string{`"gp_crd":"900002"`, `"fund_id":"805-0000000021"`}},
		{Name: "its totals", Path: "/v1/gps/900002/stats", Contains: []string{`"total_funds":1`}},
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

// An adviser that no list names any more is answered as one that has withdrawn is.
func TestNotListed(t *testing.T) {
	t.Parallel()
	host, c := newHost(t)
	require.Equal(t, "2", crds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?q=kestrel"}).Body))
	c.List(t, "2026-07-01", "900001", "900002")
	c.List(t, "2026-08-01", "900001")
	require.Empty(t, crds(t, host.Do(t, httpapitest.Scenario{Path: "/v1/gps?q=kestrel"}).Body))
	host.Run(t, []httpapitest.Scenario{
		{Name: "detail", Path: "/v1/gps/900002", Contains: []string{`"withdrawn_on":null`, `"not_listed_since":"2026-08-01"`}},
		{Name: "funds", Path: "/v1/gps/900002/funds", Contains: []string{`"gp_crd":"900002"`, `"fund_id":"805-0000000021"`}},
		{Name: "totals", Path: "/v1/gps/900002/stats", Contains: []string{`"total_funds":1`}},
		{Name: "as of the day", Path: "/v1/gps/900002?as_of=2026-08-01", Contains: []string{`"not_listed_since":"2026-08-01"`}},
		{Name: "as of the day before", Path: "/v1/gps/900002?as_of=2026-07-31", Contains: []string{`"not_listed_since":null`}},
		{Name: "listed", Path: "/v1/gps/900001", Contains: []string{`"not_listed_since":null`}},
	})
	snapshot, err := c.Index.Snapshot()
	require.NoError(t, err)
	_, _, found := snapshot.RelatedTo("900002", catalogapi.FactorGeography, 10)
	require.True(t, found)
}

func onDay(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}
