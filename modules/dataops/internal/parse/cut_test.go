package parse_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse"
	tables "gpatlas/modules/dataops/internal/parse/table"
)

// A table that ends inside a row is cut off, whatever file it is. In an archive, where every row has a line end, so is one
// without a line end; a list made by a person may lack it.
func TestTablesCutOff(t *testing.T) {
	t.Parallel()
	archive := func(owners string) files {
		return files{
			"IA_ADV_Base_A" + month:   table("FilingID,DateSubmitted,1A,1E1", "1,6/1/2026,ALDERMOOR,1"),
			"IA_Schedule_A_B" + month: owners,
		}
	}
	const header = `FilingID,Schedule,Full Legal Name,DE/FE/I,Title or Status,OwnerID` + "\n"
	one, two := `1,"A","ALDER, ADA","I","PARTNER",100`, `1,"A","BIRCH, BEN","I","PARTNER",101`
	roster := "Organization CRD#,Legal Name,Latest ADV Filing Date,SEC Current Status\n100,ALDER LLC,06/01/2026,Approved\n"
	for name, c := range map[string]struct {
		document string
		said     string // empty: it is read
		unended  string // what is said if tables without a line end may pass
	}{
		"whole":                     {document: folder(t, archive(header+one+"\n"+two+"\n"))},
		"blank lines":               {document: folder(t, archive(header+one+"\r\n"+two+"\r\n\r\n"))},
		"what editors leave behind": {document: folder(t, archive(header+one+"\n\x1a"))},
		"no line end":               {document: folder(t, archive(header+one+"\n"+two)), said: "line 3 has no line end, unlike every row of a complete file. The file may be cut off"},
		"half a line end":           {document: folder(t, archive(header+one+"\r\n"+two+"\r")), said: "line 3 has no line end"},
		"header without line end":   {document: folder(t, archive(strings.TrimSpace(header))), said: "line 1 has no line end"},
		"no byte":                   {document: folder(t, archive("")), said: "it is empty and lacks even its header. The file is cut off"},
		"an open quote": {
			document: folder(t, archive(header+one+"\n"+two[:12])),
			said:     "line 3 ends in the middle of a row: a quote is not closed. The file is cut off", unended: "a quote is not closed",
		},
		"an open quote and a line": {document: folder(t, archive(header+one+"\n"+two[:12]+"\n")), said: "line 3 ends in the middle of a row", unended: "line 3 ends"},
		"an open quote and two":    {document: folder(t, archive(header+one+"\n"+two[:12]+"\nmore\n")), said: "line 3 ends in the middle of a row", unended: "line 3 ends"},
		"fewer fields": {
			document: folder(t, archive(header+one+"\n"+two[:18])),
			said:     "line 3 ends in the middle of a row: it has 3 of 6 fields and no line end", unended: "it has 3 of 6 fields",
		},
		"a stray quote":         {document: folder(t, archive(header+`1,A,"ALDER,I,PARTNER,100`+"\n"+`1,A,BIRCH,I,PARTNER,101`+"\n"))},
		"a list as people save": {document: write(t, "list.csv", []byte(strings.TrimSpace(roster)))},
		"a list in a row": {
			document: write(t, "list.csv", []byte(roster+"101,BIRCH")),
			said:     "list.csv: line 3 ends in the middle of a row: it has 2 of 4 fields and no line end", unended: "2 of 4 fields",
		},
		"a zipped table": {
			document: write(t, "ADVW_20260601_20260630.zip", zipped(t, files{"ADVW_20260601_20260630.csv": strings.TrimSpace(withdrawals)})),
			said:     "has no line end",
		},
		"the table by itself": {document: write(t, "ADVW_20260601_20260630.csv", []byte(strings.TrimSpace(withdrawals)))},
	} {
		for _, unended := range []bool{false, true} {
			_, err := drain(t.Context(), c.document, parse.Options{Unended: unended, NotAfter: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)})
			said := c.said
			if unended {
				said = c.unended
			}
			if said == "" {
				require.NoError(t, err, name)
				continue
			}
			require.ErrorContains(t, err, said, name)
			require.ErrorAs(t, err, new(*tables.CutError), name)
		}
	}
}

const withdrawals = "CRD Number,SEC File Number,Full Legal Name,Primary Business Name,Filing ID,Form Type,Filing Type,Filing Date,Business Ceased,Date Ceased,Reasons for Withdrawal\n" +
	"100,801-100,FIRM,FIRM,5000,ADV-W,FULL,06/03/2026,N,,none\n"
