package export

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

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
	index *index.Holder
	store *store
	clock clock.Clock
	sold  bool
}

// NewService makes the service. plansSold means that this copy of the service sells plans, and the number of rows
// depends on the plan.
func NewService(holder *index.Holder, db *database.DB, clk clock.Clock, plansSold bool) *Service {
	return &Service{index: holder, store: &store{db}, clock: clk, sold: plansSold}
}

// File is an export that is ready to be written: everything in it is of one snapshot.
type File struct {
	Type, Format string
	Total        int   // rows that the filters match
	Snapshot     int64 // publication of the snapshot
	columns      []column
	ids          []uint32
	record       func(id uint32) reflect.Value
}

// Rows is the number of rows.
func (f *File) Rows() int { return len(f.ids) }

// Export finds the rows and notes the export in the account's history. The refusals name the field at fault, all at once.
func (s *Service) Export(ctx context.Context, who *auth.Principal, r *Request) (*File, error) {
	limit := rowsFor(who.Plan, s.sold)
	if limit == 0 {
		return nil, errPlan(who.Plan)
	}
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
	find := f.findGPs
	if r.Type == funds {
		find = f.findFunds
	}
	more, err := find(snapshot, r, limit, s.clock)
	if err != nil {
		return nil, err
	}
	if faults = append(faults, more...); faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	return f, s.store.add(ctx, who.UserID, r, f, s.clock.Now())
}

// chosen are the columns of a list of names; all where there is none.
func chosen(of string, names []string) (list []column, faults []apperr.FieldError) {
	all := columnsOf[of]
	if len(names) == 0 {
		return all, nil
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
	f.record = func(id uint32) reflect.Value { return reflect.ValueOf(snapshot.GPItem(id)) }
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
	f.record = func(id uint32) reflect.Value { return reflect.ValueOf(snapshot.FundItem(id)) }
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
