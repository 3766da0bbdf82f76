package parse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse"
)

// FuzzOpen gives any bytes under any of the names that mean something: nothing may panic or read without end, and what
// is given keeps the promises of the catalog's contract.
func FuzzOpen(f *testing.F) {
	names := []string{"ADV_Filing_Data_1.zip", "IA_ADV_Base_A" + month, "ia-exempt.csv.gz", "ia.xlsx", "funds_2024-07-10.csv"}
	f.Add(0, zipped(f, archiveFiles()))
	f.Add(0, zipped(f, nil))
	f.Add(1, []byte(archiveFiles()["IA_ADV_Base_A"+month]))
	f.Add(2, gzipped(f, table(cutHeader, cutRow)))
	f.Add(2, []byte(table(fullHeader, fullRow)))
	f.Add(3, zipped(f, files{"xl/workbook.xml": "<workbook/>", "[Content_Types].xml": "<Types/>"}))
	f.Add(4, []byte(table("firm_name,fund_name,fund_id,country,fund_type,gross,num_owners", `4711,A,B,805-7594391471,Delaware,Other,1,1`)))
	f.Fuzz(func(t *testing.T, which int, content []byte) {
		path := write(t, names[(which%len(names)+len(names))%len(names)], content)
		d, err := drain(t.Context(), path, parse.Options{Limits: parse.Limits{TotalBytesMax: 4 << 20, MemberBytesMax: 2 << 20}})
		if err != nil || d == nil {
			require.Error(t, err)
			return
		}
		keys := map[string]bool{}
		for _, a := range d.filings {
			require.False(t, keys[a.Key], "keys are unique")
			keys[a.Key] = true
			require.Regexp(t, `^[1-9][0-9]{0,9}$`, a.CRD)
			require.NotEmpty(t, a.LegalName)
			require.False(t, a.Submitted.IsZero())
		}
		for _, fund := range d.funds {
			require.Regexp(t, `^805-[0-9]{10}$`, fund.FundID)
			require.NotEmpty(t, fund.Name)
		}
		for _, r := range d.rejected {
			require.NotEmpty(t, r.File)
			require.NotEmpty(t, r.Reason)
			require.Positive(t, r.Line)
			require.LessOrEqual(t, len(r.Raw), 4<<10)
		}
	})
}

// FuzzWorkbook puts any text in the place of a workbook's sheet and its shared strings.
func FuzzWorkbook(f *testing.F) {
	const (
		sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
			`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>` +
			`<row r="3"><c r="A3"><v>4711</v></c><c r="B3" t="inlineStr"><is><t>ALDERMOOR</t></is></c><c r="C3" s="1"><v>45376</v></c></row>` +
			`</sheetData></worksheet>`
		texts = `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>Organization CRD#</t></si><si><t>Legal Name</t></si>` +
			`<si><r><t>Latest ADV </t></r><r><t>Filing Date</t></r></si></sst>`
		types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
		rels  = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ` +
			`Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
		book = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`
	)
	f.Add(sheet, texts)
	f.Add(`<worksheet><sheetData><row r="1048577"><c r="XFE1"/></row></sheetData></worksheet>`, ``)
	f.Add(`<worksheet><sheetData><row><c t="s"><v>-1</v></c><c t="s"><v>99</v></c><c t="b"><v>1</v></c></row></sheetData></worksheet>`, texts)
	f.Fuzz(func(t *testing.T, sheet, texts string) {
		d, err := drain(t.Context(), write(t, "ia.xlsx", zipped(t, files{
			"xl/workbook.xml": book, "xl/_rels/workbook.xml.rels": rels, "[Content_Types].xml": types,
			"xl/worksheets/sheet1.xml": sheet, "xl/sharedStrings.xml": texts,
		})), parse.Options{})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		for _, a := range d.filings {
			require.Regexp(t, `^[1-9][0-9]{0,9}$`, a.CRD)
		}
	})
}
