package panel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// Guarantee: no free answer names a person of an address or a description, now or as of a past day. It shows the rest of the line.
func TestPersonsInTexts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	day := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	b.Add(t, catalogapi.Document{
		Name: "ADV_5050.zip", Source: catalogapi.SourceADVArchive,
		Filings: itertest.Rows(&catalogapi.AdviserFiling{
			Key: "5050", FilingID: "5050", CRD: "900050", Submitted: day, Statement: catalogapi.Statement{
				LegalName: "Larkspur Gate Capital LLC", Street1: new("Suite 4, C/O JUNO ALDERWICK"), Street2: new("ATTN: ALDERWICK, JUNO"), City: new("Boston c/o Juno Alderwick"), State: new("MA"),
			},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true, File: "f", Line: 2,
		}),
		Offices: itertest.Rows(&catalogapi.OfficeRow{FilingKey: "5050", Street1: "C/O Juno Alderwick, 2 Invented Street", Street2: "C/O Kestrel Services Ltd.", City: "Salem, Attn Juno Alderwick", File: "f", Line: 2}),
		Funds: itertest.Rows(&catalogapi.FundRow{
			FilingKey: "5050", ReferenceID: "1", FundID: "805-0000000501", Name: "Larkspur Gate Fund LP", FundType: "Other Private Fund", FundTypeOther: "account of Juno Alderwick", Country: "Juno Alderwick", File: "f", Line: 2,
		}),
	})
	filed := history.NewStore(b.DB)
	host := httpapitest.New(t, append(gp.Routes(gp.NewService(b.Index, filed, nil, b.Clock)), fund.Routes(fund.NewService(b.Index, filed, nil, b.Clock))...)...)
	require.Equal(t, []any{"Suite 4", "2 Invented Street"}, b.get("900050/offices").values("street1"))
	require.Equal(t, []any{nil, "C/O Kestrel Services Ltd."}, b.get("900050/offices").values("street2"))
	require.Equal(t, []any{"Boston", "Salem"}, b.get("900050/offices").values("city"))
	for _, path := range []string{
		"/v1/gps/900050", "/v1/gps/900050?as_of=2026-09-01", "/v1/gps/900050?include=provenance", "/v1/gps/900050/offices?as_of=2026-09-01", "/v1/gps?crd=900050", "/v1/gps?facets=country,state",
		"/v1/funds/805-0000000501", "/v1/funds/805-0000000501?as_of=2026-09-01", "/v1/funds/805-0000000501?include=provenance", "/v1/funds?gp_crd=900050", "/v1/funds?facets=jurisdiction",
	} {
		at := host
		if path == "/v1/gps/900050/offices?as_of=2026-09-01" {
			at = b.host
		}
		got := at.Do(t, httpapitest.Scenario{Path: path})
		require.NotRegexp(t, "(?i)alderwick", got.Body, path)
	}
}
