package bench_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// profile loads the service with each operation once more, for a slot, and keeps what the processor did and what was
// allocated in it: DIR/gps.cpu.pprof, DIR/gps.allocs.pprof and so on. The rounds that count run without profiles.
func (s *served) profile(ctx context.Context, b *testing.B, dir string) {
	b.Helper()
	require.NoError(b, os.MkdirAll(dir, 0o750))
	all, err := gather(ctx, s.addr)
	require.NoError(b, err)
	defer all.close()
	seconds := max(1, int(slotFlag.Seconds()))
	for i := range s.measured {
		m := &s.measured[i]
		taken := make(chan error, 2)
		for kind, page := range map[string]string{"cpu": "profile", "allocs": "allocs"} {
			go func() {
				path := filepath.Join(dir, m.unit+"."+kind+".pprof")
				taken <- s.keep(ctx, fmt.Sprintf("/_internal/pprof/%s?seconds=%d", page, seconds), path)
			}()
		}
		_, err := all.drive(ctx, m.requests, *slotFlag)
		require.NoError(b, err)
		for range 2 {
			require.NoError(b, <-taken)
		}
	}
	say("  profiles in %s: go tool pprof -top FILE", dir)
}

// keep writes an answer to a file.
func (s *served) keep(ctx context.Context, path, file string) error {
	status, body, err := getInternal(ctx, s.internal, path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if status != 200 {
		return fmt.Errorf("%s: status %d: %s", path, status, body)
	}
	return os.WriteFile(file, body, 0o600)
}
