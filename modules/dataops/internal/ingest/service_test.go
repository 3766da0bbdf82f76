package ingest_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/stage"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

var today = clock.Fixed(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

// kit is a service over its own database.
type kit struct {
	t       *testing.T
	db      *database.DB
	store   *run.Store
	loader  catalogapi.Loader
	service *ingest.Service
}

func newKit(t *testing.T, change ...func(*ingest.Config)) *kit {
	t.Helper()
	cfg := ingest.Config{}
	for _, c := range change {
		c(&cfg)
	}
	db := dbtest.New(t)
	k := &kit{t: t, db: db, store: run.NewStore(db), loader: catalogtest.NewLoader(db, today)}
	k.service = ingest.New(cfg, k.store, k.loader, today, fetcher(), silent)
	return k
}

var silent = slog.New(slog.DiscardHandler)

// fetcher fetches at most 4,000 bytes and does not wait between tries.
func fetcher() *fetch.Client {
	return fetch.New(fetch.Config{
		UserAgent: "test someone@example.org", Contact: true, BytesMax: 4000,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}, fetch.NewHTTPClient(), today, silent)
}

func (k *kit) ingest(args ...string) (ingest.Summary, error) {
	k.t.Helper()
	return k.service.Ingest(k.t.Context(), args, ingest.Silent{}, nil)
}

func (k *kit) count(query string) (n int64) {
	k.t.Helper()
	require.NoError(k.t, k.db.From(k.t.Context()).Raw(query).Scan(&n).Error)
	return n
}

// rosterCSV is a roster of registered advisers; day is the filing date of all, MM/DD/YYYY.
func rosterCSV(day string, crds ...string) string {
	var b strings.Builder
	b.WriteString("Organization CRD#,Legal Name,Latest ADV Filing Date,SEC Current Status,Main Office State,2A(1),5F(2)(c)\n")
	for _, crd := range crds {
		fmt.Fprintf(&b, "%s,FIRM %s LLC,%s,Approved,NY,Y,1000\n", crd, crd, day)
	}
	return b.String()
}

func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func zipped(t *testing.T, namesAndContents ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for pair := range slices.Chunk(namesAndContents, 2) {
		f, err := w.Create(pair[0])
		require.NoError(t, err)
		_, err = f.Write([]byte(pair[1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.String()
}

// A document is one run with its figures; bad rows are in quarantine with file and line, and the rest is loaded.
func TestIngestOneDocument(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	path := write(t, t.TempDir(), "roster.csv", rosterCSV("11/02/2026", append([]string{"101", "102", "0x3"}, crds(104, 17)...)...))
	sum, err := k.ingest(path)
	require.NoError(t, err)
	require.Equal(t, int64(1), sum.Quarantined)
	require.Equal(t, ingest.Counts{New: 19}, sum.Advisers)
	doc := sum.Documents[0]
	require.Equal(t, int64(20), doc.Read, "the row in quarantine was read too")
	require.Equal(t, "roster", doc.Source)
	require.Equal(t, run.Completed, doc.State)
	require.Len(t, doc.SHA256, 64)
	require.Contains(t, doc.FirstReason, "roster.csv line 4: ")
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.quarantine WHERE line = 4 AND file = 'roster.csv' AND raw LIKE '0x3,%'`))
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'completed' AND source = 'roster'
		AND rows_read = 20 AND advisers_new = 19 AND quarantined = 1 AND bytes > 0 AND sha256 = '`+doc.SHA256+`'`))

	var out bytes.Buffer
	require.NoError(t, sum.WriteText(&out))
	require.Contains(t, out.String(), "1 quarantined")
	require.Contains(t, out.String(), doc.FirstReason)
	require.NotContains(t, out.String(), "Nothing changed")
	again, err := k.ingest(path)
	require.NoError(t, err)
	require.NoError(t, again.WriteText(&out))
	require.Contains(t, out.String(), "Nothing changed")
}

// A document that fails is reported, leaves nothing, and does not keep the others from being loaded.
func TestIngestGoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	sum, err := k.ingest(write(t, dir, "letter.csv", "Dear,Sir\nor,Madam\n"), write(t, dir, "roster.csv", rosterCSV("11/02/2026", "101")))
	require.ErrorContains(t, err, "letter.csv")
	require.Equal(t, 1, sum.Failed)
	require.Equal(t, run.Failed, sum.Documents[0].State)
	require.Equal(t, run.Completed, sum.Documents[1].State)
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM catalog.advisers`))
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'failed' AND source = 'unknown' AND error LIKE 'letter.csv%'`))
	var out bytes.Buffer
	require.NoError(t, sum.WriteText(&out))
	require.Contains(t, out.String(), "1 of 2 documents failed")
}

