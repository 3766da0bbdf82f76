package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStoppedBeforePeopleAreRead kills or interrupts an ingestion after the catalog is published and before its people are read. The
// next run brings nothing new, and reads them.
func TestStoppedBeforePeopleAreRead(t *testing.T) {
	t.Parallel()
	files := killDocuments(t)[:3]
	in := newIngestion(t)
	in.run(files[0])
	const key = 0x6770_7065_6f70_6c65 // that of resolutions
	for i, signal := range []os.Signal{os.Kill, os.Interrupt} {
		before := in.number("SELECT count(*) FROM people.posts")
		require.Positive(t, before)
		require.Zero(t, in.number("SELECT 0 FROM pg_advisory_lock($1)", int64(key)))
		cmd, out := in.start(files[:i+2]...)
		require.Eventually(t, func() bool { return strings.Contains(in.activity(), "pg_advisory_xact_lock") && in.unread() > 0 }, time.Minute, 5*time.Millisecond, out)
		require.NoError(t, cmd.Process.Signal(signal))
		_ = cmd.Wait()
		if signal == os.Interrupt {
			require.Equal(t, exitFailed, cmd.ProcessState.ExitCode(), out)
			require.True(t, strings.HasSuffix(out.String(), "gpatlas: interrupted: all documents are loaded and stay loaded, but their people are not read yet; run the same command again, or let the worker read them\n"), out)
			require.NotRegexp(t, "context canceled|bad connection|failed", out.String())
		}
		require.Zero(t, in.number("SELECT 1 - pg_advisory_unlock($1)::int", int64(key)))
		in.awaitDisconnect() // who waits for a lock does not notice that the client is gone
		require.Positive(t, in.unread())
		in.run(files[:i+2]...)
		require.Zero(t, in.unread())
		require.Greater(t, in.number("SELECT count(*) FROM people.posts"), before)
	}
}

// unread is how many filings were published after people were read last.
func (in *ingestion) unread() int64 {
	return in.number("SELECT count(*) FROM catalog.pub_filing WHERE processed_at > (SELECT processed_at FROM people.progress)")
}
