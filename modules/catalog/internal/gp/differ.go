package gp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

const (
	// compareLock is the advisory lock of the process that compares, an arbitrary number of ours.
	compareLock = 0x6770_6469_6666_6572
	// compareBy is how many advisers are compared at a time.
	compareBy = 4000
)

// Differ compares advisers with what they were when they were compared last: catalog.compared_advisers keeps their states. Loads note in
// catalog.changed_advisers which ones to look at.
type Differ struct {
	db       *database.DB
	searcher *Searcher
}

// NewDiffer works on db.
func NewDiffer(db *database.DB, clk clock.Clock) *Differ {
	return &Differ{db, NewSearcher(new(index.Holder), clk)}
}

// WatchedFields implements catalogapi.GPDiffer.
func (*Differ) WatchedFields() []string { return index.WatchedFields() }

// CheckWatched implements catalogapi.GPDiffer.
func (d *Differ) CheckWatched(filters map[string]any) error {
	_, err := watched(d.searcher, filters)
	return err
}

func watched(s *Searcher, filters map[string]any) (*index.GPQuery, error) {
	q, _, _, err := s.query(filters)
	if err != nil {
		return nil, err
	}
	var faults []apperr.FieldError
	for _, name := range []string{"provider", "auditor_name"} {
		if _, asked := filters[name]; asked {
			faults = append(faults, apperr.FieldError{Field: name, Message: "cannot be watched by an alert, because it depends on the filings of other managers"})
		}
	}
	if faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	return q, nil
}

const newestLoadSQL = "SELECT coalesce(max(arrival), 0) FROM catalog.arrivals"

// NewestLoad implements catalogapi.GPDiffer.
func (d *Differ) NewestLoad(ctx context.Context) (int64, error) {
	n, err := database.Values[int64](ctx, d.db, "read the newest load", newestLoadSQL, nil)
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

const (
	oneStateSQL = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
	aloneSQL    = "SELECT pg_try_advisory_xact_lock(@lock)"
	pointSQL    = `SELECT a.arrival, a.known_at, coalesce(c.form, '') AS form, coalesce(c.arrival, 0) AS compared
FROM (SELECT arrival, known_at FROM catalog.arrivals ORDER BY arrival DESC LIMIT 1) a LEFT JOIN catalog.comparisons c ON true`
	changedSQL = "SELECT DISTINCT crd FROM catalog.changed_advisers ORDER BY crd"
	lookedSQL  = "DELETE FROM catalog.changed_advisers"
	movedSQL   = "UPDATE catalog.comparisons SET arrival = @arrival"
)

// point is how far the catalog is, and how far it was compared.
type point struct {
	Arrival  int64
	KnownAt  time.Time
	Form     string
	Compared int64
}

// CompareGPs implements catalogapi.GPDiffer. Under REPEATABLE READ, a process that compares what another one just has compared fails when it writes.
func (d *Differ) CompareGPs(ctx context.Context, fn func(ctx context.Context, of catalogapi.Compared, c catalogapi.GPComparison) error) error {
	ctx = database.WithStatementLimit(ctx, database.LongStatement)
	return d.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := database.Run(ctx, d.db, "read one state", oneStateSQL, nil); err != nil {
			return err
		}
		alone, err := database.Values[bool](ctx, d.db, "compare alone", aloneSQL, database.Args{"lock": int64(compareLock)})
		if err != nil || !alone[0] {
			return err
		}
		points, err := database.Select[point](ctx, d.db, "read what was compared", pointSQL, nil)
		if err != nil || len(points) == 0 {
			return err
		}
		p := points[0]
		if p.Form != index.StateForm {
			return d.begin(ctx, p.Arrival)
		}
		if p.Compared == p.Arrival {
			return nil
		}
		crds, err := database.Values[string](ctx, d.db, "read changed advisers", changedSQL, nil)
		if err != nil {
			return err
		}
		for first := 0; first == 0 || first < len(crds); first += compareBy {
			end := min(first+compareBy, len(crds))
			c, err := d.compare(ctx, crds[first:end])
			if err != nil {
				return err
			}
			if err := fn(ctx, catalogapi.Compared{Arrival: p.Arrival, KnownAt: p.KnownAt.UTC(), Last: end == len(crds)}, c); err != nil {
				return err
			}
		}
		return d.moved(ctx, p.Arrival)
	})
}

func (d *Differ) moved(ctx context.Context, arrival int64) error {
	for _, statement := range []string{lookedSQL, movedSQL} {
		if _, err := database.Run(ctx, d.db, "note what was compared", statement, database.Args{"arrival": arrival}); err != nil {
			return err
		}
	}
	return nil
}

const (
	clearSQL = "DELETE FROM catalog.compared_advisers"
	pauseSQL = "DELETE FROM catalog.comparisons"
	beginSQL = "INSERT INTO catalog.comparisons (form, arrival) VALUES (@form, 0)"
	afterSQL = "SELECT crd FROM catalog.advisers WHERE crd > @after ORDER BY crd LIMIT @most"
)

// begin stores the states of all advisers, once there are any: what comes later is news.
func (d *Differ) begin(ctx context.Context, arrival int64) error {
	for after, first := "", true; ; first = false {
		crds, err := database.Values[string](ctx, d.db, "read advisers", afterSQL, database.Args{"after": after, "most": compareBy})
		if err != nil {
			return err
		}
		if len(crds) == 0 {
			if first {
				return nil
			}
			return d.moved(ctx, arrival)
		}
		if first {
			for _, statement := range []string{clearSQL, pauseSQL, beginSQL} {
				if _, err := database.Run(ctx, d.db, "begin to compare", statement, database.Args{"form": index.StateForm}); err != nil {
					return err
				}
			}
		}
		if _, err := d.compare(ctx, crds); err != nil {
			return err
		}
		after = crds[len(crds)-1]
	}
}

