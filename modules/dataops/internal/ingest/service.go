package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/clock"
)

// runs is the account that the service keeps.
type runs interface {
	Do(ctx context.Context, start run.Start, fn func(ctx context.Context, id int64) run.End) (int64, run.End, error)
	RecoverStale(ctx context.Context, now time.Time) (int64, error)
	Quarantine(ctx context.Context, runID int64, rejected []catalogapi.Rejected) error
}

// Config is what an ingestion may be told.
type Config struct {
	UserAgent        string // of downloads; the SEC refuses callers that name no contact
	DownloadBytesMax int64
	AnyDate          bool // take filings dated in the future, which are mistyped in real files
}

// Service ingests documents.
type Service struct {
	cfg    Config
	runs   runs
	loader catalogapi.Loader
	clock  clock.Clock
	client *http.Client
	log    *slog.Logger
}

// New makes a service.
func New(cfg Config, account runs, loader catalogapi.Loader, clk clock.Clock, client *http.Client, log *slog.Logger) *Service {
	return &Service{cfg: cfg, runs: account, loader: loader, clock: clk, client: client, log: log}
}

// Ingest loads everything that the arguments stand for, one document after the other, and reports to progress. A
// document that fails is told in the summary, and all of them in the error, which is nil when every document was
// loaded. An argument that stands for nothing fails the whole before anything is loaded.
func (s *Service) Ingest(ctx context.Context, args []string, progress Progress) (Summary, error) {
	var sum Summary
	found, err := inputs(args)
	if err != nil {
		return sum, err
	}
	stale, err := s.runs.RecoverStale(ctx, s.clock.Now())
	if err != nil {
		return sum, err
	}
	if stale > 0 {
		s.log.WarnContext(ctx, "ingestion runs of ended processes marked as failed", slog.Int64("runs", stale))
	}
	begun := s.clock.Now()
	var faults []error
	for i, in := range found {
		progress.Begin(in.name, i, len(found))
		doc, err := s.one(ctx, in, progress)
		sum.add(doc)
		progress.End(doc)
		if err != nil {
			faults = append(faults, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	sum.Seconds = s.clock.Now().Sub(begun).Seconds()
	sum.RowsPerSecond = perSecond(sum.Read, sum.Seconds)
	return sum, errors.Join(faults...)
}

// one ingests one document as one run.
func (s *Service) one(ctx context.Context, in input, progress Progress) (Document, error) {
	begun := s.clock.Now()
	doc := Document{Document: in.name, Location: in.location(), Source: run.UnknownSource, State: run.Failed}
	start := run.Start{Document: in.name, Location: in.location(), At: begun}
	id, end, err := s.runs.Do(ctx, start, func(ctx context.Context, id int64) run.End {
		end := run.End{}
		end.Err = s.process(ctx, id, in, &end, &doc, progress)
		end.At = s.clock.Now()
		return end
	})
	if end.Err != nil {
		err = end.Err
	}
	doc.RunID, doc.Bytes, doc.SHA256, doc.Quarantined = id, end.Bytes, end.SHA256, end.Quarantined
	doc.Seconds = s.clock.Now().Sub(begun).Seconds()
	doc.count(end.Result)
	doc.RowsPerSecond = perSecond(doc.Read, doc.Seconds)
	if end.Source != "" {
		doc.Source = end.Source
	}
	if err != nil {
		doc.Error = err.Error()
		s.log.ErrorContext(ctx, "ingestion failed", slog.String("document", in.name), slog.Int64("run_id", id), slog.Any("error", err))
		return doc, err
	}
	doc.State = run.Completed
	s.log.InfoContext(ctx, "document ingested", slog.String("document", in.name), slog.Int64("run_id", id),
		slog.String("source", doc.Source), slog.Int64("rows", doc.Read), slog.Bool("changed", doc.Changed),
		slog.Int64("quarantined", doc.Quarantined), slog.Float64("seconds", doc.Seconds))
	return doc, nil
}

// process fetches, opens and loads a document, and fills in what is learned of it on the way.
func (s *Service) process(ctx context.Context, id int64, in input, end *run.End, doc *Document, progress Progress) (err error) {
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	path := in.path
	if in.remote != nil {
		dir, err := os.MkdirTemp("", "gpatlas-download-*")
		if err != nil {
			return fmt.Errorf("make a folder for the download: %w", err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if path, err = s.download(ctx, in.remote, in.name, dir); err != nil {
			return err
		}
	}
	q := &quarantine{ctx: ctx, abort: abort, write: func(ctx context.Context, rejected []catalogapi.Rejected) error {
		return s.runs.Quarantine(ctx, id, rejected)
	}}
	defer func() {
		err = errors.Join(err, q.close())
		end.Quarantined, doc.FirstReason = q.count, q.first
	}()
	opts := parse.Options{Reject: q.reject}
	if !s.cfg.AnyDate {
		opts.NotAfter = s.clock.Now().AddDate(0, 0, 1) // a day's grace: filings carry no time zone
	}
	opened, err := parse.Open(ctx, path, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	end.Source, end.Bytes = opened.Kind, opened.Bytes
	if end.SHA256, err = checksum(ctx, path); err != nil {
		return err
	}
	end.Result, err = s.loader.LoadDocument(ctx, opened.Document, catalogapi.LoadOptions{
		RunID: id, Reject: q.reject, Progress: progress.Rows,
	})
	if cause := context.Cause(ctx); err != nil && cause != nil && !errors.Is(err, cause) {
		return fmt.Errorf("%w (%w)", cause, err)
	}
	return err
}
