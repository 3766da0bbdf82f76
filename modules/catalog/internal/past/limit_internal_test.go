package past

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
)

// A build takes the time that it needs, not what a request may wait for the database.
func TestABuildIsNotBoundByTheRequest(t *testing.T) {
	t.Parallel()
	b := NewBuilder(dbtest.New(t), clock.Fixed(today), slog.New(slog.DiscardHandler), false)
	_, err := b.At(database.WithLimit(t.Context(), time.Nanosecond), before(1), snapshot(0))
	require.NoError(t, err)
}
