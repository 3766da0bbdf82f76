package past_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/itertest"
)

const (
	advisers = 14
	funds    = 24
)

func crd(i int) string    { return strconv.Itoa(900_001 + i) }
func fundID(i int) string { return fmt.Sprintf("805-%010d", 1_000+i) }

// writer makes random documents, small and full of gaps: every source, funds that change hands, names that change.
type writer struct {
	*rand.Rand
	filings []filed // archive filings made so far, to be restated
	places  int
}

type filed struct{ crd, id string }

func newWriter(seed uint64) *writer { return &writer{Rand: rand.New(rand.NewPCG(seed, 11))} }

func (w *writer) pick(of ...string) string { return of[w.IntN(len(of))] }

func maybe[T any](w *writer, v T) *T {
	if w.IntN(3) == 0 {
		return nil
	}
	return &v
}

// document is what arrives on a day. With restate some of its filings are those of earlier documents, said anew.
func (w *writer) document(n int, when time.Time, restate bool) catalogapi.Document {
	source := []catalogapi.Source{
		catalogapi.SourceADVArchive, catalogapi.SourceADVArchive, catalogapi.SourceADVArchive, catalogapi.SourceRoster,
		catalogapi.SourceFeed, catalogapi.SourceFundList,
	}[w.IntN(6)]
	if restate {
		source = catalogapi.SourceADVArchive
	}
	doc := catalogapi.Document{Name: fmt.Sprintf("doc-%d", n), Source: source}
	var filings []*catalogapi.AdviserFiling
	var rows []*catalogapi.FundRow
	var numbers []*catalogapi.FormDRow
	add := func(f *catalogapi.AdviserFiling) {
		filings = append(filings, f)
		if source == catalogapi.SourceRoster || source == catalogapi.SourceFeed {
			return
		}
		for i := range funds {
			// An adviser mostly reports its own, and now and then one of another.
			if own := f.CRD == crd(i%advisers); own && w.IntN(4) > 0 || w.IntN(24) == 0 {
				rows = append(rows, w.fund(f.Key, fundID(i)))
				if w.IntN(3) == 0 {
					numbers = append(numbers, &catalogapi.FormDRow{FilingKey: f.Key, ReferenceID: fundID(i), FileNumber: w.number(), File: "f", Line: 1})
				}
			}
		}
	}
	again := map[filed]bool{}
	for i := range advisers {
		if w.IntN(3) == 0 {
			continue
		}
		f := w.filing(source, crd(i), when)
		f.Key = strconv.Itoa(n*100 + i + 1)
		if source == catalogapi.SourceADVArchive {
			f.FilingID, f.FundsListed = f.Key, w.IntN(4) > 0
			if restate && len(w.filings) > 0 && w.IntN(3) > 0 {
				old := w.filings[w.IntN(len(w.filings))]
				if again[old] {
					continue
				}
				again[old] = true
				f.CRD, f.FilingID, f.Key = old.crd, old.id, old.id
			} else {
				w.filings = append(w.filings, filed{f.CRD, f.FilingID})
			}
		}
		add(f)
	}
	doc.Filings, doc.Funds, doc.FormDNumbers = itertest.Rows(filings...), itertest.Rows(rows...), itertest.Rows(numbers...)
	return doc
}

func (w *writer) filing(source catalogapi.Source, crd string, when time.Time) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		CRD: crd, Submitted: when.Add(time.Duration(w.IntN(86400)) * time.Second), File: "f", Line: 1,
		Statement: catalogapi.Statement{
			LegalName: w.pick("Harbor Ridge Partners LLC", "Mossgate Advisers Ltd", "Larkspur Capital LP", "Larkspur Hollow LLC"),
			City:      catalogapi.Text(w.pick("", "Boston", "BOSTON", "London", "Toronto")),
			State:     catalogapi.Text(w.pick("", "MA", "NY", "ny", "ON")),
			Country:   catalogapi.Text(w.pick("", "", "United States", "United Kingdom", "Canada", "Ruritania")),
			RAUM:      maybe(w, int64(w.IntN(1_000))<<w.IntN(26)), AdvisesFunds: maybe(w, w.IntN(2) == 0),
			PrivateResidence: maybe(w, w.IntN(4) == 0),
		},
		Basis: catalogapi.Basis{Registration: catalogapi.Text(w.pick("", "registered", "registered", "exempt_reporting"))},
	}
	if w.IntN(4) == 0 { // of a document that has no such columns
		f.Silent = []string{catalogapi.FieldRAUM, catalogapi.FieldState, catalogapi.FieldAdvisesFunds}
		f.RAUM, f.State, f.AdvisesFunds = nil, nil, nil
	}
	if source == catalogapi.SourceRoster {
		f.ReportedFundCount, f.ReportedFundGAV = maybe(w, int64(w.IntN(9))), maybe(w, int64(w.IntN(1e9)))
		if w.IntN(4) > 0 {
			types := []string{"Hedge Fund", "Venture Capital Fund", "Private Equity Fund", "Other Private Fund"}
			f.ReportedFundTypes = map[string]int64{w.pick(types...): 1 + w.Int64N(3), w.pick(types...): 1 + w.Int64N(3)}
		}
	}
	return f
}

