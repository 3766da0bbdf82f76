package run_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/testkit/dbtest"
)

// The account is shown by source and state; while the database is away it is not shown, and the scrape goes on.
func TestMetrics(t *testing.T) {
	t.Parallel()
	db := dbtest.New(t)
	store := run.NewStore(db)
	for _, end := range []run.End{
		{Source: "roster", Result: catalogapi.LoadResult{RowsRead: 7}, Quarantined: 2, At: noon.Add(3 * time.Second)},
		{Source: "roster", Result: catalogapi.LoadResult{RowsRead: 5}, At: noon.Add(time.Second)},
		{
			Source: "adv_archive", Err: errors.New("it rained"), At: noon.Add(time.Second),
			Stopped: []gate.Finding{{Check: gate.KeysDoubled, Reason: "twice"}},
		},
	} {
		_, _, err := do(t.Context(), store, start("a"), func(context.Context, int64) run.End { return end })
		require.NoError(t, err)
	}
	metrics := run.NewMetrics(t.Context(), store)
	require.NoError(t, testutil.CollectAndCompare(metrics, strings.NewReader(`
# HELP gpatlas_alerts_open Open alerts.
# TYPE gpatlas_alerts_open gauge
gpatlas_alerts_open{kind="aum_jumps"} 0
gpatlas_alerts_open{kind="column_lost"} 0
gpatlas_alerts_open{kind="duplicate_rows"} 0
gpatlas_alerts_open{kind="edition_doubtful"} 0
gpatlas_alerts_open{kind="fund_sums"} 0
gpatlas_alerts_open{kind="future_dates"} 0
gpatlas_alerts_open{kind="keys_doubled"} 1
gpatlas_alerts_open{kind="names_reverted"} 0
gpatlas_alerts_open{kind="null_share"} 0
gpatlas_alerts_open{kind="quarantine_share"} 0
gpatlas_alerts_open{kind="rows_doubtful"} 0
gpatlas_alerts_open{kind="rows_lost"} 0
gpatlas_alerts_open{kind="rows_unusable"} 0
gpatlas_alerts_open{kind="source_failed"} 0
gpatlas_alerts_open{kind="source_late"} 0
gpatlas_alerts_open{kind="table_lost"} 0
gpatlas_alerts_open{kind="universe_shrunk"} 0
gpatlas_alerts_open{kind="values_changed"} 0
gpatlas_alerts_open{kind="vanished_advisers"} 0
# HELP gpatlas_ingestion_quarantined_rows Unusable rows of ingested documents.
# TYPE gpatlas_ingestion_quarantined_rows gauge
gpatlas_ingestion_quarantined_rows{source="adv_archive",state="failed"} 0
gpatlas_ingestion_quarantined_rows{source="roster",state="completed"} 2
# HELP gpatlas_ingestion_rows Rows read from ingested documents.
# TYPE gpatlas_ingestion_rows gauge
gpatlas_ingestion_rows{source="adv_archive",state="failed"} 0
gpatlas_ingestion_rows{source="roster",state="completed"} 12
# HELP gpatlas_ingestion_runs Ingested documents.
# TYPE gpatlas_ingestion_runs gauge
gpatlas_ingestion_runs{source="adv_archive",state="failed"} 1
gpatlas_ingestion_runs{source="roster",state="completed"} 2
# HELP gpatlas_ingestion_seconds Total time of ingestions.
# TYPE gpatlas_ingestion_seconds gauge
gpatlas_ingestion_seconds{source="adv_archive",state="failed"} 1
gpatlas_ingestion_seconds{source="roster",state="completed"} 4
`), "gpatlas_alerts_open", "gpatlas_ingestion_runs", "gpatlas_ingestion_rows", "gpatlas_ingestion_quarantined_rows", "gpatlas_ingestion_seconds"))

	registry := prometheus.NewRegistry()
	require.NoError(t, registry.Register(metrics))
	db.Close()
	families, err := registry.Gather()
	require.NoError(t, err)
	require.Empty(t, families)
}
