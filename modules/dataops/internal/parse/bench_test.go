package parse_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/platform/testkit/realdata"
)

// BenchmarkArchive opens and drains a zipped archive of 10,000 filings with 50,000 funds: three passes over the bytes
// (unpacking and checking, then unpacking and converting; the funds are converted twice).
func BenchmarkArchive(b *testing.B) {
	var base, fund strings.Builder
	base.WriteString(baseHeader + "\n")
	fund.WriteString(fundHeader + "\n")
	for i := range 10_000 {
		fmt.Fprintf(&base, `%d,"10/2021","06/24/2026 10:37:17 AM","HALCYON RIDGE CAPITAL %d, LLC","HALCYON",,"801-66195",%d,"1 PIER ROAD",`+
			`"SUITE 2","BOSTON","MA","United States","2110","N","617-555-0100","",54,321687148,0,321687148,"Y","N"`+"\n", i+1, i, i+1)
		for j := range 5 {
			fund.WriteString(fundRow(strconv.Itoa(i+1), fmt.Sprintf("HALCYON RIDGE FUND %d-%d, L.P.", i, j), fmt.Sprintf("805-%010d", i*5+j), strconv.Itoa(j), "321687148") + "\n")
		}
	}
	path := write(b, "ADV_Filing_Data_20260601_20260630.zip", zipped(b, files{"IA_ADV_Base_A" + month: base.String(), "IA_Schedule_D_7B1" + month: fund.String()}))
	b.SetBytes(int64(base.Len() + fund.Len()))
	b.ReportAllocs()
	for b.Loop() {
		d, err := drain(b.Context(), path, parse.Options{})
		require.NoError(b, err)
		require.Len(b, d.funds, 50_000)
	}
	b.ReportMetric(60_000*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkExemptRoster(b *testing.B) {
	path := realdata.File(b, "sec-roster/ia070124-exempt.xlsx")
	for b.Loop() {
		_, err := drain(b.Context(), path, parse.Options{})
		require.NoError(b, err)
	}
}

func BenchmarkRegisteredRoster(b *testing.B) {
	path := realdata.File(b, "sec-roster/sec_advisers.csv")
	b.SetBytes(4116260)
	for b.Loop() {
		_, err := drain(b.Context(), path, parse.Options{})
		require.NoError(b, err)
	}
}
