package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/sample"
)

// months are the monthly archives of the invented market, in their order; 0 is January 2025.
func months(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	_, err := sample.Write(t.Context(), sample.Options{Dir: dir})
	require.NoError(t, err)
	list, err := filepath.Glob(filepath.Join(dir, "ADV_Filing_Data_202[56]*.zip"))
	require.NoError(t, err)
	require.Len(t, list, 22)
	slices.Sort(list)
	return list
}

const firstMarch, secondMarch = 2, 14

// everySecond leaves every second row of a table, fourFifths four of five, onlyHeader none.
func everySecond(row int) bool { return row%2 == 1 }
func fourFifths(row int) bool  { return row*2654435761>>8%5 != 0 }
func onlyHeader(int) bool      { return false }

// first leaves the first rows of a table, as a cut at the end of a line does.
func first(rows int) func(int) bool { return func(row int) bool { return row <= rows } }

// last leaves a table without its first rows.
func last(without int) func(int) bool { return func(row int) bool { return row > without } }

// outside leaves a table without some rows in the middle.
func outside(from, to int) func(int) bool {
	return func(row int) bool { return row <= from || row > to }
}

// thinned writes an archive again with fewer rows of the tables whose names match, under its own name.
func thinned(t *testing.T, archive, tables string, keeps func(row int) bool) string {
	t.Helper()
	return thinnedBy(t, archive, tables, func(row int, _ string) bool { return keeps(row) })
}

// thinnedBy is thinned by the rows' first cell as well: the filing that they belong to.
func thinnedBy(t *testing.T, archive, tables string, keeps func(row int, filing string) bool) string {
	t.Helper()
	matches := regexp.MustCompile(`(?:^|/)(` + tables + `)(_\d|\.tsv)`)
	in, err := zip.OpenReader(archive)
	require.NoError(t, err)
	defer func() { _ = in.Close() }()
	var b bytes.Buffer
	out, found := zip.NewWriter(&b), false
	for _, f := range in.File {
		src, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(src)
		require.NoError(t, err)
		if matches.MatchString(f.Name) {
			found = true
			text = thin(t, text, keeps)
		}
		dst, err := out.Create(f.Name)
		require.NoError(t, err)
		_, err = dst.Write(text)
		require.NoError(t, err)
	}
	require.True(t, found, tables)
	require.NoError(t, out.Close())
	return write(t, t.TempDir(), filepath.Base(archive), b.String())
}

func thin(t *testing.T, text []byte, keeps func(row int, filing string) bool) (kept []byte) {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(text))
	r.LazyQuotes, r.FieldsPerRecord = true, -1
	for row, from := 0, int64(0); ; row++ {
		cells, err := r.Read()
		if err == io.EOF {
			return kept
		}
		require.NoError(t, err)
		filing, _, _ := strings.Cut(cells[0], "\t")
		if to := r.InputOffset(); row == 0 || keeps(row, filing) {
			kept = append(kept, text[from:to]...)
		}
		from = r.InputOffset()
	}
}

