package reset_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/user"
)

// BenchmarkForgotKinds sets the median times of requests for a reset link against that for a known address. The kinds take
// turns, so that a change of the machine's pace meets all of them. Run it with -benchtime=500x or more.
func BenchmarkForgotKinds(b *testing.B) {
	bench := setup(b)
	bench.MakeUser(b, "known@larkspur.example")
	bench.MakeUser(b, "full@larkspur.example")
	gone := bench.MakeUser(b, "gone@larkspur.example")
	require.NoError(b, bench.Users.Update(b.Context(), gone.ID, map[string]any{"deleted_at": bench.Clock.Now()}))
	kinds := []string{"known", "unknown", "gone", "full", "unknown-full"}
	took := make([][]time.Duration, len(kinds))
	for round := 0; b.Loop(); round++ {
		bench.Clock.Move(61 * time.Minute)
		for _, full := range kinds[3:] {
			for range throttle.ForgotPassword.Max {
				_, err := bench.Throttle.Take(b.Context(), throttle.Use{Rule: throttle.ForgotPassword, Subject: user.Key(full + "@larkspur.example")})
				require.NoError(b, err)
			}
		}
		for i := range kinds {
			at := (i + round) % len(kinds)
			began := time.Now()
			err := bench.service.Forgot(b.Context(), kinds[at]+"@larkspur.example", netip.Addr{})
			took[at] = append(took[at], time.Since(began))
			require.NoError(b, err)
		}
	}
	for i, name := range kinds {
		b.ReportMetric(sessiontest.Median(took[i])/sessiontest.Median(took[0]), name+"/known")
	}
	b.ReportMetric(sessiontest.Median(took[0])*1000, "known-ms")
}
