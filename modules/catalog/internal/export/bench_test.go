package export_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/export"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/testkit/httpapitest"
)

// BenchmarkExport writes 10,000 rows of all columns. The search is part of it, the network and the database are not.
func BenchmarkExport(b *testing.B) {
	catalog := fixture.New(b)
	catalog.Index.Swap(big(20_000))
	service := export.NewService(catalog.Index, catalog.DB, catalog.Clock, false)
	for _, format := range []string{"csv", "ndjson"} {
		b.Run(format, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				file, err := service.Export(b.Context(), ada, &export.Request{Type: "gps", Format: format})
				require.NoError(b, err)
				require.Equal(b, 10_000, file.Rows())
				require.NoError(b, file.Write(bufio.NewWriter(io.Discard)))
			}
		})
	}
}

const (
	searchers = 8           // who search over HTTP, each the next as soon as the last is answered
	exporters = 10          // who export meanwhile, each the next as soon as the last is read
	slot      = time.Second // for each of the two
)

// BenchmarkSearchDuringExports drives GP searches over HTTP without exports and during ten at a time, in turn, and gives by how much
// the 99th percentile grows (x-quiet, the median of all rounds). The clients share the processor with the service.
func BenchmarkSearchDuringExports(b *testing.B) {
	host, catalog, _ := newHost(b, false)
	catalog.Index.Swap(big(40_000))
	const path = "/v1/export/csv"
	host.Do(b, httpapitest.Scenario{Method: http.MethodPost, Path: path, Body: `{"type":"gps","fields":["crd"]}`, As: ada}) // the host now knows the caller as number 0
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	go func() { _ = host.App.Listener(listener) }()
	b.Cleanup(func() { require.NoError(b, host.App.Shutdown()) })
	c := &caller{base: "http://" + listener.Addr().String(), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: searchers + exporters}}}
	search := func(ctx context.Context, n int) (int, error) {
		return c.call(ctx, http.MethodGet, "/v1/gps?limit=20&sort=aum&min_aum="+strconv.Itoa(n%30_000), "")
	}
	file := func(ctx context.Context, _ int) (int, error) {
		return c.call(ctx, http.MethodPost, path, `{"type":"gps"}`)
	}
	whole, err := file(b.Context(), 0)
	require.NoError(b, err)
	require.Greater(b, whole, 10_000*20)
	c.drive(b, searchers, search) // warm
	var quiets, busies, ratios []float64
	var files int
	for b.Loop() {
		quiet := c.drive(b, searchers, search)
		read := make(chan []time.Duration, 1)
		go func() { read <- c.drive(b, exporters, file) }()
		busy := c.drive(b, searchers, search)
		files += len(<-read)
		quiets, busies = append(quiets, p99(quiet)), append(busies, p99(busy))
		ratios = append(ratios, p99(busy)/p99(quiet))
	}
	b.ReportMetric(0, "ns/op") // the slots
	b.ReportMetric(middle(quiets), "p99-quiet-ms")
	b.ReportMetric(middle(busies), "p99-busy-ms")
	b.ReportMetric(middle(ratios), "x-quiet")
	b.ReportMetric(float64(files)/float64(len(ratios)), "exports/slot")
}

// caller asks the service over HTTP.
type caller struct {
	base   string
	client *http.Client
}

func (c *caller) call(ctx context.Context, method, path, body string) (size int, err error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Httpapitest-Caller", "0")
	response, err := c.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return int(n), err
}

// drive has some callers call for a slot, each the next as soon as the last is answered, and gives how long each call took, in order.
func (c *caller) drive(b *testing.B, callers int, call func(context.Context, int) (int, error)) (took []time.Duration) {
	b.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	var fault error
	end := time.Now().Add(slot)
	for i := range callers {
		all.Go(func() {
			var own []time.Duration
			var err error
			for n := i; err == nil && time.Now().Before(end); n += 7919 {
				begun := time.Now()
				_, err = call(b.Context(), n)
				own = append(own, time.Since(begun))
			}
			mu.Lock()
			defer mu.Unlock()
			took, fault = append(took, own...), cmp.Or(fault, err)
		})
	}
	all.Wait()
	if fault != nil {
		b.Error(fault)
	}
	slices.Sort(took)
	return took
}

// p99 is that of durations in order, in milliseconds.
func p99(took []time.Duration) float64 {
	return float64(took[len(took)*99/100].Microseconds()) / 1000
}

func middle(list []float64) float64 { return slices.Sorted(slices.Values(list))[len(list)/2] }
