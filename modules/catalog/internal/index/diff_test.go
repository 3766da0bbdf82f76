package index_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/testscale"
)

const (
	diffWorkers = 4
	diffBatch   = 120
)

// TestSearchAgreesWithSQL asks random questions of the index and, in plain SQL, of the tables that it was loaded from:
// every filter as often as any other, with values out of the data and outside it, every order, pages near the start, deep,
// and beyond the end; a fifth of the questions have text. Half of the questions ask for what holds for a record, which
// must find it. The totals and the pages must be the same, all of them. The larger catalog reaches the ways that only
// many records take. Every change is asked 5,760 and 480 questions; GPATLAS_TEST_ROUNDS=5 asks the 20,000 of the promise:
// 28,800 and 2,400.
func TestSearchAgreesWithSQL(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		seed                   uint64
		advisers, funds, terms int
		rounds                 int // a batch of each worker
	}{
		"small": {20261121, 400, 2_000, 1200, testscale.Rounds(t, 12)},
		"large": {20261122, 4_000, 30_000, 500, testscale.Rounds(t, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newGenerator(c.seed, 160, true)
			gps := g.gps(c.advisers)
			funds := g.funds(c.funds, gps)
			db := dbtest.New(t)
			seed(t, db, gps, funds)
			seedDisclosures(t, db, gps)
			seedServices(t, db, funds)
			terms := g.terms(gps, funds, c.terms)
			oracle(t, db, gps, funds, terms)
			s, err := index.Load(t.Context(), db, clock.System{})
			require.NoError(t, err)
			s.MakeStrict()
			var workers errgroup.Group
			for w := range diffWorkers {
				a := newAsker(newGenerator(c.seed+uint64(w), 1, true), gps, funds, terms)
				workers.Go(func() error {
					return a.askAll(t.Context(), dbtest.URL(t, db), s, c.rounds)
				})
			}
			require.NoError(t, workers.Wait())
		})
	}
}

// askAll asks rounds batches of questions over a connection of its own.
func (a *asker) askAll(ctx context.Context, dbURL string, s *index.Snapshot, rounds int) error {
	cfg, err := pgx.ParseConfig(dbURL)
	if err != nil {
		return err
	}
	cfg.DefaultQueryExecMode = pgx.QueryExecModeExec // no statement is asked twice
	cfg.RuntimeParams["work_mem"] = "64MB"           // the larger catalog's answers, without files
	c, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }()
	for range rounds {
		if err := a.askBatch(ctx, c, s); err != nil {
			return err
		}
	}
	if slices.Contains([]int{a.gpDecks[0].passes, a.gpDecks[1].passes, a.fundDecks[0].passes, a.fundDecks[1].passes}, 0) {
		return errors.New("there are more filters than the questions of one worker can ask: raise diffBatch")
	}
	return nil
}

// answer is what the index said to a question.
type answer struct {
	question any  // a query
	certain  bool // it asks for what holds for a record
	total    int
	keys     []int64
}

// askBatch asks one batch of questions both ways.
func (a *asker) askBatch(ctx context.Context, c *pgx.Conn, s *index.Snapshot) error {
	var batch pgx.Batch
	answers := make([]answer, 0, diffBatch)
	for range diffBatch / 2 {
		a.question++
		q, certain := a.gpQuery()
		sql, args := gpSQL(q)
		batch.Queue(sql, args...)
		r := s.SearchGPs(q)
		keys := make([]int64, 0, len(r.IDs))
		for _, id := range r.IDs {
			keys = append(keys, crdNumber(s.GP(id).CRD))
		}
		answers = append(answers, answer{q, certain, r.Total, keys})

		f, certain := a.fundQuery()
		sql, args = fundSQL(f)
		batch.Queue(sql, args...)
		found := s.SearchFunds(f)
		answers = append(answers, answer{f, certain, found.Total, fundIDs(s, found.IDs)})
	}
	results := c.SendBatch(ctx, &batch)
	defer func() { _ = results.Close() }()
	for _, got := range answers {
		var total int
		var keys []int64
		if err := results.QueryRow().Scan(&total, &keys); err != nil {
			return fmt.Errorf("%s: %w", dump(got.question), err)
		}
		if total != got.total || !slices.Equal(keys, got.keys) {
			return fmt.Errorf("the index and SQL disagree: %s\nSQL   %d %v\nindex %d %v", dump(got.question), total, keys, got.total, got.keys)
		}
		if got.certain && total == 0 {
			return fmt.Errorf("the question was made from a record, and finds none: %s", dump(got.question))
		}
	}
	return nil
}

// dump shows a query with its pointers followed.
func dump(q any) string {
	b, err := json.Marshal(q)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%T %s", q, b)
}

