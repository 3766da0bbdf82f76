package freshness

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/modules/dataops/internal/extraction"
	"gpatlas/modules/dataops/internal/source"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// staleMonths is how old the newest filing of a manager may be.
//
// Spec: not shown; the annual amendment is due 90 days after the fiscal year's end, so that a manager who files in time never has
// a newest filing older than 15 months.
const staleMonths = 15

// Service is what operators do about old data.
type Service struct {
	db        *database.DB
	store     *store
	sources   *source.Service
	scheduled bool // workers use the sources by their schedules
	uses      *extraction.Service
	people    peopleapi.Resolver
	ages      Ages
	alerts    *alert.Store
	queue     *jobs.Enqueuer
	audit     *audit.Log
	clock     clock.Clock
	log       *slog.Logger

	mu      sync.Mutex
	counted counted // as of at
	at      time.Time
}

// counted are numbers of stale entities. Every adviser and every person is looked at, which takes longer than all else.
type counted struct {
	managers       Managers
	people, boards Overdue
}

// countedFor is how long the numbers are good for: they change with ingestions and enrichments, and with the day.
const countedFor = time.Minute

// count counts the stale records, or returns counts that are less than countedFor old.
func (s *Service) count(ctx context.Context) (counted, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	if !s.at.IsZero() && now.Sub(s.at) < countedFor {
		return s.counted, nil
	}
	var (
		c   counted
		err error
	)
	before, _ := s.before()
	if c.managers, err = s.store.managers(ctx, before); err != nil {
		return c, err
	}
	if s.people != nil { // without the module there are none
		if _, c.people.Stale, err = s.people.StalePersons(ctx, now.Add(-s.ages.Person), 1); err != nil {
			return c, err
		}
		if _, c.boards.Stale, err = s.people.StaleBoards(ctx, now.Add(-s.ages.Board), 1); err != nil {
			return c, err
		}
	}
	s.counted, s.at = c, now
	return c, nil
}

// NewService works on db and the configured sources. people may be nil.
func NewService(db *database.DB, sources *source.Service, scheduled bool, uses *extraction.Service, people peopleapi.Resolver,
	ages Ages, queue *jobs.Enqueuer, clk clock.Clock, log *slog.Logger,
) *Service {
	return &Service{
		db: db, store: &store{db}, sources: sources, scheduled: scheduled, uses: uses, people: people, ages: ages,
		alerts: alert.NewStore(db), queue: queue, audit: audit.New(db, clk), clock: clk, log: log,
	}
}

// Sources returns the state of the configured sources.
func (s *Service) Sources(ctx context.Context) ([]Source, error) {
	list, err := s.sources.List(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Source, len(list))
	for i, st := range list {
		out[i] = s.judge(st)
	}
	return out, nil
}

// judge returns how late a source is.
func (s *Service) judge(st source.Status) Source {
	out := Source{
		Source: st.Name, Title: st.Title, LastSuccess: st.LastSuccess, LastChecked: st.LastChecked, Failures: int64(st.Failures),
		WarnSeconds: seconds(st.WarnAfter), StaleSeconds: seconds(st.StaleAfter),
	}
	if st.LastError != "" {
		out.LastError = &st.LastError
	}
	state := Fresh
	if st.LastSuccess != nil {
		age := max(0, s.clock.Now().Sub(*st.LastSuccess))
		out.AgeSeconds = new(int64(age / time.Second))
		switch {
		case st.StaleAfter > 0 && age >= st.StaleAfter:
			state = Stale
		case st.WarnAfter > 0 && age >= st.WarnAfter:
			state = Warn
		}
	} else {
		state = Stale
	}
	watched := st.Enabled && (st.WarnAfter > 0 || st.StaleAfter > 0)
	if expected := s.scheduled && st.Schedule != ""; watched && (expected || st.LastChecked != nil) {
		out.State = &state
	}
	return out
}

func seconds(d time.Duration) *int64 {
	if d == 0 {
		return nil
	}
	return new(int64(d / time.Second))
}

// before is the day from before which a newest filing is stale.
func (s *Service) before() (before, today time.Time) {
	today = clock.Today(s.clock)
	return today.AddDate(0, -staleMonths, 0), today
}

// Summary returns how old all data is.
func (s *Service) Summary(ctx context.Context) (out Summary, err error) {
	if out.Sources, err = s.Sources(ctx); err != nil {
		return out, err
	}
	c, err := s.count(ctx)
	if err != nil {
		return out, err
	}
	out.Managers, out.People, out.Boards = c.managers, c.people, c.boards
	out.Queue, err = s.Queue(ctx)
	return out, err
}

