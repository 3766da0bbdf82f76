package export

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// Service exports from the newest snapshot of the index.
type Service struct {
	index snapshots
	store *store
	clock clock.Clock
	sold  bool
}

// snapshots returns the newest snapshot: an *index.Holder.
type snapshots interface {
	Snapshot() (*index.Snapshot, error)
}

// NewService makes the service. plansSold means that this copy of the service sells plans, and the number of rows
// depends on the plan.
func NewService(holder snapshots, db *database.DB, clk clock.Clock, plansSold bool) *Service {
	return &Service{index: holder, store: &store{db}, clock: clk, sold: plansSold}
}

// File is an export that is ready to be written: everything in it is of one snapshot.
type File struct {
	Type, Format string
	Total        int   // rows that the filters match
	Snapshot     int64 // publication of the snapshot
	columns      []column
	ids          []uint32
	item         func(id uint32) reflect.Value
	key          func(id uint32) string
	servedBy     func(fund uint32, role string) []string
	more         map[string][]*string // by key: the values of the columns that are read; nil if there are none
}

// Rows is the number of rows.
func (f *File) Rows() int { return len(f.ids) }

// Export finds the rows and notes the export in the account's history. The refusals name the field at fault, all at once.
func (s *Service) Export(ctx context.Context, who *auth.Principal, r *Request) (*File, error) {
	limit := rowsFor(who.Plan, s.sold)
	if limit == 0 {
		return nil, errPlan(who.Plan)
	}
	var f *File
	var err error
	for range 2 { // the next snapshot may have the publication that came in between
		if f, err = s.find(ctx, r, limit); !errors.Is(err, errPublished) {
			break
		}
	}
	switch {
	case errors.Is(err, errPublished):
		return nil, apperr.Unavailable("The catalog is being updated. Try again in a few seconds")
	case err != nil:
		return nil, err
	}
	return f, s.store.add(ctx, who.UserID, r, f, s.clock.Now())
}

// find finds the rows in the newest snapshot, and reads the columns that it does not have.
func (s *Service) find(ctx context.Context, r *Request, limit int) (*File, error) {
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	f := &File{Type: r.Type, Format: r.Format, Snapshot: snapshot.Freshness().Publication}
	if f.Format == "" {
		f.Format = formatCSV
	}
	var faults []apperr.FieldError
	f.columns, faults = chosen(r.Type, r.Fields)
	find, template, list := f.findGPs, gpMoreSQL, gpMore
	if r.Type == funds {
		find, template, list = f.findFunds, fundMoreSQL, fundMore
	}
	others, err := find(snapshot, r, limit, s.clock)
	if err != nil {
		return nil, err
	}
	if faults = append(faults, others...); faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	if !f.reads() {
		return f, nil
	}
	keys := make([]string, len(f.ids))
	for i, id := range f.ids {
		keys[i] = f.key(id)
	}
	if f.more, err = s.store.read(ctx, template, list, keys, f.Snapshot, clock.Today(s.clock)); err != nil {
		return nil, err
	}
	for i, m := range list {
		if m.role != "" {
			for _, id := range f.ids {
				f.more[f.key(id)][i] = catalogapi.Text(strings.Join(f.servedBy(id, m.role), "; "))
			}
		}
		if m.name == auditorNames {
			for _, of := range f.more {
				of[i] = shownAuditors(snapshot, of[i])
			}
		}
	}
	return f, nil
}

// record returns what the cells of a row are made of.
func (f *File) record(id uint32) *record {
	r := &record{item: f.item(id)}
	if f.more != nil {
		r.more = f.more[f.key(id)]
	}
	return r
}

// chosen are the columns of a list of names; the default ones if there is no name.
func chosen(of string, names []string) (list []column, faults []apperr.FieldError) {
	all := columnsOf[of]
	if len(names) == 0 {
		return slices.DeleteFunc(slices.Clone(all), func(c column) bool { return !c.Default }), nil
	}
	known := make([]string, len(all))
	for i, c := range all {
		known[i] = c.Name
	}
	for i, name := range names {
		field := fmt.Sprintf("fields[%d]", i)
		at := slices.Index(known, name)
		switch {
		case at < 0:
			faults = append(faults, apperr.FieldError{Field: field, Message: fmt.Sprintf("%q is not a field of %s%s. Fields: %s",
				name, of, httpapi.DidYouMean(name, known), strings.Join(known, ", "))})
		case slices.Index(names, name) < i:
			faults = append(faults, apperr.FieldError{Field: field, Message: fmt.Sprintf("%q stands twice", name)})
		default:
			list = append(list, all[at])
		}
	}
	return list, faults
}

