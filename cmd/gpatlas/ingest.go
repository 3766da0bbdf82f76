package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gpatlas/modules/catalog"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops"
	"gpatlas/modules/people"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/sample"
)

// ingestFlags are the flags of the ingest command.
type ingestFlags struct {
	dataDir string
	asJSON  bool
	sources []string
	list    bool
	accept  []string
}

func (p *program) ingestCommand() *cobra.Command {
	var f ingestFlags
	cmd := &cobra.Command{
		Use:   "ingest [flags] PATH|URL… | --source NAME | --list-sources",
		Short: "Load filings from files, folders, URLs or the configured sources",
		Long: "Load the regulator's rosters (XLSX or CSV), Form ADV Part 1 and ADV-W archives (zip, or unpacked folders), IAPD firm feeds,\n" +
			"Form D data sets (zip), notices (XML) and EDGAR full submissions (.txt), and lists of LPs' commitments (CSV). The kind is\n" +
			"detected by content and name. Each document is loaded in one transaction. Loading it again changes nothing. Unreadable rows are\n" +
			"quarantined and counted. With --source, new documents of a configured source are fetched and loaded.\n" +
			"The quality gate stops a document that would remove more than a tenth of the advisers, repeats its rows, lacks a column or table\n" +
			"that the one before it had, has a table that lost rows or is cut off, cannot be used in more than a twentieth of its rows,\n" +
			"or changes most values of a field. --accept skips the named check\n" +
			"(universe_shrunk, keys_doubled, column_lost, table_lost, rows_unusable, rows_lost, values_changed).\n" +
			"Uses the database of DATABASE_URL, or else the private database of `gpatlas dev`, running or not.\n" +
			"Exit code: 0 if all documents were loaded, 1 if some were not, 2 if the command line is invalid.",
		Example: "  gpatlas ingest ia070124.xlsx ADV_Filing_Data_20240601_20240630.zip\n  gpatlas ingest --json ~/filings\n" +
			"  gpatlas ingest --source adv-monthly --source iapd-firm-feed",
		Args: checked(f.check),
		RunE: func(cmd *cobra.Command, args []string) error { return p.ingest(cmd.Context(), f, args) },
	}
	cmd.Flags().StringVar(&f.dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one that gpatlas dev uses)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the summary as JSON")
	cmd.Flags().StringSliceVar(&f.sources, "source", nil, "fetch and load the new documents of this configured source (may be repeated)")
	cmd.Flags().BoolVar(&f.list, "list-sources", false, "print the configured sources, their last success and their last error")
	cmd.Flags().StringSliceVar(&f.accept, "accept", nil, "skip this check of the quality gate for the documents of this run (may be repeated)")
	return cmd
}

// check requires documents, sources or the list of sources, and only one of these.
func (f *ingestFlags) check(_ *cobra.Command, args []string) error {
	switch {
	case f.list && (len(f.sources) > 0 || len(args) > 0):
		return errors.New("--list-sources cannot be combined with documents or other sources")
	case f.list && len(f.accept) > 0:
		return errors.New("--accept is for documents that are loaded: --list-sources loads none")
	case len(f.sources) > 0 && len(args) > 0:
		return errors.New("name documents or sources, not both")
	case f.list || len(f.sources) > 0:
		return nil
	}
	if len(args) == 0 {
		return errors.New("name the documents to load, or a source with --source")
	}
	return nil
}

// ingest loads documents into a database that is looked up, or started for as long as it takes.
func (p *program) ingest(ctx context.Context, f ingestFlags, args []string) error {
	s, err := p.commandSettings()
	if err != nil {
		return err
	}
	if err := errors.Join(s.DataOps.CheckRequest(f.sources, args, f.accept), checkPaths(args)); err != nil {
		return err
	}
	return p.withCatalog(ctx, "ingest", f.dataDir, s, func(db *database.DB, private bool, log *slog.Logger) error {
		deps := p.ingestion(db, catalog.NewLoader(db, p.clock, log), s, log)
		deps.DownloadDir = p.downloadDir(f.dataDir, private)
		sum, err := p.load(ctx, deps, f, args)
		switch {
		case err != nil && (ctx.Err() != nil || sum.DatabaseLost) && !readerGone(err):
			return errors.New(sum.Interruption())
		case err != nil && (sum.Failed > 0 || sum.SourcesFailed()):
			return reportedError{}
		}
		return err
	})
}