// A folder stands for what is in it, oldest first, folders below it too; one with the tables of an unpacked archive is
// one document.
func TestIngestFolder(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	write(t, dir, "roster_20260301.csv", rosterCSV("03/01/2026", "101"))
	write(t, dir, "b/roster-20250101.zip", zipped(t, "roster.csv", rosterCSV("01/01/2025", "102")))
	write(t, dir, "readme.md", "nothing here")
	write(t, dir, ".hidden.csv", "nothing here")
	write(t, dir, "adv/IA_ADV_Base_A_20260401_20260430.csv",
		`FilingID,FormVersion,DateSubmitted,1A,1D,1E1,1F1-City,1F1-State,1F1-Country,5F2c,7B`+"\n"+
			`900,"10/2021","04/05/2026 10:00:00 AM","ALDER POINT LLC","801-1","103","BOSTON","MA","United States",5000,"Y"`+"\n")
	write(t, dir, "adv/IA_Schedule_D_7B1_20260401_20260430.csv",
		`FilingID,Fund Name,Fund ID,ReferenceID,State,Country,Fund Type,Gross Asset Value`+"\n"+
			`900,"ALDER GROWTH I",805-0000000001,1,"Delaware","United States","Private Equity Fund",7000`+"\n")
	sum, err := k.ingest(dir)
	require.NoError(t, err)
	names := make([]string, len(sum.Documents))
	for i, d := range sum.Documents {
		names[i] = d.Document
	}
	require.Equal(t, []string{"adv", "roster-20250101.zip", "roster_20260301.csv"}, names)
	require.Equal(t, "adv_archive", sum.Documents[0].Source)
	require.Equal(t, int64(3), k.count(`SELECT count(*) FROM catalog.advisers`))
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM catalog.funds WHERE strategy = 'growth'`))
}

// What stands for nothing is refused before anything is loaded.
func TestIngestRefusesBadArguments(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	good := write(t, dir, "roster.csv", rosterCSV("11/02/2026", "101"))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty"), 0o750))
	for arg, want := range map[string]string{
		filepath.Join(dir, "nowhere.zip"): "nowhere.zip: no such file or directory",
		filepath.Join(dir, "empty"):       "empty: contains no file that can be ingested",
		"ftp://example.org/a.zip":         "neither a path nor an http or https URL",
		"http://":                         "neither a path nor an http or https URL",
	} {
		sum, err := k.ingest(good, arg)
		require.ErrorContains(t, err, want)
		require.Empty(t, sum.Documents)
	}
	require.Zero(t, k.count(`SELECT count(*) FROM dataops.ingestion_runs`))
}

// An address is fetched, checked for its length, and loaded; what goes wrong on the way fails the run with a sentence.
func TestIngestURL(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	roster := rosterCSV("11/02/2026", "101", "102")
	mux := http.NewServeMux()
	mux.HandleFunc("/rosters/ia110226.csv", func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.UserAgent(), "someone@example.org") {
			http.Error(w, "who are you", http.StatusForbidden)
			return
		}
		_, _ = w.Write([]byte(roster))
	})
	mux.HandleFunc("/short.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "3000")
		_, _ = w.Write([]byte(roster))
	})
	mux.HandleFunc("/huge.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "4001")
		_, _ = w.Write(bytes.Repeat([]byte("a"), 4001))
	})
	mux.HandleFunc("/endless.csv", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(bytes.Repeat([]byte("a"), 1000)); err != nil {
				return
			}
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	sum, err := k.ingest(server.URL + "/rosters/ia110226.csv?x=1")
	require.NoError(t, err)
	require.Equal(t, "ia110226.csv", sum.Documents[0].Document)
	require.Equal(t, ingest.Counts{New: 2}, sum.Advisers)
	for path, want := range map[string]string{
		"/missing.zip": "the server returned 404",
		"/short.csv":   "unexpected EOF",
		"/huge.csv":    "4001 bytes exceed the limit of 4000",
		"/endless.csv": "exceeds the limit of 4000 bytes",
	} {
		sum, err := k.ingest(server.URL + path)
		require.ErrorContains(t, err, want)
		require.Equal(t, 1, sum.Failed, path)
	}
}

// failing is a loader that refuses many rows and then fails.
type failing struct {
	catalogapi.Loader

	rejects int
}

var errLoad = errors.New("the disk is full")

func (f failing) LoadBatch(ctx context.Context, fn func(context.Context, catalogapi.LoadFunc) error) ([]catalogapi.LoadResult, error) {
	return nil, fn(ctx, f.load)
}

// unread is a document; a failing loader keeps only its options.
type unread struct{ opts catalogapi.LoadOptions }

func (unread) Close()                {}
func (unread) Done() <-chan struct{} { return nil }

func (f failing) Prepare(_ context.Context, _ catalogapi.Document, o catalogapi.LoadOptions) catalogapi.Prepared {
	return unread{o}
}

func (f failing) load(ctx context.Context, d catalogapi.Prepared) (int64, error) {
	o := d.(unread).opts
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range f.rejects / 4 {
				o.Reject(catalogapi.Rejected{File: "a.csv", Line: i*f.rejects + n, Reason: "no", Raw: strings.Repeat("x", 5000)})
			}
		})
	}
	wg.Wait()
	return 0, errors.Join(errLoad, ctx.Err())
}

// Quarantined rows are written in batches and stay when the load fails.
func TestQuarantineOutlivesTheLoad(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	service := ingest.New(ingest.Config{}, k.store, failing{rejects: 1200}, today, fetcher(), silent)
	path := write(t, t.TempDir(), "roster.csv", rosterCSV("11/02/2026", "101"))
	sum, err := service.Ingest(t.Context(), []string{path}, ingest.Silent{}, nil)
	require.ErrorIs(t, err, errLoad)
	require.Equal(t, int64(1200), sum.Quarantined)
	require.Equal(t, int64(1200), k.count(`SELECT count(*) FROM dataops.quarantine WHERE length(raw) = 4096`))
	require.Equal(t, int64(1), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'failed' AND quarantined = 1200`))
}

