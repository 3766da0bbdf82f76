package formd_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/realdata"
)

// figures are what a person read in one real notice.
type figures struct {
	form, filed, industry, fundType, exemptions, firstSale, securities string

	minimum, offered, sold, remaining, investors, proceeds int64 // offered, remaining -1 = Indefinite
	issuers, persons, entities, recipients                 int
}

// read16 holds the hand-read figures of all sixteen notices, by file.
var read16 = map[string]figures{
	"000104216711000159-primary_doc.xml": {"D", "2011-07-14", "Residential", "", "06", "2011-07-07", "equity", 60000, 4500000, 4500000, 0, 26, 0, 1, 3, 1, 0},
	"000112785514000257-primary_doc.xml": {"D", "2014-06-10", "Other", "", "06b", "2014-05-29", "debt", 10000, -1, 300000, -1, 2, 0, 1, 2, 0, 0},
	"000114036110001434-primary_doc.xml": {"D", "2010-01-08", "Other", "", "06", "2009-12-30", "equity", 1000, 3000000, 3000000, 0, 21, 0, 1, 10, 0, 0},
	"000148591310000001-primary_doc.xml": {"D", "2010-03-03", "Other", "", "06", "2010-02-17", "equity", 25000, 1000000, 225000, 775000, 9, 50000, 1, 1, 0, 1},
	"000149653910000001-primary_doc.xml": {"D", "2010-07-14", "Oil and Gas", "", "06", "2007-09-24", "equity other", 5000, 25000000, 1135000, 23865000, 19, 0, 2, 3, 1, 1},
	"000151705511000001-primary_doc.xml": {"D", "2011-03-30", "Oil and Gas", "", "06", "", "mineral property", 11211, 448450, 0, 448450, 0, 75000, 1, 1, 0, 1},
	"000152868811000001-primary_doc.xml": {"D", "2011-09-06", "Other", "", "06", "2011-08-23", "equity debt option to acquire", 0, 94009406, 94009406, 0, 14, 10158744, 2, 6, 0, 0},
	"000158589513000001-primary_doc.xml": {"D", "2013-09-12", "Other Health Care", "", "06", "2013-08-21", "equity", 25000, 5000000, 25000, 4975000, 1, 0, 1, 2, 0, 1},
	"000171491317000001-primary_doc.xml": {"D", "2017-08-21", "Investing", "", "06b 3C 3C.1", "2017-08-10", "pooled investment fund", 25000, 2000000, 200000, 1800000, 5, 0, 1, 4, 0, 0},
	"000175724718000001-primary_doc.xml": {"D", "2018-10-26", "Pooled Investment Fund", "*", "06b 3C 3C.7", "2018-10-12", "pooled investment fund", 10000, -1, 354660000, -1, 38, 0, 2, 5, 0, 0},
	"000184292321000001-primary_doc.xml": {"D", "2021-01-28", "Residential", "", "06b 4a5", "2021-01-11", "equity", 25000, 350000, 255000, 95000, 3, 0, 1, 1, 0, 0},
	"000185150821000001-primary_doc.xml": {"D", "2021-10-05", "Pooled Investment Fund", "*", "06c 3C.7", "2021-09-15", "pooled investment fund", 25000, 17947333, 17947333, 0, 168, 10000, 1, 3, 2, 0},
	"000189762421000001-primary_doc.xml": {"D", "2021-12-15", "Investing", "", "06b 3C 3C.1", "2021-08-19", "pooled investment fund", 100000, -1, 5900000, -1, 8, 0, 1, 3, 0, 0},
	"D.1685REIT.xml":                     {"D", "2023-01-27", "REITS and Finance", "", "06b 3C 3C.7", "2023-01-19", "equity pooled investment fund", 1000, 125000, 125000, 0, 125, 0, 1, 14, 0, 4},
	"D.APFund.xml":                       {"D", "2023-01-30", "Pooled Investment Fund", "Venture Capital Fund", "06b 3C.1", "2023-01-20", "pooled investment fund", 1400, 659752, 659752, 0, 27, 6660, 2, 2, 2, 0},
	"D.Shepards.xml":                     {"D/A", "2023-01-31", "Other Banking and Financial Services", "", "06b", "2017-03-16", "equity", 0, 8000000, 5725051, 2274949, 13, 0, 1, 7, 0, 0},
}

