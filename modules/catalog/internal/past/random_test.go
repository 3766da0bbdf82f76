package past_test

import (
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/oracle"
	"gpatlas/modules/catalog/internal/past"
	"gpatlas/modules/catalog/internal/testkit/correctiontest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
)

const allFactors = catalogapi.FactorStrategy | catalogapi.FactorAUMBand | catalogapi.FactorGeography | catalogapi.FactorFundCount

// answers are what an index says to a fixed set of questions.
type answers struct {
	Aggregates map[string][]index.AggregateRow
	Groups     map[string][]index.AggregateRow // by two dimensions
	Sources    map[string]catalogapi.RelatedGP
	Related    map[string][]catalogapi.Similar
	Found      map[string][]string // of searches: the CRD numbers of the first page, and the total
	Funds      map[string][]string // of searches: the Fund IDs, sorted, for those of one value have other places, and the total
}

func ask(ix past.Index) answers {
	a := answers{map[string][]index.AggregateRow{}, map[string][]index.AggregateRow{}, map[string]catalogapi.RelatedGP{}, map[string][]catalogapi.Similar{}, map[string][]string{}, map[string][]string{}}
	least, from, to := int64(50_000_000), int64(2010), int64(2014)
	for _, by := range []index.Grouping{
		index.GroupStrategy, index.GroupVintage, index.GroupGeography, index.GroupState, index.GroupAUMBand,
	} {
		for name, q := range map[string]index.AggregateQuery{
			"all": {}, "large": {MinAUM: &least}, "US": {Country: "US"}, "Ruritania": {Country: "Ruritania"},
			"since": {MinVintage: &from}, "between": {MinVintage: &from, MaxVintage: &to}, "from lists": {VintageQuality: catalogapi.VintageList}, "from Form D": {VintageQuality: catalogapi.VintageFormD, MinVintage: &from},
			"growth, hedge": {Strategies: []string{"growth", "hedge"}},
		} {
			q.GroupBy = by
			a.Aggregates[string(by)+" "+name] = ix.Aggregate(&q)
			q.Former = true
			a.Aggregates[string(by)+" "+name+" of former ones"] = ix.Aggregate(&q)
		}
	}
	for i, by := range index.Groupings {
		for _, and := range index.Groupings[i+1:] {
			if by == index.GroupGeography && and == index.GroupState {
				continue
			}
			q := index.GroupQuery{
				By: []index.Grouping{by, and}, Key: string(by + "," + and),
				Quantities: []index.Quantity{index.QuantityAUM, index.QuantityFundGAV, index.QuantityFundCount, index.QuantityEmployees},
			}
			if by == index.GroupVintage || and == index.GroupVintage {
				q.Quantities = []index.Quantity{index.QuantityFundGAV}
			}
			a.Groups[q.Key] = ix.Group(&q)
			q.Key, q.GPs = q.Key+" with large funds", index.GPQuery{Fund: index.FundMatch{Numbers: index.MatchNumbers{index.MatchSize: {Min: &least}}}}
			a.Groups[q.Key] = ix.Group(&q)
			q.Key, q.GPs.Former = q.Key+" of former ones", true
			a.Groups[q.Key] = ix.Group(&q)
		}
	}
	for i := range advisers {
		if id, ok := ix.FindGP(crd(i)); ok {
			a.Sources[crd(i)] = ix.RelatedGP(id)
			a.Related[crd(i)] = ix.Related(id, allFactors, 5)
			a.Related[crd(i)+" by assets and place"] = ix.Related(id, catalogapi.FactorAUMBand|catalogapi.FactorGeography, advisers)
		}
	}
	small := int64(20)
	for name, q := range map[string]index.GPQuery{
		"all": {}, "by assets": {Order: index.ByAUM, Desc: true}, "by funds": {Order: index.ByFundCount}, "by employees": {Order: index.ByEmployees, Desc: true},
		"large":     {Numbers: index.GPNumbers{index.GPAUM: {Min: &least}}},
		"small":     {Numbers: index.GPNumbers{index.GPEmployees: {Max: &small}, index.GPFundCount: {Max: &small}}},
		"in a band": {Band: "<100M"}, "with funds": {Answers: index.GPAnswers{index.GPHasFunds: index.Yes}},
		"registered":    {Words: index.GPWords{index.GPRegistration: index.One(string(catalogapi.Registered))}},
		"hedge funds":   {Words: index.GPWords{index.GPManagerType: index.One("hedge_fund")}},
		"US, no growth": {Words: index.GPWords{index.GPCountry: index.One("US")}, Strategies: index.Asked{None: []string{"growth"}}},
		"a fund":        {Fund: index.FundMatch{Numbers: index.MatchNumbers{index.MatchVintage: {Min: &from, Max: &to}, index.MatchSize: {Min: &small}}}},
		"a large fund":  {Fund: index.FundMatch{Numbers: index.MatchNumbers{index.MatchSize: {Min: &least}}}},
		"some":          {CRDs: index.Asked{Any: []string{crd(1), crd(2), crd(3), crd(4)}}, Order: index.BySent},
	} {
		q.Limit = advisers
		a.Found[name] = search(ix, q)
		q.Former = true
		a.Found[name+" of former ones"] = search(ix, q)
	}
	for name, q := range map[string]index.FundQuery{
		"all": {}, "growth": {Strategies: index.Asked{Any: []string{"growth", "venture"}}}, "no hedge": {Strategies: index.Asked{None: []string{"hedge"}}},
		"of one": {AdviserCRD: crd(3)}, "of a year": {Year: from}, "of years": {Numbers: index.FundNumbers{index.FundVintage: {Min: &from, Max: &to}}},
		"large": {Numbers: index.FundNumbers{index.FundGAV: {Min: &least}}}, "from lists": {Words: index.FundWords{index.FundQuality: index.One(string(catalogapi.VintageList))}},
		"Delaware": {Jurisdictions: []string{"Delaware"}}, "abroad": {Jurisdictions: []string{"KY", "Ruritania"}},
		"some": {FundIDs: []string{fundID(1), fundID(2), fundID(3), fundID(4), fundID(5)}},
	} {
		q.Limit, q.Order = funds, index.ByGAV
		a.Funds[name] = searchFunds(ix, q)
		q.Former = true
		a.Funds[name+" of former ones"] = searchFunds(ix, q)
	}
	return a
}

