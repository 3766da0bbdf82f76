package parse_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

const (
	partOne = "adv-filing-data-20111105-20241231-part1.zip"
	partTwo = "adv-filing-data-20111105-20241231-part2.zip"
	whole   = "_20111105_20241231.csv"
)

// history is the archive of the years 2011 to 2024 in small: members in a folder named like the zip, tables cut into date
// ranges, headers and the charset of those years.
func history() (one, two files) {
	in := func(archive string, members files) files {
		return renamed(members, strings.TrimSuffix(archive, ".zip")+"/")
	}
	one = in(partOne, files{
		"IA_ADV_Base_A_20111105_20171231.csv": table(`Filing Id,DateSubmitted,1A,1B,1E,5F2C,5D1,1F1-City`,
			"900001,02/19/2012,\"ALDERMOOR\",\"ALDERMOOR CAF\xc9\",4711,\"1,000,000.00\",Y,M\xdcNCHEN"),
		"IA_ADV_Base_A_20180101_20241231.csv": table(`FilingID,DateSubmitted,1A,1B1,1E1,5F2c,5D1a,1F1-City`,
			`900002,2/19/2018 7:44,"ALDERMOOR","ALDERMOOR CAFÉ",4711,2000000,12,MÜNCHEN`),
		"ERA_ADV_Base" + whole:                    table(`Filing ID,DateSubmitted,1A,1E`, `800001,03/01/2012,KATABATIC,4712`),
		"IA_Schedule_A_B_20111105_20151231.csv":   table(strings.ReplaceAll(ownerHeader, "ID", " ID"), "900001,\"Y\",\"A\",\"QUIMB\xc9, OSWIN\",\"I\",\"\",\"MEMBER\",\"May-12\",\"A\",\"Y\",\"N\",1000018"),
		"IA_Schedule_A_B_20160101_20241231.csv":   table(ownerHeader, `900002,"Y","A","QUIMBÉ, OSWIN","I","","MEMBER","05/2012","A","Y","N",1000018`),
		"IA_DRP_Regulatory_20111105_20151231.csv": table(`Filing ID,11C1,11H1a,Reference ID,Filed Against`, `900001,Y,N,5,"Firm"`),
		"IA_DRP_Regulatory_20160101_20201231.csv": table(`FilingID,11.C(1),11.H(1)(a),ReferenceID,Filed Against`, `900002,Y,Y,5,"Firm"`),
		"IA_DRP_Regulatory_20210101_20241231.csv": table(`FilingID,11.C(1),11.H.(1)(a),ReferenceID,Filed Against`),
		"ERA_Schedule_D_7B1" + whole:              table(fundHeader, fundRow("800001", "KATABATIC FUND", "805-0000000007", "1", "5")),
	})
	two = in(partTwo, files{
		"IA_Schedule_D_7B1" + whole: table(fundHeader, fundRow("900001", "ALDERMOOR FUND I", "805-0000000001", "55", "1"),
			fundRow("900002", "ALDERMOOR FUND I", "805-0000000001", "55", "2")),
		// The header's comma without quotes: one column more than the rows have.
		"IA_Schedule_D_7B1A3a" + whole: table(`Filing ID,Reference ID,Name of Partner, etc.`, `900001,55,"ALDERMOOR GP"`),
		"IA_Schedule_D_7A" + whole:     table(`Filing ID,Reference ID,Legal Name,CRD Number,5(a),5(b)`, `900001,1,"ALDERMOOR BROKERS",12,Y,N`),
	})
	return one, two
}

