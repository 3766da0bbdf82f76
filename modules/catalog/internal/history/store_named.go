package history

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// issuer is an issuer with its notice.
type issuer struct {
	fold.Issuer

	accession string
	restated  bool // it stands in an edition that was replaced
}

//go:embed issuers.sql
var issuersSQL string

// issuers adds the reading of the issuers that bear names, of notices that stand and of those that were restated since, as they
// stood. The notice of an operating company has no fund.
func (r *reader) issuers(b *batch, keys []string, take func(i issuer)) {
	type row struct {
		Accession string  `gorm:"column:accession"`
		Name      string  `gorm:"column:name_key"`
		Form      string  `gorm:"column:name_form"`
		City      *string `gorm:"column:city"`
		State     *string `gorm:"column:state"`
		Restated  bool    `gorm:"column:restated"`
	}
	statement := strings.ReplaceAll(issuersSQL, "{{of a fund}}", ofAFundSQL)
	add(b, "read issuers", statement, database.Args{"keys": keys, "known": r.known()}, func(i *row) {
		take(issuer{
			Issuer:    fold.Issuer{Key: derive.FundKey{Name: i.Name, Form: i.Form}, City: fold.Placed(i.City), State: fold.Placed(i.State)},
			accession: i.Accession, restated: i.Restated,
		})
	})
}

//go:embed of_a_fund.sql
var ofAFundSQL string

// OfAFund says in SQL that a notice is that of a fund.
func OfAFund(notice string) string { return strings.ReplaceAll(ofAFundSQL, "o.", notice+".") }

//go:embed numbered.sql
var numberedSQL string

// given says which file numbers some fund had been given.
func (r *reader) given(ctx context.Context, numbers []string, bounds *bounds) (map[string]bool, error) {
	given := map[string]bool{}
	if len(numbers) == 0 {
		return given, nil
	}
	type row struct {
		FundID string `gorm:"column:fund_id"`
	}
	var b batch
	var funds []string
	args := database.Args{"numbers": numbers}
	add(&b, "look for funds by number", numberedSQL, args, func(f *row) { funds = append(funds, f.FundID) })
	if err := r.send(ctx, &b); err != nil || len(funds) == 0 {
		return given, err
	}
	return given, r.said(ctx, "name, form_d_file_numbers", distinct(funds), bounds, func(v *fold.FundVersion) {
		for _, number := range v.FormDFileNumbers {
			given[number] = true
		}
	})
}

// said hands on what any filing that counts said of funds.
func (r *reader) said(ctx context.Context, columns string, funds []string, bounds *bounds, take func(v *fold.FundVersion)) error {
	var b batch
	all := r.elsewhere(&b, columns, funds, "")
	if err := r.send(ctx, &b); err != nil {
		return err
	}
	_, err := all.take(ctx, r, bounds, take)
	return err
}

//go:embed named.sql
var namedSQL string

// bearer is a fund that bears or bore a name.
type bearer struct {
	Key    string `gorm:"column:name_key"`
	FundID string `gorm:"column:fund_id"`
}

// named adds the search for the funds that bear or bore names, by the names' keys.
func (r *reader) named(b *batch, keys []string, take func(f *bearer)) {
	add(b, "look for funds by name", namedSQL, database.Args{"keys": keys}, take)
}

// bearers reads what funds were called, by the keys of their names, with where their advisers sat. What is known is not read
// again: the newest versions that count of some funds, and the versions of some advisers.
func (r *reader) bearers(
	ctx context.Context, funds []string, known map[string]*fold.FundVersion, advisers map[string][]fold.AdviserVersion, bounds *bounds,
) (map[string][]fold.Bearer, error) {
	newest := map[string]*fold.FundVersion{}
	var unknown []string
	for _, id := range funds {
		if newest[id] = known[id]; known[id] == nil {
			delete(newest, id)
			unknown = append(unknown, id)
		}
	}
	if unknown != nil {
		err := r.said(ctx, "name", unknown, bounds, func(v *fold.FundVersion) {
			if newest[v.FundID] == nil || fold.Order(&v.Filing, &newest[v.FundID].Filing) > 0 {
				version := *v
				newest[v.FundID] = &version
			}
		})
		if err != nil {
			return nil, err
		}
	}
	offices, err := r.offices(ctx, newest, advisers, bounds)
	if err != nil {
		return nil, err
	}
	out := map[string][]fold.Bearer{}
	for id, v := range newest {
		if key := derive.NameKey(v.Name); key.Name != "" {
			a := offices[v.CRD]
			out[key.Name] = append(out[key.Name], fold.Bearer{FundID: id, CRD: v.CRD, Form: key.Form, City: fold.Placed(a.City), State: fold.Placed(a.State)})
		}
	}
	return out, nil
}

// offices says where the advisers of funds sat, by their CRD numbers.
func (r *reader) offices(
	ctx context.Context, funds map[string]*fold.FundVersion, known map[string][]fold.AdviserVersion, bounds *bounds,
) (map[string]*fold.Adviser, error) {
	offices := map[string]*fold.Adviser{}
	var crds []string
	for _, v := range funds {
		if offices[v.CRD] != nil {
			continue
		}
		offices[v.CRD] = &fold.Adviser{}
		if said := known[v.CRD]; len(said) > 0 {
			*offices[v.CRD] = fold.Office(said)
		} else {
			crds = append(crds, v.CRD)
		}
	}
	if crds == nil {
		return offices, nil
	}
	const columns = "legal_name, street1, city, state, country, postal_code, private_residence, silent"
	versions, _, err := r.versionsOf(ctx, columns, crds, bounds)
	for crd, said := range versions {
		*offices[crd] = fold.Office(said)
	}
	return offices, err
}

// counting adds the reading of the filings of advisers that count, into of by accession number.
func (r *reader) counting(b *batch, crds []string, bounds *bounds, of map[string]*fold.Filed) {
	r.filings(b, crds, func(all []fold.Filed) error {
		for i := range all {
			if f := &all[i]; bounds.counts(&f.Filing) {
				of[f.Accession] = f
			}
		}
		return nil
	})
}

// versionsOf reads what filings said of advisers, by their CRD numbers, and the filings; advisers without a version are left out.
func (r *reader) versionsOf(
	ctx context.Context, columns string, crds []string, bounds *bounds,
) (byCRD map[string][]fold.AdviserVersion, of map[string]*fold.Filed, err error) {
	var b batch
	byCRD, of = map[string][]fold.AdviserVersion{}, map[string]*fold.Filed{}
	r.counting(&b, crds, bounds, of)
	r.adviserVersions(&b, columns, crds, of, func(v *fold.AdviserVersion) { byCRD[v.CRD] = append(byCRD[v.CRD], *v) })
	return byCRD, of, r.send(ctx, &b)
}

// distinct sorts a list and leaves each text in it once.
func distinct(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
