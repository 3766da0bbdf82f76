package index_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
	"gpatlas/modules/catalog/internal/vocab"
	"gpatlas/platform/clock"
	"gpatlas/platform/dbtest"
	"gpatlas/platform/testscale"
)

const (
	diffWorkers = 4
	diffBatch   = 100
)

// TestSearchAgreesWithSQL asks random questions of the index and, in plain SQL, of the tables that it was loaded from:
// every filter with values out of the data and outside it, every order, pages near the start, deep, and beyond the end;
// a fifth of the questions have text. The totals and the pages must be the same, all of them. The larger catalogue reaches
// the ways that only many records take. Every change is asked 4,800 and 400 questions; GPATLAS_TEST_ROUNDS=5 asks the
// 20,000 of the promise: 24,000 and 2,000.
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
			terms := g.terms(gps, funds, c.terms)
			oracle(t, db, gps, funds, terms)
			s, err := index.Load(t.Context(), db, clock.System{})
			require.NoError(t, err)
			var workers errgroup.Group
			var askers [diffWorkers]*asker
			for w := range diffWorkers {
				a := &asker{generator: newGenerator(c.seed+uint64(w), 1, true), gps: gps, funds: funds, terms: terms}
				askers[w] = a
				workers.Go(func() error {
					return a.askAll(t.Context(), dbtest.URL(t, db), s, c.rounds)
				})
			}
			require.NoError(t, workers.Wait())
			full, odd := 0, 0
			for _, a := range askers {
				full, odd = full+a.full, odd+a.odd
			}
			require.Greater(t, odd, c.rounds, "questions of odd text")
			if name == "small" {
				require.Greater(t, full, 4, "questions of a whole name")
			}
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
	cfg.RuntimeParams["work_mem"] = "64MB"           // the larger catalogue's answers, without files
	c, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }()
	found := 0
	for range rounds {
		hits, err := a.askBatch(ctx, c, s)
		if err != nil {
			return err
		}
		found += hits
	}
	if asked := rounds * diffBatch; found < asked/4 { // questions that all find nothing would prove nothing
		return fmt.Errorf("only %d of %d questions found anything", found, asked)
	}
	return nil
}

// answer is what the index said to a question.
type answer struct {
	question any // a query
	total    int
	keys     []int64
}

// askBatch asks one batch of questions both ways and says how many found something.
func (a *asker) askBatch(ctx context.Context, c *pgx.Conn, s *index.Snapshot) (found int, err error) {
	var batch pgx.Batch
	answers := make([]answer, 0, diffBatch)
	for i := range diffBatch {
		if i%2 == 0 {
			q := a.gpQuery()
			sql, args := gpSQL(q)
			batch.Queue(sql, args...)
			r := s.SearchGPs(q)
			keys := make([]int64, 0, len(r.IDs))
			for _, id := range r.IDs {
				keys = append(keys, crdNumber(s.GP(id).CRD))
			}
			answers = append(answers, answer{q, r.Total, keys})
			continue
		}
		q := a.fundQuery()
		sql, args := fundSQL(q)
		batch.Queue(sql, args...)
		r := s.SearchFunds(q)
		answers = append(answers, answer{q, r.Total, fundIDs(s, r.IDs)})
	}
	results := c.SendBatch(ctx, &batch)
	defer func() { _ = results.Close() }()
	for _, got := range answers {
		var total int
		var keys []int64
		if err := results.QueryRow().Scan(&total, &keys); err != nil {
			return 0, fmt.Errorf("%s: %w", dump(got.question), err)
		}
		if total != got.total || !slices.Equal(keys, got.keys) {
			return 0, fmt.Errorf("the index and SQL disagree: %s\nSQL   %d %v\nindex %d %v", dump(got.question), total, keys, got.total, got.keys)
		}
		if len(keys) > 0 {
			found++
		}
	}
	return found, nil
}

// dump shows a query with its pointers followed.
func dump(q any) string {
	var b strings.Builder
	switch q := q.(type) {
	case *index.GPQuery:
		fmt.Fprintf(&b, "GP %+v", *q)
		for _, r := range []index.Range{q.AUM, q.FundCount, q.Employees, q.Investors, q.Founded, q.Fund.Vintage, q.Fund.Size} {
			b.WriteString(dumpRange(r))
		}
	case *index.FundQuery:
		fmt.Fprintf(&b, "fund %+v", *q)
		for _, r := range []index.Range{q.GAV, q.Vintage} {
			b.WriteString(dumpRange(r))
		}
	}
	return b.String()
}

