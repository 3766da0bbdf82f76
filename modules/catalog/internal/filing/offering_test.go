package filing_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// The notices that are joined to an adviser's funds stand among its filings, each once, and at no other adviser's.
func TestFormDAmongTheFilings(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	loader := load.New(c.DB, c.Clock, slog.New(slog.DiscardHandler))
	filed := time.Date(2022, 4, 5, 0, 0, 0, 0, time.UTC)
	f := &catalogapi.AdviserFiling{
		Key: "1", FilingID: "7777", CRD: "777001", Submitted: time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC),
		Statement: catalogapi.Statement{LegalName: "Tern Hollow LLC"},
		Basis:     catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true,
	}
	_, err := loader.LoadDocument(t.Context(), catalogapi.Document{
		Name: "adv.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(f),
		Funds: itertest.Rows(&catalogapi.FundRow{FilingKey: "1", FundID: "805-0000777001", ReferenceID: "a", Name: "Tern Hollow I"},
			&catalogapi.FundRow{FilingKey: "1", FundID: "805-0000777002", ReferenceID: "b", Name: "Tern Hollow II"}),
		FormDNumbers: itertest.Rows(&catalogapi.FormDRow{FilingKey: "1", ReferenceID: "a", FileNumber: "021-500001"},
			&catalogapi.FormDRow{FilingKey: "1", ReferenceID: "b", FileNumber: "021-500001"}),
	}, catalogapi.LoadOptions{RunID: 8})
	require.NoError(t, err)
	_, err = loader.LoadDocument(t.Context(), catalogapi.Document{
		Name: "2022q2_d.zip", Source: catalogapi.SourceFormD, Offerings: itertest.Rows(
			&catalogapi.OfferingRow{Accession: "0009999999-22-000001", FileNumber: "021-500001", Form: "D", Filed: filed},
			&catalogapi.OfferingRow{Accession: "0009999999-22-000002", FileNumber: "021-500001", Form: "D/A", Filed: filed.AddDate(1, 0, 0)},
			&catalogapi.OfferingRow{Accession: "0009999999-22-000003", FileNumber: "021-500002", Form: "D", Filed: filed},
		),
	}, catalogapi.LoadOptions{RunID: 9})
	require.NoError(t, err)
	httpapitest.New(t, filing.Routes(filing.NewService(c.DB, c.Index, c.Clock))...).Run(t, []httpapitest.Scenario{
		{
			Name: "all", Path: "/v1/gps/777001/filings", Contains: []string{
				`"total":3`, `"accession_number":"ADV-777001-7777"`,
				`{"accession_number":"0009999999-22-000002","filing_id":null,"filing_type":"D/A","amendment_type":"material","filing_date":"2023-04-05",` +
					`"submitted_at":"2023-04-05T00:00:00.000000Z","source":"form_d","document":"2022q2_d.zip","funds_listed":false,"status":"completed","processed_at":"`,
			},
		},
		{
			Name: "D", Path: "/v1/gps/777001/filings?form_type=D&year=2022",
			Contains: []string{`"total":1`, `"accession_number":"0009999999-22-000001","filing_id":null,"filing_type":"D","amendment_type":"initial"`},
		},
		{Name: "D/A", Path: "/v1/gps/777001/filings?form_type=D/A", Contains: []string{`"total":1`, `"accession_number":"0009999999-22-000002"`}},
		{Name: "another's", Path: "/v1/gps/900003/filings?form_type=D", Contains: []string{`"total":0`}},
	})
}
