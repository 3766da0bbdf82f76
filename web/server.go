package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"
)

// Server runs an App on a socket.
type Server struct {
	app    *App
	config Config
	logger *slog.Logger

	mu       sync.Mutex
	listener net.Listener
	internal *internalListener // nil if the internal pages have no socket of their own
	done     chan error
	addr     string
}

// NewServer prepares a server; Start opens the socket.
func NewServer(app *App) *Server {
	return &Server{app: app, config: app.options.Config, logger: app.options.Logger}
}

// Start opens the sockets and serves in the background. The error is one clear line: an address in use, one that may
// not be opened.
func (s *Server) Start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != nil {
		return errors.New("web: the server runs already")
	}
	listen := s.config.Listen
	if listen == nil {
		listen = func(ctx context.Context) (net.Listener, error) {
			return (&net.ListenConfig{}).Listen(ctx, "tcp", s.config.Addr)
		}
	}
	listener, err := listen(ctx)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("web: %s is in use by another program; choose another HOST:PORT (WEB_ADDR or --addr)", s.config.Addr)
	case err != nil:
		return fmt.Errorf("web: cannot listen on %s: %w", s.config.Addr, err)
	}
	if s.config.InternalAddr != "" {
		if s.internal, err = s.app.listenInternal(ctx); err != nil {
			return errors.Join(err, listener.Close())
		}
		go s.internal.serve(s.logger)
		s.logger.LogAttrs(ctx, slog.LevelInfo, "internal pages listen", slog.String("addr", s.internal.addr()))
	}
	s.listener, s.addr, s.done = listener, listener.Addr().String(), make(chan error, 1)
	if s.config.ConnectionsPerIP > 0 {
		trusted, _ := prefixes(s.config.TrustedProxies) // Validate has checked them
		listener = newConnLimiter(listener, s.config.ConnectionsPerIP, trusted)
	}
	go func() {
		err := s.app.Fiber.Listener(lingering{Listener: listener, most: lingerBodies * int64(s.config.BodyLimit)})
		if err != nil {
			s.logger.LogAttrs(s.app.pipeline.base, slog.LevelError, "web server failed", slog.Any("error", err))
		}
		s.done <- err
		close(s.done)
	}()
	s.logger.LogAttrs(ctx, slog.LevelInfo, "web server listens", slog.String("addr", s.addr))
	return nil
}

// Addr is the address listened on, with the real port where 0 was asked for; "" before Start.
func (s *Server) Addr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addr
}

// InternalAddr is the address that the internal pages are served on, with the real port where 0 was asked for; "" where
// they have none, and before Start.
func (s *Server) InternalAddr() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.internal == nil {
		return ""
	}
	return s.internal.addr()
}

// Done is closed when the server no longer serves. Before that it receives the reason, if the server failed.
func (s *Server) Done() <-chan error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

// Stop accepts no new connections and lets running requests finish until ctx ends (those that wait for something end at once); then it cancels them. With a drain delay it
// first keeps answering as not ready, so that load balancers stop sending. Stopping a server that does not run is no error.
func (s *Server) Stop(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener == nil {
		return nil
	}
	s.app.ready.draining.Store(true)
	if s.config.DrainDelay > 0 {
		timer := time.NewTimer(s.config.DrainDelay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	for _, m := range s.app.options.Manifests {
		for _, release := range m.Release {
			release()
		}
	}
	err := s.app.Fiber.ShutdownWithContext(ctx)
	s.app.pipeline.cancel() // the remaining requests are over their time
	if s.internal != nil {  // last: until here it reports not ready
		s.internal.close()
	}
	s.listener = nil
	if err != nil {
		return fmt.Errorf("web: stopped before every request was finished: %w", err)
	}
	return nil
}
