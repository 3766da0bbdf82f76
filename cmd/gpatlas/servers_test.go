package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The address answers 503 until it is handed over; then the same socket is the next server's, and nobody could take it
// in between. A connection that never sends a request does not hold the service up.
func TestFront(t *testing.T) {
	t.Parallel()
	f, err := bind(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(f.close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+f.addr()+"/v1/gps", http.NoBody)
	require.NoError(t, err)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	require.Equal(t, "5", res.Header.Get("Retry-After"))
	require.Equal(t, "application/json", res.Header.Get("Content-Type"))
	require.JSONEq(t, `{"detail":"The service is starting. Try again in a few seconds."}`, string(body))

	silent, err := net.Dial("tcp", f.addr())
	require.NoError(t, err)
	defer func() { _ = silent.Close() }()
	_, err = bind(t.Context(), f.addr())
	require.ErrorContains(t, err, "is in use")

	began := time.Now()
	ln, err := f.handOver(t.Context())
	require.NoError(t, err)
	require.Less(t, time.Since(began), 4*time.Second)
	require.Equal(t, f.addr(), ln.Addr().String())
	_, err = bind(t.Context(), f.addr())
	require.ErrorContains(t, err, "is in use", "the address stays taken")
	go func() { _, _ = net.Dial("tcp", f.addr()) }()
	conn, err := ln.Accept()
	require.NoError(t, err)
	require.NoError(t, conn.Close())

	f.close()
	_, err = ln.Accept()
	require.ErrorIs(t, err, net.ErrClosed)
}

// An address that is none is refused, and the form of one is shown.
func TestFrontWantsAnAddress(t *testing.T) {
	t.Parallel()
	_, err := bind(t.Context(), "foo")
	require.EqualError(t, err, `--addr "foo" is not an address: use HOST:PORT, such as 127.0.0.1:8080`)
	var usage usageError
	require.ErrorAs(t, err, &usage)
	require.Equal(t, exitUsage, usage.ExitCode())
}

// The greeting suggests requests, or how to load data if there are none.
func TestBanner(t *testing.T) {
	t.Parallel()
	var full, empty strings.Builder
	banner(&full, "127.0.0.1:8080", "", "/elsewhere/mail", nil, false)
	require.Contains(t, full.String(), "  mails          /elsewhere/mail\n")
	require.Contains(t, full.String(), "Try:\n  curl 'http://127.0.0.1:8080/v1/gps?")
	banner(&empty, "127.0.0.1:8080", "", "", nil, true)
	require.NotContains(t, empty.String(), "mails", "a server sends them")
	require.Contains(t, empty.String(), "The catalog is empty. Load filings, in another terminal:\n  gpatlas ingest FILE_OR_FOLDER\n  gpatlas ingest --list-sources\n")
	require.NotContains(t, empty.String(), "curl")
}

// An address without a port is refused: the system would choose one, on every address of the machine.
func TestFrontWantsAPort(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{":", "127.0.0.1:", "[::1]:"} {
		_, err := bind(t.Context(), addr)
		require.EqualError(t, err, "cannot listen on \""+addr+"\": the port is missing: choose another with --addr HOST:PORT")
	}
}
