package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"gpatlas/modules/dataops"
	"gpatlas/modules/people"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/localserver"
	"gpatlas/platform/log"
	"gpatlas/platform/module"
	"gpatlas/platform/stage"
	"gpatlas/sample"
)

type devFlags struct {
	dataDir, addr string
	noSample      bool
}

func (p *program) devCommand() *cobra.Command {
	var flags devFlags
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run everything on this machine, with private PostgreSQL and Redis servers",
		Long: "Run web and worker in one process with a private PostgreSQL and a private Redis. Their data are in one folder. An empty\n" +
			"database gets the sample catalog. DATABASE_URL and REDIS_URL, if set, replace the private servers.\n" +
			"Ctrl-C stops everything. No data are lost.",
		Example: "  gpatlas dev\n  gpatlas dev --data-dir /srv/atlas --addr 127.0.0.1:9090",
		Args:    usage(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.dev(cmd.Context(), flags) },
	}
	cmd.Flags().StringVar(&flags.dataDir, "data-dir", "", "data folder of the private servers (default: a folder that their user can access)")
	cmd.Flags().StringVar(&flags.addr, "addr", "127.0.0.1:8080", "HOST:PORT to listen on")
	cmd.Flags().BoolVar(&flags.noSample, "no-sample", false, "do not load the sample catalog into an empty database")
	return cmd
}

// dev runs the whole service until it is asked to stop. The port is taken first, so that a port in use is reported before two
// servers are started. The sample is loaded before anything is served, so that the first response is complete.
func (p *program) dev(ctx context.Context, flags devFlags) (err error) {
	s, err := p.devSettings()
	if err != nil {
		return err
	}
	if !flags.noSample {
		p.inventedPeople(&s)
	}
	p.warnOfMisspelt()
	front, err := bind(ctx, flags.addr)
	if err != nil {
		return err
	}
	defer front.close()
	log, flush := log.Open(s.Log, p.stderr)
	defer flush()
	s.Web.Addr, s.Web.Listen = front.addr(), front.handOver
	signs := dataops.NewSigns(p.stderr, p.clock)
	ready := sync.OnceFunc(signs.Close)
	defer ready()
	starting := signs.Watch(ctx)
	end := stage.Begin(starting, "starting PostgreSQL and Redis")
	stack, err := p.devServers(ctx, flags, log)
	end()
	if err != nil {
		return err
	}
	if stack != nil {
		defer func() { err = errors.Join(err, p.stopServers(stack)) }()
		if s.Database.URL == "" {
			s.Database.URL, s.Database.DirectURL = stack.DatabaseURL(), ""
		}
		if s.Redis.URL == "" {
			s.Redis.URL = stack.RedisURL()
		}
	}
	if p.getenv("DATABASE_URL") != "" {
		_, _ = fmt.Fprintf(p.stdout, "Using the database of DATABASE_URL: %s\n", database.Place(s.Database.URL))
	}
	if err := p.devSecrets(&s, stack, flags.dataDir); err != nil {
		return err
	}
	end = stage.Begin(starting, "bringing the database up to date")
	err = database.MigrateUp(ctx, s.Database.Direct().URL)
	end()
	if err != nil {
		return err
	}
	end = stage.Begin(starting, "starting the service")
	svc, err := p.open(ctx, module.Process{Name: "dev", Web: true, Worker: true}, s, log)
	end()
	if err != nil {
		return err
	}
	if !flags.noSample {
		if err := p.fillEmpty(starting, svc, s, log, stack, signs); err != nil {
			svc.close(ctx)
			return err
		}
	}
	end = stage.Begin(starting, "starting the service")
	if err := svc.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop(svc)) }()
	p.greet(ctx, svc, s, stack, func() { end(); ready() })
	if out, ok := p.stdout.(*closable); ok {
		if file, ok := out.Writer.(*os.File); ok {
			go watchReader(ctx, file, p.stops.ask)
		}
	}
	return p.await(ctx, svc, stack)
}

