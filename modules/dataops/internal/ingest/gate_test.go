package ingest_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/platform/testkit/realdata"
)

// universeMonth is a roster of the advisers that the real file of a month names; their names are invented. Registered
// and exempt advisers stand in one list, as in the file. One in twenty has filed in the month, by the last digits of its CRD.
func universeMonth(t *testing.T, month string) string {
	t.Helper()
	f, err := os.Open(realdata.File(t, "gp-universe/"+month+"_crds.csv"))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("Organization CRD#,Legal Name,Latest ADV Filing Date,SEC Current Status\n")
	for _, r := range rows[1:] {
		filed := "03/15/2024"
		if crd, err := strconv.Atoi(r[1]); err == nil && crd%20 == int(month[6]-'0') {
			filed = month[5:] + "/15/" + month[:4]
		}
		fmt.Fprintf(&b, "%s,FIRM %s LLC,%s,Approved\n", r[1], r[1], filed)
	}
	return b.String()
}

// Of eleven real months ten pass. The defective one (the list of exempt advisers twice, the registered missing) is
// stopped with its reasons and alerts, leaves the catalog as it was, and the month after it, held against the last
// good one, passes and puts the alerts to rest.
func TestGateStopsTheDefectiveMonth(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	for _, month := range []string{"2024-08", "2024-09", "2024-10", "2024-11", "2024-12", "2025-01", "2025-02", "2025-03", "2025-04", "2025-05", "2025-06"} {
		path := write(t, dir, month+".csv", universeMonth(t, month))
		before := k.catalog()
		sum, err := k.ingest(path)
		if month != "2025-03" {
			require.NoError(t, err, month)
			require.Zero(t, sum.Quarantined, month)
			require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`), month)
			continue
		}
		require.Len(t, gate.Stopped(err), 2)
		require.Equal(t, before, k.catalog(), "nothing of it is in the catalog")
		doc := sum.Documents[0]
		require.ElementsMatch(t, []string{"universe_shrunk", "keys_doubled"}, doc.Stopped)
		require.Contains(t, doc.Error, "it lists 5242 advisers, but 2025-02.csv (run 7) listed 10656: fewer than nine tenths (universe_shrunk)")
		require.Contains(t, doc.Error, "5142 of its 10384 rows repeat the key of an earlier one (keys_doubled)")
		require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE id = 8 AND state = 'failed' AND error LIKE '%universe_shrunk%'
			AND series = 'roster/registered' AND advisers_seen = 5242 AND duplicates = 5142`))
		require.Equal(t, int64(2), k.count(`SELECT count(*) FROM dataops.alerts WHERE run_id = 8 AND resolved_at IS NULL AND reason LIKE '2025-03.csv: %'`))
		require.Equal(t, int64(5142), k.count(`SELECT count(*) FROM dataops.quarantine WHERE run_id = 8`))
	}
	require.Equal(t, int64(2), k.count(`SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NOT NULL`))
}

// catalog is what a reader sees: the advisers, and how often something was published.
func (k *kit) catalog() []int64 {
	k.t.Helper()
	return []int64{
		k.count(`SELECT count(*) FROM catalog.advisers`), k.count(`SELECT count(*) FROM catalog.filings`),
		k.count(`SELECT coalesce(sum(hashtext(a::text)), 0) FROM catalog.advisers a`), k.count(`SELECT count(*) FROM catalog.publications`),
	}
}

// accepting is k's ingestion by an operator who lets checks pass.
func (k *kit) accepting(loader catalogapi.Loader, checks ...gate.Check) *ingest.Service {
	return ingest.New(ingest.Config{Accept: checks}, k.store, loader, today, fetcher(), silent)
}

func crds(from, n int) (out []string) {
	for i := range n {
		out = append(out, strconv.Itoa(from+i))
	}
	return out
}

