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
	catalogapi.Statement
	catalogapi.Basis

	Silent []string `gorm:"column:silent"` // the columns above that its document did not have
}

// FundVersion is what one filing said of a fund.
type FundVersion struct {
	Filing
	FundID string `gorm:"column:fund_id"`
	FiledFund
	Silent []string `gorm:"column:silent"` // the columns of FiledFund that its document did not have
}

// Order is the order of filings, oldest first: date, then the authority of the source, then submission, then FilingID, then accession number.
func Order(a, b *Filing) int {
	return cmp.Or(
		a.FilingDate.Compare(b.FilingDate),
		cmp.Compare(a.DocSource.Authority(), b.DocSource.Authority()),
		a.SubmittedAt.Compare(b.SubmittedAt),
		cmp.Compare(a.FilingID, b.FilingID),
		strings.Compare(a.Accession, b.Accession),
	)
}

// find is the place of the first version that meets a condition; below zero where none does. slices.IndexFunc copies each.
func find(versions []AdviserVersion, meets func(v *AdviserVersion) bool) int {
	for i := range versions {
		if meets(&versions[i]) {
			return i
		}
	}
	return -1
}

// NewestFirst sorts an adviser's versions. A fund list is about funds, so its version of the adviser comes after every
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
