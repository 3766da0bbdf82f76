package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"
)

// listener serves a worker's metrics and readiness, and nothing else, if it is configured.
type listener struct {
	server *http.Server
	addr   string
}

// listen opens JOBS_METRICS_ADDR. An address without a host listens on this machine only.
func listen(ctx context.Context, addr string, metrics, ready http.Handler, log *slog.Logger) (*listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("JOBS_METRICS_ADDR: %q is not HOST:PORT, such as 127.0.0.1:9100", addr)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	addr = net.JoinHostPort(host, port)
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("jobs: %s is in use by another program; choose another HOST:PORT (JOBS_METRICS_ADDR)", addr)
	case err != nil:
		return nil, fmt.Errorf("jobs: cannot listen on %s: %w", addr, err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.Handle("GET /ready", ready)
	l := &listener{addr: socket.Addr().String(), server: &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second,
		IdleTimeout: 75 * time.Second, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}}
	go func() {
		if err := l.server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the worker's metrics are no longer served", slog.Any("error", err))
		}
	}()
	return l, nil
}

func (l *listener) close() error { return l.server.Close() }
