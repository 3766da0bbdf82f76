package load_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

type adviser = catalogapi.AdviserFiling

// A roster is a cut: what it does not ask is completed from what lies before it, back to the newest whole form.
func TestRosterIsCompletedFromTheForm(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(archive("a.zip",
		filing("1", "7001", "2024-03-01", "ALDER POINT LLC", raum(1e9), func(f *adviser) { f.Phone, f.LEI = new("1"), new("OLD") }),
		filing("2", "7001", "2025-03-01", "ALDER POINT LLC", raum(2e9), func(f *adviser) { f.Phone, f.EmployeeCount = new("2"), new(int64(7)) })))
	b.load(roster("r.csv", rosterRow("7001", "2025-06-01", "ALDER POINT CAPITAL LLC", raum(3e9))))
	require.Equal(t, []string{"ALDER POINT CAPITAL LLC", "3000000000", "2", "7", "BOSTON", "ROSTER-7001-20250601"},
		b.row(`SELECT legal_name, raum, phone, employee_count, city, latest_accession FROM catalog.advisers`))
	require.Equal(t, []string{"∅"}, b.row(`SELECT lei FROM catalog.advisers`), "the newer form left it blank, and a form's blank stands")
}

// Absent is never zero: what was not reported is null, a reported zero is zero.
func TestAbsentIsNotZero(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(roster("r.csv",
		rosterRow("7001", "2026-01-05", "ALDER POINT LLC", exempt),
		rosterRow("7002", "2026-01-05", "FENWICK LP", raum(0), func(f *adviser) { f.EmployeeCount, f.AdvisesFunds = new(int64(0)), new(false) }),
		rosterRow("7003", "2026-01-05", "QUILL LP", exempt, func(f *adviser) {
			f.AdvisesFunds, f.ReportedFundCount, f.ReportedFundGAV = new(true), new(int64(4)), new(int64(9e8))
		})))
	query := `SELECT total_aum, employee_count, fund_count, total_gav, total_investors, advises_funds, primary_strategy FROM catalog.advisers WHERE crd = $1`
	require.Equal(t, []string{"∅", "∅", "∅", "∅", "∅", "∅", "∅"}, b.row(query, "7001"))
	require.Equal(t, []string{"0", "0", "0", "0", "0", "false", "∅"}, b.row(query, "7002"))
	require.Equal(t, []string{"900000000", "∅", "4", "900000000", "∅", "true", "∅"}, b.row(query, "7003"))
}

// Where no list of its funds was loaded, an adviser's strategy is the type of which the roster counts most funds.
func TestStrategyOfReportedFunds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	types := func(of map[string]int64) func(*adviser) {
		return func(f *adviser) {
			f.ReportedFundTypes, f.ReportedFundCount = of, new(int64(0))
			for _, n := range of {
				*f.ReportedFundCount += n
			}
		}
	}
	b.load(archive("a.zip", filing("1", "7004", "2025-03-01", "ALDER LLC", exempt)))
	b.load(roster("r.csv",
		rosterRow("7001", "2026-01-05", "FENWICK LP", exempt, types(map[string]int64{"Venture Capital Fund": 3, "Private Equity Fund": 10, "Hedge Fund": 9})),
		rosterRow("7002", "2026-01-05", "QUILL LP", exempt, types(map[string]int64{"Venture Capital Fund": 2, "Hedge Fund": 2})),
		rosterRow("7003", "2026-01-05", "MOSSGATE LP", exempt, types(map[string]int64{"Real Estate Fund": 1})),
		rosterRow("7004", "2026-01-05", "ALDER LLC", exempt, types(map[string]int64{"Real Estate Fund": 1}))))
	require.Equal(t, [][]string{
		{"7001", "buyout", "pe_vc"},
		{"7002", "hedge", "hedge_fund"}, // as many of both: the first in alphabetical order
		{"7003", "real-estate", "real_estate"},
		{"7004", "∅", "∅"}, // its list says that it has none
	}, b.rows(`SELECT crd, primary_strategy, manager_type FROM catalog.advisers ORDER BY crd`))
	b.load(roster("s.csv",
		rosterRow("7001", "2026-02-05", "FENWICK LP", exempt, silentOn("reported_fund_types")),
		rosterRow("7003", "2026-02-05", "MOSSGATE LP", exempt, types(nil))))
	require.Equal(t, [][]string{{"7001", "buyout"}, {"7003", "∅"}}, b.rows(`SELECT crd, primary_strategy FROM catalog.advisers WHERE crd IN ('7001', '7003') ORDER BY crd`))
	list := document{name: "funds.csv", source: catalogapi.SourceFundList, filings: []*adviser{{
		Key: "7001", CRD: "7001", Submitted: day("2024-07-10"),
		Statement: catalogapi.Statement{LegalName: "FENWICK"},
	}}}
	list.funds = []*catalogapi.FundRow{fund("7001", "0000000004", "Fenwick Growth I", 1e7)}
	b.load(list)
	require.Equal(t, []string{"growth"}, b.row(`SELECT primary_strategy FROM catalog.advisers WHERE crd = '7001'`), "the funds themselves say more")
}