func (w *writer) fund(filing, id string) *catalogapi.FundRow {
	f := &catalogapi.FundRow{
		FilingKey: filing, ReferenceID: id, FundID: id, File: "f", Line: 1,
		Name:     w.pick("Larkspur Growth Fund", "Larkspur Fund I", "Larkspur Fund I (in liquidation)", "Mossgate Credit LP", "Mossgate Seed"),
		FundType: w.pick("", "Private Equity Fund", "Hedge Fund", "Venture Capital Fund", "Other Private Fund"), FundTypeOther: w.pick("", "loans"),
		GAV: maybe(w, int64(w.IntN(1_000))<<w.IntN(20)), IsFundOfFunds: maybe(w, w.IntN(2) == 0),
	}
	f.State, f.Country = w.place()
	if f.GAV != nil && *f.GAV%4 == 1 { // of a document that has no such columns
		f.Silent = []string{catalogapi.FieldFundType, catalogapi.FieldFundOfFunds}
		f.FundType, f.IsFundOfFunds = "", nil
	}
	return f
}

// place is where a fund is organized. It takes no number of w, whose other documents stay the same.
func (w *writer) place() (state, country string) {
	w.places++
	return [...]string{"Delaware", "", "", "Ontario", ""}[w.places%5], [...]string{"United States", "Cayman Islands", "", "Canada", "Ruritania", "", ""}[w.places%7]
}

func (w *writer) number() string { return "021-" + strconv.Itoa(w.IntN(40)) }

// notices are the Form D notices of a day, amendments under the number of the first. None has a fund's name.
func (w *writer) notices(n int, when time.Time) catalogapi.Document {
	var offerings []*catalogapi.OfferingRow
	var issuers []*catalogapi.IssuerRow
	for i := range 1 + w.IntN(4) {
		o := &catalogapi.OfferingRow{
			Accession: fmt.Sprintf("0009999999-12-%06d", n*10+i), FileNumber: w.number(), Form: w.pick("D", "D", "D/A"), Filed: when,
			FundType: "Hedge Fund", Exemptions: []string{"06b"}, FirstSale: when.AddDate(0, 0, w.IntN(4000)-3900), File: "f", Line: 1,
		}
		if w.IntN(4) == 0 {
			o.FirstSale = time.Time{}
		}
		offerings = append(offerings, o)
		issuers = append(issuers, &catalogapi.IssuerRow{Accession: o.Accession, Seq: 1, Name: "Quillback Issuer " + strconv.Itoa(n), File: "f", Line: 1})
	}
	return catalogapi.Document{Name: fmt.Sprintf("notices-%d", n), Source: catalogapi.SourceFormD, Offerings: itertest.Rows(offerings...), Issuers: itertest.Rows(issuers...)}
}

// withdrawals are the Forms ADV-W of a day, or of one just before it.
func (w *writer) withdrawals(n int, when time.Time) catalogapi.Document {
	var rows []*catalogapi.WithdrawalRow
	for i := range advisers {
		if w.IntN(6) == 0 {
			rows = append(rows, &catalogapi.WithdrawalRow{
				CRD: crd(i), FilingID: strconv.Itoa(n*100 + i + 1), Submitted: when.AddDate(0, 0, -w.IntN(3)), Full: w.IntN(3) > 0, File: "w", Line: 1,
			})
		}
	}
	return catalogapi.Document{Name: fmt.Sprintf("advw-%d", n), Source: catalogapi.SourceADVW, Withdrawals: itertest.Rows(rows...)}
}