// An archive with a table that has lost half its rows, or all, is stopped: those who are missing have not left, and disclosures
// that are missing are still reported. It is compared with all archives before it, in the same batch and in earlier ones.
func TestGateStopsATableThatLostRows(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	_, err := k.ingest(list[:secondMarch]...)
	require.NoError(t, err, "no month with all its rows is stopped")
	before := k.catalog()
	for _, c := range []struct {
		tables string
		keeps  func(int) bool
		names  []string
	}{
		{"IA_Schedule_A_B", everySecond, []string{"ia_schedule_a_b has only "}},
		{"IA_Schedule_A_B", fourFifths, []string{"ia_schedule_a_b has only "}},
		{"ERA_Schedule_A_B", fourFifths, []string{"era_schedule_a_b has only "}},
		{"IA_Schedule_D_7B1", fourFifths, []string{"ia_schedule_d_7b1 has only "}},
		{"IA_Schedule_A_B", first(568), []string{"ia_schedule_a_b has no rows for the last "}},
		{"IA_Schedule_A_B", first(448), []string{"ia_schedule_a_b has only "}},
		{"ERA_Schedule_A_B", everySecond, []string{"era_schedule_a_b has only "}},
		{"IA_DRP_Regulatory", everySecond, []string{"ia_drp_regulatory has only "}},
		{"IA_DRP_Regulatory", outside(21, 50), []string{"ia_drp_regulatory has only "}},
		{"IA_DRP_Regulatory", outside(7, 36), []string{"ia_drp_regulatory has only "}},
		{"IA_DRP_Advisory_Affiliates", outside(11, 27), []string{"ia_drp_advisory_affiliates has only "}},
		{"IA_DRP_Regulatory", onlyHeader, []string{"ia_drp_regulatory has only 0 of the "}},
		{"IA_Schedule_A_B", onlyHeader, []string{"ia_schedule_a_b has only 0 of the "}},
		{"ADV_Filing_Types", onlyHeader, []string{"ia_adv_filing_types has only 0 of the ", "era_adv_filing_types has only 0 of the "}},
		{"ADV_Filing_Types", fourFifths, []string{"ia_adv_filing_types: ", " filings that must have a row with a type have no rows"}},
		{"IA_ADV_Base_B", fourFifths, []string{"ia_adv_base_b: ", " filings that must have a row have no rows"}},
		{"ERA_Schedule_D_7B1", last(47), []string{"era_schedule_d_7b1 has only 1 of the 44 rows that the first 14 advisers had before"}},
		{"IA_Schedule_A_B", last(60), []string{"ia_schedule_a_b has only 6 of the 55 rows that the first 10 advisers had before"}},
		{"IA_Schedule_D_7B1A23|ERA_Schedule_D_1I", everySecond, []string{"ia_schedule_d_7b1a23", "era_schedule_d_1i"}},
	} {
		sum, err := k.ingest(thinned(t, list[secondMarch], c.tables, c.keeps))
		require.Error(t, err, c.tables)
		require.Equal(t, "rows_lost", slices.Compact(sum.Documents[0].Stopped)[0], c.tables)
		for _, name := range c.names {
			require.ErrorContains(t, err, name, c.tables)
		}
		require.Equal(t, before, k.catalog(), c.tables)
	}
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'rows_lost' AND resolved_at IS NULL`))

	// One alert is about both months that are stopped, and stays open until both are loaded.
	_, err = k.ingest(thinned(t, list[secondMarch+1], "IA_Schedule_A_B", onlyHeader))
	require.ErrorContains(t, err, "rows_lost")
	_, err = k.ingest(list[secondMarch+1])
	require.NoError(t, err)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'rows_lost' AND resolved_at IS NULL`))

	// The whole month passes, and so do the months after it. A restated one is compared with its own first edition.
	_, err = k.ingest(list[secondMarch:]...)
	require.NoError(t, err)
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`))
	restated := thinned(t, list[secondMarch], "IA_Schedule_A_B", everySecond)
	_, err = k.ingest(restated)
	require.ErrorContains(t, err, "rows_lost")

	// The operator can let it pass; it is the measure from then on.
	sum, err := k.accepting(k.loader, gate.RowsLost).Ingest(t.Context(), []string{restated}, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"rows_lost"}, slices.Compact(sum.Documents[0].Accepted))
	_, err = k.ingest(restated)
	require.NoError(t, err, "what was loaded is not judged again")
}

// Half of a table is missed also where little is known: after one archive, which may be small, of other advisers, or of another
// month, in the same batch or before.
func TestGateStopsLostRowsAfterOneArchive(t *testing.T) {
	t.Parallel()
	list := months(t)
	for name, c := range map[string]struct {
		before, now int
		together    bool
	}{
		"the first is small":       {0, firstMarch, false},
		"a year ago":               {firstMarch, secondMarch, true},
		"another month":            {firstMarch, 8, false},
		"of the same small number": {0, 1, true},
		"restated":                 {secondMarch, secondMarch, true},
	} {
		k := newKit(t)
		half := thinned(t, list[c.now], "IA_Schedule_A_B|ERA_Schedule_A_B", everySecond)
		var err error
		if c.together {
			_, err = k.ingest(list[c.before], half)
		} else {
			_, err = k.ingest(list[c.before])
			require.NoError(t, err, name)
			_, err = k.ingest(half)
		}
		require.ErrorContains(t, err, "schedule_a_b", name)
		require.ErrorContains(t, err, "--accept rows_lost", name)
		_, err = k.ingest(list[c.now])
		require.NoError(t, err, name)
	}
}

// An archive without anything before it is stopped if its answers contradict its tables.
func TestGateStopsAFirstArchiveThatContradictsItself(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	for _, c := range []struct {
		tables string
		keeps  func(int) bool
		reason string
	}{
		{"IA_Schedule_D_7B[12]", onlyHeader, "ia_schedule_d_7b1 and ia_schedule_d_7b2: "},
		{"ERA_Schedule_D_1I", onlyHeader, "era_schedule_d_1i: "},
		{"IA_ADV_Base_B", everySecond, "ia_adv_base_b: "},
		{"ADV_Filing_Types", onlyHeader, "era_adv_filing_types: "},
	} {
		_, err := k.ingest(thinned(t, list[firstMarch], c.tables, c.keeps))
		require.ErrorContains(t, err, c.reason)
		require.ErrorContains(t, err, "--accept rows_lost")
	}
	_, err := k.ingest(list[firstMarch])
	require.NoError(t, err)
}

// allBut leaves all rows of a table but every nth.
func allBut(n int) func(int) bool { return func(row int) bool { return row%n != 0 } }

// A filing that was loaded before may not lose rows, however few: it does not change, and its adviser may have filed again since. That
// holds in one batch and over several ones.
func TestGateStopsAFilingThatIsRestatedWithFewerRows(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	whole := list[firstMarch : secondMarch+1]
	_, err := k.ingest(whole...)
	require.NoError(t, err)
	for _, c := range []struct {
		month  int
		tables string
		keeps  func(int) bool
	}{
		{secondMarch, "IA_DRP_Regulatory", allBut(12)},
		{secondMarch, "IA_Schedule_A_B", allBut(40)},
		{firstMarch, "IA_Schedule_A_B", allBut(40)}, // all have filed since
		{firstMarch, "ERA_Schedule_D_7B1", last(6)},
		{8, "IA_Schedule_D_7B1", allBut(5)},
	} {
		_, err := k.ingest(thinned(t, list[c.month], c.tables, c.keeps))
		require.ErrorContains(t, err, strings.ToLower(c.tables)+" has lost ")
		require.ErrorContains(t, err, "--accept rows_lost")
	}
	// Restated with all its rows it is loaded, and so is one in which a single filing has changed.
	_, err = k.ingest(thinned(t, list[secondMarch], "IA_Schedule_A_B", func(row int) bool { return row != 7 }))
	require.NoError(t, err)
	_, err = k.ingest(thinned(t, list[firstMarch], "ERA_Schedule_A_B", func(int) bool { return true }))
	require.NoError(t, err)

	_, err = newKit(t).ingest(append(slices.Clone(whole), thinned(t, list[firstMarch], "IA_Schedule_A_B", allBut(40)))...)
	require.ErrorContains(t, err, "ia_schedule_a_b has lost ", "in one batch")
}

// A set of Form D whose table of people was cut at the end of a line, or has lost half its rows, is stopped.
func TestGateStopsASetThatLostRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := sample.Write(t.Context(), sample.Options{Dir: dir})
	require.NoError(t, err)
	k, set := newKit(t), func(quarter string) string { return filepath.Join(dir, quarter+"_d.zip") }
	_, err = k.ingest(thinned(t, set("2025q1"), "RELATEDPERSONS", first(200)))
	require.ErrorContains(t, err, "relatedpersons has no rows for the last ", "the first of all")
	_, err = k.ingest(set("2025q1"), set("2025q2"), set("2025q3"))
	require.NoError(t, err)
	_, err = k.ingest(thinned(t, set("2026q1"), "RELATEDPERSONS", everySecond))
	require.ErrorContains(t, err, "relatedpersons has ")
	require.ErrorContains(t, err, "--accept rows_lost")
	_, err = k.ingest(thinnedBy(t, set("2026q1"), "FORMDSUBMISSION|OFFERING|ISSUERS|RELATEDPERSONS|RECIPIENTS", func(_ int, accession string) bool {
		return crc32.ChecksumIEEE([]byte(accession))%4 == 0
	}))
	require.ErrorContains(t, err, " notices of ")
	require.ErrorContains(t, err, "--accept rows_lost")
	_, err = k.ingest(set("2025q4"), set("2026q1"), set("2026q2"), set("2026q3"), set("2026q4"))
	require.NoError(t, err)
}

const noByte = "\x00" // instead of rows: the table has not even its header

const ownerHeader = "FilingID,Schedule,Title or Status,OwnerID,DE/FE/I,Full Legal Name\n"

// A table that is cut off stops the archive, and the alert names it. Inside a row nothing lets it pass. One without a byte counts as
// missing if the operator lets it pass.
func TestGateStopsATableThatIsCutOff(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	archive := func(owners string) string {
		var base strings.Builder
		base.WriteString("FilingID,DateSubmitted,1A,1E1\n7,06/02/2026,ALDER LLC,100\n")
		for i := range 30 {
			fmt.Fprintf(&base, "%d,06/02/2026,FIRM LLC,%d\n", 100+i, 200+i)
		}
		return write(t, dir, "june.zip", zipped(t, "IA_ADV_Base_A_20260601_20260630.csv", base.String(),
			"IA_Schedule_A_B_20260601_20260630.csv", strings.TrimPrefix(ownerHeader+owners, ownerHeader+noByte)))
	}
	whole := `7,A,PARTNER,100,I,"BIRCH, BEN"` + "\n" + `7,A,PARTNER,101,I,"ALDER, ADA"`
	sum, err := k.ingest(archive(whole[:len(whole)-4]))
	require.ErrorContains(t, err, "IA_Schedule_A_B_20260601_20260630.csv: line 3 ends in the middle of a row: a quote is not closed. The file is cut off (rows_lost). Nothing was loaded")
	require.NotContains(t, err.Error(), "--accept")
	require.Equal(t, []string{"rows_lost"}, sum.Documents[0].Stopped)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'rows_lost' AND resolved_at IS NULL`))
	_, err = k.accepting(k.loader, gate.Checks()...).Ingest(t.Context(), []string{archive(whole[:len(whole)-4])}, ingest.Silent{}, nil)
	require.ErrorContains(t, err, "The file is cut off")
	require.Zero(t, k.count(`SELECT count(*) FROM catalog.filings`))

	sum, err = k.ingest(archive(noByte))
	require.ErrorContains(t, err, "IA_Schedule_A_B_20260601_20260630.csv: it is empty and lacks even its header. The file is cut off (rows_lost)")
	require.ErrorContains(t, err, "--accept rows_lost")
	require.Equal(t, []string{"rows_lost"}, sum.Documents[0].Stopped)
	_, err = k.accepting(k.loader, gate.RowsLost).Ingest(t.Context(), []string{archive(noByte)}, ingest.Silent{}, nil)
	require.NoError(t, err, "the table counts as missing")

	require.Zero(t, k.count(`SELECT count(*) FROM catalog.owners`))
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'rows_lost' AND resolved_at IS NULL`), "a loaded archive closes both alerts")
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE reason LIKE '%june.zip%june.zip%'`))

	_, err = k.ingest(archive(whole))
	require.ErrorContains(t, err, "line 3 has no line end, unlike every row of a complete file. The file may be cut off (rows_lost)")
	require.ErrorContains(t, err, "--accept rows_lost")
	_, err = k.accepting(k.loader, gate.RowsLost).Ingest(t.Context(), []string{archive(whole)}, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Equal(t, int64(2), k.count(`SELECT count(*) FROM catalog.owners`))
}

