package history

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/derive"
)

// Notice is what one Form D or D/A says of a fund. A chain is a notice with its amendments.
type Notice struct {
	FundID     string     `gorm:"column:fund_id"`
	Accession  string     `gorm:"column:accession"` // EDGAR's
	FormType   string     `gorm:"column:form_type"` // D, D/A
	FileNumber *string    `gorm:"column:file_number"`
	Chain      string     `gorm:"column:chain"`
	FilingDate time.Time  `gorm:"column:filing_date"`
	Exemptions []string   `gorm:"column:exemptions;serializer:json"`
	FirstSale  *time.Time `gorm:"column:first_sale"`
}

// foldNotices takes from the notices of a fund its exemptions, of the newest notice of each chain, and its vintage: the year
// of the earliest first sale, of each chain the one that its newest notice with a credible date gives.
func (f *Fund) foldNotices(notices []Notice, t *trail) {
	if len(notices) == 0 {
		return
	}
	slices.SortFunc(notices, func(a, b Notice) int { // the newest first
		if c := b.FilingDate.Compare(a.FilingDate); c != 0 {
			return c
		}
		return strings.Compare(b.Accession, a.Accession)
	})
	var codes []string
	var exempts, sale *Notice // the newest that gives an exemption; the one with the earliest sale
	said, sold := map[string]bool{}, map[string]bool{}
	for i := range notices {
		n := &notices[i]
		if !said[n.Chain] {
			said[n.Chain] = true
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
		f.VintageYear, f.VintageSource = int64(sale.FirstSale.Year()), "form_d_first_sale"
		t.vintage = sale.filing()
	}
}

const noticeColumns = `o.accession, o.form_type, o.file_number, o.chain, o.filing_date, o.exemptions, o.first_sale`

// notices reads the notices of funds that count at a cut, by fund. versions are the funds' own that count: their file
// numbers make the joins of that moment.
//
// Spec: not shown; a join by name holds for every moment at which its notice was there: whether another fund bore the name
// then is not asked, and the chains are those known now. A notice that was restated since counts from then on: what it
// said before is not kept.
func (r *reader) notices(ctx context.Context, versions []FundVersion, day time.Time) (map[string][]Notice, error) {
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
	named, err := collect[Notice](ctx, r, "read notices by name", `SELECT l.fund_id, `+noticeColumns+`
		FROM catalog.offering_funds l JOIN catalog.offerings o USING (accession)
		WHERE l.fund_id = ANY ($1) AND l.matched_by = 'name' AND o.filing_date <= $2 AND o.processed_at <= $3`,
		slices.Collect(maps.Keys(funds)), day, r.known())
	if err != nil || len(byNumber) == 0 {
		return joinNotices(named, nil, nil), err
	}
	numbered, err := collect[Notice](ctx, r, "read notices by number", `SELECT `+noticeColumns+` FROM catalog.offerings o
		WHERE o.filing_date <= $2 AND o.processed_at <= $3 AND o.chain IN (SELECT n.chain FROM catalog.offerings n
			WHERE n.file_number = ANY ($1) AND n.filing_date <= $2 AND n.processed_at <= $3)`,
		slices.Collect(maps.Keys(byNumber)), day, r.known())
	if err != nil {
		return nil, err
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
