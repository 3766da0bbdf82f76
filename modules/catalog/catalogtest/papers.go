package catalogtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/itertest"
)

// The advisers and funds of random papers.
const (
	PaperAdvisers = 8
	PaperFunds    = 12
)

// PaperCRD is the CRD number of a random adviser, from 0 to PaperAdvisers less one.
func PaperCRD(i int) string { return strconv.Itoa(900_031 + i) }

// PaperFundID is the id of a random fund, from 0 to PaperFunds less one.
func PaperFundID(i int) string { return fmt.Sprintf("805-%010d", 2_000+i) }

// Archive is a document as slices, so that it can be cut.
type Archive struct {
	Name   string
	Source catalogapi.Source

	list    string // the list of advisers that it is an edition of, if any
	edition time.Time

	filings     []*catalogapi.AdviserFiling
	funds       []*catalogapi.FundRow
	auditors    []*catalogapi.AuditorRow
	numbers     []*catalogapi.FormDRow
	affiliates  []*catalogapi.AffiliateRow
	websites    []*catalogapi.WebsiteRow
	panels      panels
	withdrawals []*catalogapi.WithdrawalRow
	offerings   []*catalogapi.OfferingRow
	issuers     []*catalogapi.IssuerRow
}

// Document is the paper as the loader takes it.
func (p *Archive) Document() catalogapi.Document {
	d := catalogapi.Document{
		Name: p.Name, Source: p.Source, Filings: itertest.Rows(p.filings...), Funds: itertest.Rows(p.funds...), Auditors: itertest.Rows(p.auditors...),
		FormDNumbers: itertest.Rows(p.numbers...), Affiliates: itertest.Rows(p.affiliates...), Websites: itertest.Rows(p.websites...), Withdrawals: itertest.Rows(p.withdrawals...),
		Offerings: itertest.Rows(p.offerings...), Issuers: itertest.Rows(p.issuers...),
	}
	p.panels.put(&d)
	if !p.edition.IsZero() {
		d.List, d.Edition = p.list, func() time.Time { return p.edition }
	}
	return d
}

// Until is what of the paper was filed up to a day; nil where nothing was. An edition of a later day is none: it does not say
// who was listed on the day.
func (p *Archive) Until(day time.Time) *Archive {
	cut := *p
	if p.edition.After(day) {
		cut.list = ""
	}
	in := map[string]bool{}
	cut.filings = only(p.filings, func(f *catalogapi.AdviserFiling) bool {
		in[f.Key] = !f.Submitted.Truncate(24 * time.Hour).After(day)
		return in[f.Key]
	})
	cut.funds = only(p.funds, func(f *catalogapi.FundRow) bool { return in[f.FilingKey] })
	cut.auditors = only(p.auditors, func(a *catalogapi.AuditorRow) bool { return in[a.FilingKey] })
	cut.numbers = only(p.numbers, func(n *catalogapi.FormDRow) bool { return in[n.FilingKey] })
	cut.affiliates = only(p.affiliates, func(a *catalogapi.AffiliateRow) bool { return in[a.FilingKey] })
	cut.websites = only(p.websites, func(w *catalogapi.WebsiteRow) bool { return in[w.FilingKey] })
	cut.panels = p.panels.only(in)
	cut.withdrawals = only(p.withdrawals, func(w *catalogapi.WithdrawalRow) bool { return !w.Submitted.After(day) })
	cut.offerings = only(p.offerings, func(o *catalogapi.OfferingRow) bool {
		in[o.Accession] = !o.Filed.After(day)
		return in[o.Accession]
	})
	cut.issuers = only(p.issuers, func(i *catalogapi.IssuerRow) bool { return in[i.Accession] })
	if len(cut.filings)+len(cut.withdrawals)+len(cut.offerings) == 0 {
		return nil
	}
	return &cut
}

func only[T any](of []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(of), func(v T) bool { return !keep(v) })
}

// Writer writes random papers, small and full of gaps: every source, funds that change hands, names and websites that
// change, statuses that begin after the filing, notices of Form D that are amended.
type Writer struct {
	*rand.Rand
	written int
}

// NewWriter makes a writer; the same seed writes the same.
func NewWriter(seed uint64) *Writer { return &Writer{Rand: rand.New(rand.NewPCG(seed, 17))} }

func (w *Writer) pick(of ...string) string { return of[w.IntN(len(of))] }

func perhaps[T any](w *Writer, v T) *T {
	if w.IntN(3) == 0 {
		return nil
	}
	return &v
}

