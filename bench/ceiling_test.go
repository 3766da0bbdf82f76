package bench_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/config"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/log"
	"gpatlas/platform/module"
	"gpatlas/web"
)

// ceilingName is what this test program is called when it is to be the ceiling.
const ceilingName = "gpatlas-ceiling"

// TestMain lets the test program be its own child: the ceiling needs a process like the service's.
func TestMain(m *testing.M) {
	if os.Args[0] != ceilingName {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := ceiling(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, ceilingName+":", err)
		os.Exit(1)
	}
}

// ceiling serves, by the real web app with the settings of `gpatlas dev`, one operation for each size given, whose
// answer is so many bytes and costs nothing to find: the most that the service could do. The first argument is how many
// bytes the process holds beside: with an empty heap the collector would run hundreds of times a second, and a ceiling
// slowed by it would flatter the service. It ends with its standard input, so never survives its parent.
func ceiling(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	numbers := make([]int, len(args))
	for i, arg := range args {
		var err error
		if numbers[i], err = strconv.Atoi(arg); err != nil || len(args) < 2 {
			return fmt.Errorf("usage: HELD-BYTES SIZE…: %w", err)
		}
	}
	held := make([]byte, numbers[0])
	fixed := module.Manifest{Name: "ceiling"}
	for i, size := range numbers[1:] {
		fixed.Routes = append(fixed.Routes, fixedRoute(i, size))
	}
	var settings struct {
		Web web.Config `envPrefix:"WEB_"`
	}
	if err := config.Load(nil, &settings); err != nil {
		return err
	}
	settings.Web.Addr, settings.Web.AccessLog = "127.0.0.1:0", "errors"
	logger, flush := log.Open(log.Config{Level: slog.LevelInfo}, os.Stderr)
	defer flush()
	app, err := web.New(web.Options{Config: settings.Web, Build: ceilingName, Manifests: []module.Manifest{fixed}, Logger: logger})
	if err != nil {
		return err
	}
	server := web.NewServer(app)
	if err := server.Start(ctx); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(out, "ready on http://%s\n", server.Addr())
	gone, cancel := context.WithCancel(ctx)
	go func() { _, _ = io.Copy(io.Discard, in); cancel() }()
	<-gone.Done()
	runtime.KeepAlive(held)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return server.Stop(last)
}

type fixedBody struct {
	Data string `json:"data"`
}

func fixedPath(i int) string { return "/v1/ceiling/" + strconv.Itoa(i) }

func fixedRoute(i, size int) httpapi.Route {
	const around = len(`{"data":""}`)
	body := []byte(`{"data":"` + strings.Repeat("x", max(0, size-around)) + `"}`)
	return httpapi.Get(fixedPath(i), "ceiling-"+strconv.Itoa(i),
		func(context.Context, *struct{}) (*httpapi.Reply[fixedBody], error) {
			return &httpapi.Reply[fixedBody]{Raw: body}, nil
		}, httpapi.Summary("So many bytes"), httpapi.Tag("Ceiling"))
}

// The ceiling answers with exactly the sizes asked for, through the service's own middleware, and the client reads it.
func TestCeiling(t *testing.T) {
	t.Parallel()
	c := startCeiling(t, 1<<20, []int{1000, 20_000, 200_000})
	all, err := gather(t.Context(), c.addr)
	require.NoError(t, err)
	defer all.close()
	for i, size := range []int{1000, 20_000, 200_000} {
		status, body, err := all[0].ask(request(fixedPath(i)))
		require.NoError(t, err)
		require.Equal(t, 200, status)
		require.Len(t, body, size)
		require.True(t, bytes.HasPrefix(body, []byte(`{"data":"xx`)))
	}
	status, _, err := all[1].ask(request("/v1/ceiling/9"))
	require.NoError(t, err)
	require.Equal(t, 404, status)

	l, err := all.drive(t.Context(), [][]byte{request(fixedPath(0)), request(fixedPath(1))}, 50*time.Millisecond)
	require.NoError(t, err)
	require.Positive(t, l.rate)
	require.LessOrEqual(t, l.p50, l.p99)
	_, err = all.drive(t.Context(), [][]byte{request("/v1/ceiling/9")}, 50*time.Millisecond)
	require.ErrorContains(t, err, "GET /v1/ceiling/9: status 404")
}