func requireHistory(t *testing.T, c *children) {
	t.Helper()
	require.Empty(t, c.reasons())
	require.Equal(t, "adv_archive/history", c.opened.Series)
	require.Len(t, c.filings, 3)
	listed := map[string]bool{}
	for _, f := range c.filings {
		listed[f.Key] = f.FundsListed
	}
	require.Equal(t, map[string]bool{"IA:900001": true, "IA:900002": true, "ERA:800001": true}, listed)
	require.Equal(t, "ALDERMOOR CAFÉ", catalogapi.TextOf(c.filings[0].BusinessName))
	require.Equal(t, "MÜNCHEN", catalogapi.TextOf(c.filings[0].City))
	require.Equal(t, int64(1000000), *c.filings[0].RAUM)
	require.Equal(t, "ALDERMOOR CAFÉ", catalogapi.TextOf(c.filings[1].BusinessName))
	require.Len(t, c.owners, 2)
	for _, o := range c.owners {
		require.Equal(t, "QUIMBÉ, OSWIN", o.Name, "both charsets")
		require.Equal(t, [2]int{2012, 5}, [2]int{o.AcquiredYear, o.AcquiredMonth})
		require.Equal(t, "1000018", o.OwnerID)
	}
	require.Len(t, c.disclosures, 2)
	require.Equal(t, []string{"11.C(1)"}, c.disclosures[0].Items)
	require.Equal(t, []string{"11.C(1)", "11.H(1)(a)"}, c.disclosures[1].Items)
	require.Len(t, c.funds, 3)
	require.Len(t, c.providers, 1)
	require.Equal(t, "ALDERMOOR GP", c.providers[0].Name)
	require.Equal(t, []string{"a"}, c.affiliates[0].Types)
	require.Equal(t, "[filingid datesubmitted 1a 1b1 1e1 5f2c 1f1-city]", folded(c, "ia_adv_base_a"),
		"what both generations have; former names go by the present ones")
	require.Equal(t, "[filingid referenceid nameofpartner,etc.]", folded(c, "ia_schedule_d_7b1a3a"))
}

// parts writes zip archives into one folder.
func parts(t *testing.T, archives map[string]files) string {
	t.Helper()
	dir := t.TempDir()
	for name, members := range archives {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), zipped(t, members), 0o600))
	}
	return dir
}

// TestHistory reads both parts out of one folder: as zip archives, unpacked, and unpacked beside the archives.
func TestHistory(t *testing.T) {
	t.Parallel()
	one, two := history()
	zips := parts(t, map[string]files{partOne: one, partTwo: two})
	requireHistory(t, mustDrainChildren(t, zips))

	unpacked := files{}
	for _, part := range []files{one, two} {
		maps.Copy(unpacked, part)
	}
	dir := folder(t, unpacked)
	requireHistory(t, mustDrainChildren(t, dir))

	for name, members := range map[string]files{partOne: one, partTwo: two} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), zipped(t, members), 0o600))
	}
	requireHistory(t, mustDrainChildren(t, dir))
}

// TestHistoryParts: the first part alone loads without the funds that are in the second; the second alone is refused with
// the way out.
func TestHistoryParts(t *testing.T) {
	t.Parallel()
	one, two := history()
	c := mustDrainChildren(t, write(t, partOne, zipped(t, one)))
	require.Empty(t, c.reasons())
	require.Len(t, c.filings, 3)
	require.Len(t, c.funds, 1)
	for _, f := range c.filings {
		require.Equal(t, catalogapi.Registration(catalogapi.TextOf(f.Registration)) == catalogapi.ExemptReporting, f.FundsListed, "without the table of funds no list is whole")
	}
	message := refused(t, write(t, partTwo, zipped(t, two)), parse.Options{})
	require.Contains(t, message, "but not the table IA_ADV_Base_A of its filings")
	require.Contains(t, message, "put their zip files into one folder and load the folder")
}

// TestFolderOfArchives: only the parts of a cut archive are taken together, and each of them must be whole.
func TestFolderOfArchives(t *testing.T) {
	t.Parallel()
	one, two := history()
	// Other archives in the folder are inputs by themselves, whatever is in them.
	dir := parts(t, map[string]files{partOne: one, partTwo: two, "ADV_Filing_Data_20260601_20260630.zip": childFiles(), "ia070124.zip": {"ia070124.csv": "x"}})
	requireHistory(t, mustDrainChildren(t, dir))

	dir = parts(t, map[string]files{partOne: one, "copy of " + partOne: one})
	require.Contains(t, refused(t, dir, parse.Options{}), "is there twice")

	dir = parts(t, map[string]files{partOne: one})
	require.NoError(t, os.WriteFile(filepath.Join(dir, partTwo), zipped(t, two)[:200], 0o600))
	require.Contains(t, refused(t, dir, parse.Options{}), partTwo+": the archive is truncated or damaged")

	dir = parts(t, map[string]files{partOne: one, partTwo: two})
	require.Contains(t, refused(t, dir, parse.Options{Limits: parse.Limits{TotalBytesMax: 3000}}), "exceeds a limit when unpacked")
	require.Contains(t, refused(t, dir, parse.Options{Limits: parse.Limits{MembersMax: 9}}), "more than 9 files")
	require.Contains(t, refused(t, parts(t, map[string]files{"a-part1.zip": {"x/": ""}}), parse.Options{}), "the folder is empty")
}

