package changefeed

import (
	"context"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/httpapi"
)

const (
	kindRetracted = catalogapi.ChangeRetracted
	kindPersonnel = catalogapi.ChangePersonnel

	kindCommitment = catalogapi.ChangeCommitment
)

// Kind describes a kind of events.
type Kind struct {
	Kind        string         `json:"kind" doc:"Name of the kind." example:"aum_change"`
	Description string         `json:"description" doc:"What has happened." example:"The assets under management of a GP have changed."`
	Fields      []string       `json:"fields" doc:"Fields that changed can name. Empty: changed is empty." example:"[\"total_aum\"]"`
	Example     Event          `json:"example" doc:"An event of the kind, with invented values."`
	Schema      map[string]any `json:"schema" doc:"JSON Schema of the kind's events." example:"{\"type\":\"object\"}"`
}

// SchemaName is its name in the OpenAPI document.
func (Kind) SchemaName() string { return "ChangeKind" }

// described is a row of the table of kinds.
type described struct {
	kind, text    string
	fields        []string
	fund, form    bool // it is about a fund, or a filing
	before, after any  // of the example
}

// kinds is all kinds, in the order of the documentation.
var kinds = func() (list []Kind) {
	adviser, fund, gone, status := catalogapi.ChangeFields[catalogapi.ChangeAdviser], catalogapi.ChangeFields[catalogapi.ChangeFund],
		catalogapi.ChangeFields[catalogapi.ChangeWithdrawal], catalogapi.ChangeFields[catalogapi.ChangeFundClose]
	for _, d := range []described{
		{catalogapi.ChangeNewFiling, "A Form ADV, its amendment, or a Form D of one of the GP's funds was loaded.", nil, false, true, nil, nil},
		{catalogapi.ChangeFilingRestated, "A filing that was loaded before states something else now, or more.", nil, false, true, nil, nil},
		{catalogapi.ChangeAdviserNew, "A GP is in the catalog for the first time. changed has all its stated fields.", catalogapi.AdviserChangeFields(), false, false, nil, 2500000000},
		{catalogapi.ChangeAUM, "The assets under management of a GP have changed.", catalogapi.ChangeFields[catalogapi.ChangeAUM], false, false, 2300000000, 2500000000},
		{catalogapi.ChangeAdviser, "Other fields of a GP have changed.", slices.Concat(adviser, gone), false, false, "Harbor Ridge Capital LLC", "Harbor Ridge Capital Partners LLC"},
		{catalogapi.ChangeWithdrawal, "A GP has withdrawn (Form ADV-W), or the lists of advisers no longer name it.", gone, false, false, nil, "2026-11-01"},
		{catalogapi.ChangeReturn, "A GP that had withdrawn, or that was not listed, is back.", gone, false, false, "2026-11-01", nil},
		{catalogapi.ChangeNewFund, "A fund is in the catalog for the first time. changed has all its stated fields.", catalogapi.FundChangeFields(), true, false, nil, "Harbor Ridge Growth Fund III, L.P."},
		{catalogapi.ChangeFund, "Fields of a fund have changed.", slices.Concat(fund, status), true, false, "Harbor Ridge Growth III", "Harbor Ridge Growth Fund III, L.P."},
		{catalogapi.ChangeFundClose, "A fund is closed: the newest list of the GP's funds does not name it.", status, true, false, "active", "closed"},
		{catalogapi.ChangeFundReturn, "A fund that was closed is reported again.", status, true, false, "closed", "active"},
		{catalogapi.ChangeFundMoved, "Another GP reports the fund. crd is the new GP.", catalogapi.ChangeFields[catalogapi.ChangeFundMoved], true, false, "900002", "900001"},
		{kindRetracted, "A fund was reported by mistake: the filings that named it were restated without it. changed has all its fields.", catalogapi.FundChangeFields(), true, false, "Harbor Ridge Growth Fund III, L.P.", nil},
		{kindPersonnel, "A person has come to a GP (current: before false), has left it (current: after false), or has another role there. Newer filings than before were read. The event does not say who it is, because who works where is sold. changed is empty if the person's data were removed.", catalogapi.ChangePersonnelFields, false, false, false, true},
		{kindCommitment, "Lists of LPs' commitments state something else of a fund, or of a GP whose fund is not known: GET /v1/funds/{fund_id}/lps and GET /v1/gps/{crd}/lps have changed. Which LP and which figure it is stands there, not in the event.", nil, true, false, nil, nil},
		{catalogapi.ChangeCorrection, "An operator has made a correction (before is null) or deleted one (after is null). changed has the override, by the name of the field behind \"override.\". The fields that it changes have events of their own.", correctable, false, false, nil, "Harbor Ridge Capital Partners LLC"},
		{catalogapi.ChangeLoaded, "The catalog was loaded for the first time. Its GPs and funds have no events of their own: read them instead. changed has their numbers.", []string{"gps", "funds", "filings"}, false, false, nil, 17000},
	} {
		list = append(list, d.Kind())
	}
	return list
}()

