package index_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
)

// subject is what a filter is asked about: an adviser and one of its funds that is not closed, nil where it has none;
// in questions about funds a fund, closed or not, and its adviser.
type subject struct {
	gp       *index.GP
	fund     *index.Fund
	ended    time.Time // the last day on which a fund of the adviser closed
	reported filedDisclosures
	served   served // of the fund
}

// filter is a filter of a query as the tests know it: how to ask for what holds for a subject, how to ask for anything
// at all, and what the question means in SQL.
type filter[Q any] struct {
	name    string                          // the parameters
	ofFund  bool                            // of one fund of the adviser
	ofEvent bool                            // of one event that it discloses
	ofOpen  bool                            // closed funds never satisfy it
	knows   func(s subject) bool            // whether the value that is asked for is known
	holds   func(a *asker, q *Q, s subject) // asks for what holds
	maybe   func(a *asker, q *Q, s subject) // asks for what may or may not
	sql     func(s *statement, q *Q)        // adds nothing when the query does not ask
}

// gpFilters are the filters of a GPQuery: those of the tables, and the rest.
var gpFilters = slices.Concat(
	wordFilters(index.GPWordFilters, theGP, func(q *index.GPQuery) []index.Asked { return q.Words[:] }),
	numberFilters(index.GPNumberFilters, theGP, func(q *index.GPQuery) []index.Range { return q.Numbers[:] }),
	answerFilters(index.GPAnswerFilters, theGP, func(q *index.GPQuery) []index.Tri { return q.Answers[:] }),
	matchFilters(),
	eventFilters(),
	serviceFilters(func(q *index.GPQuery) *index.ServiceMatch { return &q.Fund.Services }),
	[]filter[index.GPQuery]{
		strategyFilter("a.primary_strategy", func(q *index.GPQuery) *index.Asked { return &q.Strategies }, func(s subject) string { return s.gp.PrimaryStrategy }),
		{
			name: "auditor_name", ofFund: true,
			knows: func(s subject) bool {
				return s.fund != nil && len(s.fund.Auditors) > 0 && len(text.Words(s.fund.Auditors[0])) > 0
			},
			holds: func(a *asker, q *index.GPQuery, s subject) {
				words := text.Words(s.fund.Auditors[0])
				q.Fund.Auditors = a.among(pick(a.generator, s.fund.Auditors[0], words[0], words[len(words)-1]+" "+words[0]), "Nobody LLP")
			},
			maybe: func(a *asker, q *index.GPQuery, _ subject) {
				q.Fund.Auditors = a.some("Nobody LLP", "  llp ", "b", a.auditor())
				q.Fund.Auditors = slices.DeleteFunc(q.Fund.Auditors, func(name string) bool { return len(text.Words(name)) == 0 })
			},
			sql: func(s *statement, q *index.GPQuery) {
				s.asked(index.Asked{Any: q.Fund.Auditors}, func(name string) string {
					return s.render(`f.auditors && (SELECT array_agg(a.name) FROM (SELECT DISTINCT name FROM diff.auditor_words) a
						WHERE (SELECT bool_and(EXISTS (SELECT FROM diff.auditor_words w WHERE w.name = a.name AND starts_with(w.word, t)))
							FROM unnest(%s::text[]) t))`, text.Words(name))
				})
			},
		},
		{
			name: "crd", knows: func(subject) bool { return true },
			holds: func(a *asker, q *index.GPQuery, s subject) { q.CRDs.Any = a.among(s.gp.CRD, "999999999", a.gp().CRD) },
			maybe: func(a *asker, q *index.GPQuery, s subject) {
				q.CRDs = a.asked(s.gp.CRD, "999999999", a.gp().CRD, a.gp().CRD)
				for a.one(2) && len(q.CRDs.Any) > 0 && len(q.CRDs.Any) < 100 {
					q.CRDs.Any = append(q.CRDs.Any, a.gp().CRD)
				}
				q.CRDs.Any = unique(q.CRDs.Any)
			},
			sql: func(s *statement, q *index.GPQuery) {
				s.asked(q.CRDs, func(crd string) string { return s.render("a.crd = %s", crd) })
			},
		},
		{
			name: "closed_fund_after", knows: func(s subject) bool { return !s.ended.IsZero() },
			holds: func(_ *asker, q *index.GPQuery, s subject) { q.ClosedFund = index.Days(s.ended, time.Time{}) },
			maybe: func(a *asker, q *index.GPQuery, _ subject) {
				q.ClosedFund = index.Days(time.Date(2012+a.IntN(15), 3, 1+a.IntN(28), 0, 0, 0, 0, time.UTC), time.Time{})
			},
			sql: func(s *statement, q *index.GPQuery) {
				if q.ClosedFund.Min != nil {
					s.and(`EXISTS (SELECT FROM catalog.funds c WHERE c.adviser_crd = a.crd AND c.status = 'closed'
						AND c.closed_on - DATE '1970-01-01' >= %s::bigint)`, *q.ClosedFund.Min)
				}
			},
		},
		{
			name: "raising_now", knows: func(s subject) bool { return s.fund != nil && !s.fund.OfferedOn.IsZero() },
			holds: func(_ *asker, q *index.GPQuery, s subject) { q.Offered = index.Days(s.fund.OfferedOn, time.Time{}) },
			maybe: func(a *asker, q *index.GPQuery, _ subject) {
				q.Offered = index.Days(time.Date(2024+a.IntN(3), 3, 1+a.IntN(28), 0, 0, 0, 0, time.UTC), time.Time{})
			},
			sql: func(s *statement, q *index.GPQuery) {
				if q.Offered.Min != nil {
					s.and(`EXISTS (SELECT FROM catalog.funds c WHERE c.adviser_crd = a.crd AND c.status <> 'closed'
						AND c.offered_on - DATE '1970-01-01' >= %s::bigint)`, *q.Offered.Min)
				}
			},
		},
		{
			name: "aum_band", knows: func(s subject) bool { return s.gp.TotalAUM != index.Unknown && s.gp.TotalAUM < 100_000_000 },
			holds: func(_ *asker, q *index.GPQuery, _ subject) { q.Band = "<100M" },
			maybe: func(a *asker, q *index.GPQuery, _ subject) {
				q.Band = pick(a.generator, slices.Collect(maps.Keys(bandSQL))...)
			},
			sql: func(s *statement, q *index.GPQuery) {
				if q.Band != "" {
					s.and(bandSQL[q.Band])
				}
			},
		},
	},
)

