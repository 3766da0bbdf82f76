package index

import (
	"cmp"
	"context"
	"hash/maphash"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index/rowfile"
	"gpatlas/modules/catalog/internal/intern"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// State is what searches of advisers read of one adviser. It can be stored as JSON. Firms that serve funds are left out, but not their roles: which
// firm a name is depends on all filings.
type State struct {
	GP       GP            `json:"gp"`
	Former   bool          `json:"former,omitempty"`
	Funds    []Fund        `json:"funds,omitempty"`
	Services []StateRoles  `json:"services,omitempty"` // of open funds
	Events   []StateEvent  `json:"events,omitempty"`   // that it still reports
	Answered bool          `json:"answered,omitempty"` // its newest complete filing states all disclosures
	IDs      []StateNumber `json:"ids,omitempty"`
}

// StateRoles is the roles in which firms serve a fund.
type StateRoles struct {
	Fund   string  `json:"fund"`
	Stated int16   `json:"stated"`
	Roles  []int32 `json:"roles,omitempty"`
}

// StateEvent is an event that an adviser reports.
type StateEvent struct {
	Type catalogapi.EventType `json:"type"`
	Day  time.Time            `json:"day"`
}

// StateNumber is an identifier of an adviser or of its fund.
type StateNumber struct {
	Fund   string `json:"fund,omitempty"`
	Scheme string `json:"scheme"`
	Value  string `json:"value"`
}

// StateForm changes when a State is stored differently: with the fields of its records.
var StateForm = columns[GP]() + "; " + columns[Fund]() + "; 1"

// ofAdvisers are the statements of a load, for some advisers.
var ofAdvisers = map[string]string{
	gpsSQL:                 some(gpsSQL, "crd = ANY (@crds)"),
	fundsSQL:               some(fundsSQL, "adviser_crd = ANY (@crds)"),
	disclosedPagesSQL:      some(disclosedPagesSQL, "crd = ANY (@crds)"),
	disclosedFilingsSQL:    some(disclosedFilingsSQL, "crd = ANY (@crds)"),
	disclosedAffiliatesSQL: some(disclosedAffiliatesSQL, "crd = ANY (@crds)"),
	gpIdentifiersSQL:       some(gpIdentifiersSQL, "crd = ANY (@crds)"),
	fundIdentifiersSQL:     some(fundIdentifiersSQL, "fund_id IN (SELECT fund_id FROM catalog.funds WHERE adviser_crd = ANY (@crds))"),
	disclosuresAnsweredSQL: strings.Replace(disclosuresAnsweredSQL, "WHERE source = 'adv_archive' GROUP BY", "WHERE source = 'adv_archive' AND crd = ANY (@crds) GROUP BY", 1),
}

// rolesSQL reads what fund_services has of some advisers.
const rolesSQL = `SELECT f.adviser_crd AS crd, s.fund_id, s.stated, s.services
FROM catalog.fund_services s JOIN catalog.funds f USING (fund_id) WHERE f.adviser_crd = ANY (@crds) AND f.status <> 'closed' ORDER BY s.fund_id`

func some(statement, which string) string {
	return "SELECT * FROM (" + statement + ") s WHERE " + which
}

// someOf asks the statements of a load for some advisers.
type someOf struct {
	from rowfile.Querier
	crds []string
}

// Query asks one of ofAdvisers.
func (s someOf) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	named := database.Args{"crds": s.crds}
	for _, a := range args {
		if more, ok := a.(database.Args); ok {
			maps.Copy(named, more)
		}
	}
	if of, ok := ofAdvisers[statement]; ok {
		statement = of
	}
	return s.from.Query(ctx, statement, named)
}

// ReadStates reads the states of some advisers, by CRD number. Those that are not in the catalog are left out.
func ReadStates(ctx context.Context, db *database.DB, crds []string) (map[string]*State, error) {
	states := make(map[string]*State, len(crds))
	err := db.Conn(ctx, func(c *pgx.Conn) error {
		from, in := someOf{c, crds}, intern.Strings{}
		gps, former, err := loadGPs(ctx, from, in)
		if err != nil {
			return err
		}
		for _, g := range gps {
			states[g.CRD] = &State{GP: g}
		}
		for _, g := range former {
			states[g.CRD] = &State{GP: g, Former: true}
		}
		owners, err := readFunds(ctx, from, in, states)
		if err != nil {
			return err
		}
		for _, sql := range []string{gpIdentifiersSQL, fundIdentifiersSQL} {
			if err := eachIdentifier(ctx, from, sql, func(key string, id identifier) {
				n := StateNumber{Scheme: id.scheme, Value: id.value}
				if crd, ok := owners[key]; ok && sql == fundIdentifiersSQL {
					n.Fund, key = key, crd
				}
				if s := states[key]; s != nil {
					s.IDs = append(s.IDs, n)
				}
			}); err != nil {
				return err
			}
		}
		return readReports(ctx, from, in, states)
	})
	for _, s := range states {
		slices.SortFunc(s.Funds, func(a, b Fund) int { return cmp.Compare(a.ID, b.ID) })
		slices.SortFunc(s.IDs, func(a, b StateNumber) int {
			return cmp.Or(strings.Compare(a.Fund, b.Fund), strings.Compare(a.Scheme, b.Scheme), strings.Compare(a.Value, b.Value))
		})
	}
	return states, err
}