// asker thinks of questions.
type asker struct {
	*generator
	gps   []index.GP
	funds []index.Fund
	terms []string

	owner    map[string]*index.GP        // by CRD
	open     map[string][]*index.Fund    // by CRD
	ended    map[string]time.Time        // by CRD: the last day on which one of its funds closed
	reported map[string]filedDisclosures // by CRD
	served   map[string]served           // by Fund ID
	names    []string                    // of advisers; the index knows each of their words

	question, texts int                    // how many were asked, and how many of them with any text
	gpDecks         [2]deck[index.GPQuery] // those of certain questions and of others
	fundDecks       [2]deck[index.FundQuery]
}

func newAsker(g *generator, gps []index.GP, funds []index.Fund, terms []string) *asker {
	a := &asker{generator: g, gps: gps, funds: funds, terms: terms, owner: map[string]*index.GP{}, open: map[string][]*index.Fund{}, ended: map[string]time.Time{}}
	a.reported, _ = disclosures(gps)
	a.served = services(funds)
	for i := range gps {
		a.owner[gps[i].CRD] = &gps[i]
		for _, name := range []string{gps[i].LegalName, gps[i].BusinessName} {
			if name != "" && a.known(name) {
				a.names = append(a.names, name)
			}
		}
	}
	for i := range funds {
		if f := &funds[i]; f.Status != catalogapi.FundClosed {
			a.open[f.AdviserCRD] = append(a.open[f.AdviserCRD], f)
		} else if f.ClosedOn.After(a.ended[f.AdviserCRD]) {
			a.ended[f.AdviserCRD] = f.ClosedOn
		}
	}
	return a
}

func (a *asker) gp() *index.GP    { return &a.gps[a.IntN(len(a.gps))] }
func (a *asker) fnd() *index.Fund { return &a.funds[a.IntN(len(a.funds))] }
func (a *asker) one(in int) bool  { return a.IntN(in) == 0 }

func (a *asker) auditor() string {
	if f := a.fnd(); len(f.Auditors) > 0 {
		return f.Auditors[0]
	}
	return ""
}

// across makes a range that v is in.
func (a *asker) across(v int64) index.Range {
	low, high := v-pick[int64](a.generator, 0, 0, 1, 1_000), v+pick[int64](a.generator, 0, 0, 1, 1_000)
	return pick(a.generator, index.Range{Min: &low}, index.Range{Max: &high}, index.Range{Min: &low, Max: &high})
}

// around makes a range whose ends are near v, at it, or far outside the data.
func (a *asker) around(v int64) index.Range {
	if v == index.Unknown {
		v = 0
	}
	end := func() *int64 {
		x := v
		switch a.IntN(8) {
		case 0:
			x = v + 1
		case 1:
			x = v - 1
		case 2:
			x = int64(float64(v) * (0.2 + 3*a.Float64()))
		case 3:
			x = pick[int64](a.generator, 0, -1, math.MaxInt64, math.MinInt64, 1_000_000_000)
		}
		return &x
	}
	switch a.IntN(4) {
	case 0:
		return index.Range{Min: end()}
	case 1:
		return index.Range{Max: end()}
	case 2:
		r := index.Range{Min: end(), Max: end()} // a quarter of them the wrong way round
		if a.one(2) && *r.Min > *r.Max {
			r.Min, r.Max = r.Max, r.Min
		}
		return r
	}
	x := v
	return index.Range{Min: &x, Max: &x}
}

func (a *asker) page(n int) (limit, offset int) {
	limit = pick(a.generator, 0, 1, 5, 25, 25, 25, 100, 5000)
	switch a.IntN(6) {
	case 0:
		offset = a.IntN(n)
	case 1:
		offset = pick(a.generator, 1, 25, n-1, n, n+1, math.MaxInt64)
	case 2:
		offset = a.IntN(40)
	}
	return limit, offset
}

// oddTexts are typed by accident or in bad faith.
var oddTexts = []string{"&&", "!!", "%", "_", "' OR 1=1 --", "\u202e", "é́"}

// text is a question's words: known terms and broken ones, in any order, dressed up as people type. Every tenth is odd,
// every tenth the whole of a name.
func (a *asker) text() string {
	a.texts++
	switch a.texts % 10 {
	case 3:
		return pick(a.generator, oddTexts...)
	case 7:
		return pick(a.generator, a.names...)
	}
	var words []string
	for range pick(a.generator, 1, 1, 1, 2, 2, 3) {
		w := a.terms[a.IntN(len(a.terms))]
		if a.one(6) {
			w = strings.ToUpper(w)
		}
		words = append(words, w)
	}
	query := strings.Join(words, pick(a.generator, " ", " ", "  ", ", ", "/", "."))
	if !a.known(query) { // letters side by side are read as one word
		return words[0]
	}
	return query
}

// filtersOf is how many filters a question has, by its number.
var filtersOf = [...]int{0, 1, 1, 2, 2, 3, 4}

// kind says of the next question whether it asks for what holds for a record, whether it has text, and how many filters.
func (a *asker) kind() (certain, text bool, filters int) {
	certain = a.question%2 == 0
	return certain, !certain && a.question%5 < 2, filtersOf[a.question/2%len(filtersOf)]
}

func deckOf(certain bool) int {
	if certain {
		return 0
	}
	return 1
}

