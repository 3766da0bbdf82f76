package history_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/database"
)

// evidence is every stored version by what it is of, as JSON objects of its columns.
type evidence struct {
	filings, advisers, notices map[string]map[string]any
	funds                      map[[2]string]map[string]any
}

func readEvidence(t *testing.T, db *database.DB) evidence {
	t.Helper()
	e := evidence{funds: map[[2]string]map[string]any{}}
	read := func(table string) map[string]map[string]any {
		out := map[string]map[string]any{}
		err := db.Conn(t.Context(), func(c *pgx.Conn) error {
			rows, err := c.Query(t.Context(), "SELECT accession, to_jsonb(v)::text FROM catalog."+table+" v")
			if err != nil {
				return err
			}
			var accession, text string
			_, err = pgx.ForEachRow(rows, []any{&accession, &text}, func() error {
				columns := map[string]any{}
				if err := json.Unmarshal([]byte(text), &columns); err != nil {
					return err
				}
				if id, ok := columns["fund_id"].(string); ok {
					e.funds[[2]string{id, accession}] = columns
				}
				out[accession] = columns
				return nil
			})
			return err
		})
		require.NoError(t, err)
		return out
	}
	e.filings, e.advisers, e.notices = read("filings"), read("adviser_versions"), read("offerings")
	read("fund_versions")
	return e
}

// plain are the fields of an adviser that one version says as they are.
var plain = slices.DeleteFunc(catalogapi.ColumnNames[catalogapi.Statement](), func(field string) bool { return field == "country" || field == "raum" })

// Each value of a detail comes from the very filing that its provenance names, and each value has one.
func provenance(t *testing.T, p *past) {
	t.Helper()
	said := readEvidence(t, p.db)
	checked := map[string]int{}
	for _, then := range p.states {
		for _, crd := range crds {
			current := p.last().advisers[crd]
			require.NotNil(t, current)
			state, err := p.store.AdviserAt(t.Context(), current, asOf(then.day))
			require.NoError(t, err)
			if state != nil {
				checkAdviser(t, state, said, checked)
			}
		}
		for _, id := range fundIDs {
			current := p.last().funds[id]
			if current == nil {
				continue
			}
			f, err := p.store.FundAt(t.Context(), current, asOf(then.day))
			require.NoError(t, err)
			if f != nil {
				require.Equal(t, said.advisers[f.Provenance["adviser_name"].Accession]["legal_name"], f.AdviserName)
				require.False(t, f.Provenance["adviser_name"].FilingDate.After(then.day))
				delete(f.Provenance, "adviser_name")
				checkFund(t, &f.Fund, f.Provenance, said, checked)
			}
		}
	}
	for _, field := range append(slices.Clone(plain),
		"country", "registration_status", "registered_on", "total_aum", "primary_strategy", "manager_type", "fund_count", "total_gav",
		"total_investors", "first_seen", "founded_year", "founded_year by Form D", "founded_year_basis registration", "founded_year_basis first_filing", "withdrawn_on", "first_filing_date", "latest_filing_date", "latest_filing_date by Form D",
		"exemptions", "vintage_year by Form D", "vintage_year", "peak_gross_asset_value", "status", "status closed", "gross_asset_value", "newest of the summed",
		"owners that are stated", "strategy of reported funds",
	) {
		filed := func(v map[string]any) bool { return v[field] != nil }
		if !slices.Contains(plain, field) || slices.ContainsFunc(slices.Collect(maps.Values(said.advisers)), filed) {
			require.Positive(t, checked[field], field)
		}
	}
}

