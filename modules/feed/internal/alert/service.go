package alert

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Service keeps alerts for their owners, and looks for news.
type Service struct {
	db     *database.DB
	clock  clock.Clock
	search catalogapi.GPSearcher
	differ catalogapi.GPDiffer
	queue  *jobs.Enqueuer
	most   map[string]int // active alerts by plan; nil: all plans are open
	store  *store
}

// NewService works on db. sold: plans are sold, and limit how many alerts an account has.
func NewService(db *database.DB, clk clock.Clock, search catalogapi.GPSearcher, differ catalogapi.GPDiffer, queue *jobs.Enqueuer, sold bool) *Service {
	s := &Service{db: db, clock: clk, search: search, differ: differ, queue: queue, store: &store{db}}
	if sold {
		s.most = AlertsMost
	}
	return s
}

// now has PostgreSQL's precision, so that a response has the same time as a later read.
func (s *Service) now() time.Time { return s.clock.Now().UTC().Truncate(time.Microsecond) }

// Put creates or replaces the alert of one of the account's searches.
//
// Spec: not shown; an alert that watches the same filters as before keeps its news. A paused alert, or one with other filters, begins anew.
func (s *Service) Put(ctx context.Context, user int64, in *PutInput) (*Alert, error) {
	if err := s.check(in); err != nil {
		return nil, err
	}
	of, err := s.watchable(ctx, user, in.SearchID)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.room(ctx, user, in); err != nil {
			return err
		}
		newest, err := s.differ.NewestLoad(ctx)
		if err != nil {
			return err
		}
		b := &in.Body
		r := &row{
			SearchID: in.SearchID, UserID: user, Tells: inOrder(b.On), Fields: sorted(b.Fields), Mail: b.Mail, Webhooks: sorted(b.Webhooks), Hash: of.Hash, Since: newest, Mailed: newest,
		}
		before, err := s.store.find(ctx, user, in.SearchID)
		if err != nil {
			return err
		}
		if len(before) > 0 && before[0].State == "active" && before[0].Hash == of.Hash {
			r.Since = before[0].Since
			if before[0].Mail != mailOff { // what is due is still sent
				r.Mailed = before[0].Mailed
			}
		}
		return s.store.put(ctx, r, s.now())
	})
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, user, in.SearchID)
}

func sorted(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return slices.Compact(list)
}

func inOrder(on []string) []string {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return !slices.Contains(on, kind) })
}

func (s *Service) check(in *PutInput) error {
	var faults []apperr.FieldError
	fields := s.differ.WatchedFields()
	for _, f := range in.Body.Fields {
		if !slices.Contains(fields, f) {
			faults = append(faults, apperr.FieldError{Field: "fields", Message: "must be fields that alerts compare: " + strings.Join(fields, ", ")})
			break
		}
	}
	if len(in.Body.Fields) > 0 && !slices.Contains(in.Body.On, catalogapi.NewsChanged) {
		faults = append(faults, apperr.FieldError{Field: "fields", Message: "needs changed in on"})
	}
	if slices.ContainsFunc(in.Body.Webhooks, func(id string) bool { return !uuidForm.MatchString(id) }) {
		faults = append(faults, apperr.FieldError{Field: "webhooks", Message: noEndpoint})
	}
	if faults != nil {
		return apperr.Invalid(faults...)
	}
	return nil
}

// watchable returns a search whose filters are valid and not too wide.
func (s *Service) watchable(ctx context.Context, user int64, id string) (*saved, error) {
	of, err := s.store.search(ctx, user, id)
	if err != nil {
		return nil, err
	}
	if of == nil {
		return nil, errNoSearch
	}
	if err := s.differ.CheckWatched(of.Filters); err != nil {
		return nil, unwatched(err)
	}
	found, err := s.search.SearchGPs(ctx, of.Filters, 1, 0)
	if err != nil {
		return nil, unwatched(err)
	}
	if found.Total > matchesMost {
		return nil, errWide(found.Total)
	}
	return of, nil
}

func unwatched(err error) error {
	if e := apperr.From(err); e.Kind == apperr.KindInvalid {
		return errUnwatched(e.Message)
	}
	return err
}

