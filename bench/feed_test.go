package bench_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// measureFeed measures the log of changes and webhooks: what readers wait for, pages, and deliveries.
func measureFeed(ctx context.Context, b *testing.B, r *report) {
	b.Helper()
	for _, m := range []struct {
		key, what, pkg, bench, metric, unit string
		times                               int
	}{
		{keyWaiters, "commit until the last of 1,000 waiting readers has the event, p99", "./platform/changes", "Waiters", "ms-p99", "ms", 50},
		{keyRing, "100 events from the memory of a process, p99", "./platform/changes", "Pages/ring", "ms-p99", "ms", 1000},
		{keyTable, "100 events of a table of 5 million, p99", "./platform/changes", "Pages/table$", "ms-p99", "ms", 1000},
		{keyDeliveries, "webhooks to receivers on this machine, by one worker", "./modules/feed/internal/sending", "Deliveries", "deliveries/s", "/s", 2},
		{keyIdle, "a look for work while 10,000 webhooks have none, p50", "./modules/feed/internal/sending", "IdleEndpoints", "ms-p50", "ms", 100},
	} {
		found, err := goBench(ctx, m.pkg, "^Benchmark"+m.bench, "-benchtime", strconv.Itoa(m.times)+"x", "-count", strconv.Itoa(*roundsFlag))
		require.NoError(b, err)
		rounds := found.rounds("Benchmark"+m.bench, m.metric, 1)
		require.NotEmpty(b, rounds, m.bench)
		r.measure(m.key, m.what, m.unit, rounds, fmt.Sprintf("%d times a round", m.times))
	}
}
