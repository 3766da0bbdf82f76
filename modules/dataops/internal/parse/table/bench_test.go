package table_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse/table"
)

// fundLines are rows as the table of funds has them.
func fundLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `%d,"HALCYON RIDGE CAPITAL FUND %d, L.P.",805-%010d,%d,"Delaware","United States","N","Y","N","N","","","N","","N",`+
			`"Private Equity Fund","",%d,0,57,4,54,"N",12,"N","N","N",,"N","Y","Y","Y","Y","N","Y","Y",100,"N"`+"\n", 2107670+i, i, i, 518607+i, 321687148+i)
	}
	return b.Bytes()
}

func BenchmarkReader(b *testing.B) {
	unescaped := bytes.ReplaceAll(fundLines(20_000), []byte("RIDGE"), []byte(`"RIDGE"`))
	bare := bytes.Repeat([]byte(strings.Repeat("12345678,", 37)+"1\n"), 20_000)
	for name, in := range map[string][]byte{"quoted": fundLines(20_000), "unescaped": unescaped, "bare": bare} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				r := table.NewReader(bytes.NewReader(in), func(bad table.Bad) { b.Fatal(bad.Reason) })
				r.Expect(38, 38)
				var err error
				for err == nil {
					_, err = r.Read()
				}
				require.ErrorIs(b, err, io.EOF)
			}
		})
	}
	b.Run("encoding_csv", func(b *testing.B) {
		in := fundLines(20_000)
		b.SetBytes(int64(len(in)))
		b.ReportAllocs()
		for b.Loop() {
			r := csv.NewReader(bytes.NewReader(in))
			r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = true, -1, true
			var err error
			for err == nil {
				_, err = r.Read()
			}
			require.ErrorIs(b, err, io.EOF)
		}
	})
}