const (
	storedSQL = "SELECT crd, state FROM catalog.compared_advisers WHERE crd = ANY (@crds)"
	storeSQL  = `INSERT INTO catalog.compared_advisers (crd, state) SELECT * FROM unnest(@crds::text[], @states::bytea[])
ON CONFLICT (crd) DO UPDATE SET state = excluded.state`
	dropSQL = "DELETE FROM catalog.compared_advisers WHERE crd = ANY (@crds)"
)

// compare compares some advisers with their stored states, and stores those of today.
func (d *Differ) compare(ctx context.Context, crds []string) (*comparison, error) {
	stored, err := database.Select[struct {
		CRD   string `db:"crd"`
		State []byte
	}](ctx, d.db, "read compared advisers", storedSQL, database.Args{"crds": crds})
	if err != nil {
		return nil, err
	}
	before := make(map[string][]byte, len(stored))
	for _, s := range stored {
		before[s.CRD] = s.State
	}
	now, err := index.ReadStates(ctx, d.db, crds)
	if err != nil {
		return nil, err
	}
	var was, is []*index.State // of those that differ; nil: not in the catalog
	var differing, gone []string
	var states [][]byte
	for _, crd := range crds {
		after, encoded := now[crd], []byte(nil)
		if after != nil {
			if encoded, err = json.Marshal(after); err != nil {
				return nil, fmt.Errorf("encode adviser %s: %w", crd, err)
			}
		}
		if bytes.Equal(before[crd], encoded) {
			continue
		}
		var state *index.State
		if before[crd] != nil {
			state = &index.State{}
			if err := json.Unmarshal(before[crd], state); err != nil {
				return nil, fmt.Errorf("decode adviser %s: %w", crd, err)
			}
		}
		if was, is = append(was, state), append(is, after); after == nil {
			gone = append(gone, crd)
		} else {
			differing, states = append(differing, crd), append(states, encoded)
		}
	}
	if _, err := database.Run(ctx, d.db, "keep compared advisers", storeSQL, database.Args{"crds": differing, "states": states}); err != nil {
		return nil, err
	}
	if len(gone) > 0 {
		if _, err := database.Run(ctx, d.db, "drop compared advisers", dropSQL, database.Args{"crds": gone}); err != nil {
			return nil, err
		}
	}
	return d.comparison(ctx, was, is)
}

// comparison implements catalogapi.GPComparison.
type comparison struct {
	searcher, any *Searcher // see News
	crds, names   []string
	fields        [][]string // that differ
	before, after *index.Snapshot
	place         map[string]int
	marks         []uint8             // by adviser: 1 it was found, 2 it is
	list          []catalogapi.GPNews // what News returns
}

const placesSQL = "SELECT DISTINCT coalesce(country, '') AS country, coalesce(org_state, '') AS org_state FROM catalog.advisers"

func (d *Differ) comparison(ctx context.Context, was, is []*index.State) (*comparison, error) {
	c := &comparison{any: d.searcher, place: make(map[string]int, len(is)), marks: make([]uint8, len(is))}
	places, err := database.Select[struct{ Country, OrgState string }](ctx, d.db, "read filed places", placesSQL, nil)
	if err != nil {
		return nil, err
	}
	filed := make([]index.GP, 0, len(places)+len(was))
	for _, p := range places {
		filed = append(filed, index.GP{Country: p.Country, OrgState: p.OrgState})
	}
	for i := range is {
		s := is[i]
		if s == nil {
			s = was[i]
		}
		var fields []string
		if was[i] != nil && is[i] != nil {
			fields = was[i].Changed(is[i])
		}
		if was[i] != nil {
			filed = append(filed, index.GP{Country: was[i].GP.Country, OrgState: was[i].GP.OrgState})
		}
		c.place[s.GP.CRD] = i
		c.crds, c.names, c.fields = append(c.crds, s.GP.CRD), append(c.names, s.GP.LegalName), append(c.fields, fields)
	}
	holder := &index.Holder{}
	holder.Swap(index.Build(filed, nil, index.Freshness{}))
	c.searcher = NewSearcher(holder, d.searcher.clock)
	missing := func(s *index.State) bool { return s == nil }
	c.before, c.after = index.BuildStates(slices.DeleteFunc(was, missing)), index.BuildStates(slices.DeleteFunc(is, missing))
	return c, nil
}

// News implements catalogapi.GPComparison. Filters by places are read with the places that are filed, as the search reads them. A place that is filed no more finds
// nothing, and is no fault.
func (c *comparison) News(filters map[string]any) ([]catalogapi.GPNews, error) {
	q, err := watched(c.searcher, filters)
	if err != nil {
		q, err = watched(c.any, filters)
	}
	if err != nil {
		return nil, err
	}
	clear(c.marks)
	c.list = c.list[:0]
	c.before.Of(q.Former).Matching(q, func(crd string) { c.marks[c.place[crd]] |= 1 })
	c.after.Of(q.Former).Matching(q, func(crd string) { c.marks[c.place[crd]] |= 2 })
	for i, mark := range c.marks {
		n := catalogapi.GPNews{CRD: c.crds[i], Name: c.names[i]}
		switch {
		case mark == 1:
			n.What = catalogapi.NewsLeft
		case mark == 2:
			n.What = catalogapi.NewsEntered
		case mark == 3 && len(c.fields[i]) > 0:
			n.What, n.Fields = catalogapi.NewsChanged, c.fields[i]
		default:
			continue
		}
		c.list = append(c.list, n)
	}
	return c.list, nil // the advisers came in this order
}
