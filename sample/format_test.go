package sample_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The columns of Schedule D 7.B.(1) and its children as the regulator orders them.
const (
	fundColumns = `FilingID, Fund Name, Fund ID, ReferenceID, State, Country, 3(c)(1) Exclusion, 3(c)(7) Exclusion, Master Fund, Feeder Fund, ` +
		`Master Fund Name, Master Fund ID, Fund of Funds, Fund Invested Self or Related, Fund Invested in Securities, Fund Type, Fund Type Other, ` +
		`Gross Asset Value, Minimum Investment, Owners, %Owned You or Related, %Owned Funds, Sales Limited, %Owned Non-US, Subadviser, ` +
		`Other IAs Advise, Clients Solicited, Percentage Invested, Exempt from Registration, Annual Audit, GAAP, FS Distributed, ` +
		`Unqualified Opinion, Prime Brokers, Custodians, Administrator, % Assets Valued, Marketing`
	auditorColumns = `FilingID, ReferenceID, Name of Auditing Firm, City, State, Country, Independent, PCAOB Registered, PCAOB Number, PCAOB Inspected`
	item1Columns   = `FilingID, FormVersion, DateSubmitted, 1A, 1B1, 1C-Legal, 1C-Business, 1C-New Name, 1D, 1E1, 1F1-Street 1, 1F1-Street 2, ` +
		`1F1-City, 1F1-State, 1F1-Country, 1F1-Postal, 1F1-Private, 1F2-M-F, 1F2-Other, 1F2-Hours, 1F3, 1F4, 1F5`
)

var tablesInAnArchive = append([]string{
	"ADV_Filing_Types", "IA_ADV_Base_A", "IA_ADV_Base_B", "IA_Schedule_D_1I", "IA_Schedule_D_7B1", "IA_Schedule_D_7B1A22",
	"IA_Schedule_D_7B1A23", "ERA_ADV_Base", "ERA_Schedule_D_1I", "ERA_Schedule_D_7B1", "ERA_Schedule_D_7B1A22", "ERA_Schedule_D_7B1A23",
}, childTables()...)

func TestTheArchivesAreOneForTheYearsBeforeAndOneAMonth(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	require.Len(t, c.archives, 23)
	require.Equal(t, "ADV_Filing_Data_20120101_20241231.zip", c.archives[0].name)
	require.Equal(t, "ADV_Filing_Data_20250101_20250131.zip", c.archives[1].name)
	require.Equal(t, "ADV_Filing_Data_20261001_20261031.zip", c.archives[22].name)
	for i, a := range c.archives {
		require.Equal(t, "ADV_Filing_Data_"+a.from+"_"+a.to+".zip", a.name)
		require.NotEmpty(t, a.table("ADV_Filing_Types"))
		to, err := time.Parse("20060102", a.to)
		require.NoError(t, err)
		var tables []string
		for _, m := range a.members {
			require.Regexp(t, memberName, m.name)
			require.Equal(t, i == 0, strings.Contains(m.name, "/"), "the oldest archive keeps its members in a folder")
			require.True(t, m.modified.Equal(to.Add(45*time.Hour)), "times come from the period, not from the clock: %s", m.modified)
			tables = append(tables, m.table)
		}
		require.Equal(t, tablesInAnArchive, tables)
	}
}