// jsonOf is a value as JSON reads it back.
func jsonOf(t *testing.T, v any) (out any) {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

func checkAdviser(t *testing.T, state *fold.State, said evidence, checked map[string]int) {
	t.Helper()
	open := map[string]bool{} // the newest filings of its funds that are not closed
	var newest time.Time
	for i := range state.Funds {
		if f := &state.Funds[i]; f.Status != "closed" {
			open[f.LatestAccession] = true
			if f.LatestFiledOn.After(newest) {
				newest = f.LatestFiledOn
			}
		}
	}
	if len(open) > 0 {
		checked["newest of the summed"]++
		require.Equal(t, newest, state.Provenance["fund_count"].FilingDate)
	}
	fields := gp.Fields(&state.Adviser)
	values := map[string]any{}
	for _, f := range fields {
		by, ok := state.Provenance[f.Name]
		require.Equal(t, f.Value != nil, ok, "%s %v of %s", f.Name, f.Value, state.CRD)
		if !ok {
			continue
		}
		checked[f.Name]++
		values[f.Name] = f.Value
		filing, version := said.filings[by.Accession], said.advisers[by.Accession]
		if notice := said.notices[by.Accession]; notice != nil && f.Name == "founded_year_basis" {
			require.Equal(t, "first_filing", f.Value)
			continue
		} else if notice != nil && f.Name == "founded_year" { // a fund's first sale
			checked["founded_year by Form D"]++
			require.Equal(t, f.Value, int64(date(notice["first_sale"].(string)).Year()))
			continue
		}
		if notice := said.notices[by.Accession]; notice != nil && f.Name == "latest_filing_date" {
			checked["latest_filing_date by Form D"]++
			require.Equal(t, notice["filing_date"], f.Value)
			continue
		}
		require.NotNil(t, filing, "%s from %s", f.Name, by.Accession)
		require.Equal(t, filing["form_type"], by.FormType)
		require.Equal(t, filing["filing_date"], by.FilingDate.Format(time.DateOnly))
		switch {
		case slices.Contains(plain, f.Name):
			require.Equal(t, version[f.Name], jsonOf(t, f.Value), "%s from %s", f.Name, by.Accession)
		case f.Name == "country" || f.Name == "country_code":
			if version["country"] == nil {
				require.NotNil(t, version["state"], "a country without a name is told from the state")
			} else if f.Name == "country" && (version["state"] == nil || f.Value != "United States") {
				require.Equal(t, version["country"], f.Value) // the state may be from this version, and a newer one's country blank
			}
		case f.Name == "registration_status":
			require.Equal(t, version["registration"], f.Value)
		case f.Name == "registered_on":
			require.Equal(t, version["status_date"], f.Value)
		case f.Name == "first_filing_date", f.Name == "first_seen", f.Name == "latest_filing_date", f.Name == "withdrawn_on":
			require.Equal(t, filing["filing_date"], f.Value)
		case f.Name == "total_aum" && (state.RegistrationStatus == nil || *state.RegistrationStatus == "registered"):
			require.Equal(t, version["raum"], jsonOf(t, f.Value))
		case f.Name == "founded_year_basis":
			checked["founded_year_basis "+f.Value.(string)]++
			if f.Value == "registration" {
				require.Equal(t, strconv.FormatInt(values["founded_year"].(int64), 10), version["status_date"].(string)[:4])
			} else if state.RegisteredOn != nil {
				require.Greater(t, int64(state.RegisteredOn.Year()), values["founded_year"])
			}
		case f.Name == "founded_year":
			year := func(day any) any {
				text, _ := day.(string)
				return text[:min(4, len(text))]
			}
			require.Contains(t, []any{year(filing["filing_date"]), year(version["status_date"])}, strconv.FormatInt(f.Value.(int64), 10))
		case (f.Name == "primary_strategy" || f.Name == "manager_type") && version["reported_fund_types"] != nil && !open[by.Accession]:
			checked["strategy of reported funds"]++
			require.Empty(t, state.Funds)
		case f.Name == "total_investors" && len(open) > 0:
			checked["owners that are stated"]++
			require.True(t, slices.ContainsFunc(state.Funds, func(of fold.Fund) bool {
				v := said.funds[[2]string{of.FundID, by.Accession}]
				return of.Status != "closed" && v != nil && v["beneficial_owners_count"] != nil
			}), "owners from %s", by.Accession)
		default: // sums over funds, or what stands in for them
			reported := map[string]string{"fund_count": "reported_fund_count", "total_gav": "reported_fund_gav", "total_aum": "reported_fund_gav"}[f.Name]
			none := jsonOf(t, f.Value) == 0.0 && // no funds have no value, whatever else the filing says
				(filing["funds_listed"] == true || version["advises_funds"] == false || version["reported_fund_count"] == 0.0)
			require.True(t, open[by.Accession] || none || version[reported] != nil && version[reported] == jsonOf(t, f.Value),
				"%s %v from %s", f.Name, f.Value, by.Accession)
		}
	}
	require.Len(t, state.Provenance, len(values), "provenance of what is not shown")
}

// checkTold checks where what is told from a fund's columns comes from: the newest version, or who last stated the column.
func checkTold(t *testing.T, f *fold.Fund, field, accession string, version map[string]any) {
	t.Helper()
	if accession == f.LatestAccession {
		return
	}
	switch field {
	case "jurisdiction":
		require.Contains(t, []any{version["state"], version["country"]}, *f.Jurisdiction)
	case "country_code":
		require.True(t, version["country"] != nil || version["state"] != nil)
	case "has_auditor":
		require.True(t, version["auditors"] != nil || version["annual_audit"] != nil)
	}
}

func checkFund(t *testing.T, f *fold.Fund, said fold.Provenance, all evidence, checked map[string]int) {
	t.Helper()
	known := 0
	for _, field := range fund.Fields(&index.Holder{}, f) {
		by, ok := said[field.Name]
		if field.Name == "exemptions" {
			require.Equal(t, len(f.Exemptions) > 0, ok)
		} else {
			require.Equal(t, field.Value != nil, ok, "%s %v of %s", field.Name, field.Value, f.FundID)
		}
		if !ok {
			continue
		}
		known++
		checked[field.Name]++
		notice, filing, version := all.notices[by.Accession], all.filings[by.Accession], all.funds[[2]string{f.FundID, by.Accession}]
		column := map[string]string{"peak_gross_asset_value": "gross_asset_value"}[field.Name]
		if column == "" {
			column = field.Name
		}
		switch field.Name {
		case "exemptions":
			require.NotEmpty(t, notice["exemptions"])
		case "vintage_year", "vintage_source", "vintage_quality":
			require.Equal(t, f.VintageQuality == catalogapi.VintageList, strings.HasPrefix(by.Accession, "LIST-"), "%s from %s", field.Value, by.Accession)
			if f.VintageQuality == catalogapi.VintageFormD {
				checked[field.Name+" by Form D"]++
				require.Equal(t, f.VintageYear, int64(date(notice["first_sale"].(string)).Year()))
			} else {
				require.Equal(t, f.VintageYear, int64(date(filing["filing_date"].(string)).Year()))
			}
		case "first_filing_date", "latest_filing_date":
			require.Equal(t, filing["filing_date"], field.Value)
			require.NotNil(t, version)
		case "status":
			if f.Status == "closed" {
				checked["status closed"]++
				require.Nil(t, version, "the list that closes a fund does not name it")
				require.Equal(t, true, filing["funds_listed"])
			}
		case "adviser_crd":
			require.Equal(t, filing["crd"], field.Value)
		case "strategy":
			require.Equal(t, f.LatestAccession, by.Accession)
		case "has_auditor", "jurisdiction", "country_code":
			checkTold(t, f, field.Name, by.Accession, version)
		case "auditors", "form_d_file_numbers":
			if version[column] != nil {
				require.Equal(t, version[column], jsonOf(t, field.Value))
			} else {
				require.Empty(t, field.Value)
			}
		default:
			require.Equal(t, version[column], jsonOf(t, field.Value), "%s from %s", field.Name, by.Accession)
		}
	}
	require.Len(t, said, known, "provenance of what is not shown")
}