// An exempt reporting adviser that registers keeps its CRD, and gives up its 802 number.
func TestExemptAdviserRegisters(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(roster("era.xlsx", rosterRow("7001", "2024-03-25", "ALDER POINT LLC", exempt, func(f *adviser) {
		f.SECNumber, f.SECStatus, f.StatusDate, f.City, f.State, f.Street1, f.Country, f.Website = new("802-5"), new("ERA - Active"), new(day("2019-05-05")), new("Boston"), new("MA"), new("1 Elm"), new("United States"), new("HTTP://ALDER.EXAMPLE")
	})))
	b.load(roster("ia.csv", rosterRow("7001", "2025-12-20", "ALDER POINT LLC", raum(4e8), func(f *adviser) {
		f.SECStatus, f.StatusDate, f.City, f.State = new("Approved"), new(day("2025-11-11")), new("BOSTON"), new("MA")
	})))
	require.Equal(t, []string{"registered", "∅", "Approved", "2025-11-11", "400000000", "BOSTON", "1 Elm", "United States", "US", "http://alder.example", "2019"},
		b.row(`SELECT registration_status, sec_number, sec_status, registered_on, total_aum, city, street1, country, country_code, website, founded_year FROM catalog.advisers`))
}

// What no source states is null: the first filing held is no registration. A status that begins after the day is not read:
// a roster is newer than the filings that it lists, and as_of must not tell of what came later.
func TestRegistrationIsStated(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	status := func(on string) func(*adviser) {
		return func(f *adviser) { f.SECStatus, f.StatusDate = catalogapi.Text("Approved "+on), new(day(on)) }
	}
	b.load(archive("a.zip", filing("1", "7001", "2019-03-01", "ALDER LLC"), filing("2", "7002", "2019-03-01", "FENWICK LP")))
	b.load(roster("r.csv",
		rosterRow("7002", "2020-01-05", "FENWICK LP", raum(1), status("2012-05-05")),
		rosterRow("7003", "2020-01-05", "QUILL LP", raum(1), status("2020-02-01")),
		rosterRow("7004", "2020-01-05", "MOSSGATE LP", raum(1), status("2999-02-01"))))
	b.load(roster("s.csv",
		rosterRow("7002", "2020-02-05", "FENWICK LP", raum(1), status("2999-02-01")), rosterRow("7003", "2021-01-05", "QUILL LP", raum(1))))
	require.Equal(t, [][]string{
		{"7001", "∅", "∅", "2019", "first_filing", "2019-03-01"},
		{"7002", "2012-05-05", "Approved 2012-05-05", "2012", "registration", "2019-03-01"},
		{"7003", "2020-02-01", "Approved 2020-02-01", "2020", "registration", "2020-01-05"},
		{"7004", "∅", "∅", "2020", "first_filing", "2020-01-05"},
	}, b.rows(`SELECT crd, registered_on, sec_status, founded_year, founded_year_basis, first_filed_on FROM catalog.advisers ORDER BY crd`))
}

