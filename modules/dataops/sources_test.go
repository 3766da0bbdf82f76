package dataops_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
	"gpatlas/platform/clock"
	"gpatlas/sample"
)

// mirror is a server with the regulator's paths below it. What it serves may be changed between uses.
type mirror struct {
	t      *testing.T
	server *httptest.Server

	mu     sync.Mutex
	files  map[string]string // content by path
	first  map[string]http.HandlerFunc
	asked  []string // paths of requests that were answered with content, 200 or 206
	strict bool     // only callers that name a contact are answered
}

func newMirror(t *testing.T) *mirror {
	t.Helper()
	m := &mirror{t: t, files: make(map[string]string), first: make(map[string]http.HandlerFunc)}
	m.server = httptest.NewServer(m)
	t.Cleanup(m.server.Close)
	return m
}

func (m *mirror) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	content, there := m.files[r.URL.Path]
	first := m.first[r.URL.Path]
	delete(m.first, r.URL.Path)
	strict := m.strict
	m.mu.Unlock()
	switch {
	case strict && !strings.Contains(r.UserAgent(), "@"):
		http.Error(w, "Your Request Originates from an Undeclared Automated Tool", http.StatusForbidden)
	case first != nil:
		first(w, r)
	case !there:
		http.NotFound(w, r)
	default:
		w.Header().Set("ETag", fmt.Sprintf(`"%x"`, len(content)))
		if r.Header.Get("If-None-Match") != w.Header().Get("ETag") {
			m.mu.Lock()
			m.asked = append(m.asked, r.URL.Path)
			m.mu.Unlock()
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	}
}

// serve puts files below a folder of the mirror.
func (m *mirror) serve(at, content string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[at] = content
}

// once answers the next request for a path otherwise.
func (m *mirror) once(at string, h http.HandlerFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.first[at] = h
}

// fetched gives the names of what was asked for since the last call, indexes left out.
func (m *mirror) fetched() (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.asked {
		if !strings.HasSuffix(p, ".json") {
			names = append(names, path.Base(p))
		}
	}
	m.asked = nil
	return names
}

const (
	indexPath    = "/reports/foia/reports_metadata.json"
	manifestPath = "/reports/CompilationReports/CompilationReports.manifest.json"
)

// months puts archives into the mirror and its index, each with its size and a time of upload.
func (m *mirror) months(key string, archives map[string]string, uploaded string) {
	type entry struct {
		FileName   string `json:"fileName"` //nolint:tagliatelle // the SEC's name
		Size       int    `json:"size"`
		Year       string `json:"year"`
		UploadedOn string `json:"uploadedOn"` //nolint:tagliatelle // the SEC's name
	}
	index := map[string][]entry{key: {}}
	for name, content := range archives {
		year := name[len(name)-len("20260630.zip"):][:4]
		m.serve("/reports/foia/"+key+"/"+year+"/"+name, content)
		index[key] = append(index[key], entry{name, len(content), year, uploaded})
	}
	text, err := json.Marshal(index)
	require.NoError(m.t, err)
	m.serve(indexPath, string(text))
}

// use is an operator's use of the mirror.
func (m *mirror) use(t *testing.T, contact string) dataops.Deps {
	t.Helper()
	deps := setup(t)
	deps.Config = dataops.Config{Contact: contact, SourcesBaseURL: m.server.URL}
	deps.DownloadDir = t.TempDir()
	deps.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return deps
}

// theSample is the sample's archives by name, written once for all tests.
var theSample = sync.OnceValues(func() (archives map[string]string, err error) {
	dir, err := os.MkdirTemp("", "sample-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	written, err := sample.Write(context.Background(), sample.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	archives = make(map[string]string, len(written.Archives))
	for _, a := range written.Archives {
		text, err := os.ReadFile(a.Path)
		if err != nil {
			return nil, err
		}
		archives[filepath.Base(a.Path)] = string(text)
	}
	return archives, nil
})

// sampleMonths are some of the sample's monthly archives, by name.
func sampleMonths(t *testing.T, suffixes ...string) map[string]string {
	t.Helper()
	all, err := theSample()
	require.NoError(t, err)
	out := make(map[string]string)
	for name, text := range all {
		if slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(name, s) }) {
			out[name] = text
		}
	}
	require.Len(t, out, len(suffixes))
	return out
}

