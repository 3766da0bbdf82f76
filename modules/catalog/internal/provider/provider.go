package provider

import (
	"slices"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/panel"
)

// FundProvider is a firm that serves one fund.
type FundProvider struct {
	Role        string             `json:"role" enum:"auditor,prime_broker,custodian,administrator,marketer" doc:"What the firm does for the fund. Marketers are placement agents and others who sell it." example:"administrator"`
	ProviderID  string             `json:"provider_id" doc:"ID of the firm, for GET /v1/providers/changes." example:"prv_7q2mz5xw4n6tak3v"`
	Name        string             `json:"name" doc:"Name of the firm as most funds write it. The legal name if it is a manager." example:"Halfmoon Fund Services LLC"`
	NameAsFiled *string            `json:"name_as_filed" doc:"Name as filed for this fund. Null: it may be a person's." example:"HALFMOON FUND SERVICES, LLC"`
	CRD         *string            `json:"crd" doc:"CRD number. Null: not filed." example:"900321"`
	LEI         *string            `json:"lei" doc:"Legal entity identifier. Null: not filed." example:"5493000EXAMPLE000001"`
	Related     *bool              `json:"related" doc:"True if the firm is a related person of the manager. Null: not stated; it is not asked of auditors." example:"false"`
	Source      *fold.FilingSource `json:"source,omitempty" doc:"Filing that states the role, if it is not that of basis."`
}

// GPProvider is a firm that serves funds of one manager.
type GPProvider struct {
	Role       string             `json:"role" enum:"auditor,prime_broker,custodian,administrator,marketer" doc:"What the firm does for the funds." example:"administrator"`
	ProviderID string             `json:"provider_id" doc:"ID of the firm, for GET /v1/providers/changes." example:"prv_7q2mz5xw4n6tak3v"`
	Name       string             `json:"name" doc:"Name of the firm as most funds write it. The legal name if it is a manager." example:"Halfmoon Fund Services LLC"`
	CRD        *string            `json:"crd" doc:"CRD number. Null: not filed." example:"900321"`
	LEI        *string            `json:"lei" doc:"Legal entity identifier. Null: not filed." example:"5493000EXAMPLE000001"`
	Related    *bool              `json:"related" doc:"True if the firm is a related person of the manager for one of the funds. Null: not stated of any." example:"false"`
	FundIDs    []string           `json:"fund_ids" doc:"IDs of the funds that it serves and that are not closed, sorted." example:"[\"805-1234567890\"]"`
	GAV        *int64             `json:"gav" doc:"USD. Gross asset value of these funds, as filed: a feeder and its master are both counted. Null: known of none." example:"850000000"`
	Source     *fold.FilingSource `json:"source,omitempty" doc:"Filing that states the role, if it is not that of basis. Absent for auditors: each fund has its own."`
}

// Basis is the filings that a list comes from.
type Basis struct {
	Stated          Stated  `json:"stated" doc:"Which roles a filing answers: without rows there is no such firm. The others are unknown."`
	AccessionNumber *string `json:"accession_number" doc:"Newest filing that states one of the roles. Null: none does." example:"ADV-900001-1912345"`
	FilingType      *string `json:"filing_type" enum:"ADV,ADV/A" doc:"Form of that filing." example:"ADV/A"`
	FilingDate      *string `json:"filing_date" format:"date" doc:"Day of that filing." example:"2026-03-28"`
}

// SchemaName is its name in the OpenAPI document.
func (Basis) SchemaName() string { return "ProvidersBasis" }

// Stated are the roles that a filing answers.
type Stated struct {
	Auditor       bool `json:"auditor" doc:"True if auditors are named, or the fund is not audited; of a manager: known of one of its funds, or it has no funds." example:"true"`
	PrimeBroker   bool `json:"prime_broker" doc:"True if the table of prime brokers is loaded." example:"true"`
	Custodian     bool `json:"custodian" doc:"True if the table of custodians is loaded." example:"true"`
	Administrator bool `json:"administrator" doc:"True if the table of administrators is loaded." example:"true"`
	Marketer      bool `json:"marketer" doc:"True if the table of marketers is loaded." example:"false"`
}

// SchemaName is its name in the OpenAPI document.
func (Stated) SchemaName() string { return "StatedRoles" }

// is is the field of a role.
func (s *Stated) is(role string) *bool {
	return map[string]*bool{
		index.Roles[0]: &s.Auditor, index.Roles[1]: &s.PrimeBroker, index.Roles[2]: &s.Custodian, index.Roles[3]: &s.Administrator, index.Roles[4]: &s.Marketer,
	}[role]
}

// note adds a filing that states a role. The first one is shown.
func (b *Basis) note(role string, of *panel.Edition) {
	*b.Stated.is(role) = true
	if of != nil && b.AccessionNumber == nil {
		shown := of.Basis()
		b.AccessionNumber, b.FilingType, b.FilingDate = shown.AccessionNumber, shown.FilingType, shown.FilingDate
	}
}

// source is a filing as the source of a row; nil for that of the basis.
func (b *Basis) source(of *panel.Edition) *fold.FilingSource {
	if of == nil || b.AccessionNumber != nil && *b.AccessionNumber == of.Accession {
		return nil
	}
	return of.Source()
}

// shows reports whether a provider of a manager, whose filings name some persons, may be named.
//
// Spec: not shown; Form ADV does not state whether a provider is a person, and marketers often are. Without a sign of a firm in a name that
// the provider is written with, and without the CRD number of a manager, it is withheld; so is one that fewer than three managers name and that
// has the names of a person in their filings.
func shows(p *index.Provider, persons []string) bool {
	return p.Certain() || p.Name != "" && !p.Rare && !slices.ContainsFunc(persons, func(person string) bool { return derive.NamesPerson(p.Name, person) })
}

// asFiled is a filed name, if it may be shown.
func asFiled(name string, p *index.Provider, persons []string) *string {
	if name != p.Name && !derive.ShowsFirm(name, persons) {
		return nil
	}
	return &name
}