func TestHeadersAreTheRegulators(t *testing.T) {
	t.Parallel()
	split := func(s string) []string { return strings.Split(s, ", ") }
	for i, a := range theSmallOne(t).archives {
		headers := map[string][]string{}
		for _, m := range a.members {
			headers[m.table] = m.header
		}
		require.Len(t, headers["IA_ADV_Base_A"], 243)
		require.Len(t, headers["ERA_ADV_Base"], 111)
		require.Len(t, headers["IA_Schedule_D_7B1"], 38)
		require.NotContains(t, headers["ERA_ADV_Base"], "5F2c")
		if i == 0 {
			require.Contains(t, headers["IA_ADV_Base_A"], "5F2C")
			require.Contains(t, headers["IA_ADV_Base_A"], "1E")
			require.Contains(t, headers["ERA_Schedule_D_7B1"], "Reference ID")
			continue
		}
		for _, kind := range []string{"IA", "ERA"} {
			require.Equal(t, split(fundColumns), headers[kind+"_Schedule_D_7B1"])
			require.Equal(t, split(auditorColumns), headers[kind+"_Schedule_D_7B1A23"])
			require.Equal(t, []string{"FilingID", "ReferenceID", "Form D File Number"}, headers[kind+"_Schedule_D_7B1A22"])
			require.Equal(t, []string{"FilingID", "Website"}, headers[kind+"_Schedule_D_1I"])
		}
		item1 := split(item1Columns)
		require.Equal(t, item1, headers["IA_ADV_Base_A"][:len(item1)])
		require.Equal(t, item1, headers["ERA_ADV_Base"][:len(item1)])
		for _, column := range split("1I, 1L, 1M, 1N, 1O, 1P, 5A, 5B1, 5B6, 5C2, 5D1a, 5D1n, 5E7-Other, 5F1, 5F2a, 5F2b, 5F2c, 5F2f, 5F3, 5G12, 6A14, 7A16, 7B, 9A1a, 9F, 11, 11H1c, Title") {
			require.Contains(t, headers["IA_ADV_Base_A"], column)
		}
		require.Subset(t, headers["IA_ADV_Base_B"], split("FilingID, 2A1, 2A13, 2-NY, 2-WI, 3A, 3A-Other, 3B, 3C-State, 3C-Country"))
	}
}

// Real archives differ in encoding, in the shape of dates and in care with quotes; so do these, where a reader can tell.
func TestDialectsVary(t *testing.T) {
	t.Parallel()
	shapes := map[string]*regexp.Regexp{
		"full":  regexp.MustCompile(`^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d [AP]M$`),
		"short": regexp.MustCompile(`^\d{1,2}/\d{1,2}/\d{4}$`),
		"time":  regexp.MustCompile(`^\d{1,2}/\d{1,2}/\d{4} \d{1,2}:\d\d$`),
	}
	seen := map[string]int{}
	for i, a := range theSmallOne(t).archives {
		inUTF8, accents := true, false
		for _, m := range a.members {
			inUTF8 = inUTF8 && utf8.Valid(m.raw)
			accents = accents || bytes.ContainsFunc(m.raw, func(r rune) bool { return r > 0x7f && r != '\ufeff' })
			require.Equal(t, i == 8, bytes.HasPrefix(m.raw, []byte("\ufeff")), m.name)
			require.True(t, bytes.HasSuffix(m.raw, []byte("\r\n")))
		}
		if i == 0 || i == 2 {
			require.True(t, accents, "%s has no name with accents: nothing tells its encoding", a.name)
		}
		require.Equal(t, i != 0 && i != 2, inUTF8, a.name)
		for _, base := range []string{"IA_ADV_Base_A", "ERA_ADV_Base"} {
			for _, r := range a.table(base) {
				for name, shape := range shapes {
					if shape.MatchString(r["DateSubmitted"]) {
						seen[name]++
						if i > 8 {
							require.Equal(t, "full", name)
						}
					}
				}
			}
		}
	}
	require.Len(t, seen, 3)
}

// Text stands in quotes, numbers do not, and quotes inside text are not escaped.
func TestTextIsQuotedAndNumbersAreBare(t *testing.T) {
	t.Parallel()
	fund := regexp.MustCompile(`^\d+,"[^\r]+",805-\d{10},\d+,"[A-Za-z ]*","[A-Za-z ]+","[YN]","[YN]","[YN]","[YN]",".*",(?:""|805-\d{10}),"[YN]","","N","[A-Z][a-z A-Z]+",".*",\d+,\d+,\d+,\d+,\d+,"[YN]",\d+,`)
	inner, breaks := 0, 0
	for _, a := range theSmallOne(t).archives {
		for _, m := range a.members {
			lines := strings.Split(strings.TrimSuffix(string(m.raw), "\r\n"), "\r\n")
			if m.table == "IA_Schedule_D_7B1" && utf8.Valid(m.raw) {
				for _, line := range lines[1:] {
					require.Regexp(t, fund, line)
				}
			}
			breaks += len(lines) - 1 - len(m.rows)
			for _, r := range m.rows {
				if strings.Contains(r["1A"], `"`) && utf8.Valid(m.raw) {
					inner++
					require.Contains(t, string(m.raw), `,"`+r["1A"]+`",`)
				}
			}
		}
	}
	require.Positive(t, inner, "some name has quotes inside")
	require.Positive(t, breaks, "some text has a line break inside")
}
