package index_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/testkit/dbtest"
)

var today = clock.Fixed(time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC))

// search is a search operation: the input I, the query Q that it is compiled to, and the keys that it finds.
type search[I, Q any] struct {
	compile func(in *I) (*Q, error)
	find    func(q *Q) (total int, keys []string)
	filters []filter[Q]
	// other are the parameters that are no filter, and those that ask by other words for what a filter asks.
	other map[string]string
}

// TestEveryParameterHasAnEffect sends each declared parameter of the searches by itself, with the values that the schema
// lists or the records hold. One of them must change the query, and find something else than no parameter finds. A
// parameter of a filter must ask for that filter and for no other, at the end of the range that its row says.
func TestEveryParameterHasAnEffect(t *testing.T) {
	t.Parallel()
	g := newGenerator(20261123, 160, true)
	gps := g.gps(400)
	for i := range gps[:40] {
		gps[i].WithdrawnOn = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	}
	funds := g.funds(2_000, gps)
	db := dbtest.New(t)
	seed(t, db, gps, funds)
	seedDisclosures(t, db, gps)
	seedServices(t, db, funds)
	s, err := index.Load(t.Context(), db, clock.System{})
	require.NoError(t, err)
	values := valuesOf(gps, funds)
	values[reflect.TypeFor[string]()] = append(values[reflect.TypeFor[string]()], providerKey(0))
	gpSearch, fundSearch := searchGPs(s), searchFunds(s)
	require.Empty(t, gpSearch.faults(values))
	require.Empty(t, fundSearch.faults(values))

	t.Run("a parameter that nobody reads", func(t *testing.T) {
		t.Parallel()
		type planted struct {
			gp.SearchInput
			MinPatents httpapi.Opt[int64] `query:"min_patents"`
		}
		p := search[planted, index.GPQuery]{
			compile: func(in *planted) (*index.GPQuery, error) { return gpSearch.compile(&in.SearchInput) },
			find:    gpSearch.find, filters: gpSearch.filters, other: gpSearch.other,
		}
		require.Equal(t, []string{"min_patents asks for no filter", "min_patents changes nothing"}, p.faults(values))
	})
	t.Run("a filter without a condition", func(t *testing.T) {
		t.Parallel()
		p := gpSearch
		p.find = func(q *index.GPQuery) (int, []string) {
			forgetful := *q
			forgetful.Answers[index.GPHasFunds], forgetful.Numbers[index.GPEmployees].Max = index.Any, nil
			return gpSearch.find(&forgetful)
		}
		require.Equal(t, []string{"has_funds changes nothing", "max_employees changes nothing"}, p.faults(values))
	})
	t.Run("a parameter that asks for another filter", func(t *testing.T) {
		t.Parallel()
		p := fundSearch
		p.compile = func(in *fund.SearchInput) (*index.FundQuery, error) {
			q, err := fundSearch.compile(in)
			if err == nil {
				q.Answers[index.FundIsMaster], q.Answers[index.FundIsFeeder] = q.Answers[index.FundIsFeeder], q.Answers[index.FundIsMaster]
				q.Numbers[index.FundGAV].Min, q.Numbers[index.FundGAV].Max = q.Numbers[index.FundGAV].Max, q.Numbers[index.FundGAV].Min
			}
			return q, err
		}
		require.Equal(t, []string{
			`is_feeder asks for ["is_master"]`, `is_master asks for ["is_feeder"]`, "max_gav asks for the other end", "min_gav asks for the other end",
		}, p.faults(values))
	})
	t.Run("a filter without a parameter", func(t *testing.T) {
		t.Parallel()
		p := gpSearch
		p.filters = append(slices.Clone(p.filters), filter[index.GPQuery]{name: "min_patents max_patents", sql: func(*statement, *index.GPQuery) {}})
		require.Equal(t, []string{"max_patents is not declared", "min_patents is not declared"}, p.faults(values))
	})
}

func searchGPs(s *index.Snapshot) search[gp.SearchInput, index.GPQuery] {
	return search[gp.SearchInput, index.GPQuery]{
		compile: func(in *gp.SearchInput) (*index.GPQuery, error) {
			q, _, err := in.Query(today, s)
			return q, err
		},
		find: func(q *index.GPQuery) (total int, keys []string) {
			of := s.Of(q.Former)
			r := of.SearchGPs(q)
			for _, id := range r.IDs {
				keys = append(keys, of.GP(id).CRD)
			}
			return r.Total, keys
		},
		filters: gpFilters,
		other: map[string]string{
			"q": "", "former": "", "sort": "", "order": "", "limit": "", "offset": "", "page": "", "per_page": "", "include": "", "facets": "", "facet_limit": "",
			"exclude_city": "city", "exclude_state": "state", "exclude_country": "country", "exclude_strategy": "strategy",
			"exclude_manager_type": "manager_type", "exclude_crd": "crd", "min_aum_before": "",
		},
	}
}

func searchFunds(s *index.Snapshot) search[fund.SearchInput, index.FundQuery] {
	return search[fund.SearchInput, index.FundQuery]{
		compile: func(in *fund.SearchInput) (*index.FundQuery, error) {
			q, _, err := in.Query(today, s)
			return q, err
		},
		find: func(q *index.FundQuery) (total int, keys []string) {
			of := s.Of(q.Former)
			r := of.SearchFunds(q)
			for _, id := range r.IDs {
				keys = append(keys, of.FundHead(id).FundID)
			}
			return r.Total, keys
		},
		filters: fundFilters,
		other: map[string]string{
			"q": "", "former": "", "sort": "", "order": "", "limit": "", "offset": "", "page": "", "per_page": "", "facets": "", "facet_limit": "",
			"exclude_strategy": "strategy", "fund_type": "is_3c1 is_3c7", "closed_after": "status", "closed_before": "status",
		},
	}
}