// A list that is right all the same passes by the operator's word, for that run and that check alone, which is kept.
func TestGateLetsPassWhatTheOperatorAccepts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	_, err := k.ingest(write(t, dir, "may.csv", rosterCSV("05/02/2026", crds(100, 100)...)))
	require.NoError(t, err)
	june := write(t, dir, "june.csv", rosterCSV("06/02/2026", crds(100, 50)...))
	_, err = k.accepting(k.loader, gate.KeysDoubled).Ingest(t.Context(), []string{june}, ingest.Silent{}, nil)
	require.ErrorContains(t, err, "ingest it with --accept universe_shrunk")
	sum, err := k.accepting(k.loader, gate.UniverseShrunk).Ingest(t.Context(), []string{june}, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"universe_shrunk"}, sum.Documents[0].Accepted)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE run_id = 3 AND resolved_at IS NOT NULL AND reason LIKE '%accepted by the operator'`))
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`))
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM platform.audit WHERE action = 'ingest.accept' AND subject = 'run 3' AND actor_id IS NULL
		AND after = '{"document": "june.csv", "checks": ["universe_shrunk"]}'`))
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM platform.audit`), "what was stopped changed nothing")

	// What was accepted is the measure from now on; what was loaded before is not judged again.
	_, err = k.ingest(write(t, dir, "july.csv", rosterCSV("07/02/2026", crds(100, 46)...)))
	require.NoError(t, err)
	again, err := k.ingest(june, filepath.Join(dir, "may.csv"))
	require.NoError(t, err)
	require.False(t, again.Changed)
}

// A list that stands twice is stopped even when it is the first, and so is one that has lost a column.
func TestGateStopsDoubledKeysAndLostColumns(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	twice := append(crds(100, 60), crds(100, 60)...)
	_, err := k.ingest(write(t, dir, "twice.csv", rosterCSV("05/02/2026", twice...)))
	require.ErrorContains(t, err, "60 of its 120 rows repeat the key of an earlier one (keys_doubled)")
	require.Zero(t, k.count(`SELECT count(*) FROM catalog.advisers`))

	good := rosterCSV("05/02/2026", crds(100, 60)...)
	_, err = k.ingest(write(t, dir, "good.csv", good))
	require.NoError(t, err)
	lost := strings.ReplaceAll(good, "5F(2)(c)", "5F(2)(x)")
	sum, err := k.ingest(write(t, dir, "lost.csv", lost))
	require.ErrorContains(t, err, "lost.csv: stopped by the quality gate: a column is missing that good.csv (run 2) had: 5f(2)(c) (column_lost)")
	require.Equal(t, []string{"column_lost"}, sum.Documents[0].Stopped)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'column_lost' AND run_id = 3 AND resolved_at IS NULL`))
	// The list of exempt advisers is another series: it answers other questions and names other advisers.
	exempt := strings.ReplaceAll(strings.ReplaceAll(rosterCSV("05/02/2026", "900"), "2A(1)", "2B(1)"), ",5F(2)(c)", "")
	exempt = strings.ReplaceAll(strings.ReplaceAll(exempt, ",Y,1000", ",Y"), "Approved", "ERA - Active")
	sum, err = k.ingest(write(t, dir, "era.csv", exempt))
	require.NoError(t, err)
	require.Equal(t, "roster/exempt", sum.Documents[0].Series)
}

// advw is a Form ADV-W file of the first n advisers of the list below.
func advw(n int, kind string) string {
	var b strings.Builder
	b.WriteString("CRD Number,SEC File Number,Full Legal Name,Primary Business Name,Filing ID,Form Type,Filing Type,Filing Date,Business Ceased,Date Ceased,Reasons for Withdrawal\n")
	for i, crd := range crds(100, n) {
		fmt.Fprintf(&b, "%s,801-%s,FIRM %s LLC,FIRM %s LLC,%d,ADV-W,%s,11/03/2026,N,,no longer eligible\n", crd, crd, crd, crd, 5000+i, kind)
	}
	return b.String()
}

// Withdrawals of more than a tenth of the current advisers at once are stopped; partial ones remove no adviser, and the
// first file, which may hold the withdrawals of many years, is held against nothing.
func TestGateStopsMassWithdrawal(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	_, err := k.ingest(write(t, dir, "may.csv", rosterCSV("05/02/2026", crds(100, 40)...)),
		write(t, dir, "ADVW_20260901_20260930.csv", advw(1, "PARTIAL")), write(t, dir, "ADVW_20261001_20261031.csv", advw(30, "PARTIAL")))
	require.NoError(t, err)
	sum, err := k.ingest(write(t, dir, "ADVW_20261101_20261115.csv", advw(5, "FULL")))
	require.ErrorContains(t, err, "it withdraws 5 of the 40 current advisers: more than a tenth (universe_shrunk)")
	require.Equal(t, []string{"universe_shrunk"}, sum.Documents[0].Stopped)
	// A form of the same day wins over a withdrawal: these end nothing.
	_, err = k.ingest(write(t, dir, "ADVW_20260501_20260531.csv", strings.NewReplacer("11/03/2026", "05/02/2026", "LLC,50", "LLC,60").Replace(advw(30, "FULL"))))
	require.NoError(t, err)
	require.Zero(t, k.count(`SELECT count(*) FROM catalog.advisers WHERE withdrawn_on IS NOT NULL`))
	_, err = k.ingest(write(t, dir, "ADVW_20261101_20261120.csv", advw(4, "FULL")))
	require.NoError(t, err)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'universe_shrunk' AND resolved_at IS NOT NULL`))
}

