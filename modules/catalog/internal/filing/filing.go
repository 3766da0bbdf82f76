package filing

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

// ListInput is the parameters of the list of an adviser's filings.
//
// Spec: the contract names the form types D and D/A alone; those of Form ADV are listed here too, so they can be asked
// for.
type ListInput struct {
	catalogapi.GPPath
	page.Input
	FormType httpapi.Opt[string] `query:"form_type" enum:"ADV,ADV/A,ADV-W,D,D/A" example:"ADV/A" doc:"Only filings of this form."`
	Year     httpapi.Opt[int64]  `query:"year" minimum:"1990" maximum:"2200" example:"2025" doc:"Only filings of this year."`
}

// Filing is one document that an adviser filed, or a roster's or list's evidence of one.
type Filing struct {
	AccessionNumber string `json:"accession_number" doc:"For Form D, the EDGAR accession number. Otherwise the key of this service: ADV-<CRD>-<FilingID>, ADVW-<CRD>-<FilingID>, ROSTER-<CRD>-<day>, FEED-<CRD>-<day> or LIST-<CRD>-<day>." example:"ADV-900001-1912345"`
	FilingID        *int64 `json:"filing_id" doc:"FilingID of the regulator, if the source has one." example:"1912345"`
	FilingType      string `json:"filing_type" enum:"ADV,ADV/A,ADV-W,D,D/A" doc:"Form of the filing. ADV is the first that we hold of the manager, ADV/A a later one, ADV-W a withdrawal, D and D/A a Form D notice and its amendment." example:"ADV/A"`
	AmendmentType   string `json:"amendment_type" enum:"initial,annual,material,withdrawal" doc:"initial: the first filing. annual: the annual updating amendment. withdrawal: ADV-W. material: any other amendment." example:"annual"`
	FilingDate      string `json:"filing_date" format:"date" doc:"Day of the filing." example:"2026-03-28"`
	SubmittedAt     string `json:"submitted_at" format:"date-time" doc:"When the filing was submitted. Filings state no time zone, so UTC is assumed." example:"2026-03-28T16:20:11.000000Z"`
	Source          string `json:"source" enum:"fund_list,roster,iapd_feed,adv_archive,advw,form_d" doc:"Kind of document that contained the filing." example:"adv_archive"`
	Document        string `json:"document" doc:"File that contained the filing." example:"ADV_Filing_Data_20260301_20260331.zip"`
	FundsListed     bool   `json:"funds_listed" doc:"True if the complete list of the filing's private funds was loaded." example:"true"`
	Status          string `json:"status" enum:"pending,completed" doc:"completed: the filing is loaded. Filings appear after they have been loaded, so pending is not in use." example:"completed"`
	ProcessedAt     string `json:"processed_at" format:"date-time" doc:"When the filing was loaded or last changed: with this time as known_at, it is included." example:"2026-04-02T06:00:12.684338Z"`
}

// FilingsMeta is the remarks on the list.
type FilingsMeta struct {
	listing.ListMeta
	CRD string `json:"crd" doc:"CRD number of the manager." example:"900001"`
}

// row is one filing.
type row struct {
	Accession     string
	Source        string
	FilingID      *int64
	FormType      string
	AmendmentType string
	FilingDate    time.Time
	SubmittedAt   time.Time
	FundsListed   bool
	Document      string
	Status        string
	ProcessedAt   time.Time
	Total         int64 // filings in all, the same in each row
}

func rowToFiling(r row) Filing {
	return Filing{
		AccessionNumber: r.Accession, FilingID: r.FilingID, FilingType: r.FormType, AmendmentType: r.AmendmentType,
		FilingDate: r.FilingDate.Format(time.DateOnly), SubmittedAt: httpapi.FormatInstant(r.SubmittedAt),
		Source: r.Source, Document: r.Document, FundsListed: r.FundsListed, Status: r.Status,
		ProcessedAt: httpapi.FormatInstant(r.ProcessedAt),
	}
}
