package sending_test

import (
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/feed/internal/changefeed"
	"gpatlas/modules/feed/internal/sending"
	"gpatlas/modules/feed/internal/signing"
	"gpatlas/platform/changes"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/outbound"
	"gpatlas/platform/seal"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
)

// workerDatabase is the setting of the processes that TestKilled kills.
const workerDatabase = "SENDING_TEST_DATABASE"

// TestWorkerProcess is a worker that TestKilled kills.
func TestWorkerProcess(t *testing.T) { //nolint:paralleltest // the only test of its process
	url := os.Getenv(workerDatabase)
	if url == "" {
		return
	}
	db, err := database.Open(t.Context(), database.Config{URL: url, MaxConns: 6})
	require.NoError(t, err)
	defer db.Close()
	log, clk := slog.New(slog.DiscardHandler), clock.System{}
	hub := changes.NewHub(db, log)
	s := sending.New(sending.Deps{
		DB: db, Hub: hub, Feed: changefeed.NewService(db, hub, clk, 0), Out: outbound.New(outbound.Config{AllowHTTP: true}),
		Vault: signing.Vault{Secrets: seal.Secrets{[]byte(strings.Repeat("s", 32))}}, Queue: jobs.NewEnqueuer(db), Clock: clk, Log: log,
	})
	hub.Start(t.Context())
	s.Start(t.Context())
	<-t.Context().Done() // until it is killed
}

// kill -9 of two workers amid 1,200 messages (ten times as many in `make soak`), twice: every message arrives, and none twice but those in flight.
func TestKilled(t *testing.T) {
	t.Parallel()
	b, r := newBench(t), newReceiver(t)
	for range 6 {
		b.endpoint(t, b.ada, r.URL)
	}
	loads := testscale.Rounds(t, 1)
	messages := 1200 * loads
	for range loads {
		b.add(t, several(200)...)
	}
	received := func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.got)
	}
	for _, after := range []int{100, 500} {
		var workers []*exec.Cmd
		for range 2 {
			w := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWorkerProcess$")
			w.Env = append(os.Environ(), workerDatabase+"="+dbtest.URL(t, b.db))
			w.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
			require.NoError(t, w.Start())
			workers = append(workers, w)
		}
		require.Eventually(t, func() bool { return received() >= after }, time.Minute, time.Millisecond)
		for _, w := range workers {
			require.NoError(t, w.Process.Kill())
			require.Error(t, w.Wait())
		}
	}
	b.clock.Set(time.Now().Add(5 * time.Minute)) // the leases have ended
	b.all(t)
	b.all(t)
	times := map[string]int{}
	for _, id := range r.ids() {
		times[id]++
	}
	require.Len(t, times, messages)
	twice := 0
	for _, n := range times {
		twice += n - 1
	}
	t.Logf("%d of %d messages arrived again after four kills", twice, messages)
	require.LessOrEqual(t, twice, 4*64, "no more than were in flight")
	require.Equal(t, strconv.Itoa(messages), b.value(t, "SELECT count(*)::text FROM feed.messages WHERE state = 'done'"))
}
