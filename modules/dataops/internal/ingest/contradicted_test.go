package ingest_test

import (
	"context"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/people/peopleapi"
)

// Withdrawals whose CRD numbers were shifted by a row are not loaded: their SEC numbers are known of other advisers. One such row goes to the
// quarantine, and the others are loaded.
func TestGateStopsShiftedWithdrawals(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	numbered := regexp.MustCompile(`(?m)^(\d+),(.*)$`).ReplaceAllString(rosterCSV("05/02/2026", crds(100, 300)...), "$1,$2,801-$1")
	_, err := k.ingest(write(t, dir, "may.csv", strings.Replace(numbered, "5F(2)(c)", "5F(2)(c),SEC#", 1)))
	require.NoError(t, err)
	good := advw(25, "FULL")
	shifted := regexp.MustCompile(`(?m)^(\d+),801-\d+`).ReplaceAllStringFunc(good, func(row string) string {
		crd, number, _ := strings.Cut(row, ",")
		return "1" + crd[1:] + "," + strings.Replace(number, "801-1", "801-2", 1)
	})
	before := k.catalog()
	_, err = k.ingest(write(t, dir, "ADVW_20261101_20261110.csv", shifted))
	require.ErrorContains(t, err, "25 of its 25 rows are in quarantine; the first: ADVW_20261101_20261110.csv line 2: "+
		"the SEC number 801-200 is known of CRD 200, not of CRD 100: one of them must be wrong (rows_unusable)")
	require.Equal(t, before, k.catalog())
	sum, err := k.ingest(write(t, dir, "ADVW_20261101_20261115.csv", strings.Replace(good, "801-103", "801-203", 1)))
	require.NoError(t, err)
	require.Equal(t, int64(1), sum.Documents[0].Quarantined)
	require.Equal(t, int64(24), k.count(`SELECT count(*) FROM catalog.advisers WHERE withdrawn_on IS NOT NULL`))
}

// An archive whose filing types are all answered N is stopped: each filing has a type.
func TestGateStopsFilingsWithoutTypes(t *testing.T) {
	t.Parallel()
	k, list := newKit(t), months(t)
	no := func(rows [][]string) {
		for _, row := range rows[1:] {
			for i := range row {
				row[i] = strings.ReplaceAll(row[i], "Y", "N")
			}
		}
	}
	_, err := k.ingest(altered(t, list[0], "ADV_Filing_Types", no))
	require.ErrorContains(t, err, " filings that must have a row with a type have no rows (rows_lost)")
	_, err = k.ingest(list[0])
	require.NoError(t, err)
}

// changedLists stands in for module people: the figures of any list differ from those before.
type changedLists []peopleapi.ChangedFigures

func (l changedLists) Load(ctx context.Context, list peopleapi.List) (peopleapi.ListResult, error) {
	for range list.Rows {
		continue
	}
	return peopleapi.ListResult{}, list.Accept(ctx, peopleapi.ListRead{Rows: 1, Changed: l})
}

// A list of commitments whose amounts are in another unit is stopped.
func TestGateStopsChangedFigures(t *testing.T) {
	t.Parallel()
	const list = "pension_fund_name,pension_fund_state,fund_name,commitment_mm,as_of_date\nLarkspur Teachers,MA,Quill I,100.5,2025-03-31\n"
	for _, c := range []struct {
		changed int64
		stopped []string
	}{{3, []string{"values_changed"}}, {2, nil}} {
		k := newKit(t, func(cfg *ingest.Config) {
			cfg.Lists = changedLists{{Field: "commitments.committed, 100 times", Compared: 50, Changed: c.changed}}
		})
		sum, err := k.ingest(write(t, t.TempDir(), "lp.csv", list))
		require.Equal(t, c.stopped != nil, err != nil, err)
		require.Equal(t, c.stopped, sum.Documents[0].Stopped)
	}
}

// renamedLists stands in for module people: any list has LPs of one before under other names.
type renamedLists []peopleapi.Renamed

func (l renamedLists) Load(ctx context.Context, list peopleapi.List) (peopleapi.ListResult, error) {
	for range list.Rows {
		continue
	}
	return peopleapi.ListResult{}, list.Accept(ctx, peopleapi.ListRead{Rows: 1, Renamed: l})
}

// A list that has one LP under another name is stopped, and both names are in the reason.
func TestGateStopsRenamedLPs(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(cfg *ingest.Config) {
		cfg.Lists = renamedLists{{LP: "Larkspur Teachers", State: "MA", Now: "Larkspur Teachers", Had: 9, Moved: 8}}
	})
	_, err := k.ingest(write(t, t.TempDir(), "lp.csv", "pension_fund_name,fund_name,commitment_mm,as_of_date\nLarkspur Teachers,Quill I,100.5,2025-03-31\n"))
	require.ErrorContains(t, err, "Larkspur Teachers (8 of 9 commitments of Larkspur Teachers, MA)")
	require.ErrorContains(t, err, "(values_changed)")
}