func searchFunds(ix past.Index, q index.FundQuery) (found []string) {
	if then, ok := ix.(*index.Analysis); ok {
		total, ids := then.SearchFunds(&q)
		slices.Sort(ids)
		return append(ids, strconv.Itoa(total))
	}
	of := ix.(*index.Snapshot).Of(q.Former) //nolint:forcetypeassert // there are two kinds
	page := of.SearchFunds(&q)
	for _, id := range page.IDs {
		found = append(found, of.Fund(id).FundID)
	}
	slices.Sort(found)
	return append(found, strconv.Itoa(page.Total))
}

func search(ix past.Index, q index.GPQuery) (found []string) {
	if then, ok := ix.(*index.Analysis); ok {
		total, crds := then.SearchGPs(&q)
		return append(crds, strconv.Itoa(total))
	}
	of := ix.(*index.Snapshot).Of(q.Former) //nolint:forcetypeassert // there are two kinds
	page := of.SearchGPs(&q)
	for _, id := range page.IDs {
		found = append(found, of.GP(id).CRD)
	}
	return append(found, strconv.Itoa(page.Total))
}

// catalog is a database that documents are loaded into, each on a day of its own.
type catalog struct {
	db *database.DB
	w  *writer
}

// put loads a document, and the notices and withdrawals of its day, and derives what depends on the day.
func (c *catalog) put(t *testing.T, n int, when time.Time, restate bool) {
	t.Helper()
	loader := load.New(c.db, clock.Fixed(when), slog.New(slog.DiscardHandler))
	opts := catalogapi.LoadOptions{RunID: int64(n + 1), Reject: func(catalogapi.Rejected) {}}
	for _, doc := range []catalogapi.Document{c.w.document(n, when, restate), c.w.notices(n, when), c.w.withdrawals(n, when)} {
		_, err := loader.LoadDocument(t.Context(), doc, opts)
		require.NoError(t, err)
	}
	_, err := loader.RefreshDerived(t.Context())
	require.NoError(t, err)
	oracle.Check(t, c.db, when)
}

