package regulatory

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// EventType is the contract's word for the kind of an event.
type EventType = catalogapi.EventType

// The kinds of events.
const (
	Disciplinary = catalogapi.EventDisciplinary
	Regulatory   = catalogapi.EventRegulatory
	Civil        = catalogapi.EventCivil
	Criminal     = catalogapi.EventCriminal
)

// FiledAgainst is the subject of a disclosure: the firm, an affiliate or both.
type FiledAgainst string

// The subjects of a disclosure page.
const (
	AgainstFirm      FiledAgainst = "firm"
	AgainstAffiliate FiledAgainst = "affiliate"
	AgainstBoth      FiledAgainst = "both"
)

// Event is one matter, however many filings report it. Its data is from the newest filing that reports it.
type Event struct {
	EventID      string        `json:"event_id" doc:"Stable key of the event for this manager, the same in all amendments." example:"5f0c2b7d9a1e4c38"`
	EventType    EventType     `json:"event_type" enum:"disciplinary,regulatory,civil,criminal" doc:"Kind of matter. disciplinary: action of a self-regulatory organization (item 11.E). regulatory: action of another regulator (items 11.C, 11.D, 11.F, 11.G). civil: civil judicial action (item 11.H). criminal: criminal charge or conviction (items 11.A, 11.B)." example:"disciplinary"`
	EventDate    *string       `json:"event_date" format:"date" doc:"Day on which the matter was initiated, first charged or filed. Null if the page does not say." example:"2021-02-19"`
	Description  string        `json:"description" doc:"Allegations as filed, or else the filer's summary, or else what is known of the matter." example:"Trade reports were submitted with errors in a time stamp."`
	Resolution   string        `json:"resolution" doc:"Resolution, as filed. Until the matter is resolved, its status." example:"Acceptance, Waiver & Consent(AWC)"`
	DisclosedAt  *string       `json:"disclosed_at" format:"date" doc:"Filing date of the first loaded filing that reports the event. Null if only the firm search reports it." example:"2021-03-30"`
	Source       string        `json:"source" enum:"form_adv,iapd" doc:"Source of the event: form_adv = disclosure pages of the loaded filings, iapd = the regulator's public firm search." example:"form_adv"`
	Sources      []string      `json:"sources" doc:"All sources that report the event." example:"[\"form_adv\"]"`
	ReferenceID  *string       `json:"reference_id" doc:"ReferenceID of the disclosure page, the same in every amendment." example:"1771958"`
	CaseNumber   *string       `json:"case_number" doc:"Docket or case number." example:"2020065242701"`
	FiledAgainst *FiledAgainst `json:"filed_against" enum:"firm,affiliate,both" doc:"Who the matter is about: the firm, its advisory affiliates, or both. Null if the page does not say." example:"affiliate"`

	AdvisoryAffiliates []Affiliate `json:"advisory_affiliates" doc:"Advisory affiliates that the matter is about."`

	InitiatedBy    *string  `json:"initiated_by" doc:"Regulator or plaintiff, as filed." example:"FINRA"`
	InitiatorType  *string  `json:"initiator_type" doc:"Kind of regulator, as filed." example:"SRO"`
	Court          *string  `json:"court" doc:"Court of a criminal or civil matter." example:"District Court of Halvor County"`
	Status         *string  `json:"status" doc:"Status as filed: Pending, On Appeal, Final." example:"Final"`
	ResolutionDate *string  `json:"resolution_date" format:"date" doc:"Day of the resolution. Null: the event is not resolved, or the filing states no day." example:"2021-02-19"`
	Sanctions      []string `json:"sanctions" doc:"Sanctions ordered, or sanctions sought until the matter is resolved. Lower case." example:"[\"censure\"]"`
	SanctionDetail *string  `json:"sanction_detail" doc:"Details of the sanction, as filed. Null: none is stated." example:"The fine was paid in full."`
	MonetaryAmount *int64   `json:"monetary_amount" doc:"USD." example:"5000"`
	Product        *string  `json:"principal_product" doc:"Principal product involved, as filed. Null: none is stated." example:"No Product"`
	Felony         *bool    `json:"felony" doc:"For a criminal matter: whether a felony was charged." example:"false"`
	Items          []string `json:"items" doc:"Answers of Form ADV item 11 that the disclosure page explains." example:"[\"11.E(3)\"]"`
	Summary        *string  `json:"summary" doc:"Summary by the filer." example:"The matter was settled without admitting or denying the findings."`

	AccessionNumber      *string `json:"accession_number" doc:"Newest filing that reports the event. The event shows the page of this filing." example:"ADV-900001-2055963"`
	FirstAccessionNumber *string `json:"first_accession_number" doc:"First loaded filing that reports the event. See disclosed_at." example:"ADV-900001-1502211"`
	TimesReported        int     `json:"times_reported" doc:"Number of loaded filings that report the event." example:"6"`

	NoLongerReported      bool    `json:"no_longer_reported" doc:"True if the manager's newest complete filing does not report the event any more." example:"false"`
	NoLongerReportedSince *string `json:"no_longer_reported_since" format:"date" doc:"Filing date of the first complete filing after the last one that reports the event." example:"2026-03-28"`
}