// bandSQL has the bounds that the contract gives the bands.
var bandSQL = map[string]string{
	"<100M": "a.total_aum < 100000000", "100M-500M": "a.total_aum >= 100000000 AND a.total_aum < 500000000",
	"500M-1B": "a.total_aum >= 500000000 AND a.total_aum < 1000000000", "1B-10B": "a.total_aum >= 1000000000 AND a.total_aum < 10000000000",
	">10B": "a.total_aum >= 10000000000",
}

// among makes a list with a word and some others.
func (a *asker) among(word string, others ...string) []string {
	list := append([]string{word}, others[:a.IntN(len(others)+1)]...)
	a.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return unique(list)
}

// some makes a list of one or more of words.
func (a *asker) some(words ...string) []string {
	var list []string
	for range pick(a.generator, 1, 1, 2, 3) {
		list = append(list, pick(a.generator, words...))
	}
	return unique(list)
}

// asked asks for some of words, or excludes some, or both.
func (a *asker) asked(words ...string) (asked index.Asked) {
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	if len(words) == 0 {
		return asked
	}
	if !a.one(3) {
		asked.Any = a.some(words...)
	}
	if asked.Any == nil || a.one(4) {
		asked.None = a.some(words...)
	}
	return asked
}

func unique(list []string) []string {
	var once []string
	for _, w := range list {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	return once
}

// fundFilters are the filters of a FundQuery.
var fundFilters = slices.Concat(
	wordFilters(index.FundWordFilters, theFund, func(q *index.FundQuery) []index.Asked { return q.Words[:] }),
	numberFilters(index.FundNumberFilters, theFund, func(q *index.FundQuery) []index.Range { return q.Numbers[:] }),
	answerFilters(index.FundAnswerFilters, theFund, func(q *index.FundQuery) []index.Tri { return q.Answers[:] }),
	serviceFilters(func(q *index.FundQuery) *index.ServiceMatch { return &q.Services }),
	[]filter[index.FundQuery]{
		strategyFilter("f.strategy", func(q *index.FundQuery) *index.Asked { return &q.Strategies }, func(s subject) string { return s.fund.Strategy }),
		{
			name: "gp_crd", knows: func(subject) bool { return true },
			holds: func(_ *asker, q *index.FundQuery, s subject) { q.AdviserCRD = s.fund.AdviserCRD },
			maybe: func(a *asker, q *index.FundQuery, s subject) { q.AdviserCRD = pick(a.generator, s.gp.CRD, "999999999") },
			sql: func(s *statement, q *index.FundQuery) {
				if q.AdviserCRD != "" {
					s.and("f.adviser_crd = %s", q.AdviserCRD)
				}
			},
		},
		{
			name: "gp_id", knows: func(subject) bool { return true },
			holds: func(_ *asker, q *index.FundQuery, s subject) { q.CanonicalID = s.gp.CanonicalID },
			maybe: func(a *asker, q *index.FundQuery, s subject) {
				q.CanonicalID = pick(a.generator, a.gp().CanonicalID, crdNumber(s.gp.CRD), 987654321)
			},
			sql: func(s *statement, q *index.FundQuery) {
				if q.CanonicalID != 0 {
					s.and("f.adviser_crd IN (SELECT crd FROM catalog.advisers WHERE canonical_gp_id = %s::bigint)", q.CanonicalID)
				}
			},
		},
		{
			name:  "jurisdiction",
			knows: func(s subject) bool { return s.fund.State != "" || s.fund.Country != "" },
			holds: func(a *asker, q *index.FundQuery, s subject) {
				q.Jurisdictions = a.among(pick(a.generator, s.fund.Jurisdiction(), strings.ToUpper(s.fund.Jurisdiction())), "ZZ", "LU")
			},
			maybe: func(a *asker, q *index.FundQuery, s subject) {
				q.Jurisdictions = a.some(s.fund.State, s.fund.Country, s.fund.CountryCode, strings.ToUpper(s.fund.State), "US", "us", "UK", "NY", "de",
					"Georgia", "georgia", "United States", "Atlantis", "Ontario", "ZZ")
				q.Jurisdictions = slices.DeleteFunc(q.Jurisdictions, func(place string) bool { return place == "" })
			},
			sql: func(s *statement, q *index.FundQuery) { s.asked(index.Asked{Any: q.Jurisdictions}, s.jurisdiction) },
		},
		{
			name: "fund_id", knows: func(subject) bool { return true },
			holds: func(a *asker, q *index.FundQuery, s subject) {
				q.FundIDs = a.among(s.fund.FundID, "805-9999999999", a.fnd().FundID)
			},
			maybe: func(a *asker, q *index.FundQuery, s subject) {
				q.FundIDs = a.some(s.fund.FundID, "805-9999999999", a.fnd().FundID)
			},
			sql: func(s *statement, q *index.FundQuery) {
				s.asked(index.Asked{Any: q.FundIDs}, func(id string) string { return s.render("f.fund_id = %s", id) })
			},
		},
		{
			name: "vintage_year", knows: func(s subject) bool { return s.fund.VintageYear != index.Unknown },
			holds: func(_ *asker, q *index.FundQuery, s subject) { q.Year = s.fund.VintageYear },
			maybe: func(a *asker, q *index.FundQuery, s subject) { q.Year = pick(a.generator, a.fnd().VintageYear, 1901) },
			sql: func(s *statement, q *index.FundQuery) {
				if q.Year != 0 {
					s.and("f.vintage_year = %s::bigint", q.Year)
				}
			},
		},
	},
)

func theGP(s subject) *index.GP     { return s.gp }
func theFund(s subject) *index.Fund { return s.fund }

// wordSQL says in SQL what the comparisons of the index say in Go.
var wordSQL = map[string]func(s *statement, column, asked string) string{
	"exactly": func(s *statement, column, asked string) string { return s.render(column+" = %s", asked) },
	"ignoring case": func(s *statement, column, asked string) string {
		return s.render("upper("+column+") = %s", strings.ToUpper(asked))
	},
	"normalized": func(s *statement, column, asked string) string {
		return s.render(column+" IN (SELECT raw FROM diff.norms WHERE norm = %s AND norm <> '')", text.Normalize(asked))
	},
	"as a country's code": func(s *statement, column, asked string) string {
		return s.render(column+" = %s", strings.ReplaceAll(strings.ToUpper(asked), "UK", "GB"))
	},
	"as a state": func(s *statement, column, asked string) string {
		return s.render(column+" IN (SELECT raw FROM diff.norms WHERE place = (SELECT diff.state_key(%s)))", text.Normalize(asked))
	},
	"as a country": func(s *statement, column, asked string) string {
		if len(asked) == 2 {
			return s.render(column+"_code = %s", strings.ReplaceAll(strings.ToUpper(asked), "UK", "GB"))
		}
		return s.render(column+" IN (SELECT raw FROM diff.norms WHERE norm = %s)", text.Normalize(asked))
	},
}

// oddWords are what nobody or somebody else has, and other ways to write what many have.
var oddWords = map[string][]string{
	"exactly":             {"none", "registered", "first_filing"},
	"ignoring case":       {"ZZ", "on", "ca", "Bayern"},
	"normalized":          {"Nowhere", "..."},
	"as a country's code": {"UK", "GB", "SG", "us", "ZZ"},
	"as a state":          {"new york", "ny", "delaware", "de", "ONTARIO", "Bavaria"},
	"as a country":        {"Utopia", "XX", "UK", "gb", "us", "UNITED STATES"},
}

func wordFilters[Q, R any](rows []index.WordFilter[R], record func(subject) *R, asked func(*Q) []index.Asked) []filter[Q] {
	filters := make([]filter[Q], 0, len(rows))
	for id := range rows {
		row := &rows[id]
		sql, known := wordSQL[row.As.Name]
		if !known {
			panic("no SQL compares words " + row.As.Name)
		}
		filters = append(filters, filter[Q]{
			name:  row.Param,
			knows: func(s subject) bool { return row.As.Key(*row.Of(record(s))) != "" },
			holds: func(a *asker, q *Q, s subject) {
				word := *row.Of(record(s))
				if row.As.Name != "exactly" {
					word = pick(a.generator, word, strings.ToUpper(word), strings.ToLower(word))
				}
				asked(q)[id] = index.Asked{Any: a.among(word, oddWords[row.As.Name]...)}
			},
			maybe: func(a *asker, q *Q, s subject) {
				asked(q)[id] = a.asked(append(slices.Clone(oddWords[row.As.Name]), *row.Of(record(s)))...)
			},
			sql: func(s *statement, q *Q) {
				s.asked(asked(q)[id], func(word string) string { return sql(s, row.SQL, word) })
			},
		})
	}
	return filters
}

// numberFilters leaves out the rows without parameters, which no query asks for.
func numberFilters[Q, R any](rows []index.NumberFilter[R], record func(subject) *R, asked func(*Q) []index.Range) []filter[Q] {
	var filters []filter[Q]
	for id := range rows {
		if row := &rows[id]; row.Min != "" || row.Max != "" {
			filters = append(filters, numberFilter(row.Min+" "+row.Max, row.SQL,
				func(s subject) int64 { return index.NumberIn(row.Of(record(s))) }, func(q *Q) *index.Range { return &asked(q)[id] }))
		}
	}
	return filters
}

func numberFilter[Q any](name, sql string, value func(subject) int64, asked func(*Q) *index.Range) filter[Q] {
	return filter[Q]{
		name:  name,
		knows: func(s subject) bool { return value(s) != index.Unknown },
		holds: func(a *asker, q *Q, s subject) { *asked(q) = a.across(value(s)) },
		maybe: func(a *asker, q *Q, s subject) { *asked(q) = a.around(value(s)) },
		sql:   func(s *statement, q *Q) { s.between(sql, *asked(q)) },
	}
}

func answerFilters[Q, R any](rows []index.AnswerFilter[R], record func(subject) *R, asked func(*Q) []index.Tri) []filter[Q] {
	filters := make([]filter[Q], 0, len(rows))
	for id := range rows {
		row := &rows[id]
		filters = append(filters, answerFilter(row.Param, row.SQL,
			func(s subject) index.Tri { return *row.Of(record(s)) }, func(q *Q) *index.Tri { return &asked(q)[id] }))
	}
	return filters
}

func answerFilter[Q any](name, sql string, value func(subject) index.Tri, asked func(*Q) *index.Tri) filter[Q] {
	return filter[Q]{
		name:  name,
		knows: func(s subject) bool { return value(s) != index.Any },
		holds: func(_ *asker, q *Q, s subject) { *asked(q) = value(s) },
		maybe: func(a *asker, q *Q, _ subject) { *asked(q) = pick(a.generator, index.Yes, index.No) },
		sql: func(s *statement, q *Q) {
			if *asked(q) != index.Any {
				s.and("("+sql+") = %s::boolean", *asked(q) == index.Yes)
			}
		},
	}
}

// matchFilters are the filters of FundMatch that stand in tables.
func matchFilters() (filters []filter[index.GPQuery]) {
	for id, row := range index.MatchNumberFilters {
		of := &index.FundNumberFilters[row.Fund]
		filters = append(filters, numberFilter(row.Min+" "+row.Max, of.SQL,
			func(s subject) int64 { return index.NumberIn(of.Of(s.fund)) }, func(q *index.GPQuery) *index.Range { return &q.Fund.Numbers[id] }))
	}
	for id, row := range index.MatchAnswerFilters {
		of := &index.FundAnswerFilters[row.Fund]
		filters = append(filters, answerFilter(row.Param, of.SQL,
			func(s subject) index.Tri { return *of.Of(s.fund) }, func(q *index.GPQuery) *index.Tri { return &q.Fund.Answers[id] }))
	}
	for id, row := range index.MatchWordFilters {
		filters = append(filters, filter[index.GPQuery]{
			name:  row.Param,
			knows: func(s subject) bool { return len(index.WordsOf(s.fund, id)) > 0 },
			holds: func(a *asker, q *index.GPQuery, s subject) {
				q.Fund.Words[id] = a.among(pick(a.generator, index.WordsOf(s.fund, id)...), "none", "3c1")
			},
			maybe: func(a *asker, q *index.GPQuery, _ subject) {
				q.Fund.Words[id] = a.some(append(index.WordsOf(a.fnd(), id), "none")...)
			},
			sql: func(s *statement, q *index.GPQuery) {
				s.asked(index.Asked{Any: q.Fund.Words[id]}, func(word string) string { return s.render("%s = ANY ("+row.SQL+")", word) })
			},
		})
	}
	for i := range filters {
		knows := filters[i].knows
		filters[i].ofFund, filters[i].knows = true, func(s subject) bool { return s.fund != nil && knows(s) }
	}
	return filters
}

func strategyFilter[Q any](column string, asked func(*Q) *index.Asked, value func(subject) string) filter[Q] {
	return filter[Q]{
		name:  "strategy",
		knows: func(s subject) bool { return value(s) != "" },
		holds: func(a *asker, q *Q, s subject) {
			*asked(q) = index.Asked{Any: a.among(value(s), "none", "buyout"), None: pick(a.generator, nil, []string{"none"})}
		},
		maybe: func(a *asker, q *Q, s subject) {
			*asked(q) = a.asked(value(s), "buyout", "growth", "secondaries", "none")
		},
		sql: func(s *statement, q *Q) {
			s.asked(*asked(q), func(word string) string { return s.render(column+" = %s", word) })
		},
	}
}

// deck deals filters so that each is dealt once before any is dealt again.
type deck[Q any] struct {
	rest   []filter[Q]
	passes int // how often all were dealt
}

func (d *deck[Q]) deal(g *generator, all []filter[Q], n int) (hand []filter[Q]) {
	for range n {
		if len(d.rest) == 0 {
			d.rest = slices.Clone(all)
			g.Shuffle(len(d.rest), func(i, j int) { d.rest[i], d.rest[j] = d.rest[j], d.rest[i] })
		}
		hand, d.rest = append(hand, d.rest[0]), d.rest[1:]
		if len(d.rest) == 0 {
			d.passes++
		}
	}
	return hand
}

// ask fills q with the next filters of a deck: for a certain question with values that all hold for one subject, which
// draw looks for; otherwise with any.
func ask[Q any](a *asker, d *deck[Q], all []filter[Q], n int, certain bool, draw func(hand []filter[Q]) subject, q *Q) {
	hand := d.deal(a.generator, all, n)
	if !certain {
		for _, f := range hand {
			f.maybe(a, q, draw(nil))
		}
		return
	}
	if slices.ContainsFunc(hand, func(f filter[Q]) bool { return f.name == closing }) {
		hand = slices.DeleteFunc(hand, func(f filter[Q]) bool { return f.ofOpen })
	}
	s := draw(hand)
	for _, f := range hand {
		f.holds(a, q, s)
	}
}

// drawn gives a subject of which all of a hand is known.
func drawn[Q any](hand []filter[Q], draw func() subject) subject {
	for range 1_000_000 {
		s := draw()
		if !slices.ContainsFunc(hand, func(f filter[Q]) bool { return !f.knows(s) }) {
			return s
		}
	}
	names := make([]string, len(hand))
	for i := range hand {
		names[i] = hand[i].name
	}
	panic(fmt.Sprintf("the generated catalog has no record with a value for each of %q", names))
}
