package load_test

import (
	"fmt"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/itertest"
)

// notices is a document of Form D in slices.
type notices struct {
	name       string
	offerings  []*catalogapi.OfferingRow
	issuers    []*catalogapi.IssuerRow
	people     []*catalogapi.RelatedPersonRow
	recipients []*catalogapi.RecipientRow
}

func (n notices) stream() catalogapi.Document {
	return catalogapi.Document{
		Name: n.name, Source: catalogapi.SourceFormD, Offerings: itertest.Rows(n.offerings...), Issuers: itertest.Rows(n.issuers...),
		RelatedPersons: itertest.Rows(n.people...), Recipients: itertest.Rows(n.recipients...),
	}
}

func (b *bench) loadD(n notices) catalogapi.LoadResult {
	b.t.Helper()
	b.run++
	b.rejected = nil
	result, err := b.loader.LoadDocument(b.t.Context(), n.stream(), catalogapi.LoadOptions{
		RunID: b.run, Reject: func(r catalogapi.Rejected) { b.rejected = append(b.rejected, r) },
	})
	require.NoError(b.t, err)
	return result
}

// acc makes an accession number of a small one.
func acc(n int) string { return fmt.Sprintf("0009999999-25-%06d", n) }

// notice is a private fund's Form D under Rule 506(b) by an issuer in Boston.
func notice(n int, number, date, issuer string, options ...func(*catalogapi.OfferingRow, *catalogapi.IssuerRow)) notices {
	o := &catalogapi.OfferingRow{
		Accession: acc(n), FileNumber: number, Form: "D", Filed: day(date), IndustryGroup: "Pooled Investment Fund",
		FundType: "Private Equity Fund", Exemptions: []string{"06b", "3C", "3C.7"}, FirstSale: day(date),
		OfferingAmount: new(int64(5e8)), AmountSold: new(int64(1e8)), File: "OFFERING.tsv", Line: 2,
	}
	i := &catalogapi.IssuerRow{Accession: acc(n), Seq: 1, CIK: "1700001", Name: issuer, City: "BOSTON", State: "MA", File: "ISSUERS.tsv", Line: 2}
	for _, option := range options {
		option(o, i)
	}
	return notices{name: "2025q1_d.zip", offerings: []*catalogapi.OfferingRow{o}, issuers: []*catalogapi.IssuerRow{i}}
}

// amends makes a notice an amendment of another.
func amends(n int) func(*catalogapi.OfferingRow, *catalogapi.IssuerRow) {
	return func(o *catalogapi.OfferingRow, _ *catalogapi.IssuerRow) {
		o.Form = "D/A"
		if n > 0 {
			o.PreviousAccession = acc(n)
		}
	}
}

func offered(codes ...string) func(*catalogapi.OfferingRow, *catalogapi.IssuerRow) {
	return func(o *catalogapi.OfferingRow, _ *catalogapi.IssuerRow) { o.Exemptions = codes }
}

func sold(date string) func(*catalogapi.OfferingRow, *catalogapi.IssuerRow) {
	return func(o *catalogapi.OfferingRow, _ *catalogapi.IssuerRow) { o.FirstSale = day(date) }
}

func from(city, state string) func(*catalogapi.OfferingRow, *catalogapi.IssuerRow) {
	return func(_ *catalogapi.OfferingRow, i *catalogapi.IssuerRow) { i.City, i.State = city, state }
}

// several makes one document of some.
func several(of ...notices) notices {
	all := notices{name: of[0].name}
	for _, n := range of {
		all.offerings = append(all.offerings, n.offerings...)
		all.issuers = append(all.issuers, n.issuers...)
		all.people = append(all.people, n.people...)
		all.recipients = append(all.recipients, n.recipients...)
	}
	return all
}

// joins lists which notice is of which fund.
func (b *bench) joins() [][]string {
	b.t.Helper()
	return b.rows(`SELECT right(accession, 2), right(fund_id, 2), matched_by FROM catalog.offering_funds ORDER BY 1, 2`)
}

// offer shows what Form D brought to a fund.
func (b *bench) offer(fund string) []string {
	b.t.Helper()
	return b.row(`SELECT exemptions, vintage_year, vintage_quality FROM catalog.funds WHERE fund_id = $1`, "805-"+fund)
}

// formD is everything of Form D that a reader can see.
func (b *bench) formD() map[string][][]string {
	b.t.Helper()
	return map[string][][]string{
		"offerings":  b.rows(`SELECT to_jsonb(o) - 'run_id' - 'processed_at' - 'document' FROM catalog.offerings o ORDER BY accession`),
		"issuers":    b.rows(`SELECT to_jsonb(i) FROM catalog.offering_issuers i ORDER BY accession, seq`),
		"people":     b.rows(`SELECT to_jsonb(p) FROM catalog.offering_people p ORDER BY accession, seq`),
		"recipients": b.rows(`SELECT to_jsonb(r) FROM catalog.offering_recipients r ORDER BY accession, seq`),
		"joins":      b.rows(`SELECT to_jsonb(j) - 'arrival' FROM catalog.offering_funds j ORDER BY accession, fund_id`),
		"numbers":    b.rows(`SELECT to_jsonb(n) FROM catalog.fund_form_d_numbers n ORDER BY file_number, fund_id`),
	}
}

// archiveOf is one filing of an adviser with one fund.
func archiveOf(id, crd, date, adviser, fundID, fundName string, numbers ...string) document {
	d := archive("adv-"+id+".zip", filing(id, crd, date, adviser))
	d.funds = []*catalogapi.FundRow{fund(id, fundID, fundName, 1e8)}
	for _, n := range numbers {
		d.formD = append(d.formD, &catalogapi.FormDRow{FilingKey: id, ReferenceID: "r" + fundID, FileNumber: n})
	}
	return d
}
