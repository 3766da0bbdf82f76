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

// ProviderRow is one firm or person that serves one fund: a child of section 7.B.(1). A custodian that has a primary
// business name beside its legal one carries it in BusinessName.
type ProviderRow struct {
	FilingKey    string
	ReferenceID  string // of the fund
	Role         ProviderRole
	Name         string
	BusinessName string
	CRD          string // digits only, no leading zeros; empty where none or an unusable one was filed
	SECNumber    string
	LEI          string // only when it has the form of one
	City         string
	State        string
	Country      string
	Related      *bool  // a related person of the adviser
	Website      string // of a marketer: the first one filed

	File string // where the row stands, for quarantine; empty = unknown
	Line int
}

// FeederRow is one feeder fund of a master fund: items 6.(b) and 7 of section 7.B.(1).
type FeederRow struct {
	FilingKey   string
	ReferenceID string // of the master fund
	FundID      string // of the feeder, "805-" and ten digits; may be blank
	Name        string

	File string
	Line int
}

// SubAdvisedRow is one private fund that another adviser reports: Schedule D section 7.B.(2).
type SubAdvisedRow struct {
	FilingKey        string
	FundID           string // may be blank
	Name             string
	AdviserName      string // who reports it
	AdviserSECNumber string

	File string
	Line int
}

// OfficeRow is one office other than the main one: Schedule D section 1.F.
type OfficeRow struct {
	FilingKey  string
	Street1    string
	Street2    string
	City       string
	State      string
	Country    string
	PostalCode string
	Residence  *bool
	Phone      string
	Employees  *int64

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
	Kind      IdentifierKind
	Value     string // digits only, no leading zeros

	File string
	Line int
}

// AffiliateRow is one related person of the adviser: Schedule D section 7.A.
type AffiliateRow struct {
	FilingKey     string
	ReferenceID   string
	LegalName     string
	BusinessName  string
	SECNumber     string
	CRD           string   // digits only, no leading zeros
	Types         []string // lower-case slugs of the answers 5.(a) to 5.(p) that are Y: "a", "b", … "p"
	Controls      *bool    // controls the adviser or is controlled by it, item 6
	CommonControl *bool    // item 7

	File string
	Line int
}

// OwnerRow is one row of Schedule A (direct owners and executive officers) or Schedule B (indirect owners).
type OwnerRow struct {
	FilingKey       string
	Schedule        string // "A" or "B"
	Name            string // as filed: "LAST, FIRST, MIDDLE" for individuals
	EntityType      string // "I" individual, "DE" domestic entity, "FE" foreign entity
	OwnedEntity     string // Schedule B: the entity in which the interest is owned
	Title           string // title or status, free text
	AcquiredYear    int    // of the title or status; 0 = not said
	AcquiredMonth   int    // 1–12; 0 = not said
	OwnershipCode   string // NA, A … E; on Schedule B also F
	ControlPerson   *bool
	PublicReporting *bool
	OwnerID         string // digits of a CRD or IAPD number; empty for the junk that old files carry

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

// DisclosureRow is one disclosure reporting page of a filing. The same event comes again in every later amendment.
type DisclosureRow struct {
	FilingKey      string
	Family         DisclosureFamily
	ReferenceID    string
	Amended        *bool    // the page amends an earlier one
	Items          []string // the answers of item 11 that it explains: "11.C(1)", …
	FiledAgainst   string   // as filed: "Firm", "Affiliates", …
	InitiatedBy    string   // regulator, court's plaintiff, or who else; as filed
	InitiatorType  string   // regulatory: "SEC", "SRO", "State", …
	Court          string   // criminal, civil judicial
	CaseNumber     string
	EventDate      time.Time // initiated, first charged or filed; zero = not said
	Product        string
	Allegations    string
	Felony         *bool // criminal
	Status         string
	Resolution     string
	ResolutionDate time.Time
	Sanctions      []string // those answered Y or named, lower case: "censure", "bar", "cease and desist/injunction", …
	MonetaryAmount *int64   // USD, cents dropped
	SanctionDetail string
	Summary        string

	File string
	Line int
}

// DisclosureAffiliateRow names one advisory affiliate that a disclosure page is about. A page may have several.
type DisclosureAffiliateRow struct {
	FilingKey   string
	ReferenceID string // of the page
	Type        string // disclosure type as filed: "Regulatory Action", …
	CRD         string // digits only, no leading zeros
	Kind        string // "Firm" or "Individual", as filed
	Registered  *bool
	Name        string

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
	Full      bool      // FULL, else PARTIAL
	Ceased    *bool     // business ceased
	CeasedOn  time.Time // zero = not said
	Reason    string
	City      string
	State     string
	Country   string

	File string
	Line int
}