const noEndpoint = "must be IDs of your webhook endpoints"

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// room refuses another active alert of an account that has as many as it may have, and endpoints that are not its own.
func (s *Service) room(ctx context.Context, user int64, in *PutInput) error {
	hooks := sorted(in.Body.Webhooks)
	a, ok, err := s.store.lock(ctx, user, in.SearchID, hooks, s.clock.Now())
	if err != nil {
		return err
	}
	if !ok {
		return errGone
	}
	if a.Owned != len(hooks) {
		return apperr.Invalid(apperr.FieldError{Field: "webhooks", Message: noEndpoint})
	}
	most, named := AlertsMost["enterprise"], "enterprise"
	if s.most != nil {
		most, named = s.most[a.Plan], a.Plan
	}
	if a.Active >= most {
		return errTooMany(named, most)
	}
	return nil
}

func shown(r *row) Alert {
	return Alert{
		SearchID: r.SearchID, On: r.Tells, Fields: r.Fields, Mail: r.Mail, Webhooks: r.Webhooks, State: r.State, Why: r.Why, Fault: r.Fault,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}
}

// one returns the alert of one of the account's searches.
func (s *Service) one(ctx context.Context, user int64, id string) (*row, error) {
	rows, err := s.store.find(ctx, user, id)
	if err != nil {
		return nil, err
	}
	if len(rows) > 0 {
		return &rows[0], nil
	}
	of, err := s.store.search(ctx, user, id)
	if err == nil && of == nil {
		return nil, errNoSearch
	}
	if err == nil {
		err = errNoAlert
	}
	return nil, err
}

// Get returns the alert of one of the account's searches.
func (s *Service) Get(ctx context.Context, user int64, id string) (*Alert, error) {
	r, err := s.one(ctx, user, id)
	if err != nil {
		return nil, err
	}
	a := shown(r)
	return &a, nil
}

// Delete removes the alert of one of the account's searches.
func (s *Service) Delete(ctx context.Context, user int64, id string) error {
	if _, err := s.one(ctx, user, id); err != nil {
		return err
	}
	_, err := s.store.remove(ctx, user, id)
	return err
}

// News returns news of one of the account's searches, the oldest first.
func (s *Service) News(ctx context.Context, user int64, in *NewsInput) ([]News, Meta, error) {
	r, err := s.one(ctx, user, in.SearchID)
	if err != nil {
		return nil, Meta{}, err
	}
	from, what, err := in.read(r.Tells)
	if err != nil {
		return nil, Meta{}, err
	}
	if r.State != "active" {
		return nil, Meta{}, errPaused
	}
	of, err := s.store.search(ctx, user, in.SearchID)
	if err != nil || of == nil {
		return nil, Meta{}, errNoSearch.Wrap(err)
	}
	list, meta := []News{}, Meta{NextCursor: from.String()}
	if of.Hash != r.Hash { // edited: the next comparison begins anew
		return list, meta, nil
	}
	rows, err := s.store.news(ctx, r, from, what, in.Limit+1)
	if err != nil {
		return nil, meta, err
	}
	if meta.HasMore = len(rows) > in.Limit; meta.HasMore {
		rows = rows[:in.Limit]
	}
	for i := range rows {
		m := &rows[i]
		list = append(list, News{m.CRD, m.Name, m.What, m.Fields, m.At.UTC(), m.KnownAt.UTC()})
		meta.Truncated = meta.Truncated || m.Truncated
		meta.NextCursor = cursor{m.Arrival, m.CRD}.String()
	}
	return list, meta, nil
}

// ExportFor returns the alerts of an account.
func (s *Service) ExportFor(ctx context.Context, user int64) (any, error) {
	rows, err := s.store.find(ctx, user, "")
	list := make([]Alert, len(rows))
	for i := range rows {
		list[i] = shown(&rows[i])
	}
	return list, err
}

// AccountPurged removes an account's alerts. Those of a deleted account are kept until then, and tell nothing.
func (s *Service) AccountPurged(ctx context.Context, user int64) error {
	_, err := s.store.remove(ctx, user, "")
	return err
}
