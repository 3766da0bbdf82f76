package fold

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
)

// Filing is the part of a filing that puts versions in order.
type Filing struct {
	Accession   string            `gorm:"column:accession"`
	CRD         string            `gorm:"column:crd"`
	DocSource   catalogapi.Source `gorm:"column:doc_source"`
	FormType    string            `gorm:"column:form_type"`
	Amendment   string            `gorm:"column:amendment_type"`
	FilingDate  time.Time         `gorm:"column:filing_date"`
	SubmittedAt time.Time         `gorm:"column:submitted_at"`
	FilingID    int64             `gorm:"column:filing_id"` // 0 = none
	FundsListed bool              `gorm:"column:funds_listed"`
}

// AdviserVersion is what one filing said of an adviser.
type AdviserVersion struct {
	Filing
	LegalName            string           `gorm:"column:legal_name"`
	BusinessName         *string          `gorm:"column:business_name"`
	SECNumber            *string          `gorm:"column:sec_number"`
	Registration         *string          `gorm:"column:registration"`
	SECStatus            *string          `gorm:"column:sec_status"`
	StatusDate           *time.Time       `gorm:"column:status_date"`
	Street1              *string          `gorm:"column:street1"`
	Street2              *string          `gorm:"column:street2"`
	City                 *string          `gorm:"column:city"`
	State                *string          `gorm:"column:state"`
	Country              *string          `gorm:"column:country"`
	PostalCode           *string          `gorm:"column:postal_code"`
	PrivateResidence     *bool            `gorm:"column:private_residence"`
	Phone                *string          `gorm:"column:phone"`
	Website              *string          `gorm:"column:website"`
	LEI                  *string          `gorm:"column:lei"`
	EmployeeCount        *int64           `gorm:"column:employee_count"`
	RAUM                 *int64           `gorm:"column:raum"`
	RAUMDiscretionary    *int64           `gorm:"column:raum_discretionary"`
	RAUMNonDiscretionary *int64           `gorm:"column:raum_non_discretionary"`
	OrgForm              *string          `gorm:"column:org_form"`
	FiscalYearEnd        *string          `gorm:"column:fiscal_year_end"`
	OrgState             *string          `gorm:"column:org_state"`
	OrgCountry           *string          `gorm:"column:org_country"`
	AdvisesFunds         *bool            `gorm:"column:advises_funds"`
	ReportedFundCount    *int64           `gorm:"column:reported_fund_count"`
	ReportedFundGAV      *int64           `gorm:"column:reported_fund_gav"`
	ReportedFundTypes    map[string]int64 `gorm:"column:reported_fund_types;serializer:json"`
	Silent               []string         `gorm:"column:silent"` // the columns above that its document did not have
}

// FundVersion is what one filing said of a fund.
type FundVersion struct {
	Filing
	FundID string `gorm:"column:fund_id"`
	FiledFund
	Silent []string `gorm:"column:silent"` // the columns of FiledFund that its document did not have
}

// Order is the order of filings, oldest first: date, then the authority of the source, then submission, then FilingID.
func Order(a, b *Filing) int {
	return cmp.Or(
		a.FilingDate.Compare(b.FilingDate),
		cmp.Compare(authority(a.DocSource), authority(b.DocSource)),
		a.SubmittedAt.Compare(b.SubmittedAt),
		cmp.Compare(a.FilingID, b.FilingID),
		strings.Compare(a.Accession, b.Accession),
	)
}

func authority(s catalogapi.Source) int {
	switch s {
	case catalogapi.SourceFundList:
		return 0
	case catalogapi.SourceRoster:
		return 1
	case catalogapi.SourceFeed:
		return 2
	case catalogapi.SourceADVArchive, catalogapi.SourceADVW, catalogapi.SourceFormD: // the last two make no versions
	}
	return 3
}

// NewestFirst sorts an adviser's versions. A fund list speaks of funds: what it says of the adviser stands behind every
// roster and form.
func NewestFirst(versions []AdviserVersion) {
	slices.SortFunc(versions, func(a, b AdviserVersion) int {
		listA, listB := a.DocSource == catalogapi.SourceFundList, b.DocSource == catalogapi.SourceFundList
		if listA != listB {
			if listA {
				return 1
			}
			return -1
		}
		return Order(&b.Filing, &a.Filing)
	})
}
