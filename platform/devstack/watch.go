package devstack

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// A server that ends without having been asked to is started again, but not for ever.
const (
	restartsMax   = 3
	restartsEvery = time.Minute // so many in this time
	adoptedLook   = 200 * time.Millisecond
)

// Failed receives a line when a server has ended and cannot be started again, or ends again and again.
func (s *Stack) Failed() <-chan error { return s.failed }

// watchAll watches the servers of an owner until it stops them.
func (s *Stack) watchAll(ctx context.Context) {
	ctx, s.unwatch = context.WithCancel(ctx)
	if s.pg != nil {
		s.watching.Go(func() { s.watch(ctx, &s.pg, s.folder.startPostgres) })
	}
	if s.redis != nil {
		s.watching.Go(func() { s.watch(ctx, &s.redis, s.folder.startRedis) })
	}
}

// watch starts a server again whenever it ends.
func (s *Stack) watch(ctx context.Context, current **server, start func(ctx context.Context, cfg Config) (*server, error)) {
	var began []time.Time
	for p := *current; p.ended(ctx); {
		why := fmt.Errorf("%s ended unexpectedly (%s): see %s", p.name, p.state(), p.log)
		if len(began) >= restartsMax && time.Since(began[len(began)-restartsMax]) < restartsEvery {
			s.failed <- fmt.Errorf("%w; it ended %d times within a minute", why, restartsMax+1)
			return
		}
		began = append(began, time.Now())
		again, err := start(ctx, s.cfg)
		for tries := 1; err != nil && ctx.Err() == nil && tries < restartsMax; tries++ { // it may have been killed while it started
			again, err = start(ctx, s.cfg)
		}
		if again != nil {
			*current, p = again, again
		}
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			s.failed <- fmt.Errorf("%w; it cannot be started again: %w", why, err)
			return
		}
		s.cfg.Log.Error("a private server has ended, and was started again", slog.Any("error", why))
	}
}

// ended waits until a server has ended. It says false if ctx ends first.
func (s *server) ended(ctx context.Context) bool {
	if s.exited != nil {
		select {
		case <-s.exited:
			return ctx.Err() == nil
		case <-ctx.Done():
			return false
		}
	}
	look := time.NewTicker(adoptedLook)
	defer look.Stop()
	for s.running() {
		select {
		case <-look.C:
		case <-ctx.Done():
			return false
		}
	}
	return ctx.Err() == nil
}
