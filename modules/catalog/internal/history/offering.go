package history

import (
	"context"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/database"
)

// Notice is what one Form D or D/A says of a fund. A chain is a notice with its amendments.
type Notice struct {
	FundID     string     `gorm:"column:fund_id"`
	Accession  string     `gorm:"column:accession"`
	FileNumber *string    `gorm:"column:file_number"`
	Chain      string     `gorm:"column:chain"`
	FilingDate time.Time  `gorm:"column:filing_date"`
	Exemptions []string   `gorm:"column:exemptions;serializer:json"`
	FirstSale  *time.Time `gorm:"column:first_sale"`
}

// foldNotices takes from the notices of a fund its exemptions, of the newest notice of each chain, and its vintage: the year
// of the earliest first sale, of each chain the one that its newest notice with a credible date gives.
func (f *Fund) foldNotices(notices []Notice) {
	slices.SortFunc(notices, func(a, b Notice) int { // the newest first
		if c := b.FilingDate.Compare(a.FilingDate); c != 0 {
			return c
		}
		return strings.Compare(b.Accession, a.Accession)
	})
	var codes []string
	var earliest time.Time
	said, sold := map[string]bool{}, map[string]bool{}
	for _, n := range notices {
		if !said[n.Chain] {
			said[n.Chain] = true
			codes = append(codes, n.Exemptions...)
		}
		if sold[n.Chain] || n.FirstSale == nil || !derive.FirstSale(*n.FirstSale, n.FilingDate) {
			continue
		}
		sold[n.Chain] = true
		if earliest.IsZero() || n.FirstSale.Before(earliest) {
			earliest = *n.FirstSale
		}
	}
	f.Exemptions = derive.Exemptions(codes)
	if !earliest.IsZero() {
		f.VintageYear, f.VintageSource = int64(earliest.Year()), "form_d_first_sale"
	}
}

const noticeColumns = `o.accession, o.file_number, o.chain, o.filing_date, to_json(o.exemptions) AS exemptions, o.first_sale`

// noticesAsOf reads the notices of funds that were filed up to a day, by fund. versions are the funds' own up to that day:
// their file numbers make the joins of that day.
//
// Spec: not shown; a join by name holds for every day on which its notice was there: whether another fund bore the name
// then is not asked, and the chains are those known now.
func (s *Store) noticesAsOf(ctx context.Context, versions []FundVersion, day time.Time) (map[string][]Notice, error) {
	byNumber := map[string][]string{} // funds by file number
	funds := map[string]bool{}
	for i := range versions {
		v := &versions[i]
		funds[v.FundID] = true
		for _, number := range v.FormDFileNumbers {
			if !slices.Contains(byNumber[number], v.FundID) {
				byNumber[number] = append(byNumber[number], v.FundID)
			}
		}
	}
	if len(funds) == 0 {
		return nil, nil
	}
	date := day.Format(time.DateOnly)
	var named []Notice
	err := s.db.From(ctx).Raw(`SELECT l.fund_id, `+noticeColumns+`
		FROM catalog.offering_funds l JOIN catalog.offerings o USING (accession)
		WHERE l.fund_id IN ? AND l.matched_by = 'name' AND o.filing_date <= ?`, keys(funds), date).Scan(&named).Error
	if err != nil {
		return nil, database.Failure("read notices by name", err)
	}
	var numbered []Notice
	if len(byNumber) > 0 {
		err = s.db.From(ctx).Raw(`SELECT `+noticeColumns+` FROM catalog.offerings o
			WHERE o.filing_date <= ? AND o.chain IN (SELECT n.chain FROM catalog.offerings n WHERE n.file_number IN ? AND n.filing_date <= ?)`,
			date, keys(byNumber), date).Scan(&numbered).Error
		if err != nil {
			return nil, database.Failure("read notices by number", err)
		}
	}
	return joinNotices(named, numbered, byNumber), nil
}

// joinNotices gives each fund its notices. A number of any notice joins its whole chain.
func joinNotices(named, numbered []Notice, byNumber map[string][]string) map[string][]Notice {
	of := map[string][]string{} // funds by chain
	for i := range numbered {
		n := &numbered[i]
		for _, fund := range byNumber[value(n.FileNumber)] {
			if !slices.Contains(of[n.Chain], fund) {
				of[n.Chain] = append(of[n.Chain], fund)
			}
		}
	}
	out := map[string][]Notice{}
	for _, n := range numbered {
		for _, fund := range of[n.Chain] {
			out[fund] = append(out[fund], n)
		}
	}
	for _, n := range named {
		if !slices.Contains(of[n.Chain], n.FundID) {
			out[n.FundID] = append(out[n.FundID], n)
		}
	}
	return out
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}