func source(t *testing.T, deps dataops.Deps, name string) dataops.SourceStatus {
	t.Helper()
	list, err := dataops.ListSources(t.Context(), deps)
	require.NoError(t, err)
	i := slices.IndexFunc(list, func(s dataops.SourceStatus) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0)
	return list[i]
}

// The months of the index are fetched oldest first and loaded; the next time nothing is fetched, and then only what was
// added or restated. A server that is slow, breaks off and is busy on the way makes no difference.
func TestSourceWithIndex(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "ops@example.org")
	m.strict = true
	all := sampleMonths(t, "20260531.zip", "20260630.zip", "20260731.zip")
	two := map[string]string{}
	for name, content := range all {
		if !strings.HasSuffix(name, "20260731.zip") {
			two[name] = content
		}
	}
	m.months("advFilingData", two, "2026-07-01 21:13:14")
	june := "ADV_Filing_Data_20260601_20260630.zip"
	m.once("/reports/foia/advFilingData/2026/"+june, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("ETag", fmt.Sprintf(`"%x"`, len(all[june])))
		w.Header().Set("Content-Length", strconv.Itoa(len(all[june])))
		for i := range 700 { // byte by byte
			_, _ = w.Write([]byte{all[june][i]})
			w.(http.Flusher).Flush()
		}
		panic(http.ErrAbortHandler)
	})
	var out bytes.Buffer
	use := func() dataops.Summary {
		t.Helper()
		sum, err := dataops.IngestSources(t.Context(), deps, []string{"adv-monthly"}, dataops.IngestOptions{Out: &out})
		require.NoError(t, err)
		return sum
	}
	sum := use()
	require.True(t, sum.Changed)
	require.Equal(t, []string{"ADV_Filing_Data_20260501_20260531.zip", june}, m.fetched())
	require.Equal(t, 2, sum.Sources[0].Loaded)
	require.Contains(t, out.String(), "adv-monthly: 2 files, 2 loaded, 0 known\n")
	require.Equal(t, []int64{2}, ints(t, deps.DB, `SELECT count(*) FROM dataops.ingestion_runs WHERE source_name = 'adv-monthly' AND state = 'completed' AND location LIKE 'http://%'`))
	require.Equal(t, []int64{2}, ints(t, deps.DB, `SELECT count(*) FROM dataops.fetched f JOIN dataops.ingestion_runs r ON r.id = f.run_id AND r.sha256 = f.sha256 AND r.bytes = f.bytes`))
	st := source(t, deps, "adv-monthly")
	require.Equal(t, today.Now(), *st.LastSuccess)
	require.Zero(t, st.Failures)

	sum = use()
	require.Empty(t, m.fetched())
	require.Empty(t, sum.Documents)
	require.Equal(t, 2, sum.Sources[0].Known)

	m.months("advFilingData", all, "2026-07-01 21:13:14")
	use()
	require.Equal(t, []string{"ADV_Filing_Data_20260701_20260731.zip"}, m.fetched())

	// Restated in place, the months are asked for again; where the bytes are the same, that is all.
	m.months("advFilingData", all, "2026-08-05 01:00:00")
	sum = use()
	require.Empty(t, m.fetched())
	require.Equal(t, 3, sum.Sources[0].Known)
	all[june] += "\n" // a zip archive may end with a comment, and this one is damaged
	m.months("advFilingData", all, "2026-09-05 01:00:00")
	_, err := dataops.IngestSources(t.Context(), deps, []string{"adv-monthly"}, dataops.IngestOptions{})
	require.Equal(t, []string{june}, m.fetched())
	require.NoError(t, err)
	left, err := os.ReadDir(deps.DownloadDir)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A file that the index states otherwise than the server sends it is not loaded; the others are, and what failed is tried
