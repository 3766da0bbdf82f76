package dataops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"golang.org/x/term"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/dataops/internal/quality"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Summary is what came of an ingestion: see its WriteText and WriteJSON.
type Summary = ingest.Summary

// Exit codes of the ingest command. Quarantined rows are normal in real files, so they alone are no failure: the summary
// states their number. Without a failure the code is 0.
const (
	ExitFailed = 1 // at least one document was not loaded, or the database could not be used
	ExitUsage  = 2 // the command line makes no sense
)

// connectionsMin is what an ingestion needs at once: one for the run, one for the transaction, one for the quarantine. A
// source needs another for its lock.
const connectionsMin = 4

// Deps are what an ingestion works with.
type Deps struct {
	DB          *database.DB
	Loader      catalogapi.Loader
	People      peopleapi.Resolver // called after documents were loaded; nil = not called
	Lists       peopleapi.Lists    // keeps lists of LPs' commitments; nil = they cannot be loaded
	Clock       clock.Clock
	Log         *slog.Logger
	Config      Config
	DownloadDir string       // where downloads are kept to be resumed, unless the configuration names a folder; empty = they are not
	Client      *http.Client // nil = one with sensible time limits
	// Sleep is how downloads wait, between requests and before trying again; nil = by the machine's timer.
	Sleep func(ctx context.Context, d time.Duration) error
}

// IngestOptions say where an ingestion reports to, and what it lets pass.
type IngestOptions struct {
	JSON     bool
	Out      io.Writer // the summary; nil = none
	Progress io.Writer // bars on a terminal, lines elsewhere; nil = none
	Signs    *Signs    // shown in place of Progress; nil = Progress is
	// Accept names checks of the quality gate that this ingestion lets pass: universe_shrunk, keys_doubled, column_lost, table_lost, rows_unusable, rows_lost, values_changed.
	Accept []string
	// AnyDate lets documents pass that are dated in the future, as those of the sample may be.
	AnyDate bool
}

// UsageError is a request that makes no sense: an unknown source or check, or one that the settings do not suffice for.
type UsageError struct{ err error }

func (e UsageError) Error() string { return e.err.Error() }
func (e UsageError) Unwrap() error { return e.err }

// ExitCode is the command's.
func (UsageError) ExitCode() int { return ExitUsage }

// fetcher is the way to remote files. There should be one a process: its rate holds for all that it fetches.
func (d Deps) fetcher() (*fetch.Client, error) {
	list, err := d.Config.sources()
	if err != nil {
		return nil, err
	}
	client, dir := d.Client, d.Config.DownloadDir
	if client == nil {
		client = fetch.NewHTTPClient()
	}
	if dir == "" {
		dir = d.DownloadDir
	}
	f := fetch.New(fetch.Config{
		UserAgent: d.Config.userAgent(), Contact: d.Config.Contact != "", BytesMax: d.Config.downloadBytesMax(), Dir: dir,
		Sleep: d.Sleep,
	}, client, d.Clock, d.Log)
	for _, def := range list {
		for _, u := range def.URLs() {
			f.Slow(u.Host, def.PerSecond)
		}
	}
	return f, nil
}

// service is the ingestion with what its options let pass.
func (d Deps) service(f *fetch.Client, accept []string, anyDate bool) (*ingest.Service, error) {
	if most := d.DB.Pool().Config().MaxConns; most < connectionsMin {
		return nil, fmt.Errorf("DATABASE_MAX_CONNS: an ingestion needs at least %d connections, but it is %d", connectionsMin, most)
	}
	passed, err := checks(accept)
	if err != nil {
		return nil, err
	}
	cfg := ingest.Config{AnyDate: anyDate, Lists: d.Lists, Accept: passed}
	return ingest.New(cfg, run.NewStore(d.DB), d.Loader, d.Clock, f, d.Log), nil
}

// Ingest loads rosters, feeds, Form ADV and ADV-W archives, Form D sets, fund lists and lists of commitments from paths (files, unpacked
// archives, folders of any of these) and http(s) addresses, and writes the summary. The error is nil when every document
// was loaded; with a non-nil error the summary still lists the loaded ones.
func Ingest(ctx context.Context, d Deps, args []string, opts IngestOptions) (Summary, error) {
	if err := d.Config.CheckRequest(nil, args, opts.Accept); err != nil {
		return Summary{}, err
	}
	f, err := d.fetcher()
	if err != nil {
		return Summary{}, err
	}
	service, err := d.service(f, opts.Accept, opts.AnyDate)
	if err != nil {
		return Summary{}, err
	}
	progress := d.progress(opts)
	sum, err := service.Ingest(ctx, args, progress, d.follow)
	progress.Close()
	if len(sum.Documents) == 0 {
		return sum, err
	}
	return sum, errors.Join(err, opts.write(sum))
}

// follow runs after an ingestion: it reads the people again, and enqueues a job that measures the quality.
func (d Deps) follow(ctx context.Context, sum Summary) (advisers int, err error) {
	if len(sum.Documents) > 0 {
		err = jobs.NewEnqueuer(d.DB).Enqueue(ctx, quality.Later(d.Clock.Now()))
	}
	advisers, fault := d.refreshPeople(ctx)
	return advisers, errors.Join(err, fault)
}

// refreshPeople reads the people of the advisers that documents have changed, in this ingestion or in an earlier one that ended before
// they were read. If it fails, the next ingestion or a job continues.
func (d Deps) refreshPeople(ctx context.Context) (advisers int, err error) {
	if d.People == nil {
		return 0, nil
	}
	if advisers, err = d.People.Refresh(ctx); err != nil {
		return 0, fmt.Errorf("the documents were loaded, but their people are not read yet; run the command again, or let the worker continue: %w", err)
	}
	return advisers, nil
}

// write writes the summary where it is wanted.
func (o IngestOptions) write(sum Summary) error {
	switch {
	case o.Out == nil:
		return nil
	case o.JSON:
		return sum.WriteJSON(o.Out)
	default:
		return sum.WriteText(o.Out)
	}
}

func (d Deps) progress(o IngestOptions) ingest.Progress {
	out := o.Progress
	switch {
	case o.Signs != nil:
		return lasting{o.Signs.progress}
	case out == nil:
		return ingest.Silent{}
	}
	file, _ := out.(*os.File)
	if wrapped, ok := out.(interface{ File() *os.File }); ok {
		file = wrapped.File()
	}
	if file != nil && term.IsTerminal(int(file.Fd())) { // #nosec G115 -- a descriptor
		return ingest.NewBars(file, d.Clock)
	}
	return ingest.NewLines(out, d.Clock)
}