// replacing stands in for module people: any list but the first replaces figures of the document before it.
type replacing struct{}

func (replacing) Load(ctx context.Context, list peopleapi.List) (peopleapi.ListResult, error) {
	r := peopleapi.ListResult{Changed: 1}
	for range list.Rows {
		continue
	}
	if list.RunID > 1 {
		r.Replaced = []int64{list.RunID - 1}
	}
	return r, list.Accept(ctx, peopleapi.ListRead{Rows: 1})
}

// The summary names the documents whose figures a list of commitments replaced.
func TestReplacedFiguresAreNamed(t *testing.T) {
	t.Parallel()
	k := newKit(t, func(cfg *ingest.Config) { cfg.Lists = replacing{} })
	folder := t.TempDir()
	for _, name := range []string{"larkspur.csv", "mossgate.csv"} {
		write(t, folder, name, "pension_fund_name,pension_fund_state,fund_name,commitment_mm,as_of_date\n"+name+",MA,Quill I,100.5,2025-03-31\n")
	}
	sum, err := k.ingest(filepath.Join(folder, "larkspur.csv"), filepath.Join(folder, "mossgate.csv"))
	require.NoError(t, err)
	require.Empty(t, sum.Documents[0].Replaces)
	require.Equal(t, []string{"larkspur.csv"}, sum.Documents[1].Replaces)
	var said strings.Builder
	require.NoError(t, sum.WriteText(&said))
	require.Contains(t, said.String(), "mossgate.csv: replaced figures that other documents state of the same days: larkspur.csv\n")
}

// A false row that was added to a document of withdrawals is taken back by the clean one, and the summary and the log name it. More than a few stop the
// document, and it takes nothing back as long as rows of it cannot be used.
func TestADocumentTakesItsWithdrawalsBack(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	out := func() int64 { return k.count(`SELECT count(*) FROM catalog.advisers WHERE withdrawn_on IS NOT NULL`) }
	load := func(name, content string) (ingest.Summary, string, error) {
		var logged, text strings.Builder
		service := ingest.New(ingest.Config{}, k.store, k.loader, today, fetcher(), slog.New(slog.NewTextHandler(&logged, nil)))
		sum, err := service.Ingest(t.Context(), []string{write(t, dir, name, content)}, ingest.Silent{}, nil)
		require.NoError(t, sum.WriteText(&text))
		return sum, text.String() + logged.String(), err
	}
	_, err := k.ingest(write(t, dir, "may.csv", rosterCSV("05/02/2026", crds(100, 300)...)))
	require.NoError(t, err)
	const name = "ADVW_20261101_20261115.csv"
	clean := advw(8, "FULL")
	_, _, err = load(name, clean)
	require.NoError(t, err)
	added := clean + "200,,FIRM 200 LLC,FIRM 200 LLC,9001,ADV-W,FULL,11/03/2026,N,,no longer eligible\n"
	_, _, err = load(name, added)
	require.NoError(t, err)
	require.Equal(t, int64(9), out())

	sum, _, err := load(name, strings.Replace(clean, "11/03/2026", "13/33/2026", 1))
	require.ErrorContains(t, err, "rows_unusable")
	require.Empty(t, sum.Documents[0].TakenBack)
	sum, said, err := load(name, clean)
	require.NoError(t, err)
	require.Equal(t, int64(8), out())
	require.Equal(t, []catalogapi.TakenBack{{CRD: "200", FilingID: 9001}}, sum.Documents[0].TakenBack)
	require.Contains(t, said, name+": 1 withdrawal taken back: Filing ID 9001 of CRD 200\n")
	require.Regexp(t, `level=WARN msg="a withdrawal was taken back" document=`+name+` run_id=\d+ filing_id=9001 crd=200\n`, said)

	_, said, err = load("ADVW_20261116_20261120.csv", advw(1, "FULL")[:strings.Index(clean, "100,")]+"200,,FIRM 200 LLC,FIRM 200 LLC,5000,ADV-W,FULL,11/03/2026,N,,no longer eligible\n")
	require.NoError(t, err)
	require.Contains(t, said, "1 withdrawal taken back: Filing ID 5000 of CRD 100\n", "another document gives the Filing ID to another adviser")

	before := k.catalog()
	_, _, err = load(name, strings.Join(strings.SplitAfter(clean, "\n")[:6], ""))
	require.ErrorContains(t, err, "it lacks 3 of the 7 withdrawals that were loaded from this document before: more than one in 20 (rows_lost)")
	require.Equal(t, before, k.catalog())
}
