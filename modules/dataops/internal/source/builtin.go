package source

// The addresses of the regulator's archives.
const (
	foia         = "https://reports.adviserinfo.sec.gov/reports/foia/"
	foiaIndex    = foia + "reports_metadata.json"
	compilations = "https://reports.adviserinfo.sec.gov/reports/CompilationReports/"
	secFiles     = "https://www.sec.gov/files/"
	rosters      = secFiles + "investment/data/information-about-registered-investment-advisers-exempt-reporting-advisers/"
)

// How old the last success may be: a missed day is no alarm, two more are; of what is weekly, a missed week and another.
const (
	dailyWarn, dailyStale   = "36h", "96h"
	weeklyWarn, weeklyStale = "216h", "384h"
)

// Builtin returns the sources that need no configuration, in the order in which they are best loaded.
//
// The schedules are for the small hours of the publisher's day, apart from each other. The archive of the past never
// changes and is fetched by hand. Form ADV and ADV-W months are restated in place, which the index shows; of Form D
// quarters the newest two are asked for changes.
//
// Spec: not shown; the names of rosters changed over the years (formats.md §4). Today's pattern is tried for the
// first days of each of the last three months. Older rosters, and those with other names, are loaded by hand.
func Builtin() []Definition {
	return []Definition{
		{
			Name: "adv-history", Title: "Form ADV Part 1, 2011–2024", Kind: KindList,
			Addresses: []string{secFiles + "adv-filing-data-20111105-20241231-part1.zip", secFiles + "adv-filing-data-20111105-20241231-part2.zip"},
		},
		{
			Name: "adv-monthly", Title: "Form ADV Part 1, filings of each month since 2025", Kind: KindIndex,
			Index: foiaIndex, Key: "advFilingData", Addresses: []string{foia + "{key}/{year}/{file}"}, Schedule: "15 7 * * *", WarnAfter: dailyWarn, StaleAfter: dailyStale,
		},
		{
			Name: "advw", Title: "Form ADV-W, withdrawals", Kind: KindIndex,
			Index: foiaIndex, Key: "advW", Addresses: []string{foia + "{key}/{year}/{file}"}, Schedule: "45 7 * * *", WarnAfter: dailyWarn, StaleAfter: dailyStale,
		},
		{
			Name: "rosters", Title: "monthly rosters of registered and exempt reporting advisers", Kind: KindPeriods,
			Every: EveryMonth, Last: 3, Days: []int{1, 2, 3, 4, 5},
			Addresses: []string{rosters + "ia{mm}{dd}{yy}.zip", rosters + "ia{mm}{dd}{yy}-exempt.zip"}, Schedule: "15 8 * * 2", WarnAfter: weeklyWarn, StaleAfter: weeklyStale,
		},
		{
			Name: "iapd-firm-feed", Title: "IAPD's daily compilation of firms, SEC and states", Kind: KindManifest,
			Index: compilations + "CompilationReports.manifest.json", Addresses: []string{compilations + "{file}"},
			Match:    []string{`^IA_FIRM_SEC_Feed_\d{2}_\d{2}_\d{4}\.xml\.gz$`, `^IA_FIRM_STATE_Feed_\d{2}_\d{2}_\d{4}\.xml\.gz$`},
			Schedule: "30 10 * * *", WarnAfter: dailyWarn, StaleAfter: dailyStale,
		},
		{
			Name: "form-d", Title: "Form D data sets, by quarter", Kind: KindPeriods, Every: EveryQuarter, From: "2008-01",
			Addresses: []string{secFiles + "structureddata/data/form-d-data-sets/{yyyy}q{q}_d.zip"}, Schedule: "45 8 * * 1", WarnAfter: weeklyWarn, StaleAfter: weeklyStale,
		},
	}
}