// readFunds reads the funds of the states, and the roles of firms that serve them. owners are the advisers of the funds.
func readFunds(ctx context.Context, from rowfile.Querier, in intern.Strings, states map[string]*State) (owners map[string]string, err error) {
	owners = map[string]string{}
	rows, err := from.Query(ctx, fundsSQL, database.Args{"unknown": Unknown})
	if err != nil {
		return nil, err
	}
	var f Fund
	var former bool
	_, err = pgx.ForEachRow(rows, append(scanInto(&f, in), &former), func() error {
		owners[f.FundID] = f.AdviserCRD
		if s := states[f.AdviserCRD]; s != nil {
			one := f
			one.Auditors, one.Exemptions = slices.Clone(f.Auditors), slices.Clone(f.Exemptions)
			s.Funds = append(s.Funds, one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if rows, err = from.Query(ctx, rolesSQL); err != nil {
		return nil, err
	}
	var crd string
	var r StateRoles
	_, err = pgx.ForEachRow(rows, []any{&crd, &r.Fund, &r.Stated, &r.Roles}, func() error {
		if s := states[crd]; s != nil {
			one := StateRoles{Fund: r.Fund, Stated: r.Stated}
			for _, code := range r.Roles {
				one.Roles = append(one.Roles, code&roleMask)
			}
			slices.Sort(one.Roles)
			one.Roles = slices.Compact(one.Roles)
			s.Services = append(s.Services, one)
		}
		return nil
	})
	return owners, err
}

// readReports reads the disclosures of the states.
func readReports(ctx context.Context, from rowfile.Querier, in intern.Strings, states map[string]*State) error {
	events, err := loadDisclosures(ctx, from, in)
	if err != nil {
		return err
	}
	for i := range events {
		if e := &events[i]; e.LapsedAt.IsZero() && states[e.CRD] != nil {
			states[e.CRD].Events = append(states[e.CRD].Events, StateEvent{e.Type, e.DisclosedAt})
		}
	}
	answered, err := loadAnswered(ctx, from)
	for _, crd := range answered {
		if s := states[crd]; s != nil {
			s.Answered = true
		}
	}
	return err
}

// BuildStates makes an index over some advisers alone, for Matching.
func BuildStates(states []*State) *Snapshot {
	seed := maphash.MakeSeed()
	c := contents{
		funds: newFundRows(0), formerFunds: newFundRows(0), ofGPs: keyed{seed: seed}, ofFunds: keyed{seed: seed},
		served: &servedRows{names: []namedRow{{}}}, // a firm that stands for all
	}
	for _, s := range states {
		gps, funds := &c.gps, c.funds
		if s.Former {
			gps, funds = &c.formerGPs, c.formerFunds
		}
		*gps = append(*gps, s.GP)
		for i := range s.Funds {
			funds.add(&s.Funds[i])
		}
		for _, r := range s.Services {
			c.served.funds, c.served.stated = append(c.served.funds, r.Fund), append(c.served.stated, r.Stated)
			c.served.codes = append(c.served.codes, r.Roles...)
			c.served.ends = append(c.served.ends, len(c.served.codes))
		}
		for _, e := range s.Events {
			c.events = append(c.events, Disclosure{CRD: s.GP.CRD, Type: e.Type, DisclosedAt: e.Day})
		}
		if s.Answered {
			c.answered = append(c.answered, s.GP.CRD)
		}
		for _, id := range s.IDs {
			if of := (identifier{id.Scheme, id.Value}); id.Fund != "" {
				c.ofFunds.add(id.Fund, of)
			} else {
				c.ofGPs.add(s.GP.CRD, of)
			}
		}
	}
	return c.snapshot(clock.Fixed(time.Time{})).Firm()
}

// Firm turns off the looser reading of texts that find too little, so that what is found depends on one record alone. Call it before anybody
// searches the index.
func (s *Snapshot) Firm() *Snapshot {
	if s.gps.text = s.gps.text.Firm(); s.former != nil {
		s.former.Firm()
	}
	return s
}

// Matching calls visit with the CRD number of each adviser of this index that q finds. Where q.Former holds, ask Of(true).
func (s *Snapshot) Matching(q *GPQuery, visit func(crd string)) {
	sc, done := s.borrow(s.gps.n)
	defer done()
	asked := q.asked()
	_, asked.holders = s.identify(q.Text, (*Snapshot).gpHolders)
	m := s.gps.match(&asked)
	defer m.Release()
	r := s.gpMatches(q, s.gpConds(q, &asked, m, sc), sc)
	r.Each(func(i uint32) { visit(s.gps.all[i].CRD) })
}

// watched are the fields of GP that alerts can name, by the names that GET /v1/gps/{crd} has: their places.
var watched = func() map[string]int {
	names := catalogapi.AdviserChangeFields()
	places := map[string]int{}
	t := reflect.TypeFor[GP]()
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get(columnTag), ","); slices.Contains(names, name) {
			places[name] = i
		}
	}
	return places
}()

// WatchedFields are the fields that Changed compares.
func WatchedFields() []string { return slices.Sorted(maps.Keys(watched)) }

// Changed returns the fields of the adviser that two states have different values of, sorted.
func (s *State) Changed(to *State) (fields []string) {
	a, b := reflect.ValueOf(&s.GP).Elem(), reflect.ValueOf(&to.GP).Elem()
	for name, i := range watched {
		if a.Field(i).Interface() != b.Field(i).Interface() {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}