// A list of registered advisers that has lost the column by which it differs most from the other list is still the same
// list: it is compared with its last edition and stopped.
func TestGateKnowsAListWithoutItsColumns(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	whole := rosterCSV("05/02/2026", crds(100, 40)...)
	_, err := k.ingest(write(t, dir, "may.csv", whole))
	require.NoError(t, err)
	before := k.catalog()
	cut := strings.ReplaceAll(strings.ReplaceAll(whole, ",2A(1),5F(2)(c)", ""), ",Y,1000", "")
	sum, err := k.ingest(write(t, dir, "june.csv", cut))
	require.ErrorContains(t, err, "a column is missing that may.csv (run 1) had: 5f(2)(c) (column_lost)", "nobody reads 2A(1)")
	require.Equal(t, "roster/registered", sum.Documents[0].Series)
	require.Equal(t, before, k.catalog())
	// Where the operator lets it pass, what it has no column for stays.
	_, err = k.accepting(k.loader, gate.ColumnLost).Ingest(t.Context(), []string{filepath.Join(dir, "june.csv")}, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Equal(t, int64(40), k.count(`SELECT count(*) FROM catalog.advisers WHERE raum = 1000 AND registration_status = 'registered'`))
}

// An older edition that is loaded later replaces nothing of a newer one: the day is in the roster's name.
func TestAnOlderRosterReplacesNothing(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	june := rosterCSV("05/20/2026", crds(100, 40)...)
	_, err := k.ingest(write(t, dir, "ia060126.csv", june))
	require.NoError(t, err)
	_, err = k.ingest(write(t, dir, "ia060126.csv", june), write(t, dir, "ia052226.csv", strings.ReplaceAll(june, ",1000", ",999")))
	require.NoError(t, err)
	require.Equal(t, int64(40), k.count(`SELECT count(*) FROM catalog.advisers WHERE raum = 1000`))
	_, err = k.ingest(write(t, dir, "ia060226.csv", strings.ReplaceAll(june, ",1000", ",2000")))
	require.NoError(t, err)
	require.Equal(t, int64(40), k.count(`SELECT count(*) FROM catalog.advisers WHERE raum = 2000`))
}

// A roster whose newest filing is long past is the edition of the day in its name: it replaces an older one. Where the
// name's day cannot be right, the run says so, and so does an alert until the next edition.
func TestARosterOfOldFilings(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	june := rosterCSV("03/20/2026", crds(100, 40)...)
	_, err := k.ingest(write(t, dir, "ia050126.csv", june), write(t, dir, "ia070126.csv", strings.ReplaceAll(june, ",1000", ",999")))
	require.NoError(t, err)
	require.Equal(t, int64(40), k.count(`SELECT count(*) FROM catalog.advisers WHERE raum = 999`), "103 days after its newest filing")
	sum, err := k.ingest(write(t, dir, "ia030126.csv", strings.ReplaceAll(june, ",1000", ",998")))
	require.NoError(t, err)
	const why = "the day 2026-03-01 in the name ia030126.csv is before its newest filing, so the roster counts as the edition of 2026-03-20, the day of its newest filing"
	require.Equal(t, []string{why}, sum.Documents[0].Warnings)
	var said strings.Builder
	require.NoError(t, sum.WriteText(&said))
	require.Contains(t, said.String(), "ia030126.csv: warning: "+why+" (dataops.alerts, run 3)\n")
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'edition_doubtful' AND resolved_at IS NULL AND reason LIKE 'ia030126.csv: the day %'`))
	_, err = k.ingest(write(t, dir, "ia080126.csv", strings.ReplaceAll(june, ",1000", ",997")))
	require.NoError(t, err)
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`))
}

