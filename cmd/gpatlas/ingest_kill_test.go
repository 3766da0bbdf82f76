package main

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
	"gpatlas/sample"
)

// ingestion is a database, and the documents that are brought into it by processes of their own.
type ingestion struct {
	t    *testing.T
	url  string
	conn *pgx.Conn
}

func newIngestion(t *testing.T) *ingestion {
	t.Helper()
	url := dbtest.NewURL(t)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return &ingestion{t: t, url: url, conn: conn}
}

// killDocuments are some of the sample's documents of every kind, in the order in which they are loaded.
func killDocuments(t *testing.T) []string {
	t.Helper()
	written, err := sample.Write(t.Context(), sample.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	var files []string
	for _, a := range written.Archives {
		name := filepath.Base(a.Path)
		for _, wanted := range []string{"20260131.zip", "20260228.zip", "20260331.zip", "2026q1_d.zip", "ADVW_2026", "IA_FIRM_SEC"} {
			if strings.Contains(name, wanted) {
				files = append(files, a.Path)
			}
		}
	}
	require.Len(t, files, 6)
	return files
}

// start starts the command over some documents. It is killed with the test.
func (in *ingestion) start(files ...string) (*exec.Cmd, *output) {
	in.t.Helper()
	cmd, out := gpatlas(in.t, append([]string{"ingest"}, files...)...)
	cmd.Env = append(cmd.Env, "DATABASE_URL="+in.url)
	require.NoError(in.t, cmd.Start())
	in.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out
}

// run runs the command to its end, which must be a good one.
func (in *ingestion) run(files ...string) {
	in.t.Helper()
	cmd, out := in.start(files...)
	require.NoError(in.t, ended(in.t, cmd, out), out)
}

// state is what a reader of the catalog may see, as one hash a table: the columns that say when and in which run something was
// written, and the internal numbers, are left out.
//
// Numbers of providers' names are in the order of the loads, so the names are compared.
func (in *ingestion) state() map[string]string {
	in.t.Helper()
	out := make(map[string]string)
	tables, err := in.conn.Query(in.t.Context(), `SELECT table_name FROM information_schema.tables
		WHERE table_schema = 'catalog' AND table_type = 'BASE TABLE' AND table_name NOT IN ('publications', 'arrivals', 'changed_advisers') ORDER BY 1`)
	require.NoError(in.t, err)
	names, err := pgx.CollectRows(tables, pgx.RowTo[string])
	require.NoError(in.t, err)
	for _, name := range names { // without instants, which differ; column filed of records holds some
		var hash string
		var row strings.Builder
		row.WriteString("to_jsonb(t) - 'run_id' - 'processed_at' - 'updated_at' - 'created_at' - 'id' - 'arrival' - 'known_at' - 'filed'")
		for _, c := range numbered[name] {
			_, _ = fmt.Fprintf(&row, ` || jsonb_build_object('%[1]s', ARRAY(SELECT n.name || n.crd || n.lei || ' ' || (%[3]s) FROM unnest(t.%[1]s) s
				JOIN catalog.provider_names n ON n.id = %[2]s ORDER BY 1))`, c.column, c.id, c.rest)
		}
		query := fmt.Sprintf(`SELECT count(*) || ' ' || coalesce(md5(string_agg(row, '' ORDER BY row COLLATE "C")), '') FROM (SELECT (%s)::text AS row FROM catalog.%s t) x`,
			row.String(), pgx.Identifier{name}.Sanitize())
		require.NoError(in.t, in.conn.QueryRow(in.t.Context(), query).Scan(&hash), name)
		out[name] = hash
	}
	require.Contains(in.t, out, "advisers")
	return out
}

// numbered are the columns with numbers of providers' names, by table, and the number and the rest of an element, in SQL.
var numbered = map[string][]struct{ column, id, rest string }{
	"fund_services": {{"services", "s >> 3", "s & 7"}}, "provider_changes": {{"before", "s", "0"}, {"after", "s", "0"}},
}

func (in *ingestion) number(query string, args ...any) (n int64) {
	in.t.Helper()
	require.NoError(in.t, in.conn.QueryRow(in.t.Context(), query, args...).Scan(&n))
	return n
}

// awaitDisconnect waits until the server has noticed that a killed process is gone: until then its transaction may still be
// rolling back, or its last statement, a COMMIT perhaps, still be at work.
func (in *ingestion) awaitDisconnect() {
	in.t.Helper()
	require.Eventually(in.t, func() bool {
		return in.number(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'gpatlas%'`) == 0
	}, time.Minute, 5*time.Millisecond, "connections of a killed process stay")
}

// activity is what the connections of an ingestion are doing at the moment.
func (in *ingestion) activity() string {
	in.t.Helper()
	var text string
	require.NoError(in.t, in.conn.QueryRow(in.t.Context(), `SELECT coalesce(string_agg(state || ' ' || query, E'\n' ORDER BY pid), '')
		FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gpatlas ingest'`).Scan(&text))
	return text
}

// moment is when an ingestion is killed: after so many changes in what it does, and once it does what the words say.
type moment struct {
	changes int
	words   string
}

func (m moment) String() string { return fmt.Sprintf("after %d changes, at %q", m.changes, m.words) }

// moments are from the first connection to the last statement. What a process does passes quickly: where the words are
// not seen it comes to its end, and is killed at another moment the next time.
func moments() []moment {
	out := []moment{
		{0, ""},
		{1, "COPY"},
		{1, "pg_advisory"},
		{1, "catalog.publications"},
		{1, "active commit"},
		{1, "active INSERT INTO catalog"},
		{1, "catalog.advisers"},
		{1, "catalog.funds"},
	}
	for _, n := range []int{1, 3, 6, 10, 14, 19, 25, 40} {
		out = append(out, moment{n, ""})
	}
	return out
}

// wait waits for the moment, and reports whether the process still lives.
func (m moment) wait(in *ingestion, over <-chan error) bool {
	last, changes := "", 0
	for {
		select {
		case <-over:
			return false
		default:
		}
		now := in.activity()
		if now != last {
			last = now
			changes++
		}
		if changes > m.changes && strings.Contains(strings.ToLower(now), strings.ToLower(m.words)) {
			return true
		}
	}
}

// TestIngestInterrupted holds ingestions that are killed, or run side by side, against one that nobody disturbs. A reader
// sees the state after some of the documents, whole, and never another.
func TestIngestInterrupted(t *testing.T) {
	t.Parallel()
	files := killDocuments(t)
	calm := newIngestion(t)
	states := []map[string]string{calm.state()}
	for _, f := range files {
		calm.run(f)
		states = append(states, calm.state())
	}
	for i := range files {
		require.NotEqual(t, states[i], states[i+1], "%s changes something", files[i])
	}
	t.Run("killed", func(t *testing.T) {
		t.Parallel()
		killed(t, files, states)
	})
	t.Run("side by side", func(t *testing.T) {
		t.Parallel()
		in := newIngestion(t)
		for _, pair := range [][2][]string{{files[:2], files[:2]}, {files[2:], reversed(files)}} {
			first, firstOut := in.start(pair[0]...)
			second, secondOut := in.start(pair[1]...)
			require.NoError(t, ended(t, first, firstOut), firstOut)
			require.NoError(t, ended(t, second, secondOut), secondOut)
		}
		require.Equal(t, states[len(files)], in.state())
		require.Zero(t, in.number(`SELECT count(*) FROM dataops.ingestion_runs WHERE state <> 'completed'`))
	})
}

func reversed(files []string) []string {
	out := slices.Clone(files)
	slices.Reverse(out)
	return out
}

// killed kills ingestions at many moments: while documents are opened, copied, merged and committed. States only go
// forward, what the account calls completed is there, running again completes, and the runs of the dead are marked failed.
func killed(t *testing.T, files []string, states []map[string]string) {
	t.Helper()
	in := newIngestion(t)
	seen, kills, amid, newest := 0, 0, int64(0), int64(0)
	for _, m := range moments() {
		cmd, out := in.start(files[seen%len(files):]...)
		over := make(chan error, 1)
		go func() { over <- cmd.Wait() }()
		if m.wait(in, over) {
			require.NoError(t, cmd.Process.Kill())
			<-over
			kills++
		}
		in.awaitDisconnect()
		amid += in.number(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'running' AND id > $1`, newest)
		newest = in.number(`SELECT coalesce(max(id), 0) FROM dataops.ingestion_runs`)
		now := in.state()
		at := slices.IndexFunc(states, func(s map[string]string) bool { return maps.Equal(s, now) })
		require.GreaterOrEqual(t, at, seen, "killed %s: the catalog is in no state between documents, or has gone back:\n%s", m, out)
		done := in.number(`SELECT count(DISTINCT sha256) FROM dataops.ingestion_runs WHERE state = 'completed'`)
		require.GreaterOrEqual(t, int64(at), done, "killed %s: what the account calls completed is there:\n%s", m, out)
		seen = at
	}
	t.Logf("%d kills amid %d documents, %d documents loaded meanwhile", kills, amid, seen)
	require.GreaterOrEqual(t, kills, 8)
	require.GreaterOrEqual(t, amid, int64(4))
	in.run(files...)
	require.Equal(t, states[len(files)], in.state())
	require.Zero(t, in.number(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'running'`))
	require.GreaterOrEqual(t, in.number(`SELECT count(*) FROM dataops.ingestion_runs WHERE state = 'failed' AND error LIKE '%ended before it was done%'`), amid)
}
