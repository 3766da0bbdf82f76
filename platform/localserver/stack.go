package localserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"gpatlas/platform/clock"
)

// Config is which servers are required and where their data is.
type Config struct {
	Dir       string // data folder; made when missing
	Command   string // the owner's name in the lock file, such as "gpatlas dev"
	NoDB      bool   // leave PostgreSQL out: DATABASE_URL names one
	NoRedis   bool   // leave Redis out: REDIS_URL names one
	Log       *slog.Logger
	Clock     clock.Clock // limits restarts
	finder    finder
	dropUser  []string      // as root: the users to run as, by preference
	joinAfter time.Duration // how long to wait for another owner's servers
}

func (c *Config) withDefaults() {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Command == "" {
		c.Command = "gpatlas"
	}
	if c.finder.path == nil {
		c.finder = systemFinder()
	}
	if c.dropUser == nil {
		c.dropUser = []string{"postgres", "nobody"}
	}
	if c.joinAfter == 0 {
		c.joinAfter = 30 * time.Second
	}
}

// Stack is a running pair of servers. An owner stops them; a borrower only releases them.
type Stack struct {
	folder *dataFolder
	lock   *os.File // the owner's; nil when borrowed
	users  *os.File // the borrower's shared lock
	brief  bool     // started for one command's time: wait for borrowers before stopping
	cfg    Config
	failed chan error

	pg, redis *server // the watchers replace one that they start again
	watching  sync.WaitGroup
	unwatch   context.CancelFunc // nil = not watched
}

// Start takes the data folder and starts its servers, PostgreSQL and Redis at once. It returns when both answer. Errors
// are one clear line each.
func Start(ctx context.Context, cfg Config) (*Stack, error) {
	cfg.withDefaults()
	f, err := openFolder(cfg)
	if err != nil {
		return nil, err
	}
	lock, owner, err := takeLock(f.lockPath(), cfg.Command)
	if err != nil {
		return nil, err
	}
	if lock == nil {
		return nil, fmt.Errorf("data folder %s is in use by %s: stop that process, or choose another folder with --data-dir", f.dir, owner)
	}
	return start(ctx, cfg, f, lock)
}

// Open returns the servers of a data folder to one command: those of a running owner if there is one (then Stop leaves them
// running), else its own, which Stop ends once no borrower uses them.
func Open(ctx context.Context, cfg Config) (*Stack, error) {
	cfg.withDefaults()
	f, err := openFolder(cfg)
	if err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(ctx, cfg.joinAfter)
	defer cancel()
	for {
		lock, owner, err := takeLock(f.lockPath(), cfg.Command)
		if err != nil {
			return nil, err
		}
		if lock != nil {
			s, err := start(ctx, cfg, f, lock)
			if s != nil {
				s.brief = true
			}
			return s, err
		}
		if s, ok, err := borrow(cfg, f); ok || err != nil {
			return s, err
		}
		if clock.Sleep(limit, poll) != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("data folder %s is in use by %s, but its servers do not respond: see %s", f.dir, owner, f.logDir())
		}
	}
}

// Find returns where the running servers of a data folder are; ok is false when they are not all running.
func Find(dir string) (databaseURL, redisURL string, ok bool, err error) {
	f, err := resolveFolder(dir)
	if err != nil {
		return "", "", false, err
	}
	_, pg := f.runningPostgres()
	_, redis := f.runningRedis()
	if pg != statusReady || redis != statusReady {
		return "", "", false, nil
	}
	return f.databaseURL(), f.redisURL(), true, nil
}

// HasDatabase returns whether a data folder has a database, running or not. It creates nothing.
func HasDatabase(dir string) (bool, error) {
	f, err := resolveFolder(dir)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(f.versionPath())
	switch {
	case err == nil, errors.Is(err, fs.ErrPermission): // Open returns the error for missing permissions
		return true, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return false, nil
	}
	return false, fmt.Errorf("cannot use data folder %s: %w", f.dir, err)
}

func borrow(cfg Config, f *dataFolder) (*Stack, bool, error) {
	if !cfg.NoDB {
		if _, status := f.runningPostgres(); status != statusReady {
			return nil, false, nil
		}
	}
	if !cfg.NoRedis {
		if _, status := f.runningRedis(); status != statusReady {
			return nil, false, nil
		}
	}
	users, err := shareLock(f.usersPath())
	if err != nil {
		return nil, false, err
	}
	return &Stack{folder: f, users: users, cfg: cfg}, true, nil
}

func start(ctx context.Context, cfg Config, f *dataFolder, lock *os.File) (*Stack, error) {
	f.lock = lock
	s := &Stack{folder: f, lock: lock, cfg: cfg, failed: make(chan error, 2)}
	if err := f.prepare(cfg); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	if err := f.locate(ctx, cfg); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	g, gctx := errgroup.WithContext(ctx)
	if !cfg.NoDB {
		g.Go(func() (err error) {
			s.pg, err = f.startPostgres(gctx, cfg)
			return err
		})
	}
	if !cfg.NoRedis {
		g.Go(func() (err error) {
			s.redis, err = f.startRedis(gctx, cfg)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		if stopErr := s.Stop(stopCtx); stopErr != nil {
			cfg.Log.Error("the private servers did not stop", "error", stopErr)
		}
		return nil, err
	}
	if !f.temporary {
		s.watchAll(context.WithoutCancel(ctx))
	}
	return s, nil
}

// DatabaseURL is PostgreSQL's URL, "" if it was left out.
func (s *Stack) DatabaseURL() string {
	if s.cfg.NoDB {
		return ""
	}
	return s.folder.databaseURL()
}

// RedisURL is Redis's URL, "" if it was left out.
func (s *Stack) RedisURL() string {
	if s.cfg.NoRedis {
		return ""
	}
	return s.folder.redisURL()
}

// Dir is the data folder, absolute.
func (s *Stack) Dir() string { return s.folder.dir }

// Stop ends the servers, both at once: orderly, and by force if ctx ends first, which loses nothing that was committed. A
// borrower's Stop only releases them, and temporary servers remove their folder. It may be called more than once.
func (s *Stack) Stop(ctx context.Context) error {
	if s.lock == nil {
		return closeLock(&s.users)
	}
	if s.brief {
		s.awaitBorrowers(ctx)
	}
	if s.unwatch != nil {
		s.unwatch()
		s.watching.Wait()
	}
	var g errgroup.Group
	if !s.cfg.NoDB {
		g.Go(func() error { return s.folder.stopPostgres(ctx, s.pg) })
	}
	if !s.cfg.NoRedis {
		g.Go(func() error { return s.folder.stopRedis(ctx, s.redis) })
	}
	err := g.Wait()
	if s.folder.temporary {
		err = errors.Join(err, os.RemoveAll(s.folder.dir))
	}
	return errors.Join(err, closeLock(&s.lock))
}

// awaitBorrowers waits until no other command uses the servers that this command started.
func (s *Stack) awaitBorrowers(ctx context.Context) {
	for logged := false; usersLeft(s.folder.usersPath()); logged = true {
		if !logged {
			s.cfg.Log.Info("another command is using the private servers; waiting for it to finish")
		}
		if clock.Sleep(ctx, poll) != nil {
			return
		}
	}
}