// SchemaName is its name in the OpenAPI document.
func (Event) SchemaName() string { return "RegulatoryEvent" }

// Affiliate is an advisory affiliate: an officer, an employee, or a firm under the same control.
type Affiliate struct {
	Name string  `json:"name" doc:"Name of the advisory affiliate, as filed." example:"Mossgate Securities, LLC"`
	CRD  *string `json:"crd" doc:"CRD number of the affiliate. Null: the filing states none." example:"900009"`
	Kind *string `json:"kind" doc:"As filed: Firm or Individual." example:"Firm"`
}

// SchemaName is its name in the OpenAPI document.
func (Affiliate) SchemaName() string { return "RegulatoryAffiliate" }

// NotItemized is what a source counts without details: the firm search often has numbers, or only a yes.
type NotItemized struct {
	Source    string     `json:"source" enum:"form_adv,iapd" doc:"Where the disclosures are stated: form_adv is the filing itself, iapd the regulator's public search." example:"iapd"`
	EventType *EventType `json:"event_type" enum:"disciplinary,regulatory,civil,criminal" doc:"Null if the source does not say." example:"regulatory"`
	Count     *int       `json:"count" doc:"Null if the source says that there are events but not how many." example:"2"`
}

// SchemaName is its name in the OpenAPI document.
func (NotItemized) SchemaName() string { return "RegulatoryEventNotItemized" }

// Answer is a provider's answer about one adviser. The cache stores it, so a change of its format must change answerFormat.
type Answer struct {
	Events      []Event       `json:"events"`
	NotItemized []NotItemized `json:"not_itemized"`
	Unstated    bool          `json:"unstated"` // the source states nothing of the adviser: further events are unknown
}

// Provider is a source of regulatory events. It is asked about known advisers only, and may return events in any order.
type Provider interface {
	// Name is the source's name in responses. It is also the cache key.
	Name() string
	// Events returns the known events of an adviser; there may be none.
	Events(ctx context.Context, crd string) (Answer, error)
	// Edition returns, cheaply, the version of the data that an answer would be based on. A cached answer of another edition is
	// not used. Empty = unknown.
	Edition(ctx context.Context, crd string) (string, error)
}

// The providers' names.
const (
	sourceFilings = "form_adv"
	sourceSearch  = "iapd"
)

// day is when an event counts as having happened.
//
// Spec: not shown; a page need not state when the matter began. It then counts as of the day on which it was disclosed, for the
// order of the list and for after_date; without that too it comes last and is in no range.
func (e *Event) day() string {
	switch {
	case e.EventDate != nil:
		return *e.EventDate
	case e.DisclosedAt != nil:
		return *e.DisclosedAt
	}
	return ""
}

// sortEvents puts the newest first. The order is total: no two events of one adviser have the same key.
func sortEvents(list []Event) {
	slices.SortFunc(list, func(a, b Event) int {
		return cmp.Or(
			strings.Compare(b.day(), a.day()),
			strings.Compare(catalogapi.TextOf(b.DisclosedAt), catalogapi.TextOf(a.DisclosedAt)),
			strings.Compare(a.EventID, b.EventID),
		)
	})
}