// A column that no parser reads may go, in a roster and in a table of an archive. A lost one does not hide that no row can be
// used: both are reported, the worse first.
func TestGateTellsTheWorst(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	month := func(name, header, row string) string {
		base, auditors := "FilingID,DateSubmitted,1A,1E1\n7,06/02/2026,ALDER LLC,100\n", header+"\n"+strings.Repeat(row+"\n", 30)
		if row == "" {
			base, auditors = "FilingID,DateSubmitted,1A,1E1\n7,06/02/2026,ALDER LLC,100,torn\n8,06/02/2026,BIRCH LLC,101,torn\n", header+"\n"
		}
		return write(t, dir, name, zipped(t, "IA_ADV_Base_A_20260601_20260630.csv", base, "IA_Schedule_D_7B1A23_20260601_20260630.csv", auditors,
			"IA_Schedule_D_7B1_20260601_20260630.csv", "FilingID,Fund Name,Fund ID,ReferenceID,Fund Type,Gross Asset Value\n7,ALDER FUND,805-1234567890,1,Hedge Fund,5\n"))
	}
	header := "FilingID,ReferenceID,Name of Auditing Firm,City"
	_, err := k.ingest(month("may.zip", header+",Zusatz,Remark", "7,1,AUDIT LLP,Troy,x,y"))
	require.NoError(t, err)
	_, err = k.ingest(month("june.zip", header+",Remark", "7,1,AUDIT LLP,Troy,y"))
	require.NoError(t, err, "nobody reads Zusatz")
	sum, err := k.ingest(month("july.zip", strings.TrimSuffix(header, ",City"), ""))
	require.Error(t, err)
	require.Equal(t, []string{"rows_unusable", "column_lost"}, sum.Documents[0].Stopped)
	require.Regexp(t, `it contains nothing that can be loaded: 3 of its 3 rows are in quarantine; the first: IA_ADV_Base_A_20260601_20260630.csv line 2: .* \(rows_unusable\); `+
		`a column is missing that june.zip \(run 2\) had: ia_schedule_d_7b1a23\.city `, err.Error())
	require.Equal(t, int64(2), k.count(`SELECT count(*) FROM dataops.alerts WHERE run_id = 3 AND resolved_at IS NULL`))
}

// An archive that lacks a table for one kind of advisers is stopped. Where the operator lets it pass, or where the archive
// before lacked the table as well, what is known from the table stays, and an alert names the table.
func TestGateStopsAnArchiveWithoutATable(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	month := func(name, id string, more ...string) string {
		return write(t, dir, name, zipped(t, slices.Concat([]string{
			"IA_ADV_Base_A_20260601_20260630.csv", "FilingID,DateSubmitted,1A,1E1\n" + id + ",06/0" + id + "/2026,ALDER LLC,100\n",
			"ERA_ADV_Base_20260601_20260630.csv", "FilingID,DateSubmitted,1A,1E1\n",
			"ERA_Schedule_D_1I_20260601_20260630.csv", "FilingID,Website\n",
		}, more)...))
	}
	_, err := k.ingest(month("may.zip", "1", "IA_Schedule_D_1I_20260601_20260630.csv", "FilingID,Website\n1,https://alder.example.com\n"))
	require.NoError(t, err)
	june := month("june.zip", "2")
	sum, err := k.ingest(june)
	require.ErrorContains(t, err, "june.zip: stopped by the quality gate: a table is missing that may.zip (run 1) had: ia_schedule_d_1i (table_lost)")
	require.Equal(t, []string{"table_lost"}, sum.Documents[0].Stopped)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'table_lost' AND run_id = 2 AND resolved_at IS NULL`))
	site := func() int64 {
		return k.count(`SELECT count(*) FROM catalog.advisers WHERE website = 'https://alder.example.com'`)
	}
	sum, err = k.accepting(k.loader, gate.TableLost).Ingest(t.Context(), []string{june}, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"table_lost"}, sum.Documents[0].Accepted)
	require.Equal(t, int64(1), site())
	sum, err = k.ingest(month("july.zip", "3"))
	require.NoError(t, err)
	require.Regexp(t, "tables are missing: .*What earlier documents said in their place stays", sum.Documents[0].Warnings[0])
	require.Equal(t, int64(1), site())
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'table_lost' AND resolved_at IS NULL`))
	sum, err = k.accepting(k.loader, gate.TableLost).Ingest(t.Context(), []string{month("late_july.zip", "5")}, ingest.Silent{}, nil)
	require.NoError(t, err)
	require.Empty(t, sum.Documents[0].Warnings)
	require.Equal(t, []string{"table_lost"}, sum.Documents[0].Accepted, "of a table that the document before lacked, too")
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'table_lost' AND resolved_at IS NULL`))
	_, err = k.ingest(month("august.zip", "4", "IA_Schedule_D_1I_20260601_20260630.csv", "FilingID,Website\n"))
	require.NoError(t, err)
	require.Equal(t, int64(1), site(), "the table is there and names none for any filing")
}

// A file of more bad rows than are written down is stopped by the same check.
func TestGateStopsTooManyUnusableRows(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	body := rosterCSV("05/02/2026", "100") + strings.Repeat("x\n", 100_001)
	sum, err := k.ingest(write(t, t.TempDir(), "torn.csv", body))
	require.ErrorContains(t, err, "too many rows are unusable: 100001 of the 100001 rows read")
	require.Equal(t, []string{"rows_unusable"}, sum.Documents[0].Stopped)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'rows_unusable' AND resolved_at IS NULL`))
}