// fillEmpty loads the sample catalog into an empty database, by the normal ingestion. A mark in the data folder shows the next
// start that this one was interrupted; loading what is already loaded changes nothing.
func (p *program) fillEmpty(ctx context.Context, svc *service, s settings, log *slog.Logger, stack *localserver.Stack, signs *dataops.Signs) error {
	dir, mark := "", ""
	if stack != nil {
		dir = filepath.Join(stack.Dir(), "sample")
		mark = filepath.Join(stack.Dir(), "sample.unfinished")
	}
	if empty, err := svc.loader.Empty(ctx); err != nil || !empty && !exists(mark) {
		return err
	}
	_, _ = fmt.Fprintln(p.stdout, "Loading the sample catalog of invented advisers …")
	if stack != nil {
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700), os.WriteFile(mark, nil, 0o600)); err != nil {
			return fmt.Errorf("cannot write to the data folder %s: %w: choose another folder with --data-dir", stack.Dir(), apperr.Cause(err))
		}
	}
	began := time.Now()
	quiet := slog.New(slog.DiscardHandler) // the sample's own errors are returned
	var sum dataops.Summary
	end := stage.Begin(ctx, "writing the sample catalog")
	err := sample.Load(ctx, dir, func(ctx context.Context, paths []string) (err error) {
		end()
		sum, err = dataops.Ingest(ctx, p.ingestion(svc.db, svc.loader, s, quiet), paths, dataops.IngestOptions{AnyDate: true, Signs: signs})
		return err
	}, func(ctx context.Context, boards []string) error {
		defer stage.Begin(ctx, "reading the job boards of the sample")()
		_, err := people.LoadBoards(ctx, svc.db, p.clock, boards)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot load the sample catalog (--no-sample starts without it): %w", err)
	}
	log.Info("sample catalog loaded", "documents", len(sum.Documents), "took", time.Since(began).Round(time.Millisecond))
	if stack == nil {
		return nil
	}
	return errors.Join(os.RemoveAll(dir), os.Remove(mark))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return path != "" && err == nil
}

// devServers starts the private servers that the environment does not replace; nil if it replaces both.
func (p *program) devServers(ctx context.Context, flags devFlags, log *slog.Logger) (*localserver.Stack, error) {
	cfg := localserver.Config{
		Command: "gpatlas dev",
		NoDB:    p.getenv("DATABASE_URL") != "",
		NoRedis: p.getenv("REDIS_URL") != "",
		Log:     log,
	}
	var err error
	if cfg.Dir, err = p.dataDir(flags.dataDir); err != nil {
		return nil, err
	}
	if cfg.NoDB && cfg.NoRedis {
		return nil, localserver.Claim(cfg.Dir)
	}
	return localserver.Start(ctx, cfg)
}

// greet announces that the service is ready: after the first search would be answered, unless that takes longer than
// startLimit.
func (p *program) greet(ctx context.Context, svc *service, s settings, stack *localserver.Stack, ready func()) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	svc.loaded(ctx)
	ready()
	if !p.stops.asked() {
		empty, err := svc.loader.Empty(ctx)
		banner(p.stdout, s.Web.Addr, svc.web.InternalAddr(), s.Mail.Folder(), stack, empty && err == nil)
	}
}

// reachable is a URL to call an address that may be every address of the machine.
func reachable(addr string) string {
	if host, port, err := net.SplitHostPort(addr); err == nil && net.ParseIP(host).IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// banner shows the next steps.
func banner(w io.Writer, addr, internal, mails string, stack *localserver.Stack, empty bool) {
	at := reachable(addr)
	var b strings.Builder
	fmt.Fprintf(&b, "\nGP Atlas is ready on http://%s\n", at)
	fmt.Fprintf(&b, "  documentation  http://%s/docs\n", at)
	if internal != "" {
		fmt.Fprintf(&b, "  metrics        http://%s/_internal/metrics\n", reachable(internal))
	}
	if stack != nil {
		fmt.Fprintf(&b, "  data           %s\n", stack.Dir())
	}
	if mails != "" {
		fmt.Fprintf(&b, "  mails          %s\n", mails)
	}
	if empty {
		in := ""
		if stack != nil {
			in = "--data-dir '" + stack.Dir() + "' "
		}
		b.WriteString("\nThe catalog is empty. Load filings, in another terminal:\n")
		fmt.Fprintf(&b, "  gpatlas ingest %sFILE_OR_FOLDER\n  gpatlas ingest %s--list-sources\n", in, in)
	} else {
		b.WriteString("\nTry:\n")
		for _, path := range []string{
			"/v1/gps?min_aum=1000000000&sort=aum&order=desc",
			"/v1/search?q=capital",
			"/v1/funds?strategy=venture&sort=gav&order=desc&limit=5",
		} {
			fmt.Fprintf(&b, "  curl 'http://%s%s'\n", at, path)
		}
	}
	b.WriteString("\nCtrl-C stops everything. No data are lost.\n\n")
	_, _ = io.WriteString(w, b.String())
}

// await returns when the service is asked to stop, or ends on its own, or when a private server has ended and cannot be
// restarted.
func (p *program) await(ctx context.Context, svc *service, stack *localserver.Stack) error {
	var failed <-chan error
	if stack != nil {
		failed = stack.Failed()
	}
	select {
	case <-ctx.Done():
		_, _ = fmt.Fprintln(p.stderr, "\ngpatlas: stopping; press Ctrl-C again to force it")
		return nil
	case err := <-failed:
		return err
	case err := <-svc.ended():
		return err
	}
}

const (
	// startLimit is how long a process may take to be ready: an index of ten times today's size takes a quarter of it.
	startLimit = time.Minute
	// drainLimit is how long a stopping process may finish what it has begun. Platforms kill after 30 seconds.
	drainLimit = 25 * time.Second
)