// again the next time. Failing three times in a row raises an alert, and working again puts it to rest.
func TestSourceFails(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "ops@example.org")
	months := sampleMonths(t, "20260531.zip", "20260630.zip")
	m.months("advFilingData", months, "x")
	may := "/reports/foia/advFilingData/2026/ADV_Filing_Data_20260501_20260531.zip"
	m.serve(may, "truncated")
	for range 4 {
		sum, err := dataops.IngestSources(t.Context(), deps, []string{"adv-monthly"}, dataops.IngestOptions{})
		require.ErrorContains(t, err, "the server declares 9 bytes, the index states")
		require.Contains(t, sum.Sources[0].Error, "ADV_Filing_Data_20260501_20260531.zip")
	}
	require.Equal(t, []string{"ADV_Filing_Data_20260501_20260531.zip"}, slices.Compact(slices.DeleteFunc(m.fetched(), func(n string) bool { return strings.HasSuffix(n, "0630.zip") })))
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(*) FROM dataops.ingestion_runs`), "only the one that could be fetched, once")
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(*) FROM dataops.alerts WHERE kind = 'source_failed' AND source_name = 'adv-monthly' AND resolved_at IS NULL
		AND reason LIKE 'adv-monthly failed 4 times in a row: %' AND times = 2`))
	st := source(t, deps, "adv-monthly")
	require.Equal(t, 4, st.Failures)
	require.Nil(t, st.LastSuccess)
	var table bytes.Buffer
	require.NoError(t, dataops.WriteSources(&table, []dataops.SourceStatus{st}, false))
	require.Regexp(t, `adv-monthly +15 7 \* \* \* +never +download http://.*… \(4 in a row\)`, table.String())

	m.serve(may, months["ADV_Filing_Data_20260501_20260531.zip"])
	_, err := dataops.IngestSources(t.Context(), deps, []string{"adv-monthly"}, dataops.IngestOptions{})
	require.NoError(t, err)
	require.Zero(t, source(t, deps, "adv-monthly").Failures)
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`))
}

// A hostile index and a redirect to another host bring nothing in; the faults are told.
func TestSourceDistrusts(t *testing.T) {
	t.Parallel()
	inside := newMirror(t)
	m := newMirror(t)
	deps := m.use(t, "ops@example.org")
	m.serve(indexPath, `{"advW": [{"fileName":"../../../etc/passwd","size":1,"year":"2026","uploadedOn":"x"}, {"fileName":"advw-20260601_20260630.zip","size":1,"year":"2026","uploadedOn":"x"}]}`)
	m.once("/reports/foia/advW/2026/advw-20260601_20260630.zip", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.server.URL+"/secret.zip", http.StatusFound)
	})
	_, err := dataops.IngestSources(t.Context(), deps, []string{"advw"}, dataops.IngestOptions{})
	require.ErrorContains(t, err, `advW[0]: fileName: "../../../etc/passwd" is not a plain file name`)
	require.ErrorContains(t, err, "the redirect is not followed: it points to another host")
	require.Empty(t, inside.fetched())
	m.serve(indexPath, strings.Repeat("[", 9<<20))
	_, err = dataops.IngestSources(t.Context(), deps, []string{"advw"}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "too large for an index")
}

// roster is a list of registered advisers.
func roster(n int) string {
	var b strings.Builder
	b.WriteString("Organization CRD#,Legal Name,Latest ADV Filing Date,SEC Current Status,2A(1)\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,FIRM %d LLC,10/02/2026,Approved,Y\n", 700+i, 700+i)
	}
	return b.String()
}

// rosterFile names rosters in a file of sources: they are looked for by a pattern, a month at a time.
func rosterSource(t *testing.T, deps *dataops.Deps) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sources.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"sources": [{"name": "lists", "kind": "periods", "every": "month", "last": 3,
		"days": [1, 2], "addresses": ["http://elsewhere.example.org/lists/ia{mm}{dd}{yy}.csv"], "schedule": "0 * * * *"}]}`), 0o600))
	deps.Config.SourcesFile = path
}

