package fold

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// Notice is what one Form D or D/A states about a fund. A chain is a notice with its amendments.
type Notice struct {
	Accession  string     `gorm:"column:accession"` // EDGAR's
	FormType   string     `gorm:"column:form_type"` // D, D/A
	FileNumber *string    `gorm:"column:file_number"`
	Previous   *string    `gorm:"column:previous_accession"`
	Chain      string     `gorm:"column:chain"` // the first accession of those that count
	FilingDate time.Time  `gorm:"column:filing_date"`
	Exemptions []string   `gorm:"column:exemptions;serializer:json"`
	FirstSale  *time.Time `gorm:"column:first_sale"`
	SoldOut    bool       `gorm:"column:sold_out"` // SoldOutSQL
	Restated   bool       `gorm:"column:restated"` // it has changed since
	Named      bool       `gorm:"-"`               // a name joins it to a fund, and no file number
}

// SoldOutSQL is the condition for a notice o whose offering is sold out: it states an amount, and nothing of it remains.
const SoldOutSQL = "(o.offering_amount IS NOT NULL AND o.amount_remaining IS NOT DISTINCT FROM 0)"

// offeringDays is for how many days a notice holds: the amendment is due after a year, and 30 days later it is overdue.
const offeringDays = 395

// OfferedSince returns the first day of notices that hold on a day. An offering without a newer one has lapsed.
func OfferedSince(today time.Time) time.Time { return today.AddDate(0, 0, -offeringDays) }

// NewerNotice orders two notices, the newest first, by their days and accession numbers. market.sql and the columns of exports have this order, too:
// TestMarket and TestCellsOfDetails compare them.
func NewerNotice(a, b time.Time, accessionA, accessionB string) int {
	return cmp.Or(b.Compare(a), strings.Compare(accessionB, accessionA))
}

// foldNotices derives a fund's exemptions and vintage from its notices. The exemptions are those of the newest notice of each
// chain. The vintage is the year of the earliest first sale; of each chain, the newest notice with a credible date counts. An
// amendment restates both. The newest day of the offerings that are not sold out decides whether the fund is raising.
func (f *Fund) foldNotices(notices []Notice, t *origin) {
	if len(notices) == 0 {
		return
	}
	slices.SortFunc(notices, func(a, b Notice) int { return NewerNotice(a.FilingDate, b.FilingDate, a.Accession, b.Accession) })
	var codes []string
	var exempts, sale *Notice // the newest with an exemption; the one with the earliest sale
	said, sold := map[string]bool{}, map[string]bool{}
	for i := range notices {
		n := &notices[i]
		if !said[n.Chain] {
			said[n.Chain] = true
			if f.OfferedOn == nil && !n.SoldOut {
				f.OfferedOn = new(n.FilingDate)
			}
			codes = append(codes, n.Exemptions...)
			if exempts == nil && derive.Exemptions(n.Exemptions) != nil {
				exempts = n
			}
		}
		if sold[n.Chain] || n.FirstSale == nil || !derive.FirstSale(*n.FirstSale, n.FilingDate) {
			continue
		}
		sold[n.Chain] = true
		if sale == nil || n.FirstSale.Before(*sale.FirstSale) {
			sale = n
		}
	}
	f.Exemptions = derive.Exemptions(codes)
	if exempts != nil {
		t.exempts = exempts.filing()
	}
	if sale != nil {
		f.VintageYear, f.VintageQuality = int64(sale.FirstSale.Year()), catalogapi.VintageFormD
		t.vintage = sale.filing()
	}
}

// Merged returns one notice that adds to the row of a list what all notices of a fund add, at least one: the newest day, and the vintage. It
// has no exemptions and no amounts.
func Merged(notices []Notice) Notice {
	var f Fund
	f.foldNotices(notices, &origin{})
	return NewNotice(notices[0].FilingDate, f.VintageYear)
}

// NewNotice makes a notice of its day and the year of its first sale; 0: it states none.
func NewNotice(filed time.Time, year int64) Notice {
	n := Notice{FilingDate: filed}
	if year != 0 {
		n.FirstSale = new(time.Date(int(year), time.January, 1, 0, 0, 0, 0, time.UTC))
	}
	return n
}

// Chained sets the chain of each notice from these notices alone; a later notice may have joined two chains.
func Chained(notices []Notice) {
	slices.SortFunc(notices, func(a, b Notice) int { return strings.Compare(a.Accession, b.Accession) })
	links := make([]derive.Link, len(notices))
	for i := range notices {
		n := &notices[i]
		links[i] = derive.Link{Accession: n.Accession, Number: value(n.FileNumber), Previous: value(n.Previous)}
	}
	for i, first := range derive.Chains(links) {
		notices[i].Chain = notices[first].Accession
	}
}
