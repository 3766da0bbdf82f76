package dataops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/modules/dataops/internal/sample"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Summary is what came of an ingestion: see its WriteText and WriteJSON.
type Summary = ingest.Summary

// SampleSummary counts what was written of a sample.
type SampleSummary = sample.Summary

// The scales of the sample.
const (
	SampleSmall = sample.Small // 300 advisers, three years of filings
	SampleSEC   = sample.SEC   // 40,000 advisers, 250,000 funds, two years of filings
)

// Exit codes of the ingest command. Quarantined rows are normal in real files, so they alone are no failure: the summary
// tells how many there were.
const (
	ExitLoaded = 0 // every document was loaded; some of their rows may be in quarantine
	ExitFailed = 1 // at least one document was not loaded, or the database could not be used
	ExitUsage  = 2 // the command line makes no sense
)

// connectionsMin is what an ingestion needs at once: one holds the run, one the transaction, one writes the quarantine.
const connectionsMin = 3

// Deps are what an ingestion works with.
type Deps struct {
	DB     *database.DB
	Loader catalogapi.Loader
	Clock  clock.Clock
	Log    *slog.Logger
	Config Config
	Client *http.Client // nil = one with sensible time limits
}

func (d Deps) service(anyDate bool) (*ingest.Service, error) {
	if most := d.DB.Pool().Config().MaxConns; most < connectionsMin {
		return nil, fmt.Errorf("DATABASE_MAX_CONNS: an ingestion needs at least %d connections, not %d", connectionsMin, most)
	}
	client := d.Client
	if client == nil {
		client = ingest.NewClient()
	}
	cfg := ingest.Config{UserAgent: d.Config.userAgent(), DownloadBytesMax: d.Config.downloadBytesMax(), AnyDate: anyDate}
	return ingest.New(cfg, run.NewStore(d.DB), d.Loader, d.Clock, client, d.Log), nil
}

// IngestOptions say where an ingestion reports to.
type IngestOptions struct {
	JSON     bool
	Out      io.Writer // the summary; nil = none
	Progress io.Writer // bars on a terminal, lines elsewhere; nil = none
}

// Ingest loads rosters, Form ADV archives and fund lists from paths (files, unpacked archives, folders of any of these)
// and http(s) addresses, and writes the summary. The error is nil when every document was loaded; with a non-nil error
// the summary still tells of those that were.
func Ingest(ctx context.Context, deps Deps, args []string, opts IngestOptions) (Summary, error) {
	return deps.ingest(ctx, args, opts, false)
}

func (d Deps) ingest(ctx context.Context, args []string, opts IngestOptions, anyDate bool) (Summary, error) {
	service, err := d.service(anyDate)
	if err != nil {
		return Summary{}, err
	}
	progress := d.progress(opts.Progress)
	sum, err := service.Ingest(ctx, args, progress)
	progress.Close()
	if opts.Out == nil || len(sum.Documents) == 0 {
		return sum, err
	}
	if opts.JSON {
		return sum, errors.Join(err, sum.WriteJSON(opts.Out))
	}
	return sum, errors.Join(err, sum.WriteText(opts.Out))
}

func (d Deps) progress(out io.Writer) ingest.Progress {
	if out == nil {
		return ingest.Silent{}
	}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return ingest.NewBars(out)
	}
	return ingest.NewLines(out, d.Clock)
}

// WriteSample writes the archives of a scale (SampleSmall, SampleSEC) into dir, and a line for each to progress, which
// may be nil.
func WriteSample(ctx context.Context, scale, dir string, progress io.Writer) (SampleSummary, error) {
	return sample.Write(ctx, sample.Options{Scale: scale, Dir: dir, Progress: func(p sample.Progress) {
		if progress != nil {
			_, _ = fmt.Fprintf(progress, "[%d/%d] %s\n", p.Done, p.Archives, p.Archive)
		}
	}})
}

// LoadSample writes the small sample into a temporary folder below dir (empty = the system's) and ingests it the way
// real files are. It may run again: the second time nothing changes.
func LoadSample(ctx context.Context, deps Deps, dir string, opts IngestOptions) (sum Summary, err error) {
	folder, err := os.MkdirTemp(dir, "gpatlas-sample-*")
	if err != nil {
		return sum, fmt.Errorf("make a folder for the sample: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	written, err := sample.Write(ctx, sample.Options{Scale: sample.Small, Dir: folder})
	if err != nil {
		return sum, fmt.Errorf("write the sample: %w", err)
	}
	paths := make([]string, len(written.Archives))
	for i, a := range written.Archives {
		paths[i] = filepath.Clean(a.Path)
	}
	return deps.ingest(ctx, paths, opts, true)
}
