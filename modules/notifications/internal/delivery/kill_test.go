package delivery_test

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/notifications/internal/delivery"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/testkit/deliverytest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/mailtest"
)

// fill queues a mail for each of many accounts.
func fill(tb testing.TB, b *deliverytest.Bench, n int) {
	tb.Helper()
	_, err := b.DB.Pool().Exec(tb.Context(), `
		INSERT INTO notifications.queue (kind, category, user_id, natural_key, data, not_before, created_at, message_id)
		SELECT 'trial_ending', 'billing', n, 'trial_ending:' || n, jsonb_build_object('at', $2::timestamptz), $3, $3, md5('x' || n)
		FROM generate_series(1, $1) n`, n, deliverytest.Ends, b.Clock.Now())
	require.NoError(tb, err)
}

// Two workers at the same queue send each mail once, and the registry's daily maximum holds across them.
func TestTwoWorkers(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	const n = 200
	fill(t, b.Bench, n)
	for i := range 12 {
		b.Add(t, 9000, fmt.Sprintf("one account %d", i)) // five a day
	}
	services := []*delivery.Service{b.Delivery, b.Service()}
	done := make([]delivery.Processed, len(services))
	var group sync.WaitGroup
	for i, s := range services {
		group.Go(func() {
			var err error
			done[i], err = s.Process(t.Context())
			require.NoError(t, err)
		})
	}
	group.Wait()
	require.EqualValues(t, n+5, done[0].Sent+done[1].Sent)
	require.Equal(t, map[string]int{queue.Sent: n + 5, queue.Suppressed: 7}, b.States(t))
	ids := b.messageIDs(t)
	require.Len(t, ids, n+5)
	for id, times := range ids {
		require.Equal(t, 1, times, id)
	}
}

// The settings of the process that TestKilled kills.
const (
	workerDatabase = "DELIVERY_TEST_DATABASE"
	workerSMTP     = "DELIVERY_TEST_SMTP"
)

// TestWorkerProcess is the worker that TestKilled kills.
func TestWorkerProcess(t *testing.T) { //nolint:paralleltest // the only test of its process
	url := os.Getenv(workerDatabase)
	if url == "" {
		return
	}
	db, err := database.Open(t.Context(), database.Config{URL: url, MaxConns: 6})
	require.NoError(t, err)
	defer db.Close()
	sender, err := mail.New(mail.Config{SMTPURL: os.Getenv(workerSMTP), From: "GP Atlas <no-reply@atlas.example>"}, clock.System{})
	require.NoError(t, err)
	_, err = deliverytest.New(t, db, sender).Delivery.Process(t.Context())
	require.NoError(t, err)
}

// kill -9 amid 500 mails, twice: none is lost, and none goes out under two Message-IDs. What was in flight may go out twice.
func TestKilled(t *testing.T) {
	t.Parallel()
	b := setup(t, mailtest.Options{})
	const n = 500
	fill(t, b.Bench, n)
	for _, after := range []int{60, 180} {
		process := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWorkerProcess$")
		process.Env = append(os.Environ(), workerDatabase+"="+dbtest.URL(t, b.DB), workerSMTP+"="+b.server.URL())
		process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		require.NoError(t, process.Start())
		b.server.Wait(t, after)
		require.NoError(t, process.Process.Kill())
		require.Error(t, process.Wait())
	}
	require.NotZero(t, b.States(t)[queue.Sending], "some were in flight")
	before := b.Process(t).Sent
	require.NotZero(t, b.States(t)[queue.Sending], "their leases last")
	b.Clock.Move(21 * time.Minute)
	after := b.Process(t)
	require.NotZero(t, before+after.Sent)
	require.Equal(t, map[string]int{queue.Sent: n}, b.States(t))
	ids, twice := b.messageIDs(t), 0
	require.Len(t, ids, n, "one Message-ID for each notification, and none is lost")
	recipients := map[string]string{}
	for _, m := range b.server.Messages() {
		id := mailtest.Parse(t, m.Data).Header.Get("Message-Id")
		require.Contains(t, []string{"", id}, recipients[m.To], "%s got two mails", m.To)
		recipients[m.To] = id
	}
	for _, times := range ids {
		require.LessOrEqual(t, times, 3)
		twice += times - 1
	}
	t.Logf("%d of %d mails went out again after two kills", twice, n)
	require.LessOrEqual(t, twice, 2*b.Parts.Connections, "no more than were in flight")
}
