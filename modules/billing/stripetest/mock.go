package stripetest

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mockVersion is the version of stripe-mock that scripts/install.sh builds.
const mockVersion = "0.203.0"

// StartMock starts Stripe's own mock, which checks requests against Stripe's OpenAPI document and stores nothing, and returns
// its URL. The test fails if the program is not installed.
func StartMock(tb testing.TB) (url string) {
	tb.Helper()
	program := mockProgram(tb)
	free, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	address := free.Addr().String()
	require.NoError(tb, free.Close())
	var output bytes.Buffer
	// It also listens for HTTPS, by default on a fixed port, on which two of them would collide.
	cmd := exec.CommandContext(context.WithoutCancel(tb.Context()), program, "-http-addr", address, "-https-addr", "127.0.0.1:0") //nolint:gosec // a program of the tests
	cmd.Stdout, cmd.Stderr = &output, &output
	require.NoError(tb, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tb.Cleanup(func() { _ = cmd.Process.Kill(); ended <- <-ended })
	client := &http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	give, cancel := context.WithTimeout(tb.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(give, http.MethodGet, "http://"+address, http.NoBody)
		require.NoError(tb, err)
		if res, err := client.Do(req); err == nil {
			_ = res.Body.Close()
			return "http://" + address
		}
		select {
		case err := <-ended:
			ended <- err
			require.Fail(tb, "stripe-mock ended: "+output.String())
		case <-give.Done():
			require.Fail(tb, "stripe-mock does not answer")
		case <-tick.C:
		}
	}
}

func mockProgram(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	require.NoError(tb, err)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
	}
	program := filepath.Join(dir, "bin", "stripe-mock-"+mockVersion, "stripe-mock")
	require.FileExists(tb, program, "run scripts/install.sh --test")
	return program
}