// correctable are the overrides of the fields that operators correct.
var correctable = func() (list []string) {
	for _, f := range []string{"legal_name", "website", "primary_strategy", "founded_year", "status", "canonical_gp_id"} {
		list = append(list, catalogapi.OverrideField+f)
	}
	return list
}()

// names are the names of the kinds.
var names = func() (list []string) {
	for i := range kinds {
		list = append(list, kinds[i].Kind)
	}
	return list
}()

// Kind makes the kind, with an invented event.
func (d described) Kind() Kind {
	e := Event{
		ID: "chg_0000000000001a2b", Kind: d.kind, At: time.Date(2026, 11, 14, 6, 0, 14, 250_000_000, time.UTC), KnownAt: time.Date(2026, 11, 14, 6, 0, 14, 300_000_000, time.UTC),
		Reason: "filing", Changed: []Change{},
	}
	if d.kind != catalogapi.ChangeLoaded {
		e.CRD, e.GPName, e.Links.GP = new("900001"), new("Harbor Ridge Capital Partners LLC"), new("/v1/gps/900001")
		e.AccessionNumber, e.FilingDate = new("ADV-900001-2001"), new("2026-11-12")
	}
	if d.fund {
		e.FundID, e.FundName, e.Links.Fund = new("805-0000000012"), new("Harbor Ridge Growth Fund III, L.P."), new("/v1/funds/805-0000000012")
	}
	if d.form {
		e.FormType = new("ADV/A")
	}
	if d.fields != nil {
		e.Changed = []Change{{d.fields[0], d.before, d.after}}
	}
	switch d.kind {
	case catalogapi.ChangeCorrection:
		e.Reason, e.AccessionNumber = "correction", nil
	case kindCommitment:
		e.Reason, e.AccessionNumber, e.FilingDate = "list", nil, nil
	case kindPersonnel:
		e.AccessionNumber = nil
		e.Changed = append(e.Changed, Change{"role", nil, "partner"}, Change{"seniority_level", nil, "senior"})
	case kindRetracted:
		e.Links.Fund = nil
	}
	fields := d.fields
	if fields == nil {
		fields = []string{}
	}
	return Kind{d.kind, d.text, fields, e, schema(d)}
}

// schema is the JSON Schema of a kind's events: the one of all events, with what is fixed by the kind.
func schema(d described) map[string]any {
	changed := map[string]any{"type": "array", "maxItems": 0}
	if d.fields != nil {
		changed = map[string]any{"type": "array", "minItems": 1, "items": map[string]any{
			"type": "object", "required": []string{"field", "before", "after"}, "properties": map[string]any{"field": map[string]any{"enum": d.fields}},
		}}
	}
	if d.kind == kindPersonnel {
		delete(changed, "minItems")
	}
	return map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
		"required": []string{"id", "kind", "at", "known_at", "crd", "gp_name", "fund_id", "fund_name", "accession_number", "filing_date", "form_type", "reason", "changed", "links"},
		"properties": map[string]any{
			"id": map[string]any{"type": "string", "pattern": "^chg_[0-9a-f]{16}$"}, "kind": map[string]any{"const": d.kind},
			"reason": map[string]any{"enum": []string{"filing", "list", "calendar", "correction"}}, "changed": changed,
		},
	}
}

func listKinds(context.Context, *struct{}) (*httpapi.Reply[httpapi.Data[[]Kind]], error) {
	return &httpapi.Reply[httpapi.Data[[]Kind]]{Body: httpapi.Data[[]Kind]{Data: kinds}}, nil
}