// More than a twentieth of unusable rows stops a document, however short it is; the operator can let that pass, unless
// there is nothing left to load.
func TestGateStopsUnusableRows(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	bad := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("0x%d", i))
		}
		return out
	}
	sum, err := k.ingest(write(t, dir, "short.csv", rosterCSV("05/02/2026", append(crds(100, 18), bad(1)...)...)))
	require.ErrorContains(t, err, "1 of its 19 rows cannot be used: more than one in 20 (rows_unusable)")
	require.Equal(t, []string{"rows_unusable"}, sum.Documents[0].Stopped)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'rows_unusable' AND resolved_at IS NULL`))
	_, err = k.ingest(write(t, dir, "long.csv", rosterCSV("05/02/2026", append(crds(100, 400), bad(22)...)...)))
	require.ErrorContains(t, err, "22 of its 422 rows cannot be used")
	require.Zero(t, k.count(`SELECT count(*) FROM catalog.advisers`))
	_, err = k.ingest(write(t, dir, "fair.csv", rosterCSV("05/02/2026", append(crds(100, 400), bad(21)...)...)))
	require.NoError(t, err)

	torn := write(t, dir, "torn.csv", rosterCSV("06/02/2026", append(crds(100, 400), bad(30)...)...))
	_, err = k.accepting(k.loader, gate.RowsUnusable).Ingest(t.Context(), []string{torn}, ingest.Silent{}, nil)
	require.NoError(t, err)
	for _, n := range []int{1, 400} {
		path := write(t, dir, fmt.Sprintf("all%d.csv", n), rosterCSV("07/02/2026", bad(n)...))
		sum, err = k.accepting(k.loader, gate.Checks()...).Ingest(t.Context(), []string{path}, ingest.Silent{}, nil)
		require.ErrorContains(t, err, fmt.Sprintf("it contains nothing that can be loaded: %d of its %d rows are in quarantine; the first: ", n, n))
		require.Equal(t, 1, sum.Failed)
	}
}

// A list with a header and no rows fails, and the operator cannot let it pass: no adviser has left. So does an archive without filings.
func TestADocumentWithoutRowsFails(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	_, err := k.ingest(write(t, dir, "ia060326.csv", rosterCSV("06/02/2026", crds(100, 40)...)))
	require.NoError(t, err)
	before := k.catalog()
	header, _, _ := strings.Cut(rosterCSV("06/02/2026", "100"), "\n")
	for name, content := range map[string]string{
		"ia060426.csv":               header + "\n",
		"ADVW_20260901_20260930.csv": advw(0, "FULL"),
		"june.zip":                   zipped(t, "IA_ADV_Base_A_20260601_20260630.csv", "FilingID,DateSubmitted,1A,1E1\n", "IA_Schedule_D_1I_20260601_20260630.csv", "FilingID,Website\n"),
	} {
		for _, service := range []*ingest.Service{k.accepting(k.loader), k.accepting(k.loader, gate.Checks()...)} {
			sum, err := service.Ingest(t.Context(), []string{write(t, dir, name, content)}, ingest.Silent{}, nil)
			require.ErrorContains(t, err, name+": stopped by the quality gate: it contains nothing that can be loaded: it has a header and no rows (rows_unusable). Nothing was loaded", name)
			require.Equal(t, 1, sum.Failed)
		}
	}
	require.Equal(t, before, k.catalog())
	require.Zero(t, k.count(`SELECT count(*) FROM catalog.advisers WHERE not_listed_since IS NOT NULL`))
}

// An archive without a usable row fails: its table of filings has rows of another number of fields than its header.
func TestAnArchiveWithoutAUsableRowFails(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var b strings.Builder
	b.WriteString("FilingID,DateSubmitted,1A,1E1\n")
	for i := range 30 {
		fmt.Fprintf(&b, "%d,06/02/2026,FIRM %d LLC,%d,torn\n", 5000+i, i, 100+i)
	}
	sum, err := k.ingest(write(t, t.TempDir(), "ADV_Filing_Data_20260601_20260630.zip", zipped(t, "IA_ADV_Base_A_20260601_20260630.csv", b.String())))
	require.ErrorContains(t, err, "30 of its 30 rows are in quarantine; the first: IA_ADV_Base_A_20260601_20260630.csv line 2: The row has 5 fields, but the header has 4")
	require.Equal(t, 1, sum.Failed)
}

// Who is missing from the next edition of a roster is no longer listed, unless the edition is a cut of the list or has rows
// that cannot be used: only whole editions count.
func TestWhoIsNoLongerListed(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	unlisted := func() int64 {
		return k.count(`SELECT count(*) FROM catalog.advisers WHERE not_listed_since IS NOT NULL`)
	}
	_, err := k.ingest(write(t, dir, "ia050126.csv", rosterCSV("04/28/2026", crds(100, 100)...)))
	require.NoError(t, err)
	_, err = k.ingest(write(t, dir, "ia060126.csv", rosterCSV("05/28/2026", append(crds(103, 97), "0x1")...)))
	require.NoError(t, err)
	require.Zero(t, unlisted(), "a row of it cannot be used")
	_, err = k.ingest(write(t, dir, "ia060226.csv", rosterCSV("05/28/2026", append(crds(170, 30), crds(1000, 65)...)...)))
	require.NoError(t, err)
	require.Zero(t, unlisted(), "it names as many, and others")
	sum, err := k.ingest(write(t, dir, "ia060326.csv", rosterCSV("05/28/2026", crds(104, 96)...)))
	require.NoError(t, err)
	require.Equal(t, int64(4), unlisted())
	require.Equal(t, ingest.Left{Advisers: 4}, sum.Left)
	require.Equal(t, int64(4), k.count(`SELECT count(*) FROM catalog.advisers WHERE not_listed_since = '2026-06-03' AND crd IN ('100', '101', '102', '103')`))
}

// The bytes of an earlier file under another day are another edition: it is judged, later editions are compared with it, it
// closes the alerts of its series, and who is unlisted counts it. Loaded under its own day again, it is not judged.
func TestTheSameBytesOfAnotherDayAreAnotherEdition(t *testing.T) {
	t.Parallel()
	for _, together := range []bool{false, true} {
		k := newKit(t)
		dir := t.TempDir()
		edition := func(name string, advisers int) string {
			return write(t, dir, name, rosterCSV("01/02/2026", crds(100, advisers)...))
		}
		january := edition("ia010226.csv", 100)
		all := []string{january, edition("ia040226.csv", 94), edition("ia050226.csv", 100), edition("ia060226.csv", 87)}
		if together {
			_, err := k.ingest(all...)
			require.ErrorContains(t, err, "it lists 87 advisers, but ia050226.csv (run 3) listed 100")
		} else {
			_, err := k.ingest(all[:3]...)
			require.NoError(t, err)
			_, err = k.ingest(all[3])
			require.ErrorContains(t, err, "it lists 87 advisers, but ia050226.csv (run 3) listed 100")
		}
		require.Equal(t, int64(6), k.count(`SELECT count(*) FROM catalog.listings WHERE last_on = '2026-05-02' AND first_on = '2026-05-02'`), "April had dropped them")
		require.Zero(t, k.count(`SELECT count(*) FROM catalog.advisers WHERE not_listed_since IS NOT NULL`))
		require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'universe_shrunk' AND resolved_at IS NULL`))

		_, err := k.ingest(edition("ia070226.csv", 100))
		require.NoError(t, err)
		require.Zero(t, k.count(`SELECT count(*) FROM dataops.alerts WHERE kind = 'universe_shrunk' AND resolved_at IS NULL`), "July is a new document")
		_, err = k.ingest(edition("ia080226.csv", 120))
		require.NoError(t, err)
		_, err = k.ingest(edition("ia090226.csv", 100))
		require.ErrorContains(t, err, "it lists 100 advisers, but ia080226.csv", "the bytes of January do not let it pass")
		_, err = k.ingest(january)
		require.NoError(t, err)
	}
}