func (a *asker) gpQuery() (q *index.GPQuery, certain bool) {
	q = &index.GPQuery{
		Order: pick(a.generator, append(slices.Collect(maps.Keys(gpPicks)), index.ByName, index.ByAUM, index.ByFundCount, index.ByEmployees, index.ByRelevance)...), Desc: a.one(2),
	}
	q.Limit, q.Offset = a.page(len(a.gps))
	certain, text, n := a.kind()
	if text {
		q.Text = a.text()
	}
	ask(a, &a.gpDecks[deckOf(certain)], gpFilters, n, certain, func(hand []filter[index.GPQuery]) subject {
		return drawn(hand, func() subject {
			s := subject{gp: a.gp()}
			s.ended, s.reported = a.ended[s.gp.CRD], a.reported[s.gp.CRD]
			if len(hand) == 0 {
				s.fund = a.fnd()
			} else if open := a.open[s.gp.CRD]; len(open) > 0 {
				s.fund = pick(a.generator, open...)
			}
			if s.fund != nil {
				s.served = a.served[s.fund.FundID]
			}
			return s
		})
	}, q)
	if len(q.CRDs.Any) > 0 && a.one(2) {
		q.Order = index.BySent
	}
	return q, certain
}

// closing is the filter that closed funds alone satisfy.
const closing = "closed_after closed_before"

func (a *asker) fundQuery() (q *index.FundQuery, certain bool) {
	q = &index.FundQuery{Order: pick(a.generator, append(slices.Collect(maps.Keys(fundPicks)), index.ByName, index.ByGAV, index.ByVintage, index.ByRelevance)...), Desc: a.one(2)}
	q.Limit, q.Offset = a.page(len(a.funds))
	certain, text, n := a.kind()
	if text {
		q.Text = a.text()
	}
	ask(a, &a.fundDecks[deckOf(certain)], fundFilters, n, certain, func(hand []filter[index.FundQuery]) subject {
		return drawn(hand, func() subject {
			f := a.fnd()
			for f.Status == catalogapi.FundClosed && !slices.ContainsFunc(hand, func(f filter[index.FundQuery]) bool { return f.name == "status" || f.name == closing }) {
				f = a.fnd()
			}
			return subject{gp: a.owner[f.AdviserCRD], fund: f, served: a.served[f.FundID]}
		})
	}, q)
	if !q.Numbers[index.FundClosed].Open() { // as the operation does
		q.Words[index.FundStatus] = index.One(catalogapi.FundClosed)
	}
	if len(q.FundIDs) > 0 && a.one(2) {
		q.Order = index.BySent
	}
	return q, certain
}

// known says whether every word is a term that the oracle has classed.
func (a *asker) known(query string) bool {
	return !slices.ContainsFunc(text.Terms(query), func(w string) bool {
		_, ok := slices.BinarySearch(a.terms, w)
		return !ok
	})
}

// terms draws words by which the data are found, whole, cut, out of the middle and mistyped, and some that are not in it. Sorted.
func (g *generator) terms(gps []index.GP, funds []index.Fund, n int) []string {
	var words []string
	add := func(name string) {
		for _, w := range text.NameWords(name) {
			words = append(words, w.Word)
		}
	}
	for i := range gps {
		state, _ := vocab.StateName(gps[i].State)
		add(gps[i].LegalName + " " + gps[i].BusinessName + " " + gps[i].City + " " + gps[i].State + " " + state + " " + gps[i].Country)
	}
	for i := range funds {
		add(funds[i].Name)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	seen := map[string]bool{}
	for i := range 5 { // whole names are asked for
		for _, w := range text.Terms(gps[i].LegalName) {
			seen[w] = true
		}
	}
	for _, w := range text.Words("llc fund capital nothing ltd limited inc incorporated management mgmt lp " + strings.Join(oddTexts, " ")) {
		seen[w] = true
	}
	for len(seen) < n {
		if w := text.Terms(g.mangle([]rune(words[g.IntN(len(words))]))); len(w) == 1 {
			seen[w[0]] = true
		}
	}
	terms := make([]string, 0, n)
	for w := range seen {
		terms = append(terms, w)
	}
	slices.Sort(terms)
	return terms
}

func (g *generator) mangle(w []rune) string {
	i := g.IntN(len(w))
	letter := rune('a' + g.IntN(26))
	switch g.IntN(9) {
	case 0:
		return string(w[:i+1])
	case 1:
		return string(w[i:])
	case 2:
		return string(slices.Insert(slices.Clone(w), i, letter))
	case 3:
		return string(slices.Delete(slices.Clone(w), i, i+1))
	case 4:
		w = slices.Clone(w)
		w[i] = letter
	case 5:
		if i > 0 {
			w = slices.Clone(w)
			w[i-1], w[i] = w[i], w[i-1]
		}
	case 6: // a typing error in a beginning
		if len(w) > 6 {
			w = slices.Clone(w[:len(w)-2])
			w[g.IntN(len(w))] = letter
		}
	}
	return string(w)
}