func (c *catalog) current(t *testing.T, when time.Time) *index.Snapshot {
	t.Helper()
	s, err := index.Load(t.Context(), c.db, clock.Fixed(when))
	require.NoError(t, err)
	return s
}

func builder(db *database.DB, now time.Time) *past.Builder {
	return past.NewBuilder(db, clock.Fixed(now), slog.New(slog.DiscardHandler), false)
}

// What the index of a day in the past answers is what the index of that day answered: documents are loaded one after
// another, each day's answers are kept, and at the end every one of those days is asked for again.
func TestAnIndexOfAPastDayAnswersAsTheIndexOfThatDayDid(t *testing.T) {
	t.Parallel()
	c := &catalog{dbtest.New(t), newWriter(20261121)}
	days, said, operator := []time.Time{}, []answers{}, newOperator(c.db, false)
	when := time.Date(2010, time.March, 1, 0, 0, 0, 0, time.UTC)
	for n := range testscale.Rounds(t, 20) { // 26 once: a factor of 2
		when = when.AddDate(0, 0, 20+c.w.IntN(300))
		c.put(t, n, when, false)
		operator.Act(t, when)
		days, said = append(days, when), append(said, ask(c.current(t, when)))
	}
	current := c.current(t, when)
	b := builder(c.db, when.Add(9*time.Hour))
	changed, left, noticed := 0, 0, 0
	for i, day := range days {
		ix, err := past.Load(t.Context(), c.db, clock.Fixed(when), past.AsOf{Filed: day})
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(said[i], ask(ix)), "day %s", day.Format(time.DateOnly))
		require.Equal(t, current.Freshness().Publication, ix.Freshness().Publication)
		require.Equal(t, when, ix.Freshness().BuiltAt)
		if i > 0 && len(said[i].Sources) < len(said[i-1].Sources) {
			left++
		}
		if len(said[i].Sources) > 5 {
			changed++
		}
		// The same through the builder, and as of the day before the next document.
		until := day
		if i+1 < len(days) {
			until = days[i+1].AddDate(0, 0, -4) // a withdrawal may be of three days before its document
		}
		got, err := b.At(t.Context(), catalogapi.Moment{Day: until}, current)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(said[i], ask(got)), "day %s", until.Format(time.DateOnly))
		require.Equal(t, i == len(days)-1, got == past.Index(current), "only today is the index in use")
		noticed += sameRows(t, c.db, got, catalogapi.Moment{Day: until}, when)
	}
	require.Greater(t, noticed, len(days))
	require.Greater(t, changed, len(days)*3/4, "days with enough advisers to compare")
	require.Greater(t, left, 3, "days on which advisers had withdrawn")

	before, err := b.At(t.Context(), catalogapi.Moment{Day: days[0].AddDate(0, 0, -5)}, current)
	require.NoError(t, err)
	require.Equal(t, ask(index.Build(nil, nil, index.Freshness{})), ask(before), "before the first filing")
	require.Empty(t, ask(before).Sources)
}

