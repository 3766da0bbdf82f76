package amendment

import (
	"time"

	"gpatlas/modules/analytics/internal/ask"
	"gpatlas/platform/httpapi"
)

// Amendment is one filing.
type Amendment struct {
	AccessionNumber string `json:"accession_number" doc:"For Form D, the EDGAR accession number. Otherwise the key of this service: ADV-<CRD>-<FilingID>, ADVW-<CRD>-<FilingID>, ROSTER-<CRD>-<day>, FEED-<CRD>-<day> or LIST-<CRD>-<day>." example:"ADV-900001-1912345"`
	FilingType      string `json:"filing_type" enum:"ADV,ADV/A,ADV-W,D,D/A" doc:"Form of the filing. ADV is the first that we hold of the manager, ADV/A a later one, ADV-W a withdrawal, D and D/A a Form D notice and its amendment." example:"ADV/A"`
	FilingDate      string `json:"filing_date" format:"date" doc:"Day of the filing." example:"2026-03-28"`
	AmendmentType   string `json:"amendment_type" enum:"initial,annual,material,withdrawal" doc:"Of a fund manager, the first filing is initial. Of a fund, the first filing that reports it is initial. A Form D notice is initial and its amendment is material." example:"annual"`
	ProcessedAt     string `json:"processed_at" format:"date-time" doc:"When the filing was loaded or last changed: with this time as known_at, it is included." example:"2026-04-02T06:00:12.684338Z"`
	Source          string `json:"source" enum:"fund_list,roster,iapd_feed,adv_archive,advw,form_d" doc:"Kind of document that contained the filing." example:"adv_archive"`
}

// GPAmendment is one filing of an adviser.
type GPAmendment struct {
	Amendment
	Status string `json:"status" enum:"pending,completed" doc:"completed: the filing is loaded. Filings appear after they have been loaded, so pending is not in use." example:"completed"`
}

// row is one filing of the views.
type row struct {
	Accession     string
	FormType      string
	FilingDate    time.Time
	AmendmentType string
	ProcessedAt   time.Time
	Source        string
	Status        string
	Total         int // number of all filings, the same in each row
}

func rowToAmendment(r row) Amendment {
	return Amendment{
		AccessionNumber: r.Accession, FilingType: r.FormType, FilingDate: ask.Day(r.FilingDate), AmendmentType: r.AmendmentType,
		ProcessedAt: httpapi.FormatInstant(r.ProcessedAt), Source: r.Source,
	}
}

func rowToGPAmendment(r row) GPAmendment {
	return GPAmendment{Amendment: rowToAmendment(r), Status: r.Status}
}
