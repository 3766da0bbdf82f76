package localserver

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"
)

// A server that ends unexpectedly is restarted, up to a limit.
const (
	restartsMax   = 3
	restartsEvery = time.Minute // restarts allowed in this time
)

// Failed receives a line when a server has ended and cannot be restarted, or ends repeatedly.
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
	for {
		p := *current
		select {
		case <-p.exited:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			return
		}
		why := fmt.Errorf("%s ended unexpectedly (%s): see %s", p.name, cmp.Or(p.result, "exit status 0"), p.log)
		now := s.cfg.Clock.Now()
		if len(began) >= restartsMax && now.Sub(began[len(began)-restartsMax]) < restartsEvery {
			s.failed <- fmt.Errorf("%w; it ended %d times within a minute", why, restartsMax+1)
			return
		}
		began = append(began, now)
		again, err := start(ctx, s.cfg)
		for tries := 1; err != nil && ctx.Err() == nil && tries < restartsMax; tries++ { // it may have been killed while it started
			again, err = start(ctx, s.cfg)
		}
		if again != nil {
			*current = again
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
