package history

import (
	"context"
	_ "embed"
	"strings"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// issuer is an issuer with its notice.
type issuer struct {
	fold.Issuer

	accession string
}

//go:embed issuers.sql
var issuersSQL string

// issuers reads the issuers that bear names, of notices that stand and of those that were restated since, as they stood. The
// notice of an operating company has no fund.
func (r *reader) issuers(ctx context.Context, standing, restated, keys []string) ([]issuer, error) {
	type row struct {
		Accession string  `gorm:"column:accession"`
		Name      string  `gorm:"column:name_key"`
		Form      string  `gorm:"column:name_form"`
		City      *string `gorm:"column:city"`
		State     *string `gorm:"column:state"`
	}
	rows, err := collect[row](ctx, r, "read issuers", strings.ReplaceAll(issuersSQL, "{{of a fund}}", ofAFundSQL),
		database.Args{"standing": standing, "restated": restated, "keys": keys, "known": r.known()})
	out := make([]issuer, len(rows))
	for i, f := range rows {
		out[i] = issuer{
			fold.Issuer{Key: derive.FundKey{Name: f.Name, Form: f.Form}, City: fold.Placed(f.City), State: fold.Placed(f.State)}, f.Accession,
		}
	}
	return out, err
}

//go:embed of_a_fund.sql
var ofAFundSQL string

// OfAFund says in SQL that a notice is that of a fund.
func OfAFund(notice string) string { return strings.ReplaceAll(ofAFundSQL, "o.", notice+".") }

// fundID scans a fund's id.
type fundID struct {
	FundID string `gorm:"column:fund_id"`
}

func (r *reader) fundIDs(ctx context.Context, what, statement string, args database.Args) (ids []string, err error) {
	rows, err := collect[fundID](ctx, r, what, statement, args)
	for _, row := range rows {
		ids = append(ids, row.FundID)
	}
	return ids, err
}

//go:embed numbered.sql
var numberedSQL string

// given says which file numbers some fund had been given.
func (r *reader) given(ctx context.Context, numbers []string, b *bounds) (map[string]bool, error) {
	given := map[string]bool{}
	if len(numbers) == 0 {
		return given, nil
	}
	funds, err := r.fundIDs(ctx, "look for funds by number", numberedSQL, database.Args{"numbers": numbers})
	if err != nil || len(funds) == 0 {
		return given, err
	}
	_, err = b.fundVersionsElsewhere(ctx, r, "name, form_d_file_numbers", funds, "", func(v *fold.FundVersion) {
		for _, number := range v.FormDFileNumbers {
			given[number] = true
		}
	})
	return given, err
}

//go:embed named.sql
var namedSQL string

// bearers reads the funds that bore names, by the names' keys, with where their advisers sat.
func (r *reader) bearers(ctx context.Context, keys []string, b *bounds) (map[string][]fold.Bearer, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	funds, err := r.fundIDs(ctx, "look for funds by name", namedSQL, database.Args{"keys": keys})
	if err != nil || len(funds) == 0 {
		return nil, err
	}
	newest := map[string]fold.FundVersion{}
	_, err = b.fundVersionsElsewhere(ctx, r, "name", funds, "", func(v *fold.FundVersion) {
		if known, ok := newest[v.FundID]; !ok || fold.Order(&v.Filing, &known.Filing) > 0 {
			newest[v.FundID] = *v
		}
	})
	if err != nil {
		return nil, err
	}
	advisers := map[string]*fold.Adviser{} // with their offices
	var crds []string
	for _, v := range newest {
		if advisers[v.CRD] == nil {
			advisers[v.CRD] = &fold.Adviser{}
			crds = append(crds, v.CRD)
		}
	}
	if err := r.offices(ctx, crds, advisers, b); err != nil {
		return nil, err
	}
	out := map[string][]fold.Bearer{}
	for id, v := range newest {
		if key := derive.NameKey(v.Name); key.Name != "" {
			a := advisers[v.CRD]
			out[key.Name] = append(out[key.Name], fold.Bearer{FundID: id, CRD: v.CRD, Form: key.Form, City: fold.Placed(a.City), State: fold.Placed(a.State)})
		}
	}
	return out, nil
}

// offices fills in where advisers sat.
func (r *reader) offices(ctx context.Context, crds []string, advisers map[string]*fold.Adviser, b *bounds) error {
	of, err := r.counting(ctx, crds, b)
	if err != nil {
		return err
	}
	versions, err := r.versionsOf(ctx, "legal_name, street1, city, state, country, postal_code, private_residence, silent", crds, of)
	for crd, said := range versions {
		*advisers[crd] = fold.Office(said)
	}
	return err
}

// counting reads the filings of advisers that count.
func (r *reader) counting(ctx context.Context, crds []string, b *bounds) (map[string]*fold.Filed, error) {
	filings, err := r.filings(ctx, crds)
	of := map[string]*fold.Filed{}
	for i := range filings {
		if f := &filings[i]; b.counts(&f.Filing) {
			of[f.Accession] = f
		}
	}
	return of, err
}

// versionsOf reads what filings said of advisers, by their CRD numbers; those without a version are left out.
func (r *reader) versionsOf(ctx context.Context, columns string, crds []string, of map[string]*fold.Filed) (map[string][]fold.AdviserVersion, error) {
	versions, err := r.adviserVersions(ctx, columns, crds, of)
	byCRD := map[string][]fold.AdviserVersion{}
	for i := range versions {
		byCRD[versions[i].CRD] = append(byCRD[versions[i].CRD], versions[i])
	}
	return byCRD, err
}
