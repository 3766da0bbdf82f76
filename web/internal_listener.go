package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"
)

// internalListener serves only the internal pages on a socket of their own. It has no limits, CORS or token: access is
// controlled by the socket's address.
type internalListener struct {
	server *http.Server
	socket net.Listener
}

// listenInternal opens WEB_INTERNAL_ADDR; serve starts answering.
func (a *App) listenInternal(ctx context.Context) (*internalListener, error) {
	addr := a.options.Config.InternalAddr
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("web: %s, the address of the internal pages, is in use; give each process on a machine its own address "+
			"(WEB_INTERNAL_ADDR), or none with WEB_INTERNAL_ADDR=", addr)
	case err != nil:
		return nil, fmt.Errorf("web: cannot listen on %s, the address of the internal pages (WEB_INTERNAL_ADDR): %w", addr, err)
	}
	mux := http.NewServeMux()
	for path, page := range a.internalPages() {
		mux.Handle("GET "+internalPrefix+path, page)
	}
	mux.HandleFunc("/", internalNotFound)
	return &internalListener{socket: socket, server: &http.Server{
		Handler: ownHost(mux), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, IdleTimeout: 75 * time.Second,
		WriteTimeout:   10 * time.Minute, // profiles take as long as requested
		MaxHeaderBytes: readBufferBytes, ErrorLog: slog.NewLogLogger(a.options.Logger.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return a.pipeline.base },
	}}, nil
}

func (l *internalListener) addr() string { return l.socket.Addr().String() }

func (l *internalListener) serve(log *slog.Logger) {
	if err := l.server.Serve(l.socket); !errors.Is(err, http.ErrServerClosed) {
		log.Error("the internal pages are no longer served", slog.Any("error", err))
	}
}

func (l *internalListener) close() { _ = l.server.Close() }

// ownHost refuses requests of a browser on this machine for another site: DNS rebinding, a name that points to 127.0.0.1, would
// give that site access to these pages. From other machines any name is accepted, because that needs a network connection.
func ownHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(fiber.HeaderXContentTypeOptions, "nosniff")
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		if err == nil && from.Addr().Unmap().IsLoopback() && !namesThisMachine(r.Host) {
			internalNotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// namesThisMachine reports whether a Host header names this machine by number or as localhost.
func namesThisMachine(host string) bool {
	if host == "localhost" || strings.HasPrefix(host, "localhost:") {
		return true
	}
	if at, err := netip.ParseAddrPort(host); err == nil {
		return at.Addr().IsLoopback()
	}
	at, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && at.IsLoopback()
}

func internalNotFound(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	w.WriteHeader(http.StatusNotFound)
	_ = json.NewEncoder(w).Encode(fiber.Map{"detail": "Page not found; see " + internalPrefix + "/ready, /metrics and /pprof"})
}