// Of a source by periods what is there is taken, what is not published is awaited. A list that the quality gate stops is
// told, not fetched again, and passes by the operator's word.
func TestSourceByPeriods(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	m.serve("/lists/ia100126.csv", roster(40))
	use := func(accept ...string) (dataops.Summary, error) {
		return dataops.IngestSources(t.Context(), deps, []string{"lists"}, dataops.IngestOptions{Accept: accept})
	}
	sum, err := use()
	require.NoError(t, err)
	require.Equal(t, []int{3, 1, 2}, []int{sum.Sources[0].Listed, sum.Sources[0].Loaded, sum.Sources[0].Awaited})
	require.Equal(t, []string{"ia100126.csv"}, m.fetched())

	m.serve("/lists/ia110226.csv", roster(20))
	_, err = use()
	require.ErrorContains(t, err, "stopped by the quality gate")
	require.Equal(t, []string{"ia110226.csv"}, m.fetched())
	sum, err = use()
	require.NoError(t, err, "the source does what it should")
	require.Contains(t, sum.Sources[0].Stopped[0], "ia110226.csv was stopped by the quality gate in run 2")
	require.Empty(t, m.fetched())
	require.Zero(t, source(t, deps, "lists").Failures)
	require.Equal(t, []int64{40}, ints(t, deps.DB, `SELECT count(*) FROM catalog.advisers`))
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(*) FROM dataops.alerts WHERE source_name = 'lists' AND kind = 'universe_shrunk' AND resolved_at IS NULL`))

	sum, err = use("universe_shrunk")
	require.NoError(t, err)
	require.Equal(t, 1, sum.Sources[0].Loaded)
	require.Equal(t, []int64{0}, ints(t, deps.DB, `SELECT count(*) FROM dataops.alerts WHERE resolved_at IS NULL`))
	sum, err = use()
	require.NoError(t, err)
	require.Empty(t, sum.Sources[0].Stopped)
	require.Equal(t, 2, sum.Sources[0].Known)
}

// Without a contact the SEC's own servers are not asked, and a mirror that wants one says so.
func TestSourceWithoutContact(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	m.strict = true
	deps := m.use(t, "")
	_, err := dataops.IngestSources(t.Context(), deps, []string{"adv-monthly"}, dataops.IngestOptions{})
	require.ErrorContains(t, err, "403 Forbidden: it may require a contact; set DATAOPS_CONTACT")
	deps.Config.SourcesBaseURL = ""
	failures := `SELECT coalesce(sum(failures), 0) FROM dataops.sources`
	before := ints(t, deps.DB, failures)
	for _, name := range []string{"adv-monthly", "form-d"} { // form-d has 75 files, and says it once
		_, err = dataops.IngestSources(t.Context(), deps, []string{name}, dataops.IngestOptions{})
		require.ErrorAs(t, err, &dataops.UsageError{})
		require.Regexp(t, `^\S+sec.gov accepts only requests that name a contact: set DATAOPS_CONTACT to an email address$`, err.Error())
	}
	require.Equal(t, before, ints(t, deps.DB, failures), "it is no failure of the source")
	_, err = dataops.Ingest(t.Context(), deps, []string{"https://www.sec.gov/a.zip", "https://www.sec.gov/b.zip"}, dataops.IngestOptions{})
	require.ErrorAs(t, err, &dataops.UsageError{})
	require.EqualError(t, err, "www.sec.gov accepts only requests that name a contact: set DATAOPS_CONTACT to an email address")
}

// Unknown sources and checks are told before anything is asked.
func TestSourceUsage(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	for _, c := range []struct{ source, accept, want string }{
		{"adv", "", `there is no source "adv"; the sources are adv-history, `}, {"advw", "all", `"all" is not a check of the quality gate`},
	} {
		opts := dataops.IngestOptions{}
		if c.accept != "" {
			opts.Accept = []string{c.accept}
		}
		_, err := dataops.IngestSources(t.Context(), deps, []string{c.source}, opts)
		require.ErrorContains(t, err, c.want)
		usage, ok := errors.AsType[dataops.UsageError](err)
		require.True(t, ok)
		require.Equal(t, dataops.ExitUsage, usage.ExitCode())
	}
}

// The job of a source does what the command does, and may run twice, also at once. Schedules are there only when they are
// switched on.
func TestSourceJobs(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	deps := m.use(t, "")
	rosterSource(t, &deps)
	m.serve("/lists/ia110126.csv", roster(5))
	handlers, schedules := dataops.Work(deps)
	require.Len(t, handlers, 8)
	require.Empty(t, schedules)
	job := handlers[6]
	require.Equal(t, "dataops.ingest_lists", job.Type)
	var wg sync.WaitGroup
	faults := make([]error, 2)
	for i := range faults {
		wg.Go(func() {
			faults[i] = job.Run(context.WithoutCancel(t.Context()), []byte(`{"bucket":"2026-11-21T09:00"}`))
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(faults...))
	require.Equal(t, []string{"ia110126.csv"}, m.fetched())
	require.Equal(t, []int64{1}, ints(t, deps.DB, `SELECT count(*) FROM dataops.ingestion_runs`))

	deps.Config.Schedule = "on"
	_, schedules = dataops.Work(deps)
	require.Len(t, schedules, 6, "the archive of the past is fetched by hand")
	last := schedules[5]
	require.Equal(t, "0 * * * *", last.Cron)
	require.Equal(t, "2026-11-21T09:00", last.Bucket(clock.Fixed(today.Now()).Now()))
}
