package catalogapi

import "time"

// ProviderRole is what a firm does for a private fund.
type ProviderRole string

// The roles that Schedule D section 7.B.(1) asks for.
const (
	RoleGeneralPartner ProviderRole = "general_partner" // item 3.(a): general partner, manager, trustee, director
	RolePrimeBroker    ProviderRole = "prime_broker"    // item 24
	RoleCustodian      ProviderRole = "custodian"       // item 25
	RoleAdministrator  ProviderRole = "administrator"   // item 26
	RoleMarketer       ProviderRole = "marketer"        // item 28
)

// ServiceRoles are the roles of firms that serve funds, by their numbers in catalog.fund_services. A service is the number of a name, shifted by
// ServiceRoleBits, and the number of a role.
var ServiceRoles = [...]string{"auditor", string(RolePrimeBroker), string(RoleCustodian), string(RoleAdministrator), string(RoleMarketer)}

// ServiceRoleBits is how many bits of a service are the role.
const ServiceRoleBits = 3

// ProviderRow is one firm or person that serves one fund: a child of section 7.B.(1). A custodian that has a primary
// business name beside its legal one carries it in BusinessName.
type ProviderRow struct {
	FilingKey    string
	ReferenceID  string       // of the fund
	Role         ProviderRole `gorm:"column:role"`
	Name         string       `gorm:"column:name"`
	BusinessName string       `gorm:"column:business_name"`
	CRD          string       `gorm:"column:crd" valid:"crd"` // digits only, no leading zeros; empty where none or an unusable one was filed
	SECNumber    string       `gorm:"column:sec_number"`
	LEI          string       `gorm:"column:lei"` // only when it has the form of one
	City         string       `gorm:"column:city"`
	State        string       `gorm:"column:state"`
	Country      string       `gorm:"column:country"`
	Related      *bool        `gorm:"column:related"` // a related person of the adviser
	Website      string       `gorm:"column:website"` // of a marketer: the first one filed

	File string // the file and line of the row, for quarantine; empty = unknown
	Line int
}

// FeederRow is one feeder fund of a master fund: items 6.(b) and 7 of section 7.B.(1).
type FeederRow struct {
	FilingKey   string
	ReferenceID string // of the master fund
	FundID      string `gorm:"column:feeder_fund_id" valid:"fund_id"` // of the feeder, "805-" and ten digits; may be blank
	Name        string `gorm:"column:name"`

	File string
	Line int
}

// SubAdvisedRow is one private fund that another adviser reports: Schedule D section 7.B.(2).
type SubAdvisedRow struct {
	FilingKey        string
	FundID           string `gorm:"column:fund_id" valid:"fund_id"` // may be blank
	Name             string `gorm:"column:name"`
	AdviserName      string `gorm:"column:adviser_name"` // who reports it
	AdviserSECNumber string `gorm:"column:adviser_sec_number"`

	File string
	Line int
}

// OfficeRow is one office other than the main one: Schedule D section 1.F.
type OfficeRow struct {
	FilingKey  string
	Street1    string `gorm:"column:street1"`
	Street2    string `gorm:"column:street2"`
	City       string `gorm:"column:city"`
	State      string `gorm:"column:state"`
	Country    string `gorm:"column:country"`
	PostalCode string `gorm:"column:postal_code"`
	Residence  *bool  `gorm:"column:private_residence"`
	Phone      string `gorm:"column:phone"`
	Employees  *int64 `gorm:"column:employee_count"`

	File string
	Line int
}

// IdentifierKind is the kind of a number that a firm has beside its key.
type IdentifierKind string

// The kinds of further numbers.
const (
	IdentifierCIK IdentifierKind = "cik" // EDGAR's key, item 1.D.(3)
	IdentifierCRD IdentifierKind = "crd" // a further CRD number, item 1.E.(2)
)

// IdentifierRow is one further number of the firm.
type IdentifierRow struct {
	FilingKey string
	Kind      IdentifierKind `gorm:"column:kind"`
	Value     string         `gorm:"column:value"` // digits only, no leading zeros

	File string
	Line int
}

// AffiliateRow is one related person of the adviser: Schedule D section 7.A.
type AffiliateRow struct {
	FilingKey     string
	ReferenceID   string   `gorm:"column:reference_id"`
	LegalName     string   `gorm:"column:legal_name"`
	BusinessName  string   `gorm:"column:business_name"`
	SECNumber     string   `gorm:"column:sec_number"`
	CRD           string   `gorm:"column:affiliate_crd" valid:"crd"` // digits only, no leading zeros
	Types         []string `gorm:"column:types"`                     // lower-case slugs of the answers 5.(a) to 5.(p) that are Y: "a", "b", … "p"
	Controls      *bool    `gorm:"column:controls"`                  // controls the adviser or is controlled by it, item 6
	CommonControl *bool    `gorm:"column:common_control"`            // item 7

	File string
	Line int
}