// downloadDir is the folder of downloads: in the data folder, or in the user's cache if the database is another's. Empty, if
// there is neither, means only that downloads are not resumed.
func (p *program) downloadDir(flag string, private bool) string {
	if private {
		if dir, err := p.dataDir(flag); err == nil {
			return filepath.Join(dir, "downloads")
		}
	}
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "gpatlas", "downloads")
	}
	return ""
}

// load runs the command.
func (p *program) load(ctx context.Context, deps dataops.Deps, f ingestFlags, args []string) (dataops.Summary, error) {
	opts := dataops.IngestOptions{JSON: f.asJSON, Out: p.stdout, Progress: p.stderr, Accept: f.accept}
	switch {
	case f.list:
		list, err := dataops.ListSources(ctx, deps)
		if err != nil {
			return dataops.Summary{}, err
		}
		return dataops.Summary{}, dataops.WriteSources(p.stdout, list, f.asJSON)
	case len(f.sources) > 0:
		return dataops.IngestSources(ctx, deps, f.sources, opts)
	default:
		return dataops.Ingest(ctx, deps, args, opts)
	}
}

// reportedError is a failure that the command has already printed.
type reportedError struct{}

func (reportedError) Error() string { return "" }
func (reportedError) ExitCode() int { return dataops.ExitFailed }

// webAddress matches a URL without its scheme: a host with a dot, and a path.
var webAddress = regexp.MustCompile(`^[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*\.[a-zA-Z]{2,}(:[0-9]+)?/`)

// checkPaths finds mistyped paths before any server is started.
func checkPaths(args []string) error {
	faults := make([]error, 0, len(args))
	for _, arg := range args {
		faults = append(faults, checkPath(arg))
	}
	return errors.Join(faults...)
}

func checkPath(arg string) error {
	if strings.Contains(arg, "://") {
		return nil
	}
	if arg == "" {
		return usageError{errors.New("a path is empty: name files, folders or URLs")}
	}
	_, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist) && webAddress.MatchString(arg):
		return fmt.Errorf("%s: no such file or folder; a URL begins with https:// or http://", arg)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: no such file or folder", arg)
	case err != nil:
		return fmt.Errorf("%s: %w", arg, apperr.Cause(err))
	}
	return nil
}

// ingestion is what dataops needs to load documents.
func (p *program) ingestion(db *database.DB, loader catalogapi.Loader, s settings, log *slog.Logger) dataops.Deps {
	return dataops.Deps{
		DB: db, Loader: loader, People: people.NewResolver(db, p.clock, log), Lists: people.NewLists(db, p.clock, log),
		Clock: p.clock, Log: log, Config: s.DataOps,
	}
}

func (p *program) sampleCommand() *cobra.Command {
	var scale, out string
	cmd := &cobra.Command{
		Use:   "sample --scale small|sec|10x --out DIR",
		Short: "Write invented archives in the regulator's formats",
		Long: "Write archives of invented advisers, the same ones each time, in the regulator's formats: Form ADV, Form ADV-W, Form D and the\n" +
			"daily feed of firms. With them come lists of LPs' commitments and recorded job boards. small: 300 advisers and three years of\n" +
			"filings. sec: 40,000 advisers and 250,000 funds, as in the whole market, with two years of filings. 10x: ten times that with a\n" +
			"few months of filings (650 MB; takes a minute or two and 3 GB of memory).",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usageError{errors.New("--out is missing: set the output folder")}
			}
			if scales := sample.Scales(); !slices.Contains(scales, scale) {
				return usageError{fmt.Errorf("--scale %q is not one of %s", scale, strings.Join(scales, ", "))}
			}
			sum, err := sample.Write(cmd.Context(), sample.Options{Scale: scale, Dir: out, Progress: sample.Lines(p.stderr)})
			if err != nil && cmd.Context().Err() == nil {
				return fmt.Errorf("%w: choose another folder with --out", err)
			} else if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.stdout, "%d archives in %s: %d advisers, %d funds (%d ever), %d filings, %d fund rows, %d rows in all, %.1f MB\n",
				len(sum.Archives), out, sum.Advisers, sum.Funds, sum.FundsAll, sum.Filings, sum.FundRows, sum.Rows, float64(sum.Bytes)/1e6)
			return err
		},
	}
	cmd.Flags().StringVar(&scale, "scale", sample.Small, strings.Join(sample.Scales(), ", "))
	cmd.Flags().StringVar(&out, "out", "", "folder to write to")
	return cmd
}
