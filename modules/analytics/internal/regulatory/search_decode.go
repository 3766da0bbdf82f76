package regulatory

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// The shape of the firm search's answer, GET {base}/search/firm/{crd}.
//
// The shape is observed, not documented: the regulator publishes no description of it and may change it without notice.
// It is derived from public programs that read it; no response was recorded. The required parts (the hits, the firm's content
// with its number, lists of objects as disclosures) must be there. Otherwise the response is rejected and the last one is
// shown. Everything else is optional.
//
//	{"hits": {"total": 1, "hits": [{"_source": {"iacontent": "<JSON of the content, as a string>"}}]}}
//
//	{"basicInformation": {"firmId": 900001, "firmName": "…"}, "iaDisclosureFlag": "Y",
//	 "disclosures": [{"disclosureType": "Regulatory Event", "disclosureCount": 2}, …],
//	 "iaDisclosures": [{"disclosureType": "Regulatory", "eventDate": "2/19/2021", "disclosureResolution": "Final",
//	                    "disclosureDetail": {"DocketNumberFDA": "…", "Initiated By": "…", "Allegations": "…", "Resolution": "…",
//	                                         "SanctionDetails": [{"Sanctions": "Censure", "SanctionDetails": [{"Amount": "$5,000.00"}]}]}}]}
//
// For many firms the search returns numbers by type instead of events, or only the flag.
//
//nolint:tagliatelle // the regulator's names
type searchAnswer struct {
	ErrorCode    loose `json:"errorCode"`
	ErrorMessage loose `json:"errorMessage"`
	Hits         *struct {
		Hits []struct {
			Source *struct {
				Content json.RawMessage `json:"iacontent"`
			} `json:"_source"`
		} `json:"hits"`
	} `json:"hits"`
}

//nolint:tagliatelle // the regulator's names
type firmContent struct {
	Basic *struct {
		FirmID loose `json:"firmId"`
	} `json:"basicInformation"`
	AdviserFlag loose         `json:"iaDisclosureFlag"`
	All         []searchEntry `json:"disclosures"`
	Adviser     []searchEntry `json:"iaDisclosures"`
	Broker      []searchEntry `json:"brokerDisclosures"`
	Criminal    []searchEntry `json:"iaCriminalDisclosures"`
	Regulatory  []searchEntry `json:"iaRegulatoryDisclosures"`
	Civil       []searchEntry `json:"iaCivilDisclosures"`
}

//nolint:tagliatelle // the regulator's names
type searchEntry struct {
	Type       loose  `json:"disclosureType"`
	Count      loose  `json:"disclosureCount"`
	EventDate  loose  `json:"eventDate"`
	Resolution loose  `json:"disclosureResolution"`
	Detail     detail `json:"disclosureDetail"`
}

var (
	errShape    = errors.New("it has an unknown shape")
	errSearched = errors.New("the search reports an error")
)

// decodeFirm parses the response for one firm.
func decodeFirm(body []byte, crd string) (Answer, error) {
	var outer searchAnswer
	if err := json.Unmarshal(body, &outer); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", errShape, err)
	}
	if code := string(outer.ErrorCode); code != "" && code != "0" {
		return Answer{}, fmt.Errorf("%w: %s %s", errSearched, cut(code), cut(string(outer.ErrorMessage)))
	}
	if outer.Hits == nil {
		return Answer{}, fmt.Errorf("%w: it has no hits", errShape)
	}
	if len(outer.Hits.Hits) == 0 {
		return Answer{}, nil // the firm is unknown there
	}
	source := outer.Hits.Hits[0].Source
	if source == nil {
		return Answer{}, fmt.Errorf("%w: the hit has no _source", errShape)
	}
	text := []byte(source.Content)
	var packed string
	if err := json.Unmarshal(text, &packed); err == nil { // mostly JSON in a string, at times the JSON itself
		text = []byte(packed)
	}
	var content firmContent
	if err := json.Unmarshal(text, &content); err != nil {
		return Answer{}, fmt.Errorf("%w: iacontent: %w", errShape, err)
	}
	if content.Basic == nil || string(content.Basic.FirmID) != crd {
		return Answer{}, fmt.Errorf("%w: it is not about firm %s", errShape, crd)
	}
	return content.answer(crd), nil
}

