package index

import "time"

// Unknown stands for an absent number in a record.
const Unknown int64 = -1 << 63

// GP is one adviser as the index holds it: one row of catalog.advisers.
type GP struct {
	CRD                string
	LegalName          string
	BusinessName       string
	City               string
	State              string
	Country            string
	CountryCode        string
	RegistrationStatus string
	RegisteredOn       time.Time // zero = unknown
	PrimaryStrategy    string
	ManagerType        string
	OrgState           string
	Website            string
	TotalAUM           int64 // Unknown when not reported; so the next four
	Employees          int64
	FundCount          int64
	TotalGAV           int64
	Investors          int64
	FoundedYear        int64
	FoundedYearBasis   string // registration, first_filing; empty when the year is unknown
	CanonicalID        int64
	LatestFiledOn      time.Time // of all its filings, joined notices of Form D too
	WithdrawnOn        time.Time // former advisers alone, as the next; zero = it has not
	NotListedSince     time.Time
}

// Fund is one fund as the index holds it: one row of catalog.funds.
type Fund struct {
	ID           int64
	FundID       string
	AdviserCRD   string
	Name         string
	State        string
	Country      string
	CountryCode  string
	Strategy     string
	VintageYear  int64
	GAV          int64 // Unknown when not reported
	Owners       int64
	Is3C1        Tri // Any = not answered
	Is3C7        Tri
	IsMaster     Tri
	IsFeeder     Tri
	Status       string
	Auditors     []string
	Audited      Tri      // Yes: an auditor is named; No: the filing says that nobody audits the fund; Any: unknown
	Exemptions   []string // 506b, 506c
	FirstFiledOn time.Time
}
