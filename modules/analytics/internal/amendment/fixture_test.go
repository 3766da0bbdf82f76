package amendment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/amendment"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

const (
	fundOne   = "805-0000000011" // of 900001 first, of 900002 since
	fundTwo   = "805-0000000012"
	fundOfTwo = "805-0000000014" // of 900004, whose filings are of one day
)

// today is the day on which the tests play.
var today = clock.Fixed(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

func at(s string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	return t
}

// filing is what any document says of an adviser; forms have an id, evidence has none.
func filing(id, crd, submitted string) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		Key: id + crd + submitted, FilingID: id, CRD: crd, Submitted: at(submitted),
		Statement: catalogapi.Statement{LegalName: "Harbor Ridge Capital Partners LLC"},
		Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: id != "",
	}
	return f
}

func fund(of *catalogapi.AdviserFiling, id string) *catalogapi.FundRow {
	return &catalogapi.FundRow{FilingKey: of.Key, ReferenceID: id, FundID: id, Name: "Harbor Ridge Buyout Fund " + id, FundType: "Private Equity Fund"}
}

// documents are three years of 900001, and 900002, which took over its first fund.
func documents() []catalogapi.Document {
	first, annual, other := filing("1001", "900001", "2024-03-28 10:00"), filing("1002", "900001", "2025-03-28 10:00"), filing("1003", "900001", "2025-03-28 16:20")
	second := filing("2001", "900002", "2026-02-02 11:00")
	shorter, longer := filing("999999", "900004", "2026-02-02 00:00"), filing("1000000", "900004", "2026-02-02 00:00")
	roster := func(name string, rows ...*catalogapi.AdviserFiling) catalogapi.Document {
		return catalogapi.Document{Name: name, Source: catalogapi.SourceRoster, Filings: itertest.Rows(rows...)}
	}
	list := filing("", "900001", "2025-03-28 00:00")
	return []catalogapi.Document{
		{
			Name: "ADV_Filing_Data.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(first, annual, other, second, longer, shorter),
			Types: itertest.Rows(
				&catalogapi.FilingTypeRow{FilingKey: annual.Key, Types: []string{"annual updating amendment"}},
				&catalogapi.FilingTypeRow{FilingKey: other.Key, Types: []string{"other-than-annual amendment"}},
			),
			Funds: itertest.Rows(fund(first, fundOne), fund(annual, fundOne), fund(annual, fundTwo), fund(other, fundTwo), fund(second, fundOne),
				fund(shorter, fundOfTwo), fund(longer, fundOfTwo)),
			FormDNumbers: itertest.Rows(
				&catalogapi.FormDRow{FilingKey: annual.Key, ReferenceID: fundOne, FileNumber: "021-500001"},
				&catalogapi.FormDRow{FilingKey: annual.Key, ReferenceID: fundTwo, FileNumber: "021-500001"},
			),
		},
		roster("roster-2024-04.xlsx", filing("", "900001", "2024-03-28 00:00")),
		roster("roster-2025-08.xlsx", filing("", "900001", "2025-07-01 00:00")),
		roster("roster-2026-08.xlsx", filing("", "900001", "2026-07-02 00:00"), filing("", "900003", "2026-05-04 00:00"), filing("", "900004", "2026-02-02 00:00")),
		{Name: "feed.xml.gz", Source: catalogapi.SourceFeed, Filings: itertest.Rows(filing("", "900001", "2025-07-01 00:00"), filing("", "900004", "2026-02-02 00:00"))},
		{
			Name: "funds.csv", Source: catalogapi.SourceFundList, Filings: itertest.Rows(list),
			Funds: itertest.Rows(&catalogapi.FundRow{FilingKey: list.Key, FundID: fundOne, Name: "Harbor Ridge Buyout Fund"}),
		},
		{
			Name: "advw.zip", Source: catalogapi.SourceADVW, Withdrawals: itertest.Rows(
				&catalogapi.WithdrawalRow{CRD: "900001", FilingID: "3001", Submitted: at("2026-07-02 00:00"), Full: true, File: "advw.csv", Line: 2},
				&catalogapi.WithdrawalRow{CRD: "900009", FilingID: "3002", Submitted: at("2026-07-02 00:00"), Full: true, File: "advw.csv", Line: 3},
			),
		},
		{
			Name: "2022q2_d.zip", Source: catalogapi.SourceFormD, Offerings: itertest.Rows(
				&catalogapi.OfferingRow{Accession: "0009999999-22-000001", FileNumber: "021-500001", Form: "D", Filed: at("2022-04-05 00:00")},
				&catalogapi.OfferingRow{Accession: "0009999999-22-000002", FileNumber: "021-500001", Form: "D/A", Filed: at("2025-03-28 00:00")},
				&catalogapi.OfferingRow{Accession: "0009999999-22-000003", FileNumber: "021-500002", Form: "D", Filed: at("2022-04-05 00:00")},
			),
		},
	}
}

// newHost hosts the operations over the loaded documents; addresses of funds are resolved by a fake that fails with err.
func newHost(t *testing.T, err error) (*httpapitest.Host, *database.DB, *chargetest.Meter) {
	t.Helper()
	db := dbtest.New(t)
	loader := catalogtest.NewLoader(db, today)
	for i, doc := range documents() {
		_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{
			RunID: int64(i + 1), Reject: func(r catalogapi.Rejected) { require.Fail(t, "the fixture has a bad row", "%+v", r) },
		})
		require.NoError(t, err)
	}
	h := &catalogtest.History{Err: err, Funds: map[string][2]string{
		fundOne: {fundOne, "900002"}, "17": {fundOne, "900002"}, fundTwo: {fundTwo, "900001"}, "805-0000000099": {"805-0000000099", "900001"},
		fundOfTwo: {fundOfTwo, "900004"},
	}}
	meter := &chargetest.Meter{}
	return httpapitest.NewMetered(t, meter, amendment.Routes(amendment.NewService(db, h))...), db, meter
}
