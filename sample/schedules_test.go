package sample_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// childHeaders are the further tables and their columns as the regulator orders them. Of the disclosure pages the real
// width is known, and the columns that are read.
var childHeaders = []struct{ table, columns string }{
	{"Schedule_A_B", `FilingID|SchA-3|Schedule|Full Legal Name|DE/FE/I|Entity in Which|Title or Status|Status Acquired|Ownership Code|Control Person|PR|OwnerID`},
	{"Schedule_D_1F", `FilingID|Street 1|Street 2|City|State|Country|Postal Code|Private Residence|Telephone Number|Facsimile Number|` +
		`Branch Number|Employees|BD|Bank|Insurance|Commodity|Municipal|Accounting|Law|Other`},
	{"1D3_CIK", `FilingID|CIK`},
	{"1E2_Additional_CRD", `FilingID|CRDNumber`},
	{"Schedule_D_7A", `FilingID|ReferenceID|Legal Name|Business Name|SEC Number or Other|CRD Number|Type|5a|5b|5c|5d|5e|5f|5g|5h|5i|5j|5k|5l|5m|5n|5o|5p|` +
		`Control/Controlled|Common Control|Custodian|Exam Exempt|Street 1|Street 2|City|State|Country|Postal Code|Private Residence|` +
		`IA Exempt|Exemption|Foreign Registered|Share Persons|Share Location`},
	{"Schedule_D_7B2", `FilingID|Fund Name|Fund ID|Adviser Name|Adviser SEC Number|Clients Solicited?`},
	{"Schedule_D_7B1A3a", `FilingID|ReferenceID|Name of Partner, etc.`},
	{"Schedule_D_7B1A6b", `FilingID|ReferenceID|Private Fund Name|Fund ID`},
	{"Schedule_D_7B1A7", `FilingID|ReferenceID|SubreferenceID|Private Fund Name|Fund ID|State|Country|3(c)(1) Exclusion|3(c)(7) Exclusion`},
	{"Schedule_D_7B1A24", `FilingID|ReferenceID|Name of Prime Broker|SEC Number|CRD Number|City|State|Country|Custodian`},
	{"Schedule_D_7B1A25", `FilingID|ReferenceID|Legal Name of Custodian|Primary Business Name|City|State|Country|Related Person|SEC Number|Legal Entity Identifier`},
	{"Schedule_D_7B1A26", `FilingID|ReferenceID|Name of Administrator|City|State|Country|Related Person|Statements|Who Sends Statements`},
	{"Schedule_D_7B1A28", `FilingID|ReferenceID|SubreferenceID|Related Person|Name of Marketer|SEC Number|CRD Number|City|State|Country|Websites`},
	{"Schedule_D_7B1A28_websites", `FilingID|ReferenceID|SubreferenceID|Website Address`},
	{"DRP_Criminal", ``},
	{"DRP_Regulatory", ``},
	{"DRP_Civil_Judicial", ``},
	{"DRP_Advisory_Affiliates", `FilingID|ReferenceID|Disclosure Type|CRD Number|Affiliate Type|Registered|Affiliate Name`},
}

func childTables() []string {
	var list []string
	for _, h := range childHeaders {
		list = append(list, "IA_"+h.table, "ERA_"+h.table)
	}
	return list
}

func TestTheFurtherHeadersAreTheRegulators(t *testing.T) {
	t.Parallel()
	for i, a := range theSmallOne(t).archives {
		headers := map[string][]string{}
		for _, m := range a.members {
			headers[m.table] = m.header
		}
		for _, kind := range []string{"IA_", "ERA_"} {
			require.Len(t, headers[kind+"DRP_Criminal"], 26)
			require.Len(t, headers[kind+"DRP_Regulatory"], 54)
			require.Len(t, headers[kind+"DRP_Civil_Judicial"], 44)
			require.Subset(t, headers[kind+"DRP_Criminal"], strings.Split("Filed Against|Court|Date First Charged|Event Detail|Felony|Status|Disposition|Summary", "|"))
			require.Subset(t, headers[kind+"DRP_Civil_Judicial"], strings.Split("Filed Against|Initiated By|Court|Relief Sought|Filing Date|Principal Product|"+
				"Allegations|Status|Resolution Type|Resolution Date|Monetary Amount|Bar|Other Sanctions|Sanction Detail|Summary", "|"))
			require.Subset(t, headers[kind+"DRP_Regulatory"], strings.Split("Initial/Amended|11.C(1)|11.G.|Filed Against|Initiator Type|Initiated By|"+
				"Principal Sanction|Other Sanctions|Date Initiated|Case Number|Employing Firm|Principal Product|Allegations|Status|Resolution|Resolution Date|"+
				"Monetary Sanction|Monetary Amount|Revocation/Expulsion/Denial|Censure|Bar|Disgorgement/Restitution|Cease and Desist/Injunction|Suspension|"+
				"Other Sanctions Ordered|Sanction Detail|Summary", "|"))
			if i == 0 {
				require.Contains(t, headers[kind+"Schedule_A_B"], "Owner ID")
				require.Contains(t, headers[kind+"DRP_Regulatory"], "Reference ID")
				continue
			}
			for _, h := range childHeaders {
				if h.columns != "" {
					require.Equal(t, strings.Split(h.columns, "|"), headers[kind+h.table], h.table)
				}
			}
		}
	}
}

