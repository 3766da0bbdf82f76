package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"gpatlas/platform/database"
	"gpatlas/platform/localserver"
)

// stopLimit is how long private servers may take to stop in order; PostgreSQL writes all its buffers.
const stopLimit = 75 * time.Second

// dataDir is the data folder that a flag names, or the default one.
func (p *program) dataDir(flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	return localserver.DefaultDir(p.getenv)
}

// database reports where the database of a one-off command is: DATABASE_URL (DATABASE_DIRECT_URL if that leads to a pooler), or else the private server of a data folder, a
// running `gpatlas dev`'s or one started until release is called. private reports which one it is. Only `gpatlas dev` creates a
// new one: the name of a folder without a database is probably mistyped, and an empty database would be mistaken for the
// service's.
func (p *program) database(ctx context.Context, command, flag string, log *slog.Logger) (url string, private bool, release func() error, err error) {
	none := func() error { return nil }
	if url := p.getenv("DATABASE_URL"); url != "" {
		if flag != "" {
			return "", false, none, usageError{errors.New("--data-dir and DATABASE_URL are both set: use one of them")}
		}
		return cmp.Or(p.getenv("DATABASE_DIRECT_URL"), url), false, none, nil
	}
	dir, err := p.dataDir(flag)
	if err != nil {
		return "", false, none, err
	}
	has, err := localserver.HasDatabase(dir)
	if err != nil {
		return "", false, none, err //nolint:wrapcheck // one clear line
	}
	if !has {
		return "", false, none, fmt.Errorf("there is no database in %s: set DATABASE_URL or --data-dir, or make one with gpatlas dev", dir)
	}
	stack, err := localserver.Open(ctx, localserver.Config{Dir: dir, Command: "gpatlas " + command, NoRedis: true, Log: log})
	if err != nil {
		return "", false, none, err
	}
	return stack.DatabaseURL(), true, func() error { return p.stopServers(stack) }, nil
}

// withCatalog runs a one-off command on the database that the environment or a flag names, or on the private one, whose
// schema it migrates. private reports which one it is.
func (p *program) withCatalog(
	ctx context.Context, command, flag string, s settings, fn func(db *database.DB, private bool, log *slog.Logger) error,
) (err error) {
	p.warnOfMisspelt()
	log := p.plainLog()
	url, private, release, err := p.database(ctx, command, flag, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if private {
		if err := database.MigrateUp(ctx, url); err != nil {
			return err
		}
	}
	if p.getenv("LOG_LEVEL") == "" {
		log = slog.New(slog.DiscardHandler) // the command prints everything itself
	}
	s.Database.URL, s.Database.DirectURL, s.Database.ReadURL = url, "", ""
	s.Database.Logger, s.Database.ApplicationName = log, "gpatlas "+command
	db, err := database.Open(ctx, s.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := hasSchema(ctx, db); err != nil {
		return err
	}
	return fn(db, private, log)
}

// withExisting is withCatalog for commands that print the database's name, without its password.
func (p *program) withExisting(ctx context.Context, command, flag string, s settings, fn func(db *database.DB, name string) error) error {
	name, err := p.dataDir(flag)
	if err != nil && p.getenv("DATABASE_URL") == "" {
		return err
	}
	return p.withCatalog(ctx, command, flag, s, func(db *database.DB, private bool, _ *slog.Logger) error {
		if !private {
			c := db.Pool().Config().ConnConfig
			name = c.Host + "/" + c.Database
		}
		return fn(db, name)
	})
}

// stopServers stops private servers in order, and by force if requested.
func (p *program) stopServers(stack *localserver.Stack) error {
	ctx, cancel := context.WithTimeout(p.stops.force, stopLimit)
	defer cancel()
	return stack.Stop(ctx)
}

// front holds the service's address until the web server takes it over, so that no other program can take it meanwhile. Until
// then each request is answered with 503.
type front struct {
	ln     *net.TCPListener
	server *http.Server
	served chan struct{} // closed when the last connection was accepted
}

// bind opens an address before anything else is started.
func bind(ctx context.Context, addr string) (*front, error) {
	if _, port, err := net.SplitHostPort(addr); err == nil && port == "" { // the system would choose a random port
		return nil, usageError{fmt.Errorf("cannot listen on %q: the port is missing: choose another with --addr HOST:PORT", addr)}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if ln, ok := listener.(*net.TCPListener); ok {
		f := &front{ln: ln, served: make(chan struct{}), server: &http.Server{
			Handler: http.HandlerFunc(loading), ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second,
			ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // broken connections are the callers' fault
		}}
		f.server.SetKeepAlivesEnabled(false)
		go func() {
			defer close(f.served)
			_ = f.server.Serve(interrupted{ln}) // ends with handOver or Close
		}()
		return f, nil
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("address %s is in use: stop the program that listens there, or choose another HOST:PORT with --addr", addr)
	}
	cause := err
	if e, ok := errors.AsType[*net.OpError](err); ok {
		cause = e.Err
	}
	err = fmt.Errorf("cannot listen on %q: %w: choose another with --addr HOST:PORT", addr, cause)
	if _, ok := errors.AsType[*net.AddrError](err); ok {
		return nil, usageError{fmt.Errorf("--addr %q is not an address: use HOST:PORT, such as 127.0.0.1:8080", addr)}
	}
	return nil, err
}

// addr is the address, with a real port where 0 was asked for.
func (f *front) addr() string { return f.ln.Addr().String() }

// handOver stops answering and returns the open listener. A caller that has connected but sends nothing is disconnected.
func (f *front) handOver(ctx context.Context) (net.Listener, error) {
	limit, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if f.server.Shutdown(limit) != nil {
		_ = f.server.Close()
	}
	<-f.served
	return f.ln, f.ln.SetDeadline(time.Time{})
}

// close frees the address, whether it was handed over or not.
func (f *front) close() {
	_ = f.server.Close()
	_ = f.ln.Close() // the web server has closed what it took over
}

// loading is the response while the service starts, in the format of every error of the API.
func loading(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "5")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, `{"detail":"The service is starting. Try again in a few seconds."}`+"\n")
}

// interrupted is a listener whose Close only ends the pending Accept.
type interrupted struct{ *net.TCPListener }

func (l interrupted) Close() error { return l.SetDeadline(time.Unix(1, 0)) }