// A filing dated in the future is mistyped: it must not become the newest for ever.
func TestIngestRefusesTheFuture(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	mistyped := strings.Replace(rosterCSV("11/02/2026", crds(101, 20)...), "11/02/2026", "11/02/2062", 1)
	sum, err := k.ingest(write(t, t.TempDir(), "roster.csv", mistyped))
	require.NoError(t, err)
	require.Equal(t, int64(1), sum.Quarantined)
	require.Equal(t, int64(19), k.count(`SELECT count(*) FROM catalog.advisers WHERE crd <> '101'`))
}

// An ingestion that is interrupted marks its run as failed and leaves nothing.
func TestIngestStops(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	stop := &stopping{cancel: cancel}
	sum, err := k.service.Ingest(ctx, []string{
		write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", rosterCSV("11/02/2026", "102")),
	}, stop, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, sum.Documents, 1, "the second is not begun")
	require.Equal(t, "stopped before it was loaded; nothing of it is kept, and the same command loads it", sum.Documents[0].Error)
	require.Zero(t, k.count(`SELECT count(*) FROM catalog.advisers`))
}

// Guarantee: an ingestion that is stopped at any moment reports what it has kept, and the same command completes it.
func TestInterruption(t *testing.T) {
	t.Parallel()
	const none = "interrupted: no document was loaded, and nothing of them is kept; run the same command again"
	const unread = "interrupted: all documents are loaded and stay loaded, but their people are not read yet; " +
		"run the same command again, or let the worker read them"
	for at, want := range map[string]string{
		"begin 0": none, "staged 0": none, "begin 1": none, "staged 1": none, "deriving 2 advisers": none, "deriving 2 advisers ended": none,
		"end 0": unread, "counting who has left": unread, "people": unread,
	} {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			k := newKit(t)
			dir := t.TempDir()
			k.loaded(write(t, dir, "before.csv", rosterCSV("10/02/2026", "100"))) // a first load derives in another way
			args := []string{write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", rosterCSV("11/03/2026", "100", "101"))}
			ctx, cancel := context.WithCancel(t.Context())
			stop := &stopping{at: at, cancel: cancel}
			sum, err := k.service.Ingest(ctx, args, stop, func(ctx context.Context, _ ingest.Summary) (int, error) {
				stop.now("people")
				return 0, ctx.Err()
			})
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, want, sum.Interruption(), "%v", stop.seen)
			require.Equal(t, map[string]int64{none: 1, unread: 2}[want], k.count(`SELECT count(*) FROM catalog.advisers`))
			var told strings.Builder
			require.NoError(t, sum.WriteText(&told))
			require.NotRegexp(t, "failed|Nothing changed", told.String())
			require.Equal(t, 2, len(sum.Documents)+sum.NotBegun)
			k.loaded(args...)
			require.Equal(t, int64(2), k.count(`SELECT count(*) FROM catalog.advisers`))
			require.Equal(t, int64(1), k.count(`SELECT count(*) FROM catalog.filings WHERE crd = '101' AND filing_date = '2026-11-03'`))
		})
	}
	sum := ingest.Summary{Documents: make([]ingest.Document, 11), Failed: 6, NotBegun: 5, PeopleUnread: true}
	require.Equal(t, "interrupted: 5 of 16 documents loaded, which stay; nothing of the others is kept; people are not read yet; "+
		"run the same command again to continue", sum.Interruption())
	sum.Sources, sum.NotBegun = make([]ingest.SourceReport, 1), 0
	require.Contains(t, sum.Interruption(), "interrupted: 5 documents loaded, which stay; nothing of the others is kept;")
}

