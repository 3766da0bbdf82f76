package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"gpatlas/modules/catalog"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

func (p *program) ingestCommand() *cobra.Command {
	var dataDir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "ingest [flags] PATH|URL…",
		Short: "Load filings: rosters and Form ADV archives, from files, folders or addresses",
		Long: "Load the regulator's rosters (XLSX or CSV) and Form ADV Part 1 archives (zip, or unpacked folders), told by content and name,\n" +
			"each in one transaction. Loading a document again changes nothing. Rows that cannot be read are quarantined and counted.\n" +
			"The database is DATABASE_URL's, or else the private one of `gpatlas dev`, running or not.\n" +
			"Exit code: 0 all documents were loaded, 1 some were not, 2 the command line makes no sense.",
		Example: "  gpatlas ingest ia070124.xlsx ADV_Filing_Data_20240601_20240630.zip\n  gpatlas ingest --json ~/filings",
		Args:    usage(cobra.MinimumNArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return p.ingest(cmd.Context(), dataDir, asJSON, args) },
	}
	cmd.Flags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one it uses)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as JSON")
	return cmd
}

// ingest loads documents into a database that is looked up, or started for as long as it takes.
func (p *program) ingest(ctx context.Context, dataDir string, asJSON bool, args []string) (err error) {
	s, err := p.settingsFor("DATABASE_URL", "REDIS_URL", "WEB_")
	if err != nil {
		return err
	}
	if err := checkPaths(args); err != nil {
		return err
	}
	log := p.plainLog()
	url, private, release, err := p.database(ctx, "ingest", dataDir, log)
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
		log = slog.New(slog.DiscardHandler) // progress and summary tell everything already
	}
	s.Database.URL, s.Database.Logger, s.Database.ApplicationName = url, log, "gpatlas ingest"
	db, err := database.Open(ctx, s.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	deps := p.ingestion(db, catalog.NewLoader(db, clock.System{}, log), s, log)
	sum, err := dataops.Ingest(ctx, deps, args, dataops.IngestOptions{JSON: asJSON, Out: p.stdout, Progress: p.stderr})
	if err != nil && sum.Failed > 0 && ctx.Err() == nil {
		return toldError{}
	}
	return err
}

// toldError is a failure that the command has told already.
type toldError struct{}

func (toldError) Error() string { return "" }
func (toldError) ExitCode() int { return dataops.ExitFailed }

// checkPaths finds a mistyped path before any server is started for it.
func checkPaths(args []string) error {
	for _, arg := range args {
		if strings.Contains(arg, "://") {
			continue
		}
		if _, err := os.Stat(arg); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: no such file or folder", arg)
		}
	}
	return nil
}

// ingestion is what dataops needs to load documents.
func (p *program) ingestion(db *database.DB, loader catalogapi.Loader, s settings, log *slog.Logger) dataops.Deps {
	return dataops.Deps{DB: db, Loader: loader, Clock: clock.System{}, Log: log, Config: s.DataOps}
}

func (p *program) sampleCommand() *cobra.Command {
	var scale, out string
	cmd := &cobra.Command{
		Use:   "sample --scale small|sec --out DIR",
		Short: "Write invented archives in the regulator's formats",
		Long: "Write Form ADV archives of invented advisers, the same ones each time, in the regulator's formats: small has 300 advisers and\n" +
			"three years of filings, sec the whole market's 40,000 advisers and 250,000 funds with two years of filings.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				return usageError{errors.New("--out is missing: name the folder to write to")}
			}
			if scale != dataops.SampleSmall && scale != dataops.SampleSEC {
				return usageError{fmt.Errorf("--scale %q is neither %s nor %s", scale, dataops.SampleSmall, dataops.SampleSEC)}
			}
			sum, err := dataops.WriteSample(cmd.Context(), scale, out, p.stderr)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.stdout, "%d archives in %s: %d advisers, %d funds (%d ever), %d filings, %d fund rows, %.1f MB\n",
				len(sum.Archives), out, sum.Advisers, sum.Funds, sum.FundsAll, sum.Filings, sum.FundRows, float64(sum.Bytes)/1e6)
			return err
		},
	}
	cmd.Flags().StringVar(&scale, "scale", dataops.SampleSmall, "small or sec")
	cmd.Flags().StringVar(&out, "out", "", "folder to write to")
	return cmd
}