// TestDamagedChild: damage in a table that is read once ends the load when it is met, in one that is inspected before anything is read.
func TestDamagedChild(t *testing.T) {
	t.Parallel()
	members := childFiles()
	damaged := func(member, header, row string) string {
		t.Helper()
		members := maps.Clone(members)
		members[member] = table(header, strings.Repeat(row+"\n", 20_000))
		archive := zipped(t, members)
		archive[strings.Index(string(archive), member)+200] ^= 0xff
		return write(t, "ADV_Filing_Data_20260601_20260630.zip", archive)
	}
	c, err := drainChildren(t.Context(), damaged("IA_Schedule_D_7B1A3a"+month, partnerHeader, `7,55,"ALDERMOOR GP, LLC"`), parse.Options{})
	require.ErrorContains(t, err, "IA_Schedule_D_7B1A3a"+month+": ")
	require.ErrorContains(t, err, "damaged")
	require.Len(t, c.filings, 2)
	owners := damaged("IA_Schedule_A_B"+month, ownerHeader, `7,"Y","A","QUIMBLE, OSWIN, T","I","","DIRECTOR","09/2001","NA","Y","N","1000018"`)
	require.Contains(t, refused(t, owners, parse.Options{}), "damaged")

	members["IA_Schedule_A_B"+month] = "\xff\xfeF\x00i\x00"
	require.Contains(t, refused(t, folder(t, members), parse.Options{}), "IA_Schedule_A_B"+month+": the text is UTF-16")
}

// TestRepeated counts the filings that are turned away for their number.
func TestRepeated(t *testing.T) {
	t.Parallel()
	c := mustDrainChildren(t, folder(t, files{
		"IA_ADV_Base_A" + month: table(tinyHeader, "7,6/1/2026,ALDERMOOR,4711", "7,6/1/2026,ALDERMOOR,4711", "7,6/3/2026,ALDERMOOR,4711", "9,6/3/2026,ALDERMOOR,4711"),
	}))
	require.Len(t, c.filings, 2)
	require.Equal(t, int64(2), c.opened.Repeated())
}

// TestCharsetByRow: in a table that is read once, each row is in its own charset, quarantined ones too.
func TestCharsetByRow(t *testing.T) {
	t.Parallel()
	c := mustDrainChildren(t, folder(t, files{
		"IA_ADV_Base_A" + month: table(tinyHeader, "7,6/1/2026,CAFÉ ALDERMOOR,4711", "8,6/1/2026,CAF\xc9 ALDERMOOR,4712"),
		"IA_Schedule_A_B" + month: table(`FilingID,Schedule,Full Legal Name`, "7,A,QUIMBÉ", "7,A,QUIMB\xc9", "7,A,QUIMBÉ", "8,C,QUIMB\xc9", "8,C,QUIMBÉ",
			"8,A,QUIMB\xc9,torn"),
	}))
	require.Equal(t, "CAFÉ ALDERMOOR", c.filings[0].LegalName)
	require.Equal(t, "CAFÉ ALDERMOOR", c.filings[1].LegalName)
	require.Len(t, c.owners, 3)
	for _, o := range c.owners {
		require.Equal(t, "QUIMBÉ", o.Name)
	}
	require.Len(t, c.rejected, 3)
	for _, r := range c.rejected {
		require.Contains(t, r.Raw, "QUIMBÉ")
	}
}