// TestRealNotices reads all sixteen notices, those whose names lack the accession number under names that have one.
func TestRealNotices(t *testing.T) {
	t.Parallel()
	source := realdata.File(t, "form-d/xml")
	entries, err := os.ReadDir(source)
	require.NoError(t, err)
	require.Len(t, entries, len(read16))
	dir, names := t.TempDir(), map[string]string{}
	for i, e := range entries {
		content, err := os.ReadFile(filepath.Join(source, e.Name()))
		require.NoError(t, err)
		name := e.Name()
		if strings.HasPrefix(name, "D.") {
			name = fmt.Sprintf("0000000000-23-%06d.%s", i, name)
		}
		names[name] = e.Name()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	d := mustDrain(t, dir)
	require.Empty(t, d.reasons())
	require.Len(t, d.offerings, 16)
	require.Len(t, d.issuers, 20)
	require.Len(t, d.persons, 67)
	require.Len(t, d.recipients, 8, "two of ten say None in every field")
	for _, o := range d.offerings {
		requireFigures(t, read16[names[o.File]], d, o)
	}
	amended := d.offerings[slices.IndexFunc(d.offerings, func(o *catalogapi.OfferingRow) bool { return o.Form == "D/A" })]
	require.Equal(t, "0001544190-19-000002", amended.PreviousAccession)
	named := d.offerings[slices.IndexFunc(d.offerings, func(o *catalogapi.OfferingRow) bool { return o.File == "000104216711000159-primary_doc.xml" })]
	require.Equal(t, "0001042167-11-000159", named.Accession)
	ciks := map[string]bool{}
	for _, i := range d.issuers {
		require.Regexp(t, `^[1-9][0-9]{0,9}$`, i.CIK)
		require.NotContains(t, i.PreviousNames, "None")
		ciks[i.CIK] = true
	}
	require.Len(t, ciks, 20)
	require.True(t, ciks["1958740"] && ciks["1963203"] && ciks["1091185"])
	for _, p := range d.persons {
		require.NotEmpty(t, p.LastName)
		require.NotEmpty(t, p.Relationships)
		require.Equal(t, p.Entity, p.FirstName == "")
	}
}

func requireFigures(t *testing.T, want figures, d *drained, o *catalogapi.OfferingRow) {
	t.Helper()
	got := figures{
		form: o.Form, filed: o.Filed.Format(time.DateOnly), industry: o.IndustryGroup, fundType: o.FundType, exemptions: strings.Join(o.Exemptions, " "),
		securities: strings.Join(o.Securities, " "), minimum: *o.MinInvestment, offered: -1, sold: *o.AmountSold, remaining: -1, investors: *o.Investors,
		proceeds: *o.GrossProceeds,
	}
	if !o.FirstSale.IsZero() {
		got.firstSale = o.FirstSale.Format(time.DateOnly)
	} else {
		require.True(t, *o.YetToOccur)
	}
	require.Equal(t, o.Indefinite, o.OfferingAmount == nil)
	if !o.Indefinite {
		got.offered, got.remaining = *o.OfferingAmount, *o.Remaining
	}
	for _, i := range d.issuers {
		if i.Accession == o.Accession {
			got.issuers++
			require.Equal(t, got.issuers, i.Seq)
		}
	}
	for _, p := range d.persons {
		if p.Accession == o.Accession {
			got.persons++
			if p.Entity {
				got.entities++
			}
		}
	}
	for _, r := range d.recipients {
		if r.Accession == o.Accession {
			got.recipients++
		}
	}
	if want.fundType == "*" {
		require.NotEmpty(t, got.fundType)
		got.fundType = "*"
	}
	require.Equal(t, want, got, o.File)
}

// TestRealFolder reads the folder as it is: three copies are named without their accession number, so nothing can be keyed
// by it, and they are quarantined.
func TestRealFolder(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, realdata.File(t, "form-d/xml"))
	require.Len(t, d.offerings, 13)
	require.Len(t, d.rejected, 3)
	for _, r := range d.rejected {
		require.True(t, strings.HasPrefix(r.File, "D."))
		require.Contains(t, r.Reason, "accession number")
	}
	require.Len(t, d.issuers, 16)
	require.Len(t, d.persons, 44)
	require.Len(t, d.recipients, 4)
}

