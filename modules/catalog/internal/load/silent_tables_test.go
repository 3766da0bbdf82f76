package load_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/testscale"
)

// An archive without the related persons of one kind of advisers leaves these in their organization, whatever comes first. One
// that has the table and names nobody ends it.
func TestAdvisersStayTogetherWithoutTheTable(t *testing.T) {
	t.Parallel()
	named := archive("1.zip", filing("1", "10001", "2025-01-01", "ALDER POINT LLC"), filing("2", "20001", "2025-01-01", "ALDER POINT EUROPE LLP"))
	named.affiliates = []*catalogapi.AffiliateRow{affiliate("1", "20001", "ALDER POINT EUROPE LLP")}
	silent := archive("2.zip", filing("3", "10001", "2026-01-01", "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) {
		f.Silent = []string{catalogapi.TableAffiliates}
	}))
	silent.affiliates = []*catalogapi.AffiliateRow{} // the other kind's
	bare := archive("3.zip", filing("4", "10001", "2026-02-01", "ALDER POINT LLC"))
	docs := []document{named, silent, bare}
	for _, order := range orders(rand.New(rand.NewPCG(3, 5)), len(docs), testscale.Rounds(t, 2)) {
		b := newBench(t)
		for _, n := range order {
			b.load(docs[n])
		}
		require.Equal(t, map[string]string{"10001": "10001", "20001": "10001"}, b.groups(), "order %v", order)
		require.Equal(t, catalogapi.LoadResult{RowsRead: 1, FilingsUnchanged: 1, AdvisersUnchanged: 1}, b.load(silent))
		last := archive("4.zip", filing("5", "10001", "2026-03-01", "ALDER POINT LLC"))
		last.affiliates = []*catalogapi.AffiliateRow{}
		last.without = func(d *catalogapi.Document) { d.Affiliates = func(func(*catalogapi.AffiliateRow, error) bool) {} }
		b.load(last)
		require.Equal(t, map[string]string{"10001": "10001", "20001": "20001"}, b.groups())
	}
}

// Of the parts of a list an edition leaves those that it has no table of, and replaces the others. A part that no edition
// had comes from whichever edition brings it.
func TestAnEditionWithoutAPartOfAList(t *testing.T) {
	t.Parallel()
	page := func(family catalogapi.DisclosureFamily, reference string) *catalogapi.DisclosureRow {
		return &catalogapi.DisclosureRow{FilingKey: "1", Family: family, ReferenceID: reference, File: "drp.csv", Line: 2}
	}
	edition := func(day string, silent []string, pages ...*catalogapi.DisclosureRow) document {
		d := archive(day+".zip", filing("1", "7001", "2026-01-05", "ALDER POINT LLC", func(f *catalogapi.AdviserFiling) { f.Silent = silent })).of(day)
		d.disclosures = pages
		return d
	}
	noCriminal := []string{catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCriminal)}
	noCivil := []string{catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureCivil)}
	docs := []document{
		edition("2026-01-31", noCivil, page(catalogapi.DisclosureCriminal, "1"), page(catalogapi.DisclosureRegulatory, "2")),
		edition("2026-02-28", noCriminal, page(catalogapi.DisclosureRegulatory, "3"), page(catalogapi.DisclosureCivil, "4")),
	}
	for _, order := range [][]int{{0, 1}, {1, 0}, {0, 1, 0, 1}, {1, 0, 0, 1}} {
		b := newBench(t)
		for _, n := range order {
			b.load(docs[n])
			require.Empty(t, b.rejected)
		}
		require.Equal(t, [][]string{{"civil_judicial", "4"}, {"criminal", "1"}, {"regulatory", "3"}},
			b.rows(`SELECT family, reference_id FROM catalog.disclosures ORDER BY family`), "order %v", order)
		require.False(t, b.load(docs[1]).Published)
	}
}

// A registered adviser's filing without its row in base B, which is in quarantine or lost, ends nothing: what the filing before stated stays until
// a document has the row. An exempt adviser answers in its own row, and no answer is one.
func TestAFilingWithoutItsRowOfBaseB(t *testing.T) {
	t.Parallel()
	row := func(filing, form string) *catalogapi.OrganizationRow {
		return &catalogapi.OrganizationRow{FilingKey: filing, Statement: catalogapi.Statement{OrgForm: &form, FiscalYearEnd: new("JUNE")}, File: "b.csv", Line: 2}
	}
	era := func(form *string) func(*adviser) {
		return func(f *adviser) { exempt(f); f.OrgForm = form }
	}
	before := archive("1.zip", filing("1", "7001", "2025-01-01", "ALDER POINT LLC"), filing("2", "7002", "2025-01-01", "ROWAN LLC"),
		filing("3", "7003", "2025-01-01", "QUILL LLP", era(new("Limited Partnership"))))
	before.org = []*catalogapi.OrganizationRow{row("1", "Corporation"), row("2", "Partnership")}
	lost := archive("2.zip", filing("4", "7001", "2026-01-01", "ALDER POINT LLC"), filing("5", "7002", "2026-01-01", "ROWAN LLC"),
		filing("6", "7003", "2026-01-01", "QUILL LLP", era(nil)))
	lost.org = []*catalogapi.OrganizationRow{row("5", "Limited Liability Company")}
	whole := lost
	whole.org = append([]*catalogapi.OrganizationRow{row("4", "Other")}, lost.org...)
	forms := func(b *bench) [][]string {
		return b.rows(`SELECT crd, org_form, fiscal_year_end FROM catalog.advisers ORDER BY crd`)
	}
	stays := [][]string{{"7001", "Corporation", "JUNE"}, {"7002", "Limited Liability Company", "JUNE"}, {"7003", "∅", "∅"}}
	b := newBench(t)
	b.load(before)
	b.load(lost)
	require.Equal(t, stays, forms(b))
	b.load(whole)
	stays[0][1] = "Other"
	require.Equal(t, stays, forms(b))
	b.load(lost)
	require.Equal(t, stays, forms(b), "the row is lost again")
}