func (f *File) findGPs(snapshot *index.Snapshot, r *Request, limit int, clk clock.Clock) ([]apperr.FieldError, error) {
	var in gp.SearchInput
	if faults := decode(r, &in); faults != nil {
		return faults, nil
	}
	q, _, err := in.Query(clk, snapshot)
	if err != nil {
		return named(err)
	}
	q.Limit, q.Offset = limit, 0
	snapshot = snapshot.Of(q.Former)
	found := snapshot.SearchGPs(q)
	f.Total, f.ids = found.Total, found.IDs
	f.item = func(id uint32) reflect.Value { return reflect.ValueOf(snapshot.GPItem(id)) }
	f.key = func(id uint32) string { return snapshot.GP(id).CRD }
	return nil, nil
}

func (f *File) findFunds(snapshot *index.Snapshot, r *Request, limit int, clk clock.Clock) ([]apperr.FieldError, error) {
	var in fund.SearchInput
	if faults := decode(r, &in); faults != nil {
		return faults, nil
	}
	q, _, err := in.Query(clk, snapshot)
	if err != nil {
		return named(err)
	}
	q.Limit, q.Offset = limit, 0
	snapshot = snapshot.Of(q.Former)
	found := snapshot.SearchFunds(q)
	f.Total, f.ids = found.Total, found.IDs
	f.servedBy = snapshot.ServedBy
	f.item = func(id uint32) reflect.Value { return reflect.ValueOf(snapshot.FundItem(id)) }
	f.key = func(id uint32) string { return snapshot.Fund(id).FundID }
	return nil, nil
}

// paging are parameters of the searches that are no filters.
var paging = []string{"limit", "offset", "page", "per_page", "include", "facets", "facet_limit"}

// decode reads the filters as the search reads its parameters.
func decode[I any](r *Request, in *I) []apperr.FieldError {
	values := make(map[string]any, len(r.Filters)+2)
	var faults []apperr.FieldError
	for name, v := range r.Filters {
		switch {
		case slices.Contains(paging, name):
			faults = append(faults, apperr.FieldError{Field: "filters." + name, Message: "is not a filter; an export has all rows that the plan allows"})
		case name == "sort", name == "order":
			faults = append(faults, apperr.FieldError{Field: "filters." + name, Message: "is not a filter; send " + name + " beside filters"})
		case name == "as_of", name == "known_at":
			// Spec: not shown; a file is what is known today.
			faults = append(faults, apperr.FieldError{Field: "filters." + name, Message: "is not a filter; an export is of today. Lists of a past day are GET /v1/gps and GET /v1/funds with " + name})
		default:
			values[name] = v
		}
	}
	for name, v := range map[string]string{"sort": r.Sort, "order": r.Order} {
		if v != "" {
			values[name] = v
		}
	}
	for _, f := range httpapi.DecodeQuery(values, in) {
		faults = append(faults, inFilters(f))
	}
	slices.SortFunc(faults, func(a, b apperr.FieldError) int { return strings.Compare(a.Field, b.Field) })
	return faults
}

// named are the faults of a search under the names that they have here.
func named(err error) ([]apperr.FieldError, error) {
	e := apperr.From(err)
	if e.Kind != apperr.KindInvalid || len(e.Fields) == 0 {
		return nil, err
	}
	faults := make([]apperr.FieldError, len(e.Fields))
	for i, f := range e.Fields {
		faults[i] = inFilters(f)
	}
	return faults, nil
}

func inFilters(f apperr.FieldError) apperr.FieldError {
	if f.Field != "sort" && f.Field != "order" {
		f.Field = "filters." + f.Field
	}
	return f
}