// faults says by name what is wrong with the parameters, in alphabetical order.
func (s *search[I, Q]) faults(values map[reflect.Type][]any) (faults []string) {
	fault := func(name, format string, args ...any) { faults = append(faults, name+" "+fmt.Sprintf(format, args...)) }
	declared := map[string]reflect.StructField{}
	declaredIn(reflect.TypeFor[I](), declared)
	end := map[string]string{} // by the parameter of a filter: how its SQL compares, "" = in any way
	for _, f := range s.filters {
		params := strings.Split(f.name, " ")
		for i, p := range params {
			if len(params) == 2 {
				end[p] = []string{" >= ", " <= "}[i]
			} else {
				end[p] = ""
			}
			if _, ok := declared[p]; p != "" && !ok {
				fault(p, "is not declared")
			}
		}
	}
	for name, field := range declared {
		_, isFilter := end[name]
		means, isOther := s.other[name]
		if !isFilter && !isOther {
			fault(name, "asks for no filter")
		}
		changes := false
		for _, value := range candidates(field, values) {
			q, effect := s.effectOf(name, value)
			changes = changes || effect
			if q == nil {
				continue
			}
			asks, where := s.asked(q)
			switch wrong := slices.ContainsFunc(asks, func(a string) bool { return !mentions(a, name) && !mentions(means, a) }); {
			case wrong || isFilter && len(asks) == 0:
				fault(name, "asks for %q", asks)
			case isFilter && !strings.Contains(where, end[name]):
				fault(name, "asks for the other end")
			}
		}
		// The first three change what is said beside the rows found; the last is refused by itself.
		if !changes && !slices.Contains([]string{"include", "facets", "facet_limit", "min_aum_before"}, name) {
			fault(name, "changes nothing")
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// mentions says whether words has all of part's words.
func mentions(words, part string) bool {
	return !slices.ContainsFunc(strings.Fields(part), func(w string) bool { return !slices.Contains(strings.Fields(words), w) })
}

func declaredIn(input reflect.Type, declared map[string]reflect.StructField) {
	for f := range input.Fields() {
		if name := f.Tag.Get("query"); name != "" {
			declared[name] = f
		} else if f.Anonymous {
			declaredIn(f.Type, declared)
		}
	}
}

// effectOf sends one parameter; the query is nil when the value is refused.
func (s *search[I, Q]) effectOf(name string, value any) (q *Q, effect bool) {
	compile := func(values map[string]any) *Q {
		var in I
		if httpapi.DecodeQuery(values, &in) != nil {
			return nil
		}
		q, err := s.compile(&in)
		if err != nil {
			return nil
		}
		return q
	}
	without := compile(nil)
	if q = compile(map[string]any{name: value}); q == nil || reflect.DeepEqual(q, without) {
		return q, false
	}
	was, wasKeys := s.find(without)
	total, keys := s.find(q)
	return q, len(keys) > 0 && (total != was || !slices.Equal(keys, wasKeys))
}

// asked gives the names of the filters that a query asks for, and their SQL.
func (s *search[I, Q]) asked(q *Q) (names []string, where string) {
	for _, f := range s.filters {
		var sql statement
		if f.sql(&sql, q); len(sql.where) > 0 {
			names, where = append(names, f.name), where+strings.Join(sql.where, " AND ")
		}
	}
	return names, where
}

// candidates are values that a parameter may have.
func candidates(parameter reflect.StructField, values map[reflect.Type][]any) (list []any) {
	if enum := parameter.Tag.Get("enum"); enum != "" {
		for v := range strings.SplitSeq(enum, ",") {
			list = append(list, v)
		}
		return list
	}
	value, _ := parameter.Type.FieldByName("Value")
	switch of := value.Type; of.Kind() {
	case reflect.Bool:
		return []any{true, false}
	case reflect.Int, reflect.Int64:
		return values[reflect.TypeFor[int64]()]
	case reflect.Float64:
		for _, v := range values[reflect.TypeFor[int64]()] {
			list = append(list, v.(float64)/100) //nolint:forcetypeassert // see valuesOf
		}
		return list
	case reflect.String:
		return append([]any{parameter.Tag.Get("example")}, values[reflect.TypeFor[string]()]...)
	default:
		return values[reflect.TypeFor[time.Time]()]
	}
}

// valuesOf gives some of what the fields of each type hold, as JSON has it.
func valuesOf(gps []index.GP, funds []index.Fund) map[reflect.Type][]any {
	const most = 25 // of a field
	found := map[reflect.Type]map[any]bool{}
	take := func(records reflect.Value) {
		for i := range records.Type().Elem().NumField() {
			seen := map[any]bool{}
			for k := 0; k < records.Len() && len(seen) < most; k++ {
				switch v := records.Index(k).Field(i).Interface().(type) {
				case string:
					seen[v] = v != ""
				case int64:
					seen[float64(v)] = v != index.Unknown
				case time.Time:
					seen[v.Format(time.DateOnly)] = !v.IsZero()
				case []string:
					for _, s := range v {
						seen[s] = true
					}
				}
			}
			of := records.Type().Elem().Field(i).Type
			if of.Kind() == reflect.Slice {
				of = of.Elem()
			}
			if found[of] == nil {
				found[of] = map[any]bool{}
			}
			maps.Copy(found[of], seen)
		}
	}
	take(reflect.ValueOf(gps))
	take(reflect.ValueOf(funds))
	values := map[reflect.Type][]any{}
	for of, set := range found {
		for v, ok := range set {
			if ok {
				values[of] = append(values[of], v)
			}
		}
	}
	return values
}