func dumpRange(r index.Range) string {
	show := func(p *int64) string {
		if p == nil {
			return ""
		}
		return strconv.FormatInt(*p, 10)
	}
	return " [" + show(r.Min) + ".." + show(r.Max) + "]"
}

// asker thinks of questions.
type asker struct {
	*generator
	gps   []index.GP
	funds []index.Fund
	terms []string

	full, odd int // questions with the whole of a name, and with odd texts
}

func (a *asker) gp() *index.GP    { return &a.gps[a.IntN(len(a.gps))] }
func (a *asker) fnd() *index.Fund { return &a.funds[a.IntN(len(a.funds))] }
func (a *asker) one(in int) bool  { return a.IntN(in) == 0 }
func (a *asker) tri() index.Tri   { return pick(a.generator, index.Yes, index.No) }
func (a *asker) or(s, o string) string {
	if a.one(8) {
		return o
	}
	return s
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

// text is a question's words: known terms and broken ones, in any order, dressed up as people type.
func (a *asker) text() string {
	if a.one(60) {
		a.odd++
		return pick(a.generator, oddTexts...)
	}
	var words []string
	for range pick(a.generator, 1, 1, 1, 2, 2, 3) {
		w := a.terms[a.IntN(len(a.terms))]
		if a.one(6) {
			w = strings.ToUpper(w)
		}
		words = append(words, w)
	}
	query := strings.Join(words, pick(a.generator, " ", " ", "  ", ", ", "/"))
	if !a.known(query) { // letters side by side are read as one word
		return words[0]
	}
	return query
}

func (a *asker) gpQuery() *index.GPQuery {
	q := &index.GPQuery{
		Order: pick(a.generator, index.ByName, index.ByAUM, index.ByFundCount, index.ByEmployees, index.ByRelevance), Desc: a.one(2),
	}
	q.Limit, q.Offset = a.page(len(a.gps))
	if a.one(5) {
		q.Text = a.text()
		if a.one(20) {
			q.Text = pick(a.generator, a.gp().LegalName, a.gp().BusinessName)
			if !a.known(q.Text) {
				q.Text = ""
			} else if q.Text != "" {
				a.full++
			}
		}
	}
	for range pick(a.generator, 0, 1, 1, 2, 2, 3, 4) {
		a.gpFilter(q, a.gp())
	}
	return q
}

// known says whether every word is a term that the oracle has classed.
func (a *asker) known(query string) bool {
	return !slices.ContainsFunc(text.Terms(query), func(w string) bool {
		_, ok := slices.BinarySearch(a.terms, w)
		return !ok
	})
}

func (a *asker) gpFilter(q *index.GPQuery, g *index.GP) {
	switch a.IntN(26) {
	case 0:
		q.City = a.or(pick(a.generator, g.City, strings.ToUpper(g.City)), pick(a.generator, "Nowhere", "..."))
	case 1:
		q.State = a.or(pick(a.generator, g.State, strings.ToLower(g.State)), "ZZ")
	case 2:
		q.Country = a.or(pick(a.generator, g.Country, g.CountryCode, strings.ToUpper(g.Country)), pick(a.generator, "Utopia", "XX", "UK", "gb"))
	case 3:
		q.Jurisdiction = a.or(g.CountryCode, pick(a.generator, "UK", "GB", "SG", "us", "ZZ"))
	case 4, 5:
		q.AUM = a.around(g.TotalAUM)
	case 6:
		q.AUMBelow = a.around(g.TotalAUM).Max
	case 7, 8:
		q.Strategies = slices.Clone(pick(a.generator, []string{g.PrimaryStrategy}, []string{"buyout", "growth", "secondaries"}, []string{"none"}))
	case 9:
		q.RegistrationStatus = pick(a.generator, "registered", "exempt_reporting")
	case 10:
		q.HasFunds = a.tri()
	case 11:
		q.FundCount = a.around(g.FundCount)
	case 12:
		q.Employees = a.around(g.Employees)
	case 13:
		q.Investors = a.around(g.Investors)
	case 14:
		if q.Founded = a.around(g.FoundedYear); a.one(2) {
			q.FoundedBasis = pick(a.generator, "registration", "first_filing")
		}
	case 15, 16:
		if q.Registered.From = g.RegisteredOn; a.one(2) {
			q.Registered.From = time.Date(1990+a.IntN(40), 6, 1+a.IntN(3), 0, 0, 0, 0, time.UTC)
		}
		if a.one(2) {
			q.Registered.To = time.Date(1990+a.IntN(40), 6, 1+a.IntN(3), 0, 0, 0, 0, time.UTC)
		}
	case 17:
		q.OrgState = a.or(g.OrgState, pick(a.generator, "new york", "ny", "delaware", "de", "ONTARIO", "Bavaria"))
	case 18:
		q.ManagerType = pick(a.generator, vocab.ManagerTypes()...)
	case 19:
		q.CanonicalID = pick(a.generator, g.CanonicalID, g.CanonicalID, 987654321)
	default:
		for range pick(a.generator, 1, 1, 2, 3) {
			a.fundMatch(&q.Fund, a.fnd())
		}
	}
}

func (a *asker) fundMatch(m *index.FundMatch, f *index.Fund) {
	switch a.IntN(8) {
	case 0:
		m.Vintage = a.around(f.VintageYear)
	case 1:
		m.Size = a.around(f.GAV)
	case 2:
		m.Exemption = pick(a.generator, "506b", "506c", "3c1", "3c7")
	case 3:
		m.Type = pick(a.generator, "3c1", "3c7")
	case 4:
		if m.FirstFiledMin = f.FirstFiledOn; a.one(3) {
			m.FirstFiledMin = time.Date(2020+a.IntN(12), 6, 1, 0, 0, 0, 0, time.UTC)
		}
	case 5:
		m.HasAuditor = a.tri()
	default:
		m.AuditorName = a.or("", "Nobody LLP")
		if len(f.Auditors) > 0 {
			words := strings.Fields(f.Auditors[0])
			m.AuditorName = pick(a.generator, f.Auditors[0], words[0], "  llp ", words[0][:1], words[len(words)-1]+" "+words[0])
		}
		if len(text.Words(m.AuditorName)) == 0 {
			m.AuditorName = ""
		}
	}
}

func (a *asker) fundQuery() *index.FundQuery {
	q := &index.FundQuery{Order: pick(a.generator, index.ByName, index.ByGAV, index.ByVintage, index.ByRelevance), Desc: a.one(2)}
	q.Limit, q.Offset = a.page(len(a.funds))
	if a.one(5) {
		q.Text = a.text()
	}
	for range pick(a.generator, 0, 1, 1, 2, 2, 3, 4) {
		a.fundFilter(q, a.fnd())
	}
	return q
}

func (a *asker) fundFilter(q *index.FundQuery, f *index.Fund) {
	switch a.IntN(14) {
	case 0, 1:
		q.Strategies = slices.Clone(pick(a.generator, []string{f.Strategy}, []string{"buyout", "growth", "secondaries"}, []string{"none"}))
	case 2:
		q.AdviserCRD = a.or(f.AdviserCRD, "999999999")
	case 3:
		q.CanonicalID = pick(a.generator, a.gp().CanonicalID, crdNumber(f.AdviserCRD), 987654321)
	case 4:
		q.Is3C1 = a.tri()
	case 5:
		q.Is3C7 = a.tri()
	case 6:
		q.IsMaster = a.tri()
	case 7:
		q.IsFeeder = a.tri()
	case 8:
		q.GAV = a.around(f.GAV)
	case 9:
		q.Vintage = a.around(f.VintageYear)
	case 10, 11:
		q.Jurisdiction = pick(a.generator, f.State, f.Country, f.CountryCode, strings.ToUpper(f.State), "US", "us", "UK", "NY", "de",
			"Georgia", "georgia", "United States", "Atlantis", "Ontario", "ZZ")
	case 12:
		q.Status = pick(a.generator, "active", "liquidating", "closed")
	case 13:
		q.HasAuditor = a.tri()
	}
}

// terms draws words from the data, whole, cut, out of the middle and mistyped, and some that are not in it. Sorted.
func (g *generator) terms(gps []index.GP, funds []index.Fund, n int) []string {
	var words []string
	for i := range gps {
		state, _ := vocab.StateName(gps[i].State)
		words = append(words, text.Words(gps[i].LegalName+" "+gps[i].BusinessName+" "+gps[i].City+" "+gps[i].State+" "+state+" "+gps[i].Country)...)
	}
	for i := range funds {
		words = append(words, text.Words(funds[i].Name)...)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	seen := map[string]bool{}
	for _, w := range text.Words("llc fund capital nothing ltd limited inc incorporated management mgmt lp " + strings.Join(oddTexts, " ")) {
		seen[w] = true
	}
	for len(seen) < n {
		if w := text.Normalise(g.mangle([]rune(words[g.IntN(len(words))]))); w != "" && !strings.Contains(w, " ") {
			seen[w] = true
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