// Repeated keys are held against the rows that have a key. A thousand websites do not hide that a third of the filings stands twice.
func TestGateCountsRowsWithKeys(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	var base, sites strings.Builder
	base.WriteString("FilingID,DateSubmitted,1A,1E1\n")
	sites.WriteString("FilingID,Website\n")
	for i := range 40 {
		fmt.Fprintf(&base, "%d,06/02/2026,FIRM %d LLC,%d\n", 5000+i%30, i%30, 100+i%30)
	}
	for i := range 1000 {
		fmt.Fprintf(&sites, "%d,https://page%d.example.com\n", 5000+i%30, i)
	}
	archive := zipped(t, "IA_ADV_Base_A_20260601_20260630.csv", base.String()+"5000,06/02/2026,FIRM 0 LLC,100\n", "IA_Schedule_D_1I_20260601_20260630.csv", sites.String())
	_, err := k.ingest(write(t, t.TempDir(), "ADV_Filing_Data_20260601_20260630.zip", archive))
	require.ErrorContains(t, err, "11 of its 41 rows repeat the key of an earlier one (keys_doubled)")
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE duplicates = 11 AND keyed_rows = 41`))
}

// A document is compared with the newest edition that is not newer than it, in whatever order editions are loaded: in batches of
// their own, and in one.
func TestGateComparesWithTheEditionBefore(t *testing.T) {
	t.Parallel()
	for _, together := range []bool{false, true} {
		k := newKit(t)
		dir := t.TempDir()
		edition := func(name string, advisers int) string {
			return write(t, dir, name, rosterCSV("03/02/2026", crds(100, advisers)...))
		}
		all := []string{edition("ia040126.csv", 95), edition("ia060126.csv", 100), edition("ia050126.csv", 60), edition("ia070126.csv", 70)}
		var errs []error
		if together {
			sum, _ := k.ingest(all...)
			for _, d := range sum.Documents {
				errs = append(errs, nil)
				if d.Error != "" {
					errs[len(errs)-1] = errors.New(d.Error)
				}
			}
		} else {
			for _, path := range all {
				_, err := k.ingest(path)
				errs = append(errs, err)
			}
		}
		require.Len(t, errs, 4)
		require.NoError(t, errors.Join(errs[0], errs[1]))
		require.ErrorContains(t, errs[2], "it lists 60 advisers, but ia040126.csv (run 1) listed 95", "not with June, which came after it")
		require.ErrorContains(t, errs[3], "it lists 70 advisers, but ia060126.csv (run 2) listed 100", "not with May, though it was the last")
		require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE edition = '2026-06-01' AND advisers_seen = 100`))

		// What is loaded late is no measure for the next edition, and an edition before all others has none.
		_, err := k.accepting(k.loader, gate.UniverseShrunk).Ingest(t.Context(), []string{filepath.Join(dir, "ia050126.csv")}, ingest.Silent{}, nil)
		require.NoError(t, err)
		_, err = k.ingest(edition("ia030326.csv", 10))
		require.NoError(t, err)
		_, err = k.ingest(filepath.Join(dir, "ia070126.csv"))
		require.ErrorContains(t, err, "ia060126.csv (run 2) listed 100")
		_, err = k.ingest(edition("ia051526.csv", 58))
		require.NoError(t, err, "May was accepted")
	}
}