// An address is one: the street of an old office does not stand beside a new city, and a private residence stays blank.
func TestOfficeIsOneAddress(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.load(roster("old.xlsx",
		rosterRow("7001", "2024-01-05", "ALDER LLC", func(f *adviser) {
			f.Street1, f.City, f.State, f.PostalCode, f.Country = new("1 Elm"), new("BOSTON"), new("MA"), new("02110"), new("United States")
		}),
		rosterRow("7002", "2024-01-05", "FENWICK LP", func(f *adviser) { f.Street1, f.City, f.Country = new("2 Oak"), new("LONDON"), new("United Kingdom") }),
		rosterRow("7003", "2024-01-05", "QUILL LP", func(f *adviser) {
			f.Street1, f.City, f.State, f.PostalCode = new("3 Ash"), new("MIAMI"), new("FL"), new("33101")
		})))
	b.load(roster("new.csv",
		rosterRow("7001", "2025-01-05", "ALDER LLC", func(f *adviser) { f.City, f.State = new("MIAMI"), new("fl") }),
		rosterRow("7002", "2025-01-05", "FENWICK LP", func(f *adviser) { f.City = new("London") }),
		rosterRow("7003", "2025-01-05", "QUILL LP", func(f *adviser) { f.PrivateResidence = new(true) })))
	query := `SELECT street1, city, state, postal_code, country, country_code, private_residence FROM catalog.advisers WHERE crd = $1`
	require.Equal(t, []string{"∅", "MIAMI", "FL", "∅", "United States", "US", "∅"}, b.row(query, "7001"))
	require.Equal(t, []string{"2 Oak", "London", "∅", "∅", "United Kingdom", "GB", "∅"}, b.row(query, "7002"))
	require.Equal(t, []string{"∅", "∅", "∅", "∅", "∅", "∅", "true"}, b.row(query, "7003"))
}

// Without the filing-types table an amendment is annual when it comes within 90 days after the fiscal year's end.
func TestAmendmentType(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	ending := func(month string) func(*adviser) {
		return func(f *adviser) { f.FiscalYearEnd = catalogapi.Text(month) }
	}
	b.load(archive("a.zip",
		filing("1", "7001", "2023-07-01", "ALDER LLC", ending("DECEMBER")),
		filing("2", "7001", "2024-01-01", "ALDER LLC"),
		filing("3", "7001", "2024-03-30", "ALDER LLC", ending("December")),
		filing("4", "7001", "2024-03-31", "ALDER LLC", ending("DECEMBER")),
		filing("5", "7001", "2024-12-31", "ALDER LLC", ending("DECEMBER")),
		filing("6", "7002", "2024-05-01", "FENWICK LP"),
		filing("7", "7002", "2025-02-01", "FENWICK LP"),
		filing("8", "7003", "2023-01-01", "QUILL LP", ending("JUNE")),
		filing("9", "7003", "2024-09-28", "QUILL LP", ending("JUNE"))))
	require.Equal(t, [][]string{
		{"1", "initial"},
		{"2", "annual"},
		{"3", "annual"},
		{"4", "material"},
		{"5", "material"},
		{"6", "initial"},
		{"7", "material"},
		{"8", "initial"},
		{"9", "annual"},
	}, b.rows(`SELECT filing_id, amendment_type FROM catalog.filings ORDER BY filing_id`))
}

// One organization is the advisers with one website domain and one name stem; its id is the smallest CRD as a number.
func TestCanonicalGroups(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	site := func(url string) func(*adviser) { return func(f *adviser) { f.Website = catalogapi.Text(url) } }
	groups := func() map[string]string {
		out := map[string]string{}
		for _, r := range b.rows(`SELECT crd, canonical_gp_id FROM catalog.advisers`) {
			out[r[0]] = r[1]
		}
		return out
	}
	b.load(archive("1.zip",
		filing("1", "10001", "2025-01-01", "ALDER POINT CAPITAL LLC", site("https://alderpoint.example.com")),
		filing("2", "20001", "2025-01-01", "Alder Point Real Estate Advisors, L.P.", site("www.example.com/re")),
		filing("3", "30001", "2025-01-01", "FENWICK LP", site("https://example.com")),
		filing("4", "40001", "2025-01-01", "ALDER POINT GROUP", site("https://alderpoint.wixsite.com/home"))))
	require.Equal(t, map[string]string{"10001": "10001", "20001": "10001", "30001": "30001", "40001": "40001"}, groups())
	b.load(archive("2.zip", filing("5", "9999", "2025-02-01", "ALDER POINT LLC", site("https://example.com"))))
	require.Equal(t, map[string]string{"9999": "9999", "10001": "9999", "20001": "9999", "30001": "30001", "40001": "40001"}, groups())
	b.load(archive("3.zip", filing("6", "9999", "2025-03-01", "SOMEBODY ELSE LLC", site("https://example.com"))))
	require.Equal(t, map[string]string{"9999": "9999", "10001": "10001", "20001": "10001", "30001": "30001", "40001": "40001"}, groups())
}
