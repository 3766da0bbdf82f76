package parse_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

// BenchmarkADVChildren drains one table of 200,000 rows, out of a zip archive and out of a folder: one pass over the bytes,
// converting each row, keeping none.
func BenchmarkADVChildren(b *testing.B) {
	const rows = 200_000
	for _, table := range []struct {
		name, header string
		row          func(i int) string
		drain        func(*catalogapi.Document) (int, error)
	}{
		{"IA_Schedule_A_B", ownerHeader, func(i int) string {
			return fmt.Sprintf(`%d,"Y","A","QUIMBLE, OSWIN, T %d","I","","DIRECTOR, CHAIRMAN AND CHIEF EXECUTIVE OFFICER","09/2001","NA","Y","N","%d"`, 1+i/8, i, 1_000_000+i)
		}, func(d *catalogapi.Document) (int, error) { return count(d.Owners) }},
		{"IA_DRP_Regulatory", regulatoryHeader, func(i int) string {
			return fmt.Sprintf(`%d,"AMENDED","N","N","N","Y","N","Affiliates",%d,"SRO","FINRA","Censure","","02/19/2021","20200%d","ALDERMOOR BROKERS LLC","Equity",`+
				`"WITHOUT ADMITTING OR DENYING THE FINDINGS, THE FIRM CONSENTED TO THE SANCTIONS","Final","Acceptance, Waiver & Consent(AWC)","02/20/2021","Y",5000,"N","Y","N","N","N","N","","PAID","SETTLED"`,
				1+i/8, i, i)
		}, func(d *catalogapi.Document) (int, error) { return count(d.Disclosures) }},
		{"IA_Schedule_D_7B1A25", custodianHeader, func(i int) string {
			return fmt.Sprintf(`%d,%d,"STAITHE BANK %d, N.A.","STAITHE","NEW YORK","New York","United States","N","","529900ABCDEFGHIJKL12"`, 1+i/8, i/2, i%500)
		}, func(d *catalogapi.Document) (int, error) { return count(d.Providers) }},
	} {
		var content bytes.Buffer
		content.WriteString(table.header + "\n")
		for i := range rows {
			content.WriteString(table.row(i) + "\n")
		}
		members := files{"IA_ADV_Base_A" + month: tinyHeader + "\n7,6/1/2026,ALDERMOOR,4711\n", table.name + month: content.String()}
		for place, path := range map[string]string{"zip": write(b, "ADV_Filing_Data_1.zip", zipped(b, members)), "folder": folder(b, members)} {
			b.Run(table.name+"/"+place, func(b *testing.B) {
				b.SetBytes(int64(content.Len()))
				b.ReportAllocs()
				for b.Loop() {
					opened, err := parse.Open(b.Context(), path, parse.Options{Reject: func(r catalogapi.Rejected) { b.Fatal(r.Reason) }})
					require.NoError(b, err)
					n, err := table.drain(&opened.Document)
					require.NoError(b, err)
					require.Equal(b, rows, n)
					require.NoError(b, opened.Close())
				}
				b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}

// count drains a sequence.
func count[T any](seq func(func(*T, error) bool)) (n int, err error) {
	for _, err := range seq {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