func (k *kit) loaded(args ...string) {
	k.t.Helper()
	_, err := k.ingest(args...)
	require.NoError(k.t, err)
}

// stopping ends the context at a moment; the first document's begin, if none is named.
type stopping struct {
	ingest.Silent

	at     string
	cancel context.CancelFunc
	mu     sync.Mutex
	seen   []string
	staged int
	ended  int
}

func (s *stopping) now(moment string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, moment)
	if s.at == "" || s.at == moment {
		s.cancel()
	}
}

func (s *stopping) Begin(_ string, index, _ int) { s.now(fmt.Sprintf("begin %d", index)) }

func (s *stopping) Staged(ingest.Document) {
	s.now(fmt.Sprintf("staged %d", s.staged))
	s.staged++
}

func (s *stopping) Stage(name string) { s.now(name) }

func (s *stopping) StageEnd(stage ingest.Stage) { s.now(stage.Name + " ended") }

func (s *stopping) End(ingest.Document) {
	s.now(fmt.Sprintf("end %d", s.ended))
	s.ended++
}

// The reports are the same in lines and in bars.
func TestProgress(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	dir := t.TempDir()
	args := []string{write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", rosterCSV("11/02/2026", "101"))}
	var lines, bars bytes.Buffer
	for _, p := range []ingest.Progress{ingest.NewLines(&lines, today), ingest.NewBars(&bars, today)} {
		_, err := k.service.Ingest(t.Context(), args, p, nil)
		p.Close()
		require.NoError(t, err)
	}
	require.Equal(t, "[1/2] a.csv: 1 row staged (0.0 s)\n[2/2] b.csv: 1 row staged (0.0 s)\n"+
		"[1/2] a.csv: 1 row, filings 1 new 0 changed (0.0 s, 0 rows/s)\n[2/2] b.csv: nothing changed (1 row, 0.0 s)\n", lines.String())
	require.Contains(t, bars.String(), "b.csv: nothing changed (1 row, 0.0 s)")
}

// moody is a loader whose batches of several documents are lost at the end.
type moody struct {
	catalogapi.Loader

	batches []int // documents of each
}

func (m *moody) LoadBatch(ctx context.Context, fn func(context.Context, catalogapi.LoadFunc) error) ([]catalogapi.LoadResult, error) {
	n := 0
	results, err := m.Loader.LoadBatch(ctx, func(ctx context.Context, load catalogapi.LoadFunc) error {
		err := fn(ctx, func(ctx context.Context, d catalogapi.Prepared) (int64, error) {
			n++
			return load(ctx, d)
		})
		if n > 1 {
			return errors.Join(err, errLoad)
		}
		return err
	})
	m.batches = append(m.batches, n)
	return results, err
}

// When a batch is lost through no fault of its documents they are loaded one by one; one with a fault of its own is not.
func TestIngestAfterALostBatch(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	loader := &moody{Loader: catalogtest.NewLoader(k.db, today)}
	service := ingest.New(ingest.Config{}, k.store, loader, today, fetcher(), silent)
	dir := t.TempDir()
	sum, err := service.Ingest(t.Context(), []string{
		write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", "Dear,Sir\nor,Madam\n"),
		write(t, dir, "c.csv", rosterCSV("11/02/2026", append(crds(103, 19), "0x4")...)), write(t, dir, "d.csv", rosterCSV("11/03/2026", append(crds(103, 18), "101")...)),
	}, ingest.Silent{}, nil)
	require.ErrorContains(t, err, "b.csv")
	require.NotErrorIs(t, err, errLoad)
	require.Equal(t, []int{3, 1, 1, 1}, loader.batches)
	require.Equal(t, 1, sum.Failed)
	require.Len(t, sum.Documents, 4)
	require.Equal(t, ingest.Counts{New: 20, Changed: 19}, sum.Advisers)
	require.Equal(t, int64(39), k.count(`SELECT count(*) FROM catalog.filings`))
	require.Equal(t, int64(3), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE error LIKE '%loaded again by itself%the disk is full'`))
	require.Equal(t, int64(3), k.count(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'completed'`))
}

