package offering

import (
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
)

// Offering is one offering as its newest notice states it, or one of its notices.
type Offering struct {
	OfferingID       string      `json:"offering_id" doc:"File number of the notices. If they have none, the accession number of the first one." example:"021-500001"`
	FundID           string      `json:"fund_id" doc:"ID of the fund. If the notices match several funds of the manager, one that is not closed, the first by ID." example:"805-1234567890"`
	OtherFundIDs     []string    `json:"other_fund_ids" doc:"Other funds of the manager that the notices match." example:"[]"`
	CRD              string      `json:"crd" doc:"CRD number of the fund's manager." example:"900001"`
	Stage            string      `json:"stage" enum:"closed,sold_out,lapsed,announced,raising" doc:"State of the offering today. closed: the fund is closed. sold_out: an amount is stated and nothing of it is left. lapsed: no notice for 395 days; an amendment is due after a year. announced: the first sale is yet to occur. raising: all others." example:"raising"`
	LatestNotice     string      `json:"latest_notice" format:"date" doc:"Day of the newest notice of the offering." example:"2026-09-30"`
	AccessionNumber  string      `json:"accession_number" doc:"EDGAR accession number of the notice that the row is from." example:"0009999999-26-000123"`
	FilingType       string      `json:"filing_type" enum:"D,D/A" doc:"Form of that notice: a notice (D) or an amendment (D/A)." example:"D/A"`
	FilingDate       string      `json:"filing_date" format:"date" doc:"Day of that notice." example:"2026-09-30"`
	FirstSale        *string     `json:"first_sale" format:"date" doc:"Day of the first sale. Null: yet to occur, not stated, or not credible (before 1900, or after the notice)." example:"2025-10-28"`
	OfferingAmount   *int64      `json:"offering_amount" doc:"Amount offered, USD. Null: indefinite, or not stated." example:"750000000"`
	Indefinite       bool        `json:"indefinite" doc:"True if the amount offered is indefinite; amount_remaining is then null." example:"false"`
	AmountSold       *int64      `json:"amount_sold" doc:"Amount sold, USD." example:"412500000"`
	AmountRemaining  *int64      `json:"amount_remaining" doc:"Amount that is left, USD." example:"337500000"`
	InvestorCount    *int64      `json:"investor_count" doc:"Investors who have invested." example:"61"`
	SalesCommission  *int64      `json:"sales_commission" doc:"Sales commissions, USD." example:"4125000"`
	Exemptions       []string    `json:"exemptions" doc:"506b and 506c, as the notice claims them." example:"[\"506b\"]"`
	Recipients       []Recipient `json:"recipients" doc:"Firms that receive sales compensation."`
	RecipientsHidden int         `json:"recipients_withheld" doc:"Recipients left out because they are or may be persons." example:"0"`
	MatchedBy        string      `json:"matched_by" enum:"file_number,name" doc:"What joins the offering to the fund: a file number in a filing of the fund (file_number), or a name that only this fund has (name)." example:"file_number"`
}

// pays reports whether a recipient that is shown has one of some texts in its name.
func (o *Offering) pays(parts []string) bool {
	return slices.ContainsFunc(o.Recipients, func(r Recipient) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(strings.ToLower(r.Name), strings.ToLower(part)) })
	})
}

// SchemaName is its name in the OpenAPI document.
func (Offering) SchemaName() string { return "FundOffering" }

// Recipient is a firm that is paid for sales.
type Recipient struct {
	Name   string   `json:"name" doc:"Name, as filed." example:"Mossgate Placement LLC"`
	CRD    *string  `json:"crd" doc:"CRD number. Null: not stated." example:"900321"`
	States []string `json:"states" doc:"Where the firm solicits, as filed." example:"[\"MA\"]"`
}

// SchemaName is its name in the OpenAPI document.
func (Recipient) SchemaName() string { return "SalesCompensationRecipient" }

// The stages of an offering.
const (
	closed    = "closed"
	soldOut   = "sold_out"
	lapsed    = "lapsed"
	announced = "announced"
	raising   = "raising"
)

var stages = []string{closed, soldOut, lapsed, announced, raising}

// filed is a notice with a fund that it matches.
type filed struct {
	Accession, Chain, FormType string
	FileNumber                 *string
	FilingDate                 time.Time
	Exemptions                 []string
	FirstSale                  *time.Time
	YetToOccur                 *bool
	OfferingAmount             *int64
	Indefinite                 bool
	AmountSold                 *int64
	AmountRemaining            *int64
	InvestorCount              *int64
	SalesCommission            *int64
	FundID, CRD                string
	Stage                      string // of the offering, if this is its newest notice
	MatchedBy                  string
}

// show is the row of a notice. newest is the newest one of its offering, id what identifies the offering.
func (f *filed) show(newest *filed, id string) Offering {
	o := Offering{
		OfferingID: id, FundID: f.FundID, OtherFundIDs: []string{}, CRD: f.CRD, Stage: newest.Stage, LatestNotice: newest.FilingDate.Format(time.DateOnly),
		AccessionNumber: f.Accession, FilingType: f.FormType, FilingDate: f.FilingDate.Format(time.DateOnly), OfferingAmount: f.OfferingAmount, Indefinite: f.Indefinite,
		AmountSold: f.AmountSold, AmountRemaining: f.AmountRemaining, InvestorCount: f.InvestorCount, SalesCommission: f.SalesCommission,
		Exemptions: append([]string{}, derive.Exemptions(f.Exemptions)...), Recipients: []Recipient{}, MatchedBy: f.MatchedBy,
	}
	if f.FirstSale != nil && derive.FirstSale(*f.FirstSale, f.FilingDate) {
		o.FirstSale = new(f.FirstSale.Format(time.DateOnly))
	}
	if f.Indefinite {
		o.OfferingAmount, o.AmountRemaining = nil, nil
	}
	return o
}

// rows are the offerings of notices, the newest notice first: of each the newest notice, or all where every one is asked for.
func rows(notices []filed, every bool) (list []Offering) {
	slices.SortFunc(notices, func(a, b filed) int { return fold.NewerNotice(a.FilingDate, b.FilingDate, a.Accession, b.Accession) })
	newest, ids := map[string]*filed{}, map[string]string{}
	for i := range notices {
		n := &notices[i]
		if newest[n.Chain] == nil {
			newest[n.Chain], ids[n.Chain] = n, n.Chain
		}
		if ids[n.Chain] == n.Chain && n.FileNumber != nil {
			ids[n.Chain] = *n.FileNumber
		}
	}
	for i := range notices {
		if n := &notices[i]; every || newest[n.Chain] == n {
			list = append(list, n.show(newest[n.Chain], ids[n.Chain]))
		}
	}
	return list
}
