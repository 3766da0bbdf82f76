package keys_test

import (
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/keys/internal/apikey"
	"gpatlas/modules/keys/internal/limit"
	"gpatlas/modules/keys/internal/testkit/fixture"
	"gpatlas/modules/keys/internal/usage"
	"gpatlas/platform/ratelimit"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

// BenchmarkRequest is what a key adds to a request: it is recognised, its limits are asked for, its use is counted.
func BenchmarkRequest(b *testing.B) {
	db, clk, log := dbtest.New(b), clocktest.At("2026-11-20T10:00:00Z"), slog.New(slog.DiscardHandler)
	store := apikey.NewStore(db)
	verifier := apikey.NewVerifier(store, clk, log)
	rdb, err := limit.Open(dbtest.RedisURL(b))
	require.NoError(b, err)
	b.Cleanup(func() { _ = rdb.Close() })
	limiter := limit.NewLimiter(limit.Options{Redis: rdb, Clock: clk, Log: log})
	recorder := usage.NewRecorder(usage.NewStore(db), clk, log, nil)
	service := apikey.NewService(store, verifier, clk)
	keys := make([]string, 100)
	for i := range keys {
		user := fixture.Account{APITier: "scale"}.Insert(b, db, fmt.Sprintf("u%d", i))
		k, err := service.Create(b.Context(), apikey.CreateInput{UserID: user, Name: "x", Tier: "scale", Mode: "live"})
		require.NoError(b, err)
		keys[i] = k.Key
	}
	request := func(b *testing.B, i int) {
		b.Helper()
		caller, err := verifier.VerifyKey(b.Context(), keys[i%len(keys)])
		if err != nil {
			b.Fatal(err)
		}
		limiter.Allow(b.Context(), caller)
		recorder.Record(ratelimit.Usage{Caller: caller, Operation: "search-gps", Status: 200, At: clk.Now(), Elapsed: 300 * time.Microsecond})
	}
	b.Run("alone", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			request(b, i)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(32)
		var n atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			for i := int(n.Add(7)); pb.Next(); i++ {
				request(b, i)
			}
		})
	})
}
