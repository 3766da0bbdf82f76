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
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/stage"
)

// Config is the settings of an ingestion.
type Config struct {
	AnyDate bool            // take filings dated in the future, which are mistyped in real files
	Accept  []gate.Check    // checks of the quality gate that the operator lets pass
	Lists   peopleapi.Lists // keeps lists of LPs' commitments; nil = they are refused
}

// Service ingests documents.
type Service struct {
	cfg    Config
	runs   *run.Store
	loader catalogapi.Loader
	clock  clock.Clock
	fetch  *fetch.Client
	log    *slog.Logger
}

// New makes a service.
func New(cfg Config, runs *run.Store, loader catalogapi.Loader, clk clock.Clock, fetcher *fetch.Client, log *slog.Logger) *Service {
	return &Service{cfg: cfg, runs: runs, loader: loader, clock: clk, fetch: fetcher, log: log}
}

// Ingest loads all documents that the arguments mean, in their order, and reports to progress. A document that fails is in the
// summary and in the error, which is nil if every document was loaded. If an argument means no document, nothing is loaded. follow
// runs as a part of the ingestion if anything was loaded; nil = nothing follows.
func (s *Service) Ingest(ctx context.Context, args []string, progress Progress, follow Follow) (Summary, error) {
	found, err := inputs(args)
	if err != nil {
		return Summary{}, err
	}
	b, err := s.Begin(ctx, progress)
	if err != nil {
		return Summary{}, err
	}
	_ = b.Load(ctx, 0, len(found), found...) // gathered
	err = b.Follow(ctx, follow)
	sum, faults := b.End()
	return sum, errors.Join(faults, err)
}

// Follow is what follows an ingestion: people are read. It returns how many advisers' people were.
type Follow func(ctx context.Context, sum Summary) (advisers int, err error)

// Batch is the documents of one command or job.
type Batch struct {
	service  *Service
	progress Progress
	begun    time.Time
	before   Left // when it began
	sum      Summary
	faults   []error
	stages   stages
}

// Watch returns a context whose stages are shown, and kept in the summary. A stage that begins when ctx is over runs to its end.
func (b *Batch) Watch(ctx context.Context) context.Context {
	return stage.Watch(ctx, func(name string) func() {
		began, stopped := b.stages.begin(b.service.clock.Now()), ctx.Err() != nil
		b.progress.Stage(name)
		return func() {
			b.progress.StageEnd(b.stages.end(name, began, b.service.clock.Now(), !stopped && ctx.Err() != nil))
		}
	})
}

// Follow does what follows, if there were any documents.
func (b *Batch) Follow(ctx context.Context, follow Follow) error {
	if follow == nil {
		return nil
	}
	if b.sum.DatabaseLost {
		b.sum.PeopleUnread = b.sum.Changed
		return nil
	}
	read, err := follow(b.Watch(ctx), b.sum)
	b.sum.PeopleRead, b.sum.PeopleUnread = int64(read), err != nil
	if unavailable(err) && ctx.Err() == nil {
		b.service.log.ErrorContext(ctx, "the database went away", slog.Any("error", err))
		b.sum.DatabaseLost = true
	}
	b.sum.Interrupted = b.sum.Interrupted || err != nil && ctx.Err() != nil
	return err
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
	b := &Batch{service: s, progress: progress, begun: s.clock.Now()}
	b.before.Advisers, b.before.Funds, err = s.runs.Left(ctx)
	return b, err
}

// Load loads documents, the index-th (from 0) of so many in all and those after it. Its error is that of the documents; End returns it again.
func (b *Batch) Load(ctx context.Context, index, of int, documents ...Item) error {
	ctx = b.Watch(ctx)
	items := make([]*item, len(documents))
	for i, in := range documents {
		items[i] = &item{s: b.service, in: in, at: index + i}
	}
	var faults []error
	err := b.service.runs.Session(ctx, func(ctx context.Context, session *run.Session) error {
		q := &queue{s: b.service, session: session, progress: b.progress, stages: &b.stages, items: items, of: of}
		for !q.empty() && ctx.Err() == nil && !q.lost {
			for _, it := range q.batch(ctx) {
				b.sum.add(it.doc)
				if !errors.Is(it.err, ErrLost) { // one line of the summary covers all of these
					b.progress.End(it.doc)
				}
				if it.err != nil {
					faults = append(faults, it.err)
				}
			}
		}
		b.sum.NotBegun, b.sum.Interrupted, b.sum.DatabaseLost = len(q.items), ctx.Err() != nil, q.lost
		q.abandon(ctx)
		return nil
	})
	if err != nil {
		faults = append(faults, err)
	}
	if b.sum.Changed && !b.sum.DatabaseLost {
		if err := b.countLeft(ctx); err != nil {
			faults = append(faults, err)
		}
	}
	b.faults = append(b.faults, faults...)
	return errors.Join(faults...)
}

// countLeft counts the advisers and funds that have left since the batch began, even if ctx has ended.
func (b *Batch) countLeft(ctx context.Context) (err error) {
	defer stage.Begin(ctx, "counting who has left")()
	var now Left
	if now.Advisers, now.Funds, err = b.service.runs.Left(context.WithoutCancel(ctx)); err == nil {
		b.sum.Left = now.since(b.before)
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

// End sums the batch up, when everything is done. The error joins those of the documents.
func (b *Batch) End() (Summary, error) {
	b.sum.Stages = b.stages.over
	b.sum.Seconds = b.service.clock.Now().Sub(b.begun).Seconds()
	b.sum.RowsPerSecond = perSecond(b.sum.Read, b.sum.Seconds)
	return b.sum, errors.Join(b.faults...)
}