// OwnerRow is one row of Schedule A (direct owners and executive officers) or Schedule B (indirect owners).
type OwnerRow struct {
	FilingKey       string
	Schedule        string `gorm:"column:schedule"`                        // "A" or "B"
	Name            string `gorm:"column:name"`                            // as filed: "LAST, FIRST, MIDDLE" for individuals
	EntityType      string `gorm:"column:entity_type"`                     // "I" individual, "DE" domestic entity, "FE" foreign entity
	OwnedEntity     string `gorm:"column:owned_entity"`                    // Schedule B: the entity in which the interest is owned
	Title           string `gorm:"column:title"`                           // title or status, free text
	AcquiredYear    int    `gorm:"column:acquired_year" valid:"1800-2200"` // of the title or status; 0 = not said
	AcquiredMonth   int    `gorm:"column:acquired_month" valid:"1-12"`     // 1–12; 0 = not said
	OwnershipCode   string `gorm:"column:ownership_code"`                  // NA, A … E; on Schedule B also F
	ControlPerson   *bool  `gorm:"column:control_person"`
	PublicReporting *bool  `gorm:"column:public_reporting"`
	OwnerID         string `gorm:"column:owner_id" valid:"number"` // digits of a CRD or IAPD number; empty for the junk that old files carry

	File string
	Line int
}

// DisclosureFamily is the kind of a disclosure reporting page.
type DisclosureFamily string

// The families of disclosure reporting pages.
const (
	DisclosureCriminal   DisclosureFamily = "criminal"
	DisclosureRegulatory DisclosureFamily = "regulatory"
	DisclosureCivil      DisclosureFamily = "civil_judicial"
)

// DisclosureFamilies are all of them.
var DisclosureFamilies = [...]DisclosureFamily{DisclosureCriminal, DisclosureCivil, DisclosureRegulatory}

// DisclosureRow is one disclosure reporting page of a filing. The same event comes again in every later amendment.
type DisclosureRow struct {
	FilingKey      string
	Family         DisclosureFamily `gorm:"column:family"`
	ReferenceID    string           `gorm:"column:reference_id"`
	Amended        *bool            `gorm:"column:amended"`        // the page amends an earlier one
	Items          []string         `gorm:"column:items"`          // the answers of item 11 that it explains: "11.C(1)", …
	FiledAgainst   string           `gorm:"column:filed_against"`  // as filed: "Firm", "Affiliates", …
	InitiatedBy    string           `gorm:"column:initiated_by"`   // regulator, court's plaintiff, or who else; as filed
	InitiatorType  string           `gorm:"column:initiator_type"` // regulatory: "SEC", "SRO", "State", …
	Court          string           `gorm:"column:court"`          // criminal, civil judicial
	CaseNumber     string           `gorm:"column:case_number"`
	EventDate      time.Time        `gorm:"column:event_date" valid:"1800-2200"` // initiated, first charged or filed; zero = not said
	Product        string           `gorm:"column:product"`
	Allegations    string           `gorm:"column:allegations"`
	Felony         *bool            `gorm:"column:felony"` // criminal
	Status         string           `gorm:"column:status"`
	Resolution     string           `gorm:"column:resolution"`
	ResolutionDate time.Time        `gorm:"column:resolution_date" valid:"1800-2200"`
	Sanctions      []string         `gorm:"column:sanctions"`       // those answered Y or named, lower case: "censure", "bar", "cease and desist/injunction", …
	MonetaryAmount *int64           `gorm:"column:monetary_amount"` // USD, cents dropped
	SanctionDetail string           `gorm:"column:sanction_detail"`
	Summary        string           `gorm:"column:summary"`

	File string
	Line int
}

// DisclosureAffiliateRow names one advisory affiliate that a disclosure page is about. A page may have several.
type DisclosureAffiliateRow struct {
	FilingKey   string
	ReferenceID string `gorm:"column:reference_id"`              // of the page
	Type        string `gorm:"column:disclosure_type"`           // disclosure type as filed: "Regulatory Action", …
	CRD         string `gorm:"column:affiliate_crd" valid:"crd"` // digits only, no leading zeros
	Kind        string `gorm:"column:kind"`                      // "Firm" or "Individual", as filed
	Registered  *bool  `gorm:"column:registered"`
	Name        string `gorm:"column:name"`

	File string
	Line int
}

// WithdrawalRow is one Form ADV-W. It is a filing of its own: it ends a registration and says nothing of the firm that a
// form does not say better.
type WithdrawalRow struct {
	CRD       string
	FilingID  string
	Submitted time.Time // filing date
	SECNumber string
	LegalName string
	Full      bool      `gorm:"column:is_full"`                     // FULL, else PARTIAL
	Ceased    *bool     `gorm:"column:ceased"`                      // business ceased
	CeasedOn  time.Time `gorm:"column:ceased_on" valid:"1800-2200"` // zero = not said
	Reason    string    `gorm:"column:reason"`
	City      string
	State     string
	Country   string

	File string
	Line int
}