// slow is a loader whose documents take a second each, and what all of them have in common a minute.
type slow struct {
	catalogapi.Loader

	clock *clocktest.Clock
}

func (s *slow) LoadBatch(ctx context.Context, fn func(context.Context, catalogapi.LoadFunc) error) ([]catalogapi.LoadResult, error) {
	return s.Loader.LoadBatch(ctx, func(ctx context.Context, load catalogapi.LoadFunc) error {
		n := 0
		err := fn(ctx, func(ctx context.Context, d catalogapi.Prepared) (int64, error) {
			if n++; n == 2 { // the first is derived before the second, as a document of withdrawals needs it
				end := stage.Begin(ctx, "deriving early")
				stage.Begin(ctx, "within")()
				s.clock.Move(time.Minute)
				end()
			}
			s.clock.Move(time.Second)
			return load(ctx, d)
		})
		defer stage.Begin(ctx, "deriving")()
		s.clock.Move(time.Minute)
		return err
	})
}

// The summary counts the whole time, and books to each document its own: what is done for all has a line of its own.
func TestTimesAreOfWhatTookThem(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	clk := clocktest.New(today.Now())
	service := ingest.New(ingest.Config{}, k.store, &slow{catalogtest.NewLoader(k.db, today), clk}, clk, fetcher(), silent)
	dir := t.TempDir()
	var out bytes.Buffer
	p := ingest.NewLines(&out, clk)
	sum, err := service.Ingest(t.Context(), []string{
		write(t, dir, "a.csv", rosterCSV("11/02/2026", "101")), write(t, dir, "b.csv", rosterCSV("11/02/2026", "102")),
	}, p, func(ctx context.Context, _ ingest.Summary) (int, error) {
		defer stage.Begin(ctx, "reading people")()
		clk.Move(30 * time.Second)
		return 0, nil
	})
	p.Close()
	require.NoError(t, err)
	require.InDelta(t, 152, sum.Seconds, 0.001, "the people, too")
	require.InDelta(t, 1, sum.Documents[0].Seconds, 0.001)
	require.InDelta(t, 1, sum.Documents[1].Seconds, 0.001, "the last one is not charged with what all have in common")
	require.Contains(t, sum.Stages, ingest.Stage{Name: "deriving", Seconds: 60})
	require.Contains(t, sum.Stages, ingest.Stage{Name: "reading people", Seconds: 30})
	require.Contains(t, out.String(), "\nderiving (60.0 s)\n")
	require.Contains(t, out.String(), "\nreading people (30.0 s)\n")
}
