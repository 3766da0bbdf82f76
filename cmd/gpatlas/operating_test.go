package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
)

// listSource writes a file with one source, "lists", whose document is a roster of the CRD numbers that rows gives at each request.
func listSource(t *testing.T, rows func(row func(crd string))) (file string) {
	t.Helper()
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		b.WriteString("Organization CRD#,Legal Name,Latest ADV Filing Date,SEC Current Status,2A(1)\n")
		firm := 700
		rows(func(crd string) {
			fmt.Fprintf(&b, "%s,FIRM %d LLC,10/02/2026,Approved,Y\n", crd, firm)
			firm++
		})
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, b.Len()))
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(b.String()))
	}))
	t.Cleanup(mirror.Close)
	file = filepath.Join(t.TempDir(), "sources.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"sources":[{"name":"lists","kind":"list","addresses":["`+mirror.URL+`/ia100226.csv"],
		"warn_after":"24h","stale_after":"96h"}]}`), 0o600))
	return file
}

// The script of an operator's day does what it says: a source is late, its file is stopped and accepted, an alert of quality is
// acknowledged and resolved, and all of it is in the audit.
func TestOperatingScript(t *testing.T) {
	t.Parallel()
	var advisers atomic.Int64
	advisers.Store(40)
	file := listSource(t, func(row func(crd string)) {
		for i := range advisers.Load() {
			row(strconv.FormatInt(700+i, 10))
		}
	})
	db := sampleDB.New(t)
	url := dbtest.URL(t, db)
	env := []string{"DATABASE_URL=" + url, "DATAOPS_SOURCES_FILE=" + file}
	load, told := gpatlas(t, "ingest", "--source", "lists")
	load.Env = append(load.Env, env...)
	require.NoError(t, load.Run(), told)
	advisers.Store(20)
	do := func(statement string) {
		t.Helper()
		require.NoError(t, db.From(t.Context()).Exec(statement).Error)
	}
	do(`UPDATE dataops.sources SET last_success = now() - interval '5 days'`)
	do(`WITH v AS (SELECT accession FROM catalog.pub_gp_version JOIN (SELECT accession, submitted_at FROM catalog.filings) f USING (accession) WHERE raum > 0 AND crd = (SELECT crd FROM catalog.pub_gp_version WHERE raum > 0
		GROUP BY crd HAVING count(*) > 1 ORDER BY crd LIMIT 1) ORDER BY submitted_at DESC, accession DESC LIMIT 1),
		f AS (UPDATE catalog.filings SET filing_date = current_date - 3, submitted_at = current_date - 3 WHERE accession IN (SELECT accession FROM v))
		UPDATE catalog.adviser_versions SET raum = raum * 100 WHERE accession IN (SELECT accession FROM v)`)

	h := startHouse(t, url, dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off", env[1])
	chief := h.signUp(t, "chief@larkspur.example")
	_, err := accounts.Grant(t.Context(), db, clock.System{}, chief.email)
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "gpatlas")
	script := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "..", "docs", "operating.sh"), h.base, chief.token, "lists", "universe_shrunk", "gpatlas")
	self, err := filepath.Abs(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.Symlink(self, program))
	script.Env = append(append(os.Environ(), env...), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "DATAOPS_QUALITY_THRESHOLDS=aum_jumps=0")
	said, err := script.CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, h.out)
	require.Regexp(t, `(?s)ok: the morning.*ok: extraction.*ok: the file is right.*ok: alert \d+ about 1 rows.*done\n$`, string(said))
}

// A backup is restored while the service runs, by the script of the documentation. The process finds back by itself: to what the
// backup has, with the sessions of then, and without what came later.
func TestRestoreWhileRunning(t *testing.T) {
	t.Parallel()
	db := sampleDB.New(t)
	url := dbtest.URL(t, db)
	at, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	try := func(name string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Env = append(os.Environ(), "PGHOST="+at.Host, fmt.Sprintf("PGPORT=%d", at.Port), "PGUSER="+at.User, "PGPASSWORD="+at.Password)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	tool := func(name string, args ...string) {
		t.Helper()
		out, err := try(name, args...)
		require.NoError(t, err, "%s", out)
	}
	restore := filepath.Join("..", "..", "docs", "restore.sh")
	h := startHouse(t, url, dbtest.RedisURL(t), "ANONYMOUS_LIMITS=off")
	before := h.signUp(t, "before@larkspur.example")
	backup := filepath.Join(t.TempDir(), "gpatlas.dump")
	tool("pg_dump", "-Fc", "-d", at.Database, "-f", backup)

	after := h.signUp(t, "after@larkspur.example")
	list := filepath.Join(t.TempDir(), "ia110226.csv")
	require.NoError(t, os.WriteFile(list, []byte("Organization CRD#,Legal Name,Latest ADV Filing Date,SEC Current Status,2A(1)\n701,LATER THAN THE BACKUP LLC,10/02/2026,Approved,Y\n"), 0o600))
	load, told := gpatlas(t, "ingest", list)
	load.Env = append(load.Env, "DATABASE_URL="+url)
	require.NoError(t, load.Run(), told)
	nobody := caller{t: t, base: h.base}
	found := func() string { return nobody.call("GET", "/v1/gps?q=later+than+the+backup", "").body }
	require.Eventually(t, func() bool { return strings.Contains(found(), "LATER THAN") }, patience, glance)

	// What is no backup, and half of one, change nothing.
	whole, err := os.ReadFile(backup)
	require.NoError(t, err)
	half, other := filepath.Join(t.TempDir(), "half.dump"), filepath.Join(t.TempDir(), "other.dump")
	require.NoError(t, os.WriteFile(half, whole[:len(whole)/2], 0o600))
	require.NoError(t, os.WriteFile(other, []byte("SELECT 1"), 0o600))
	for _, bad := range []string{half, other} {
		out, err := try("sh", restore, bad, at.Database)
		require.Error(t, err, out)
		var left int
		require.NoError(t, db.Pool().QueryRow(t.Context(), "SELECT count(*) FROM pg_database WHERE datname = $1", at.Database+"_restored").Scan(&left), out)
		require.Zero(t, left)
		require.Equal(t, http.StatusOK, after.call("GET", "/v1/auth/me", "").status)
	}

	tool("sh", restore, backup, at.Database)
	require.Eventually(t, func() bool { return !strings.Contains(found(), "LATER THAN") }, 30*time.Second, glance)
	require.Equal(t, http.StatusOK, before.call("GET", "/v1/auth/me", "").status)
	require.Equal(t, http.StatusUnauthorized, after.call("GET", "/v1/auth/me", "").status)
	require.Equal(t, http.StatusOK, nobody.call("GET", "/health", "").status)
	require.Equal(t, http.StatusOK, nobody.call("GET", "/v1/gps/763283", "").status)
	require.Equal(t, http.StatusCreated, nobody.call("POST", "/v1/auth/register", h.form("after@larkspur.example")).status, "it writes again")
}
