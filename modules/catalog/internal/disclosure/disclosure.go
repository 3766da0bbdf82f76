package disclosure

import (
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
)

// Row is one event, as the newest filing that reports it states it.
type Row struct {
	EventID       string               `json:"event_id" doc:"Stable key of the event, the same as in the list of the manager's regulatory events." example:"5f0c2b7d9a1e4c38"`
	CRD           string               `json:"crd" doc:"CRD number of the manager." example:"900001"`
	FirmName      string               `json:"firm_name" doc:"Present legal name of the manager." example:"Harbor Ridge Capital Partners LLC"`
	EventType     catalogapi.EventType `json:"event_type" enum:"disciplinary,regulatory,civil,criminal" doc:"Kind of event, as in the list of the manager's regulatory events." example:"disciplinary"`
	EventDate     *string              `json:"event_date" format:"date" doc:"Day on which the matter was initiated, first charged or filed. Null: not stated." example:"2021-02-19"`
	DisclosedAt   string               `json:"disclosed_at" format:"date" doc:"Day of the first loaded filing that reports the event." example:"2021-03-30"`
	InitiatedBy   *string              `json:"initiated_by" doc:"Authority or firm that initiated the matter, as filed. Null: not stated, or withheld." example:"FINRA"`
	Sanctions     []string             `json:"sanctions" doc:"Sanctions ordered, or sanctions sought until the matter is resolved. Lower case." example:"[\"censure\"]"`
	Amount        *int64               `json:"monetary_amount" doc:"USD. Null: not stated." example:"5000"`
	Resolution    *string              `json:"resolution" doc:"Resolution, as filed. Until the matter is resolved, its status. Null: not stated, or withheld." example:"Acceptance, Waiver & Consent(AWC)"`
	Affiliates    Affiliates           `json:"affiliates" doc:"Advisory affiliates that the matter is about."`
	ReferenceID   *string              `json:"reference_id" doc:"ReferenceID of the disclosure page, the same in every amendment. Null: not stated." example:"1771958"`
	Accession     string               `json:"accession_number" doc:"Newest filing that reports the event, which the row is from." example:"ADV-900001-2055963"`
	NoLonger      bool                 `json:"no_longer_reported" doc:"True if a later complete filing of the manager does not report the event. Such events are listed with include_past=true only." example:"false"`
	NoLongerSince *string              `json:"no_longer_reported_since" format:"date" doc:"Day of the first such filing." example:"2026-03-28"`
	Withheld      []string             `json:"withheld" enum:"initiated_by,sanctions,resolution" doc:"Fields with a text that is not shown because it may name a person." example:"[]"`
}

// SchemaName is its name in the OpenAPI document.
func (Row) SchemaName() string { return "MarketDisclosure" }

// Affiliates are the advisory affiliates that an event is about.
type Affiliates struct {
	Firms       []string `json:"firms" doc:"Names of the firms, as filed. A manager's own name in place of one that may be a person's." example:"[\"Mossgate Securities, LLC\"]"`
	Individuals int      `json:"individuals" doc:"Number of individuals." example:"2"`
	Withheld    int      `json:"withheld" doc:"Number of other affiliates, whose names are not shown because they may be persons'." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Affiliates) SchemaName() string { return "DisclosureAffiliates" }

// show is an event of a manager as the list shows it. persons are in the manager's filings.
func show(e *index.Disclosure, firmName string, persons []string, manager func(crd string) (name string, ok bool)) Row {
	r := Row{
		EventID: e.EventID, CRD: e.CRD, FirmName: firmName, EventType: e.Type, EventDate: dayOf(e.EventDate), DisclosedAt: e.DisclosedAt.Format(time.DateOnly),
		ReferenceID: catalogapi.Text(e.ReferenceID), Accession: e.Accession, NoLonger: !e.LapsedAt.IsZero(), NoLongerSince: dayOf(e.LapsedAt),
		Sanctions: []string{}, Affiliates: Affiliates{Firms: []string{}, Individuals: e.Individuals}, Withheld: []string{},
	}
	if e.Amount != index.Unknown {
		r.Amount = new(e.Amount)
	}
	withhold := func(field string, shown bool) bool {
		if !shown {
			r.Withheld = append(r.Withheld, field)
		}
		return shown
	}
	if e.InitiatedBy != "" && withhold("initiated_by", showsInitiator(e.InitiatedBy, persons)) {
		r.InitiatedBy = &e.InitiatedBy
	}
	all := true
	for _, sanction := range e.Sanctions {
		if showsTerms(sanction) {
			r.Sanctions = append(r.Sanctions, sanction)
		} else {
			all = false
		}
	}
	withhold("sanctions", all)
	if e.Resolution != "" && withhold("resolution", showsTerms(e.Resolution)) {
		r.Resolution = &e.Resolution
	}
	for _, a := range e.Implicated {
		if name, ok := showsAffiliate(&a, persons, manager); ok {
			r.Affiliates.Firms = append(r.Affiliates.Firms, name)
		} else {
			r.Affiliates.Withheld++
		}
	}
	return r
}

func dayOf(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.Format(time.DateOnly))
}
