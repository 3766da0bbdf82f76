package history

import (
	"context"
	"strings"

	"gpatlas/modules/catalog/internal/derive"
)

// issuer is an issuer with its notice.
type issuer struct {
	Issuer

	accession string
}

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
	rows, err := collect[row](ctx, r, "read issuers", `SELECT i.accession, i.name_key, i.name_form, i.city, i.state
		FROM catalog.offering_issuers i JOIN catalog.offerings o USING (accession)
		WHERE i.accession = ANY ($1) AND i.name_key = ANY ($2) AND `+OfAFund("o")+`
		UNION ALL SELECT r.accession, i.name_key, i.name_form, i.city, i.state
		FROM catalog.replaced_offerings r, jsonb_populate_record(null::catalog.offerings, r.said) o,
			jsonb_populate_recordset(null::catalog.offering_issuers, r.issuers) i
		WHERE r.accession = ANY ($3) AND r.processed_at <= $4 AND r.replaced_at > $4 AND i.name_key = ANY ($2) AND `+OfAFund("o"),
		standing, keys, restated, r.known())
	out := make([]issuer, len(rows))
	for i, f := range rows {
		out[i] = issuer{Issuer{derive.FundKey{Name: f.Name, Form: f.Form}, Placed(f.City), Placed(f.State)}, f.Accession}
	}
	return out, err
}

// OfAFund says in SQL that a notice is that of a fund.
func OfAFund(notice string) string {
	return strings.ReplaceAll(`(o.fund_type IS NOT NULL OR lower(o.industry_group) IN ('pooled investment fund', 'investing', 'reits and finance')
		OR 'pooled investment fund' = ANY (o.securities)
		OR EXISTS (SELECT 1 FROM unnest(o.exemptions) AS e (code) WHERE upper(e.code) LIKE '3C%'))`, "o.", notice+".")
}

// fundID scans a fund's id.
type fundID struct {
	FundID string `gorm:"column:fund_id"`
}

func (r *reader) fundIDs(ctx context.Context, what, sql string, args ...any) (ids []string, err error) {
	rows, err := collect[fundID](ctx, r, what, sql, args...)
	for _, row := range rows {
		ids = append(ids, row.FundID)
	}
	return ids, err
}

// given says which file numbers some fund had been given.
func (r *reader) given(ctx context.Context, numbers []string, b *bounds) (map[string]bool, error) {
	given := map[string]bool{}
	if len(numbers) == 0 {
		return given, nil
	}
	funds, err := r.fundIDs(ctx, "look for funds by number", `
		SELECT fund_id FROM catalog.fund_form_d_numbers WHERE file_number = ANY ($1)
		UNION SELECT fund_id FROM catalog.replaced_versions WHERE fund_id <> '' AND said -> 'form_d_file_numbers' ?| $1`, numbers)
	if err != nil || len(funds) == 0 {
		return given, err
	}
	_, err = b.fundVersionsElsewhere(ctx, r, "name, form_d_file_numbers", funds, "", func(v *FundVersion) {
		for _, number := range v.FormDFileNumbers {
			given[number] = true
		}
	})
	return given, err
}

// bearers reads the funds that bore names, by the names' keys, with where their advisers sat.
func (r *reader) bearers(ctx context.Context, keys []string, b *bounds) (map[string][]Bearer, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	funds, err := r.fundIDs(ctx, "look for funds by name", `SELECT fund_id FROM catalog.funds WHERE name_key = ANY ($1)
		UNION SELECT fund_id FROM catalog.fund_former_names WHERE name_key = ANY ($1)`, keys)
	if err != nil || len(funds) == 0 {
		return nil, err
	}
	newest := map[string]FundVersion{}
	_, err = b.fundVersionsElsewhere(ctx, r, "name", funds, "", func(v *FundVersion) {
		if known, ok := newest[v.FundID]; !ok || order(&v.Filing, &known.Filing) > 0 {
			newest[v.FundID] = *v
		}
	})
	if err != nil {
		return nil, err
	}
	advisers := map[string]*Adviser{} // with their offices
	var crds []string
	for _, v := range newest {
		if advisers[v.CRD] == nil {
			advisers[v.CRD] = &Adviser{}
			crds = append(crds, v.CRD)
		}
	}
	if err := r.offices(ctx, crds, advisers, b); err != nil {
		return nil, err
	}
	out := map[string][]Bearer{}
	for id, v := range newest {
		if key := derive.NameKey(v.Name); key.Name != "" {
			a := advisers[v.CRD]
			out[key.Name] = append(out[key.Name], Bearer{FundID: id, CRD: v.CRD, Form: key.Form, City: Placed(a.City), State: Placed(a.State)})
		}
	}
	return out, nil
}

// offices fills in where advisers sat.
func (r *reader) offices(ctx context.Context, crds []string, advisers map[string]*Adviser, b *bounds) error {
	of, err := r.counting(ctx, crds, b)
	if err != nil {
		return err
	}
	versions, err := r.versionsOf(ctx, "legal_name, city, state, country, private_residence, silent", crds, of)
	for crd, said := range versions {
		*advisers[crd] = Office(said)
	}
	return err
}

// counting reads the filings of advisers that count.
func (r *reader) counting(ctx context.Context, crds []string, b *bounds) (map[string]*filed, error) {
	filings, err := r.filings(ctx, crds)
	of := map[string]*filed{}
	for i := range filings {
		if f := &filings[i]; b.counts(&f.Filing) {
			of[f.Accession] = f
		}
	}
	return of, err
}

// Office is where versions of one adviser say that it sits; the rest of the adviser is left out.
func Office(versions []AdviserVersion) (a Adviser) {
	newestFirst(versions)
	a.foldOffice(versions, baseOf(versions), nil)
	return a
}

// versionsOf reads what filings said of advisers, by their CRD numbers; those without a version are left out.
func (r *reader) versionsOf(ctx context.Context, columns string, crds []string, of map[string]*filed) (map[string][]AdviserVersion, error) {
	versions, err := r.adviserVersions(ctx, columns, crds, of)
	byCRD := map[string][]AdviserVersion{}
	for i := range versions {
		byCRD[versions[i].CRD] = append(byCRD[versions[i].CRD], versions[i])
	}
	return byCRD, err
}
