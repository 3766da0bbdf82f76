package extraction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/dataops/internal/gate"
	"gpatlas/modules/dataops/internal/run"
	"gpatlas/modules/dataops/internal/source"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Job carries out one extraction.
const Job = "dataops.run_extraction"

// SweepJob marks extractions whose process was killed.
const SweepJob = "dataops.sweep_extractions"

// Payload names the extraction of a job.
type Payload struct {
	RunID int64 `json:"run_id"`
}

// Service is what operators do with extractions.
type Service struct {
	db      *database.DB
	store   *Store
	runs    *run.Store
	sources []source.Definition
	check   func(name string) error // what a source lacks to be fetched
	queue   *jobs.Enqueuer
	audit   *audit.Log
	clock   clock.Clock
}

// NewService works on db and the configured sources. check returns which settings a source lacks to be fetched.
func NewService(db *database.DB, list []source.Definition, check func(name string) error, queue *jobs.Enqueuer, clk clock.Clock) *Service {
	return &Service{db, NewStore(db), run.NewStore(db), list, check, queue, audit.New(db, clk), clk}
}

// Trigger has a source extracted in the background. While one of the source waits or runs, the error is an ActiveError.
func (s *Service) Trigger(ctx context.Context, name, trigger string, accept []string, by int64) (*Extraction, error) {
	if err := s.usable(name, accept); err != nil {
		return nil, err
	}
	if _, err := s.store.Recover(ctx, s.clock.Now()); err != nil {
		return nil, err
	}
	r := row{SourceName: name, Trigger: trigger, Accept: How{Accept: accept}.accept(), CreatedAt: s.clock.Now()}
	if by != 0 {
		r.RequestedBy = &by
	}
	var made *Extraction
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		id, err := s.store.queue(ctx, r)
		if err != nil {
			return err
		}
		if id == 0 {
			return s.active(ctx, name)
		}
		job := jobs.Job{Type: Job, Payload: Payload{id}, TaskID: jobs.Key(Job, strconv.FormatInt(id, 10))}
		if err := s.queue.Enqueue(ctx, job); err != nil {
			return err
		}
		if made, err = s.Find(ctx, id); err != nil {
			return err
		}
		after := map[string]any{"source": name, "trigger": trigger, "accept": r.Accept}
		return s.audit.Write(ctx, audit.Change{Action: "extraction.trigger", Subject: fmt.Sprintf("extraction %d", id), After: after})
	})
	return made, err
}

// usable returns why a source cannot be extracted.
func (s *Service) usable(name string, accept []string) error {
	i := slices.IndexFunc(s.sources, func(d source.Definition) bool { return d.Name == name })
	if i < 0 {
		return apperr.Invalid(apperr.FieldError{Field: "source", Message: "is not a configured source; the sources are " + strings.Join(s.names(), ", ")})
	}
	for n, c := range accept {
		if _, err := gate.ParseCheck(c); err != nil {
			return apperr.Invalid(apperr.FieldError{Field: fmt.Sprintf("accept[%d]", n), Message: err.Error()})
		}
	}
	if !s.sources[i].IsEnabled() {
		return apperr.New(apperr.KindConflict, "Source %s is switched off in the settings", name)
	}
	if err := s.check(name); err != nil {
		return apperr.New(apperr.KindConflict, "Source %s cannot be fetched: %s", name, err)
	}
	return nil
}

func (s *Service) names() []string {
	out := make([]string, len(s.sources))
	for i, d := range s.sources {
		out[i] = d.Name
	}
	return out
}

// ActiveError is the error for a source that has an extraction that waits or runs.
type ActiveError struct{ RunID int64 }

func (e *ActiveError) Error() string {
	return fmt.Sprintf("extraction %d of the source is active", e.RunID)
}

func errActive(id int64, name string) *apperr.Error {
	return apperr.New(apperr.KindConflict, "Extraction %d of source %s is queued or running", id, name)
}

func (s *Service) active(ctx context.Context, name string) error {
	id, err := s.store.active(ctx, name)
	if err != nil {
		return err
	}
	return errActive(id, name).Wrap(&ActiveError{id})
}

// Active returns the extraction that keeps another from being triggered; 0 if err is another error.
func Active(err error) int64 {
	if e, ok := errors.AsType[*ActiveError](err); ok {
		return e.RunID
	}
	return 0
}

// Busy reports whether an extraction of a source runs now. Killed ones do not.
func (s *Service) Busy(ctx context.Context, name string) (bool, error) {
	if _, err := s.store.Recover(ctx, s.clock.Now()); err != nil {
		return false, err
	}
	id, err := s.store.active(ctx, name)
	if err != nil || id == 0 {
		return false, err
	}
	e, err := s.Find(ctx, id)
	return err == nil && e.State == Running, err
}

// Find returns an extraction.
func (s *Service) Find(ctx context.Context, id int64) (*Extraction, error) {
	list, err := s.store.List(ctx, "", id, 1)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, apperr.NotFound("There is no extraction %d", id)
	}
	return &list[0], nil
}

const sweepTimeout = time.Minute
