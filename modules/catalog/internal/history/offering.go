package history

import (
	"context"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/platform/database"
)

// Notice is what one Form D or D/A says of a fund. A chain is a notice with its amendments.
type Notice struct {
	Accession  string     `gorm:"column:accession"` // EDGAR's
	FormType   string     `gorm:"column:form_type"` // D, D/A
	FileNumber *string    `gorm:"column:file_number"`
	Previous   *string    `gorm:"column:previous_accession"`
	Chain      string     // the first accession of those that count
	FilingDate time.Time  `gorm:"column:filing_date"`
	Exemptions []string   `gorm:"column:exemptions;serializer:json"`
	FirstSale  *time.Time `gorm:"column:first_sale"`
	Restated   bool       `gorm:"column:restated"` // it stands otherwise now
}

// foldNotices takes from the notices of a fund its exemptions, of the newest notice of each chain, and its vintage: the year
// of the earliest first sale, of each chain the one that its newest notice with a credible date gives.
func (f *Fund) foldNotices(notices []Notice, t *origin) {
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

var (
	//go:embed notices.sql
	noticesSQL string
	//go:embed known_notices.sql
	knownNoticesSQL string
	// RelinkedSQL finds the chains that were larger before a notice was restated with another file number or previous
	// accession: with them, the chains that stand hold all those of any instant.
	//go:embed relinked.sql
	RelinkedSQL string
)

// notices reads the notices of funds that count as of a moment, by fund, joined as the loader would have joined them then.
// versions are the funds' own that count.
func (r *reader) notices(ctx context.Context, versions []FundVersion, b *bounds) (map[string][]Notice, error) {
	var j joins
	j.take(versions)
	if len(j.newest) == 0 {
		return nil, nil
	}
	var err error
	statement, args := noticesSQL, database.Args{
		"numbers": slices.Collect(maps.Keys(j.byNumber)), "keys": slices.Collect(maps.Keys(j.byKey)), "day": b.limit,
	}
	if !r.at.IsZero() {
		statement, args["known"] = strings.Replace(knownNoticesSQL, "{{relinked}}", RelinkedSQL, 1), r.known()
	}
	j.notices, err = collect[Notice](ctx, r, "read notices", statement, args)
	if err != nil || len(j.notices) == 0 {
		return nil, err
	}
	chained(j.notices)
	of := j.numbered()
	if err := r.joinNamed(ctx, &j, of, b); err != nil {
		return nil, err
	}
	out := map[string][]Notice{}
	for _, n := range j.notices {
		for _, fund := range of[n.Chain] {
			out[fund] = append(out[fund], n)
		}
	}
	return out, nil
}

// joins is what notices are joined to funds by.
type joins struct {
	newest   map[string]*FundVersion // by fund
	byNumber map[string][]string     // funds by file number
	byKey    map[string][]string     // funds by the key of their names
	notices  []Notice
}

func (j *joins) take(versions []FundVersion) {
	j.newest, j.byNumber, j.byKey = map[string]*FundVersion{}, map[string][]string{}, map[string][]string{}
	for i := range versions {
		v := &versions[i]
		if newest := j.newest[v.FundID]; newest == nil || order(&v.Filing, &newest.Filing) > 0 {
			j.newest[v.FundID] = v
		}
		for _, number := range v.FormDFileNumbers {
			if !slices.Contains(j.byNumber[number], v.FundID) {
				j.byNumber[number] = append(j.byNumber[number], v.FundID)
			}
		}
	}
	for fund, v := range j.newest {
		if key := derive.NameKey(v.Name); key.Name != "" {
			j.byKey[key.Name] = append(j.byKey[key.Name], fund)
		}
	}
}

// numbered gives the funds of each chain by file number. A number of any notice joins its whole chain.
func (j *joins) numbered() map[string][]string {
	of := map[string][]string{}
	for i := range j.notices {
		n := &j.notices[i]
		for _, fund := range j.byNumber[value(n.FileNumber)] {
			if !slices.Contains(of[n.Chain], fund) {
				of[n.Chain] = append(of[n.Chain], fund)
			}
		}
	}
	return of
}

// joinNamed adds the funds of the chains that no number joins to any fund, by the names of their issuers.
func (r *reader) joinNamed(ctx context.Context, j *joins, of map[string][]string, b *bounds) error {
	if len(j.byKey) == 0 {
		return nil
	}
	chains := map[string]string{} // by accession
	var standing, restated []string
	for i := range j.notices {
		n := &j.notices[i]
		if len(of[n.Chain]) > 0 {
			continue
		}
		chains[n.Accession] = n.Chain
		if n.Restated {
			restated = append(restated, n.Accession)
		} else {
			standing = append(standing, n.Accession)
		}
	}
	issuers, err := r.issuers(ctx, standing, restated, slices.Collect(maps.Keys(j.byKey)))
	if err != nil || len(issuers) == 0 {
		return err
	}
	var numbers []string
	for i := range j.notices {
		if n := &j.notices[i]; chains[n.Accession] != "" && n.FileNumber != nil {
			numbers = append(numbers, *n.FileNumber)
		}
	}
	given, err := r.given(ctx, numbers, b)
	if err != nil {
		return err
	}
	taken := map[string]bool{} // chains that a number joins to another fund
	for i := range j.notices {
		if n := &j.notices[i]; n.FileNumber != nil && given[*n.FileNumber] {
			taken[n.Chain] = true
		}
	}
	var keys []string
	for _, i := range issuers {
		if !taken[chains[i.accession]] {
			keys = append(keys, i.Key.Name)
		}
	}
	bearers, err := r.bearers(ctx, keys, b)
	if err != nil {
		return err
	}
	for _, i := range issuers {
		chain := chains[i.accession]
		if taken[chain] {
			continue
		}
		for _, fund := range ByName(&i.Issuer, bearers[i.Key.Name]) {
			if !slices.Contains(of[chain], fund) {
				of[chain] = append(of[chain], fund)
			}
		}
	}
	return nil
}
