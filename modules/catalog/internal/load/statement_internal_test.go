package load

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/itertest"
)

// A filing that is loaded again counts as the same only if its fingerprint is: the rows and the fingerprints of releases stay, whatever
// columns come later.
func TestRowsStay(t *testing.T) {
	t.Parallel()
	day := time.Date(2024, 3, 28, 10, 0, 0, 0, time.UTC)
	whole := func(key string) *catalogapi.AdviserFiling {
		return &catalogapi.AdviserFiling{
			Key: key, CRD: "7001", FilingID: key, Submitted: day,
			Statement: catalogapi.Statement{
				LegalName: "Larkspur Hollow Capital LLC", BusinessName: new("Larkspur"), SECNumber: new("801-1"), SECStatus: new("Approved"),
				Street1: new("1 Elm"), Street2: new("Floor 2"), City: new("Boston"), State: new("MA"), Country: new("United States"),
				PostalCode: new("02110"), PrivateResidence: new(false), Phone: new("1"), Website: new("https://larkspur.example"),
				LEI: new("5493000EXAMPLE000001"), EmployeeCount: new(int64(7)), RAUM: new(int64(1)), RAUMDiscretionary: new(int64(2)),
				RAUMNonDiscretionary: new(int64(3)), OrgForm: new("LLC"), FiscalYearEnd: new("December"), OrgState: new("Delaware"),
				OrgCountry: new("US"), AdvisesFunds: new(true),
			},
			Basis: catalogapi.Basis{
				Registration: new("registered"), StatusDate: new(time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)), FormVersion: new("10/2021"),
				ReportedFundCount: new(int64(4)), ReportedFundGAV: new(int64(5)),
			},
		}
	}
	typed := whole("2")
	typed.ReportedFundTypes = map[string]int64{"Hedge Fund": 2}
	doc := catalogapi.Document{
		Name: "a.zip", Source: catalogapi.SourceADVArchive,
		Filings: itertest.Rows(whole("1"), typed, &catalogapi.AdviserFiling{
			Key: "3", CRD: "7002", FilingID: "3", Submitted: day, Statement: catalogapi.Statement{LegalName: "Bare LLC"},
		}),
		Organization: itertest.Rows(
			&catalogapi.OrganizationRow{FilingKey: "1", Statement: catalogapi.Statement{OrgForm: new("Other")}},
			&catalogapi.OrganizationRow{
				FilingKey: "3",
				Statement: catalogapi.Statement{OrgForm: new("LLC"), OrgState: new("Delaware"), OrgCountry: new("US")},
			},
		),
	}
	p := New(nil, clock.System{}, slog.New(slog.DiscardHandler)).Prepare(t.Context(), doc, catalogapi.LoadOptions{
		RunID: 5, Reject: func(r catalogapi.Rejected) { t.Error(r.Reason) },
	})
	_, rows, err := sent(t, readerOf(t, p))
	require.ErrorIs(t, err, io.EOF)
	<-p.Done()
	const stated = "Larkspur Hollow Capital LLC Larkspur 801-1 registered Approved 2020-01-02 1 Elm Floor 2 Boston MA United States 02110 f 1 " +
		"5493000EXAMPLE000001 10/2021 7 1 2 3 LLC December Delaware US t 4 5 "
	for i, want := range [][2]string{
		{"7001 ADV-7001-1 " + stated + `\N `, `\\x9a89ec11db33f9fa6703b49da433293b`},
		{"7001 ADV-7001-2 " + stated + `{"Hedge Fund":2} `, `\\x1dd610e9aff80bbe8aa1d59d18f4068c`},
		{"7002 ADV-7002-3 Bare LLC" + strings.Repeat(` \N`, 19) + ` LLC \N Delaware US` + strings.Repeat(` \N`, 5), `\\x1a819383ce1b978116e5ea4ab932ffe3`},
	} {
		row := strings.ReplaceAll(strings.Split(rows["s_version"], "\n")[i], "\t", " ")
		require.True(t, strings.HasPrefix(row, want[0]), "%s\n%s", want[0], row)
		require.Equal(t, want[1], row[strings.LastIndex(row, " ")+1:])
	}
	require.Equal(t, `ADV-7001-1 7001 adv_archive 1 2024-03-28 2024-03-28 10:00:00Z f \N December a.zip 5 \N
ADV-7001-2 7001 adv_archive 2 2024-03-28 2024-03-28 10:00:00Z f \N December a.zip 5 \N
ADV-7002-3 7002 adv_archive 3 2024-03-28 2024-03-28 10:00:00Z f \N \N a.zip 5 \N
`, strings.ReplaceAll(rows["s_filing"], "\t", " "))
}