// answer makes events of entries with details, and counts of the others.
func (c *firmContent) answer(crd string) Answer {
	answer := Answer{Events: []Event{}}
	seen := make(map[string]bool)
	counts, told := make(map[catalogapi.DisclosureFamily]int), make(map[catalogapi.DisclosureFamily]int)
	for _, list := range []struct {
		kind    string
		entries []searchEntry
	}{{"", c.All}, {"", c.Adviser}, {"", c.Broker}, {"criminal", c.Criminal}, {"regulatory", c.Regulatory}, {"civil", c.Civil}} {
		for _, entry := range list.entries {
			family := entry.family(list.kind)
			if family == "" {
				continue
			}
			e, ok := entry.event(crd, family)
			switch n := entry.count(); {
			case !ok:
				counts[family] = max(counts[family], n) // two lists may contain the same number
			case !seen[e.EventID]:
				seen[e.EventID] = true
				told[family]++
				answer.Events = append(answer.Events, e)
			}
		}
	}
	for _, family := range catalogapi.DisclosureFamilies {
		if n := counts[family] - told[family]; n > 0 {
			kind := catalogapi.EventTypeOf(family, "", "", nil)
			answer.NotItemized = append(answer.NotItemized, NotItemized{Source: sourceSearch, EventType: &kind, Count: &n})
		}
	}
	if len(answer.Events) == 0 && len(answer.NotItemized) == 0 && strings.EqualFold(string(c.AdviserFlag), "Y") {
		answer.NotItemized = []NotItemized{{Source: sourceSearch}}
	}
	return answer
}

// family reads the type of an entry: "Regulatory", "Regulatory Event", "Civil", "Criminal". The list's kind counts if the entry
// has none.
//
// Spec: not shown; arbitrations, customer disputes, bonds, judgments and the like, which the search has of brokers, are none of
// the contract's kinds and are left out.
func (s *searchEntry) family(kind string) catalogapi.DisclosureFamily {
	if s.Type != "" {
		kind = string(s.Type)
	}
	return catalogapi.DisclosureFamilyOf(kind)
}

// event makes an event of an entry with a date or any detail.
func (s *searchEntry) event(crd string, family catalogapi.DisclosureFamily) (Event, bool) {
	d := s.Detail
	charges := d.parts("criminalCharges")
	e := Event{
		EventDate:          searchDay(string(s.EventDate)),
		Description:        d.text("Allegations", "Event Detail"),
		Resolution:         d.text("Resolution", "Disposition", "Resolution Type"),
		Source:             sourceSearch,
		Sources:            []string{sourceSearch},
		CaseNumber:         catalogapi.Text(d.text("Docket/Case Number", "Docket Number", "Case Number", "DocketNumberFDA", "DocketNumberAAO", "DocketNumber")),
		AdvisoryAffiliates: []Affiliate{},
		InitiatedBy:        catalogapi.Text(d.text("Initiated By", "Regulator", "Plaintiff")),
		Court:              catalogapi.Text(d.text("Court", "Court Name", "Name of Court")),
		Status:             catalogapi.Text(string(s.Resolution)),
		ResolutionDate:     searchDay(d.text("Resolution Date", "Disposition Date")),
		Sanctions:          d.sanctions(),
		MonetaryAmount:     d.amount(),
		Items:              []string{},
	}
	if len(charges) > 0 {
		e.Description = cmp.Or(e.Description, charges[0].text("Charges"))
		e.Resolution = cmp.Or(e.Resolution, charges[0].text("Disposition"))
	}
	if e.EventDate == nil && e.Description == "" && e.CaseNumber == nil && e.InitiatedBy == nil {
		return Event{}, false
	}
	e.EventType = catalogapi.EventTypeOf(family, "", catalogapi.TextOf(e.InitiatedBy), nil)
	identity := catalogapi.Folded(catalogapi.TextOf(e.CaseNumber))
	if identity == "" {
		identity = catalogapi.Folded(catalogapi.TextOf(e.InitiatedBy)+" "+catalogapi.TextOf(e.Court)) + "\x1f" + catalogapi.TextOf(e.EventDate)
		if e.EventDate == nil {
			identity += "\x1f" + catalogapi.Folded(e.Description)
		}
	}
	e.EventID = catalogapi.EventID(crd, sourceSearch, string(family), identity)
	return e, true
}