// What was known at an instant is what the index answered then, whatever was restated since.
func TestAnIndexOfAnInstantAnswersAsTheIndexDidThen(t *testing.T) {
	t.Parallel()
	c := &catalog{dbtest.New(t), newWriter(7)}
	today := now(t, c.db).Truncate(24 * time.Hour)
	operator := newOperator(c.db, true)
	instants, said := []time.Time{}, []answers{}
	for n := range testscale.Rounds(t, 11) { // 14 once: a factor of 2
		filed := today.AddDate(0, 0, -900+60*(n%15))
		if n%5 == 2 {
			filed = filed.AddDate(-6, 0, 0) // an old filing that arrives late
		}
		loader := load.New(c.db, clock.Fixed(today), slog.New(slog.DiscardHandler))
		again := n / 2 * 2 // restated by every other
		for _, doc := range []catalogapi.Document{c.w.document(n, filed, n%3 > 0), c.w.notices(again, filed), c.w.withdrawals(again, filed)} {
			_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: 1, Reject: func(catalogapi.Rejected) {}})
			require.NoError(t, err) // and derived: the day is the same for all
			instants, said = append(instants, now(t, c.db)), append(said, ask(c.current(t, today)))
		}
		for range 3 {
			operator.Act(t, today)
		}
		instants, said = append(instants, now(t, c.db)), append(said, ask(c.current(t, today)))
	}
	var restated, unnamed int
	require.NoError(t, c.db.From(t.Context()).Raw("SELECT count(*), count(*) FILTER (WHERE said IS NULL) FROM catalog.replaced_versions").
		Row().Scan(&restated, &unnamed))
	require.Greater(t, restated, 60)
	require.Greater(t, operator.Made, 10)
	require.Positive(t, unnamed)
	current := c.current(t, today)
	b, noticed := builder(c.db, today.Add(24*time.Hour)), 0
	for i, at := range instants {
		for _, day := range []time.Time{{}, today} {
			got, err := b.At(t.Context(), catalogapi.Moment{Day: day, Known: at}, current)
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(said[i], ask(got)), "load %d", i)
			noticed += sameRows(t, c.db, got, catalogapi.Moment{Day: day, Known: at}, today)
		}
		// What counts without limits is asked for in the other statements, too.
		if i == len(instants)-1 {
			got, err := past.Load(t.Context(), c.db, clock.Fixed(today), past.AsOf{Known: at})
			require.NoError(t, err)
			require.Empty(t, cmp.Diff(said[i], ask(got)))
		}
	}
	require.Greater(t, noticed, len(instants))
	got, err := b.At(t.Context(), catalogapi.Moment{Known: instants[0].Add(-time.Hour)}, current)
	require.NoError(t, err)
	require.Empty(t, ask(got).Sources, "before the first load")
}

// sameRows compares the rows of lists with the notices of an index and with those of the database, and returns how many a notice is the newest filing of.
func sameRows(t *testing.T, db *database.DB, ix past.Index, at catalogapi.Moment, today time.Time) (noticed int) {
	t.Helper()
	then, ok := ix.(*index.Analysis)
	if !ok {
		return 0
	}
	store := history.NewStore(db)
	read := func(n *history.Noticed) (map[string]*fold.Adviser, map[string]*fold.FundState) {
		asOf := history.AsOf{Point: catalogapi.Point{Moment: at}, Today: today, Noticed: n}
		var crds, ids []string
		for i := range advisers {
			if known, _ := then.Has(crd(i)); known {
				crds = append(crds, crd(i))
			}
		}
		for i := range funds {
			ids = append(ids, fundID(i))
		}
		managers, err := store.AdvisersAt(t.Context(), crds, asOf)
		require.NoError(t, err)
		states, err := store.FundsAt(t.Context(), ids, asOf)
		require.NoError(t, err)
		for _, f := range states { // what is in no row
			f.Exemptions, f.OfferedOn, f.Provenance = nil, nil, nil
		}
		for _, a := range managers {
			a.TotalGAV, a.NetGAV, a.TotalInvestors, a.FoundedYearBasis = nil, nil, nil, nil
		}
		return managers, states
	}
	managers, states := read(nil)
	gotManagers, gotStates := read(then.Noticed())
	require.Empty(t, cmp.Diff(managers, gotManagers))
	require.Empty(t, cmp.Diff(states, gotStates))
	for _, a := range managers {
		if a.NewestFiledOn.After(a.LatestFiledOn) {
			noticed++
		}
	}
	return noticed
}

// newOperator corrects all advisers and funds.
func newOperator(db *database.DB, undoes bool) *correctiontest.Operator {
	o := &correctiontest.Operator{DB: db, Rand: rand.New(rand.NewPCG(61, 67)), Undoes: undoes}
	for i := range advisers {
		o.CRDs, o.Funds = append(o.CRDs, crd(i)), append(o.Funds, fundID(i))
	}
	return o
}

// now is the database's clock, by which it says when a filing was processed.
func now(t *testing.T, db *database.DB) (at time.Time) {
	t.Helper()
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		return c.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&at)
	}))
	return at.UTC()
}
