package ingest

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/clock"
)

// runs is the account that the service keeps.
type runs interface {
	Do(ctx context.Context, start run.Start, fn func(ctx context.Context, id int64) run.End) (int64, run.End, error)
	RecoverStale(ctx context.Context, now time.Time) (int64, error)
	Quarantine(ctx context.Context, runID int64, rejected []catalogapi.Rejected) error
	Baseline(ctx context.Context, series, sha256 string) (b gate.Baseline, held bool, err error)
	Loss(ctx context.Context, withdrawn map[string]time.Time) (current, lost int64, err error)
}

// fetcher brings remote documents.
type fetcher interface {
	Fetch(ctx context.Context, r fetch.Request) (fetch.File, error)
}

// Config is what an ingestion may be told.
type Config struct {
	AnyDate bool         // take filings dated in the future, which are mistyped in real files
	Accept  []gate.Check // checks of the quality gate that the operator lets pass
}

// Service ingests documents.
type Service struct {
	cfg    Config
	runs   runs
	loader catalogapi.Loader
	clock  clock.Clock
	fetch  fetcher
	log    *slog.Logger
}

// New makes a service.
func New(cfg Config, account runs, loader catalogapi.Loader, clk clock.Clock, fetcher fetcher, log *slog.Logger) *Service {
	return &Service{cfg: cfg, runs: account, loader: loader, clock: clk, fetch: fetcher, log: log}
}

// Ingest loads everything that the arguments stand for, one document after the other, and reports to progress. A
// document that fails is told in the summary, and all of them in the error, which is nil when every document was
// loaded. An argument that stands for nothing fails the whole before anything is loaded.
func (s *Service) Ingest(ctx context.Context, args []string, progress Progress) (Summary, error) {
	found, err := inputs(args)
	if err != nil {
		return Summary{}, err
	}
	b, err := s.Begin(ctx, progress)
	if err != nil {
		return Summary{}, err
	}
	for i, item := range found {
		_ = b.Load(ctx, item, i, len(found)) // gathered
		if ctx.Err() != nil {
			break
		}
	}
	return b.End()
}

// Batch is the documents of one command or job.
type Batch struct {
	service  *Service
	progress Progress
	begun    time.Time
	sum      Summary
	faults   []error
}

// Begin begins a batch: what ended processes have left is marked first.
func (s *Service) Begin(ctx context.Context, progress Progress) (*Batch, error) {
	stale, err := s.runs.RecoverStale(ctx, s.clock.Now())
	if err != nil {
		return nil, err
	}
	if stale > 0 {
		s.log.WarnContext(ctx, "ingestion runs of ended processes marked as failed", slog.Int64("runs", stale))
	}
	return &Batch{service: s, progress: progress, begun: s.clock.Now()}, nil
}

// Load loads the index-th (from 0) of so many documents. Its error is that of the document, which End will tell again.
func (b *Batch) Load(ctx context.Context, item Item, index, of int) error {
	b.progress.Begin(item.Name, index, of)
	doc, err := b.service.one(ctx, item, b.progress)
	b.sum.add(doc)
	b.progress.End(doc)
	if err != nil {
		b.faults = append(b.faults, err)
	}
	return err
}

// Last is what came of the document loaded last.
func (b *Batch) Last() Document {
	if len(b.sum.Documents) == 0 {
		return Document{}
	}
	return b.sum.Documents[len(b.sum.Documents)-1]
}

// End sums the batch up. The error joins those of the documents.
func (b *Batch) End() (Summary, error) {
	b.sum.Seconds = b.service.clock.Now().Sub(b.begun).Seconds()
	b.sum.RowsPerSecond = perSecond(b.sum.Read, b.sum.Seconds)
	return b.sum, errors.Join(b.faults...)
}

// one ingests one document as one run.
func (s *Service) one(ctx context.Context, in Item, progress Progress) (Document, error) {
	begun := s.clock.Now()
	doc := Document{Document: in.Name, Location: in.location(), Source: run.UnknownSource, State: run.Failed}
	start := run.Start{Document: in.Name, Location: in.location(), Source: in.Source, At: begun}
	id, end, err := s.runs.Do(ctx, start, func(ctx context.Context, id int64) run.End {
		end := run.End{}
		end.Err = s.process(ctx, id, in, &end, &doc, progress)
		end.Stopped = gate.Stopped(end.Err)
		end.At = s.clock.Now()
		return end
	})
	if end.Err != nil {
		err = end.Err
	}
	doc.RunID, doc.Bytes, doc.SHA256, doc.Quarantined = id, end.Bytes, end.SHA256, end.Quarantined
	doc.Seconds = s.clock.Now().Sub(begun).Seconds()
	doc.count(end.Result)
	doc.Series, doc.Stopped, doc.Accepted = end.Series, checks(end.Stopped), checks(end.Passed)
	doc.RowsPerSecond = perSecond(doc.Read, doc.Seconds)
	if end.Source != "" {
		doc.Source = end.Source
	}
	for _, f := range end.Stopped {
		s.log.ErrorContext(ctx, "document stopped by the quality gate", slog.String("document", in.Name), slog.Int64("run_id", id),
			slog.String("check", string(f.Check)), slog.String("reason", f.Reason))
	}
	if err != nil {
		doc.Error = err.Error()
		s.log.ErrorContext(ctx, "ingestion failed", slog.String("document", in.Name), slog.Int64("run_id", id), slog.Any("error", err))
		return doc, err
	}
	doc.State = run.Completed
	s.log.InfoContext(ctx, "document ingested", slog.String("document", in.Name), slog.Int64("run_id", id),
		slog.String("source", doc.Source), slog.Int64("rows", doc.Read), slog.Bool("changed", doc.Changed),
		slog.Int64("quarantined", doc.Quarantined), slog.Float64("seconds", doc.Seconds))
	return doc, nil
}