// Filings is a paper of filings of Form ADV, or of what tells of them. Its filings are of the given day or up to two years
// older. A roster or feed is a whole edition of its list, of the given day.
func (w *Writer) Filings(day time.Time) *Archive {
	source := []catalogapi.Source{
		catalogapi.SourceADVArchive, catalogapi.SourceADVArchive, catalogapi.SourceADVArchive, catalogapi.SourceRoster,
		catalogapi.SourceFeed, catalogapi.SourceFundList,
	}[w.IntN(6)]
	w.written++
	p := &Archive{Name: fmt.Sprintf("paper-%d", w.written), Source: source}
	for i := range PaperAdvisers {
		if w.IntN(3) == 0 {
			continue
		}
		f := &catalogapi.AdviserFiling{
			Key: strconv.Itoa(w.written*100 + i + 1), CRD: PaperCRD(i), Submitted: day.AddDate(0, 0, -w.IntN(730)).Add(time.Duration(w.IntN(86400)) * time.Second),
		}
		if source == catalogapi.SourceADVArchive {
			f.FilingID, f.FundsListed = f.Key, w.IntN(4) > 0
		}
		p.filings = append(p.filings, f)
	}
	if source == catalogapi.SourceRoster || source == catalogapi.SourceFeed {
		p.list, p.edition = string(source), day
	}
	w.fill(p, day)
	return p
}

// Restated is the same filings, notices or withdrawals as of an earlier paper with other contents, each of the same day.
func (w *Writer) Restated(p *Archive, day time.Time) *Archive {
	w.written++
	again := &Archive{Name: fmt.Sprintf("paper-%d", w.written), Source: p.Source, edition: p.edition}
	for _, f := range p.filings {
		if w.IntN(3) > 0 {
			again.filings = append(again.filings, &catalogapi.AdviserFiling{
				Key: f.Key, CRD: f.CRD, FilingID: f.FilingID, FundsListed: f.FundsListed, Submitted: f.Submitted,
			})
		}
	}
	w.fill(again, day)
	for i, o := range p.offerings {
		if w.IntN(3) > 0 {
			w.notice(again, o.Accession, o.Filed, w.pick(p.issuers[i].Name, w.fundName(w.IntN(PaperFunds))))
		}
	}
	for _, d := range p.withdrawals {
		changed := *d
		changed.Full = w.IntN(2) > 0
		again.withdrawals = append(again.withdrawals, &changed)
	}
	return again
}

// fill writes what the filings of a paper say. A roster's statuses begin up to the paper's day, or later by mistake.
func (w *Writer) fill(p *Archive, day time.Time) {
	for _, f := range p.filings {
		f.File, f.Line = "f", 1
		f.LegalName = w.pick("Harbor Ridge Partners LLC", "Harbor Ridge Capital LP", "Mossgate Advisers Ltd", "Larkspur Capital LP")
		f.City, f.State = catalogapi.Text(w.pick("", "Boston", "BOSTON", "London")), catalogapi.Text(w.pick("", "MA", "NY"))
		f.Country = catalogapi.Text(w.pick("", "United States", "United Kingdom", "Ruritania"))
		f.Registration = catalogapi.Text(w.pick("", "registered", "registered", "exempt_reporting"))
		f.SECNumber, f.Phone, f.Street1 = catalogapi.Text(w.pick("", "801-1", "802-2")), catalogapi.Text(w.pick("", "617-555-0100")), catalogapi.Text(w.pick("", "1 Example Street"))
		f.RAUM, f.EmployeeCount = perhaps(w, int64(w.IntN(1_000))<<w.IntN(26)), perhaps(w, int64(w.IntN(90)))
		f.AdvisesFunds, f.PrivateResidence = perhaps(w, w.IntN(2) == 0), perhaps(w, w.IntN(5) == 0)
		if w.IntN(4) == 0 { // of a document that has no such columns
			f.Silent = []string{catalogapi.FieldRAUM, catalogapi.FieldCity, catalogapi.FieldState, catalogapi.FieldAdvisesFunds}
			f.RAUM, f.City, f.State, f.AdvisesFunds = nil, nil, nil, nil
		}
		website := w.pick("", "https://harborridge.example.com", "https://www.harborridge.example.com:8443/uk", "https://mossgate.example.org")
		switch p.Source {
		case catalogapi.SourceRoster, catalogapi.SourceFeed:
			f.Website, f.StatusDate, f.SECStatus = catalogapi.Text(website), new(day.AddDate(0, 6, -w.IntN(4000))), catalogapi.Text(w.pick("", "Approved", "Active"))
			f.ReportedFundCount, f.ReportedFundGAV = perhaps(w, int64(w.IntN(9))), perhaps(w, int64(w.IntN(1e9)))
			if w.IntN(4) > 0 {
				types := []string{"Hedge Fund", "Venture Capital Fund", "Private Equity Fund", "Other Private Fund"}
				f.ReportedFundTypes = map[string]int64{w.pick(types...): 1 + w.Int64N(3), w.pick(types...): 1 + w.Int64N(3)}
			}
			continue
		case catalogapi.SourceADVArchive:
			if website != "" {
				p.websites = append(p.websites, &catalogapi.WebsiteRow{FilingKey: f.Key, Website: website, File: "f", Line: 1})
			}
			if w.IntN(3) == 0 {
				p.affiliates = append(p.affiliates, &catalogapi.AffiliateRow{
					FilingKey: f.Key, CRD: PaperCRD(w.IntN(PaperAdvisers)), CommonControl: perhaps(w, w.IntN(3) > 0), File: "f", Line: 1,
				})
			}
			p.panels.fill(f, w.written)
		case catalogapi.SourceFundList, catalogapi.SourceADVW, catalogapi.SourceFormD:
		}
		w.list(p, f)
	}
}

