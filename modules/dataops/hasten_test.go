package dataops_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An entity that waits gets a higher priority and never a lower one.
func TestFreshnessQueueRaisesPriority(t *testing.T) {
	t.Parallel()
	m := newMirror(t)
	o := newOps(t, m.use(t, ""))
	for _, c := range []struct {
		priority     string
		status, want int
	}{{"10", 201, 10}, {"90", 200, 90}, {"20", 200, 90}} {
		body := `{"entity_type":"source","entity_id":"advw","reason":"late","priority":` + c.priority + `}`
		require.InDelta(t, c.want, o.data(t, "POST", "freshness/queue", body, c.status)["priority"], 0)
	}
	got := o.data(t, "POST", "extractions", `{"source":"form-d","accept":["universe_shrunk","universe_shrunk"]}`, 202)
	require.Equal(t, []any{"universe_shrunk"}, got["accept"])
}