// marked turns a value of a mirror's JSON back into the elements that it was made of.
func marked(b *strings.Builder, name string, v any) {
	switch x := v.(type) {
	case map[string]any:
		b.WriteString("<" + name + ">")
		for key, inner := range x {
			marked(b, key, inner)
		}
		b.WriteString("</" + name + ">")
	case []any:
		for _, one := range x {
			marked(b, name, one)
		}
	case float64:
		marked(b, name, strconv.FormatFloat(x, 'f', -1, 64))
	default:
		b.WriteString("<" + name + ">")
		if err := xml.EscapeText(b, []byte(fmt.Sprint(x))); err != nil {
			b.WriteString(err.Error())
		}
		b.WriteString("</" + name + ">")
	}
}

// TestRealSample turns the mirror's sample back into a notice and reads it.
func TestRealSample(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(realdata.File(t, "sec-api-samples/form-d.json"))
	require.NoError(t, err)
	var outer struct{ Text string }
	require.NoError(t, json.Unmarshal(content, &outer))
	var reply struct{ Offerings []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(outer.Text), &reply))
	require.Len(t, reply.Offerings, 1)
	filing := reply.Offerings[0]
	number := fmt.Sprint(filing["accessionNo"])
	issuer := filing["primaryIssuer"].(map[string]any)
	delete(filing, "accessionNo")
	var b strings.Builder
	marked(&b, "edgarSubmission", filing)
	d := mustDrain(t, write(t, number+".xml", []byte(b.String())))
	require.Empty(t, d.reasons())
	no := false
	require.Equal(t, []*catalogapi.OfferingRow{{
		Accession: "0002149897-26-000001", Form: "D", Filed: time.Date(2026, 8, 13, 0, 0, 0, 0, time.UTC), SchemaVersion: "X0708",
		IndustryGroup: "Pooled Investment Fund", FundType: "Venture Capital Fund", Is40Act: &no, RevenueRange: "Decline to Disclose",
		Exemptions: []string{"06b", "3C", "3C.1"}, FirstSale: time.Date(2026, 7, 24, 0, 0, 0, 0, time.UTC), OverOneYear: &no,
		Securities: []string{"pooled investment fund"}, MinInvestment: new(int64(0)), OfferingAmount: new(int64(1402000)), AmountSold: new(int64(1402000)),
		Remaining: new(int64(0)), NonAccredited: &no, Investors: new(int64(11)), SalesCommission: new(int64(0)), FindersFee: new(int64(0)), GrossProceeds: new(int64(0)),
		File: number + ".xml", Line: 1,
	}}, d.offerings)
	require.Len(t, d.issuers, 1)
	require.Equal(t, issuer["entityName"], d.issuers[0].Name)
	require.Equal(t, "2149897", d.issuers[0].CIK)
	require.Equal(t, 2026, d.issuers[0].YearFormed)
	require.Empty(t, d.issuers[0].PreviousNames)
	require.Len(t, d.persons, 1)
	require.True(t, d.persons[0].Entity)
	require.True(t, strings.HasSuffix(d.persons[0].LastName, "GP II LLC"))
	require.Equal(t, []string{"Promoter"}, d.persons[0].Relationships)
	require.Empty(t, d.recipients)
}