// list writes the funds of a filing. An adviser mostly reports its own, and now and then one of another.
func (w *Writer) list(p *Archive, f *catalogapi.AdviserFiling) {
	for i := range PaperFunds {
		if own := f.CRD == PaperCRD(i%PaperAdvisers); (!own || w.IntN(4) == 0) && w.IntN(24) > 0 {
			continue
		}
		id := PaperFundID(i)
		p.funds = append(p.funds, &catalogapi.FundRow{
			FilingKey: f.Key, ReferenceID: id, FundID: id, File: "f", Line: 1, Name: w.fundName(i),
			FundType: w.pick("", "Private Equity Fund", "Hedge Fund", "Venture Capital Fund", "Other Private Fund"), FundTypeOther: w.pick("", "loans"),
			GAV: perhaps(w, int64(w.IntN(1_000))<<w.IntN(20)), Owners: perhaps(w, int64(w.IntN(90))), IsFundOfFunds: perhaps(w, w.IntN(2) == 0),
			Is3C1: perhaps(w, w.IntN(2) == 0), State: w.pick("", "Delaware"), Country: w.pick("", "United States", "Cayman Islands"),
		})
		if w.IntN(3) == 0 {
			p.auditors = append(p.auditors, &catalogapi.AuditorRow{FilingKey: f.Key, ReferenceID: id, Name: "Birch & Sloane LLP", File: "f", Line: 1})
		}
		if w.IntN(4) == 0 {
			p.numbers = append(p.numbers, &catalogapi.FormDRow{FilingKey: f.Key, ReferenceID: id, FileNumber: w.number(), File: "f", Line: 1})
		}
	}
}

// fundName is one of the names that a fund bears in turn; funds of several advisers share some.
func (w *Writer) fundName(i int) string {
	return w.pick(
		fmt.Sprintf("Larkspur Hollow Growth %d LP", i%4), fmt.Sprintf("Larkspur Hollow Growth %d", i%4), fmt.Sprintf("Mossgate Timber %d, L.P.", i%3),
		"Quarry Credit (in liquidation)", "Fund I",
	)
}

func (w *Writer) number() string { return "021-" + strconv.Itoa(w.IntN(30)) }

// Notices is a paper of notices of Form D of a day, amendments among them. Named ones bear the names of funds.
func (w *Writer) Notices(day time.Time, named bool) *Archive {
	w.written++
	p := &Archive{Name: fmt.Sprintf("notices-%d", w.written), Source: catalogapi.SourceFormD}
	for i := range 1 + w.IntN(4) {
		name := fmt.Sprintf("Quillback Issuer %d", w.written)
		if named {
			name = w.fundName(w.IntN(PaperFunds))
		}
		w.notice(p, noticeAccession(w.written, i), day, name)
	}
	return p
}

func noticeAccession(n, i int) string { return fmt.Sprintf("0009999999-12-%06d", n*10+i) }

// notice writes a notice of Form D, or an amendment of one.
func (w *Writer) notice(p *Archive, accession string, day time.Time, issuer string) {
	o := &catalogapi.OfferingRow{
		Accession: accession, FileNumber: w.number(), Form: "D", Filed: day, FundType: "Hedge Fund",
		Exemptions: []string{w.pick("06", "06b", "06c", "04")}, FirstSale: day.AddDate(0, 0, w.IntN(4000)-3900), File: "f", Line: 1,
	}
	if w.IntN(3) == 0 {
		o.Form, o.PreviousAccession = "D/A", noticeAccession(1+w.IntN(w.written), w.IntN(4))
		o.FileNumber = w.pick("", o.FileNumber)
	}
	p.offerings = append(p.offerings, o)
	p.issuers = append(p.issuers, &catalogapi.IssuerRow{
		Accession: o.Accession, Seq: 1, Name: issuer, City: w.pick("", "Boston", "London"), State: w.pick("", "MA", "NY"), File: "f", Line: 1,
	})
}

// Withdrawals is a paper of Forms ADV-W of a day, or of one just before it.
func (w *Writer) Withdrawals(day time.Time) *Archive {
	w.written++
	p := &Archive{Name: fmt.Sprintf("advw-%d", w.written), Source: catalogapi.SourceADVW}
	for i := range PaperAdvisers {
		if w.IntN(3) == 0 {
			p.withdrawals = append(p.withdrawals, &catalogapi.WithdrawalRow{
				CRD: PaperCRD(i), FilingID: strconv.Itoa(w.written*100 + i + 1), Submitted: day.AddDate(0, 0, -w.IntN(3)), Full: w.IntN(3) > 0, File: "w", Line: 1,
			})
		}
	}
	return p
}