// Watch raises an alert for each source that is stale, and closes those of sources that are not.
func (s *Service) Watch(ctx context.Context) error {
	list, err := s.Sources(ctx)
	if err != nil {
		return err
	}
	for _, src := range list {
		now := s.clock.Now()
		if src.State == nil || *src.State != Stale {
			if err := s.alerts.Close(ctx, alert.SourceLate, src.Source, "", "the source is no longer late", now); err != nil {
				return err
			}
			continue
		}
		reason := src.Source + " has never been used without a fault"
		if src.LastSuccess != nil {
			reason = fmt.Sprintf("%s was last used without a fault on %s", src.Source, src.LastSuccess.Format(time.DateTime))
		}
		raise := []alert.Raise{{Source: src.Source, Kind: alert.SourceLate, Reason: reason, At: now}}
		if err := s.alerts.Raise(ctx, raise); err != nil {
			return err
		}
	}
	return nil
}

var forms = map[string]struct {
	is   func(string) bool
	form string
}{
	GP:     {catalogapi.IsCRD, "must be a CRD number: 1 to 10 digits without leading zeros"},
	Person: {regexp.MustCompile(`^per_[a-z2-7]{16}$`).MatchString, "must be a person UID: per_ and 16 characters of a-z and 2-7"},
	LP:     {regexp.MustCompile(`^[1-9][0-9]{0,9}$`).MatchString, "must be the ID of an LP: 1 to 10 digits"},
}

// Enqueue has an entity refreshed. One that waits already keeps its entry, with the higher of the two
// priorities: added is false.
func (s *Service) Enqueue(ctx context.Context, e Entry) (entry *Entry, added bool, err error) {
	if err := s.exists(ctx, e); err != nil {
		return nil, false, err
	}
	e.CreatedAt = s.clock.Now()
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		id, err := s.store.queue(ctx, e)
		if err != nil {
			return err
		}
		w := which{id: id, limit: 1}
		if added = id != 0; !added {
			w = which{kind: e.EntityType, name: e.EntityID, active: true, limit: 1}
			if err := s.store.hasten(ctx, e); err != nil {
				return err
			}
		}
		list, err := s.store.entries(ctx, w)
		if err != nil {
			return err
		}
		if len(list) == 0 { // it was refreshed in this moment
			return errRefreshed
		}
		entry = &list[0]
		if !added {
			return nil
		}
		after := map[string]any{"entity_type": e.EntityType, "entity_id": e.EntityID, "reason": e.Reason, "priority": e.Priority}
		return s.audit.Write(ctx, audit.Change{Action: "freshness.queue", Subject: fmt.Sprintf("entry %d", id), After: after})
	})
	return entry, added, err
}

// knows looks a person or an LP up. Without the module of people there is none.
func (s *Service) knows(ctx context.Context, e Entry) (bool, error) {
	if s.people == nil {
		return false, nil
	}
	if e.EntityType == Person {
		return s.people.KnowsPerson(ctx, e.EntityID)
	}
	id, err := strconv.ParseInt(e.EntityID, 10, 64)
	if err != nil { // the form has been checked
		return false, err
	}
	return s.people.KnowsLP(ctx, id)
}

var errRefreshed = apperr.New(apperr.KindConflict, "The entity was refreshed just now; try again")

func (s *Service) exists(ctx context.Context, e Entry) error {
	if f, ok := forms[e.EntityType]; ok && !f.is(e.EntityID) {
		return apperr.Invalid(apperr.FieldError{Field: "entity_id", Message: f.form})
	}
	switch e.EntityType {
	case Board:
		// Spec: not shown; boards are read in turn, and a refusal is better than an entry that changes nothing.
		return apperr.Invalid(apperr.FieldError{Field: "entity_type", Message: "board cannot be queued: a worker reads each job board once a day, " +
			"and `gpatlas people board fetch CRD` reads it now; the types are gp, person, lp, source"})
	case Person, LP:
		found, err := s.knows(ctx, e)
		if err == nil && !found {
			err = apperr.NotFound("%s %s not found", map[string]string{Person: "Person", LP: "LP"}[e.EntityType], e.EntityID)
		}
		return err
	case GP:
		found, err := s.store.listed(ctx, e.EntityID)
		if err == nil && !found {
			err = apperr.NotFound(catalogapi.NoGP, e.EntityID)
		}
		return err
	case BySource:
		list, err := s.sources.List(ctx)
		if err != nil {
			return err
		}
		names := make([]string, len(list))
		for i, st := range list {
			names[i] = st.Name
		}
		if !slices.Contains(names, e.EntityID) {
			return apperr.Invalid(apperr.FieldError{Field: "entity_id", Message: "is not a configured source; the sources are " + strings.Join(names, ", ")})
		}
	}
	return nil
}