// Every row of every table belongs to a filing of its own archive, and to a fund of that filing where it speaks of one.
func TestEveryChildHasItsParents(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	rows, joined := 0, 0
	for _, a := range c.archives {
		for _, m := range a.members {
			rows += len(m.rows)
		}
	}
	for _, f := range c.filings {
		funds := map[string]record{}
		for _, r := range f.funds {
			funds[r["ReferenceID"]] = r
		}
		pages := map[string]bool{}
		for _, table := range []string{"DRP_Criminal", "DRP_Regulatory", "DRP_Civil_Judicial"} {
			for _, r := range f.children[table] {
				require.False(t, pages[r["ReferenceID"]])
				pages[r["ReferenceID"]] = true
			}
		}
		for table, list := range f.children {
			joined += len(list)
			for _, r := range list {
				switch {
				case strings.HasPrefix(table, "Schedule_D_7B1A"):
					require.Contains(t, funds, r["ReferenceID"], "%s of filing %s", table, f.record["FilingID"])
				case table == "DRP_Advisory_Affiliates":
					require.True(t, pages[r["ReferenceID"]])
				}
			}
		}
		answers := map[string]string{"Prime Brokers": "Schedule_D_7B1A24", "Custodians": "Schedule_D_7B1A25", "Administrator": "Schedule_D_7B1A26", "Marketing": "Schedule_D_7B1A28"}
		for column, table := range answers {
			for reference, r := range funds {
				named := slices.ContainsFunc(f.children[table], func(c record) bool { return c["ReferenceID"] == reference })
				require.Equal(t, r[column] == "Y", named, "%s of %s", column, r["Fund Name"])
			}
		}
		require.Equal(t, len(pages) > 0, f.record["11"] == "Y")
		require.Len(t, f.children["Schedule_D_1F"], int(f.number(t, "1F5")))
	}
	require.Equal(t, rows, joined, "all rows were found by their filing")
}

func TestRatiosAreLikeTheRealOnes(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	rows := map[string]int{}
	for _, f := range c.filings {
		for table, list := range f.children {
			rows[table] += len(list)
		}
	}
	filings, funds := float64(len(c.filings)), float64(c.summary.FundRows)
	require.InDelta(t, 5.2, float64(rows["Schedule_A_B"])/filings, 1.2)
	providers := 0
	for _, table := range []string{"3a", "24", "25", "26", "28"} {
		require.Positive(t, rows["Schedule_D_7B1A"+table])
		providers += rows["Schedule_D_7B1A"+table]
	}
	require.InDelta(t, 1.2, float64(providers)/funds, 0.25)
	for _, h := range childHeaders {
		require.Positive(t, rows[h.table], h.table)
	}
	require.Greater(t, rows["DRP_Regulatory"], 5*rows["DRP_Criminal"])
	require.Greater(t, rows["DRP_Criminal"], rows["DRP_Civil_Judicial"])
	require.Greater(t, rows["DRP_Advisory_Affiliates"], rows["DRP_Regulatory"]/3)
}

// A matter stands in every later filing under one reference, and a few firms have most.
func TestDisclosuresAreToldAgain(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	firms, several, pages := 0, 0, 0
	for _, all := range c.byCRD {
		var before []string
		for _, f := range all {
			var now []string
			affiliates := map[string]int{}
			for _, r := range f.children["DRP_Advisory_Affiliates"] {
				affiliates[r["ReferenceID"]]++
			}
			for _, r := range f.children["DRP_Regulatory"] {
				now = append(now, r["ReferenceID"])
				require.Equal(t, r["Filed Against"] != "Firm", affiliates[r["ReferenceID"]] > 0)
				require.Regexp(t, `^\d\d/\d\d/\d{4}$`, r["Date Initiated"])
			}
			for _, n := range affiliates {
				pages++
				if n > 1 {
					several++
				}
			}
			require.Subset(t, now, before)
			before = now
		}
		if len(before) > 0 {
			firms++
		}
	}
	require.Positive(t, firms)
	require.Less(t, firms, 30)
	require.InDelta(t, 137, several*1000/pages, 60, "per mille of the pages with affiliates have several")
}