// A table without rows states nothing about any filing, as if it were missing: what was known stays, in a later month and in another
// edition of the same one. With rows for others it states that a filing has none.
func TestATableWithoutRowsChangesNothing(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	archive := func(month, filing, owners, sites string) string {
		span := "_2026" + month + "01_2026" + month + "28.csv"
		base := "FilingID,DateSubmitted,1A,1E1\n" + filing + "1," + month + "/02/2026,ALDER LLC,100\n" + filing + "2," + month + "/02/2026,BIRCH LLC,101\n"
		return write(t, dir, month+strings.Repeat("x", len(owners)%7)+".zip", zipped(t, "IA_ADV_Base_A"+span, base,
			"IA_Schedule_A_B"+span, ownerHeader+owners, "IA_Schedule_D_1I"+span, "FilingID,Website\n"+sites))
	}
	state := func() []int64 {
		return []int64{
			k.count(`SELECT count(*) FROM catalog.owners`),
			k.count(`SELECT count(*) FROM catalog.advisers WHERE website = 'https://alder.example.com'`),
		}
	}
	owners := "11,A,PARTNER,100,I,\"ALDER, ADA\"\n12,A,PARTNER,101,I,\"BIRCH, BEN\"\n"
	_, err := k.ingest(archive("01", "1", owners, "11,https://alder.example.com\n"))
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1}, state())
	_, err = k.ingest(archive("01", "1", "", ""))
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1}, state(), "another edition")
	_, err = k.ingest(archive("02", "2", "", ""))
	require.NoError(t, err)
	require.Equal(t, []int64{2, 1}, state(), "a later month")
	_, err = k.ingest(archive("03", "3", "32,A,PARTNER,101,I,\"BIRCH, BEN\"\n", "32,https://birch.example.com\n"))
	require.NoError(t, err)
	require.Equal(t, []int64{3, 0}, state(), "it has rows for another")
}
