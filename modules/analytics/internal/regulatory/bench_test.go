package regulatory_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/regulatory"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/httpapitest"
)

// BenchmarkHit answers from the cache, over the operation's handler.
func BenchmarkHit(b *testing.B) {
	host := newHost(b, harborRidge(b), clocktest.New(noon))
	request := httpapitest.Scenario{Path: path, Status: http.StatusOK}
	host.Do(b, request)
	for b.Loop() {
		host.Do(b, request)
	}
}

// BenchmarkReport is without HTTP: a remembered answer, and one that is joined again from a large group's filings, 60 of 300
// pages each.
func BenchmarkReport(b *testing.B) {
	db := harborRidge(b)
	const filings, pages = 60, 300
	a := &archive{name: "ADV_Filing_Data_20110101_20251231.zip"}
	for n := range filings {
		id := strconv.Itoa(2000 + n)
		a.file(id, "900004", fmt.Sprintf("%d-%02d-15", 2011+n/4, 1+n%4*3), "Quarry Point Management LP")
		for i := range pages {
			a.page(catalogapi.DisclosureRow{
				FilingKey: id, Family: catalogapi.DisclosureRegulatory, ReferenceID: strconv.Itoa(i + 1), InitiatedBy: "FINRA", InitiatorType: "SRO",
				CaseNumber: strconv.Itoa(i), EventDate: day("2009-05-06").AddDate(0, 0, i), Allegations: "Trade reports had errors in a time stamp, again and again.",
				Status: "Final", Resolution: "Consent", FiledAgainst: "Affiliates",
			})
			a.affiliate(id, strconv.Itoa(i+1), "Regulatory Action", "MOSSGATE SECURITIES, LLC", "900009", "Firm")
		}
	}
	a.load(b, db)
	store, clk := regulatory.NewStore(db), clocktest.New(noon)
	providers, err := regulatory.Providers(regulatory.Settings{}, store, clk, slog.New(slog.DiscardHandler))
	require.NoError(b, err)
	service := regulatory.NewService(store, providers, clk, slog.New(slog.DiscardHandler))
	for name, test := range map[string]struct {
		crd   string
		force bool
	}{"small hit": {"900001", false}, "large hit": {"900004", false}, "small anew": {"900001", true}, "large anew": {"900004", true}} {
		b.Run(name, func(b *testing.B) {
			want := map[string]int{"900001": 5, "900004": pages}[test.crd]
			for b.Loop() {
				r, err := service.Report(b.Context(), test.crd, test.force)
				require.NoError(b, err)
				require.Len(b, r.Events, want)
			}
		})
	}
}
