package stage_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/stage"
)

func TestStage(t *testing.T) {
	t.Parallel()
	stage.Begin(t.Context(), "deriving")() // is harmless without a watcher
	var heard []string
	ctx := stage.Watch(t.Context(), func(name string) func() {
		heard = append(heard, name)
		return func() { heard = append(heard, "end") }
	})
	stage.Begin(ctx, "deriving "+stage.Count(40_000, "adviser"))()
	require.Equal(t, []string{"deriving 40,000 advisers", "end"}, heard)
	require.Equal(t, "1 adviser", stage.Count(int64(1), "adviser"))
}
