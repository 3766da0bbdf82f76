package people

import (
	"context"
	"log/slog"
	"time"

	"go.uber.org/fx"

	"gpatlas/modules/billing/billingapi"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/board"
	"gpatlas/modules/people/internal/career"
	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/hiring"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/lp"
	"gpatlas/modules/people/internal/pages"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/team"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/overrides"
)

// Module provides people to the container. It needs its Config, *database.DB, clock.Clock, *slog.Logger and *jobs.Enqueuer.
var Module = fx.Module("people",
	fx.Provide(
		NewResolver,
		NewLists,
		fx.Annotate(newWhoIsWho, fx.As(new(overrides.Overrider)), fx.ResultTags(`group:"overriders"`)),
		fx.Annotate(newMatches, fx.As(new(overrides.Overrider)), fx.ResultTags(`group:"overriders"`)),
		fx.Annotate(build, fx.ResultTags(`group:"manifests"`)),
	),
)

// ResolveJob is the type of the job that resolves people when an ingestion ended between its load and the resolution.
const ResolveJob = "people.resolve_names"

// DropJob is the type of the job that drops the responses kept for an Idempotency-Key after an override has suppressed a
// person: a request may have read the person before the override was committed.
const DropJob = "people.drop_answers"

// resolveTimeout is generous: the first resolution reads every filing.
const resolveTimeout = 30 * time.Minute

// NewResolver makes the resolver without a container.
func NewResolver(db *database.DB, clk clock.Clock, log *slog.Logger) peopleapi.Resolver {
	return resolver{identity.NewService(db, clk, log), lp.NewService(db, clk, log), person.NewStore(db), hiring.NewStore(db)}
}

type resolver struct {
	people  *identity.Service
	lps     *lp.Service
	persons *person.Store
	boards  *hiring.Store
}

// Refresh implements peopleapi.Resolver.
func (r resolver) Refresh(ctx context.Context) (advisers int, err error) {
	done, err := r.people.Resolve(ctx)
	if err != nil {
		return 0, err
	}
	_, err = r.lps.Match(ctx)
	return done.Advisers, err
}

// KnowsPerson implements peopleapi.Resolver.
func (r resolver) KnowsPerson(ctx context.Context, uid string) (bool, error) {
	return r.people.Knows(ctx, uid)
}

// KnowsLP implements peopleapi.Resolver.
func (r resolver) KnowsLP(ctx context.Context, id int64) (bool, error) { return r.lps.Knows(ctx, id) }

// StalePersons implements peopleapi.Resolver.
func (r resolver) StalePersons(ctx context.Context, until time.Time, limit int) ([]peopleapi.StalePerson, int64, error) {
	return r.persons.Stale(ctx, until, limit)
}

// StaleBoards implements peopleapi.Resolver.
func (r resolver) StaleBoards(ctx context.Context, until time.Time, limit int) ([]peopleapi.StaleBoard, int64, error) {
	return r.boards.Stale(ctx, until, limit)
}

// newWhoIsWho applies overrides of people.
func newWhoIsWho(db *database.DB, clk clock.Clock, log *slog.Logger, queue *jobs.Enqueuer) (*identity.Overrider, error) {
	shown, err := operations(db, clk, log)
	return identity.NewOverrider(identity.NewService(db, clk, log), shown, func(ctx context.Context) error {
		return queue.Enqueue(ctx, jobs.Job{Type: DropJob})
	}), err
}

// newMatches applies overrides of the managers of LPs' investments.
func newMatches(db *database.DB, clk clock.Clock, log *slog.Logger) *lp.Overrider {
	return lp.NewOverrider(lp.NewService(db, clk, log))
}

// NewLists makes the service for lists of commitments without a container.
func NewLists(db *database.DB, clk clock.Clock, log *slog.Logger) peopleapi.Lists {
	return lp.NewService(db, clk, log)
}

// optional holds dependencies that are nil when their module is left out.
type optional struct {
	fx.In

	Purchases billingapi.Purchases `optional:"true"`
}

// build makes the module's slices. The constructors only assign.
func build(
	c Config, resolve peopleapi.Resolver, db *database.DB, clk clock.Clock, log *slog.Logger, queue *jobs.Enqueuer,
	words catalogapi.Vocabulary, schedules catalogapi.Schedules, more optional,
) (module.Manifest, error) {
	enriched, err := newEnrichment(c, db, queue, clk, log)
	if err != nil {
		return module.Manifest{}, err
	}
	boards, _ := jobBoards(c.Boards) // checked with the settings
	openings, teams := newHiring(db, boards, clk, log), team.NewService(team.NewStore(db), more.Purchases, clk)
	return module.New("people",
		teams.Part(),
		team.NewOwners(teams, schedules, identity.NewService(db, clk, log)).Part(),
		openings.Part(),
		pages.Part(),
		enriched.Part(),
		lp.NewService(db, clk, log).Part(words),
		person.NewService(person.NewStore(db), enriched, more.Purchases, clk).Part(),
		career.NewService(career.NewStore(db), person.NewStore(db), identity.NewService(db, clk, log), enriched, more.Purchases).Part(),
		module.Part{
			Models: identity.Models(),
			Jobs: []jobs.Handler{{
				Type: ResolveJob, Timeout: resolveTimeout, Retries: 3,
				Run: func(ctx context.Context, _ []byte) error {
					_, err := resolve.Refresh(ctx)
					return err
				},
			}, {
				Type: DropJob, Timeout: time.Minute, Retries: 10,
				Run: func(ctx context.Context, _ []byte) error {
					shown, err := operations(db, clk, log)
					if err != nil {
						return err
					}
					return identity.NewService(db, clk, log).DropKept(ctx, shown)
				},
			}},
			Schedules: []jobs.Schedule{{
				// Frequent, because managers that are not read yet cannot be sold, and it costs nothing when all are read.
				Type: ResolveJob, Cron: "*/5 * * * *", AtStart: true,
				Bucket: jobs.Minutely,
			}},
		},
	), nil
}

// operations are the IDs of all operations of the module, so that none that shows people can be forgotten.
func operations(db *database.DB, clk clock.Clock, log *slog.Logger) ([]string, error) {
	all, err := build(Config{}, nil, db, clk, log, nil, catalogapi.Vocabulary{}, nil, optional{})
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(all.Routes))
	for i := range all.Routes {
		ids[i] = all.Routes[i].Operation.OperationID
	}
	return ids, nil
}

// newEnrichment makes the service with the providers of the settings.
func newEnrichment(c Config, db *database.DB, queue *jobs.Enqueuer, clk clock.Clock, log *slog.Logger) (*enrichment.Service, error) {
	list, err := c.providers(clk, log)
	if err != nil {
		return nil, err
	}
	return enrichment.NewService(db, queue, enrichment.Settings{
		Providers: list, PeopleMax: c.EnrichMax, AskAgain: c.AskAgainAfter, Wait: c.EnrichWait,
	}, clk, log), nil
}

func newHiring(db *database.DB, boards []board.Board, clk clock.Clock, log *slog.Logger) *hiring.Service {
	return hiring.NewService(db, board.NewClient(board.Options{}, clk, log), boards, clk, log)
}
