package bench_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
)

// questionsEach is how many different questions each operation is asked.
const questionsEach = 200

// question is one request, and the same in SQL where the comparison needs it.
type question struct {
	path   string
	params url.Values
	sql    condition
}

func (q *question) url() string { return q.path + "?" + q.params.Encode() }

func (q *question) set(name, value string) { q.params.Set(name, value) }

// operation is what is measured: a name for people, and its questions.
type operation struct {
	name      string
	unit      string // in metrics
	questions []question
}

// operations makes the questions: the same ones for the same records. Filters are taken from one record, so that
// somebody may well ask for them together and something is found; text is typed the way people type.
func operations(r records) []operation {
	return []operation{
		{"GP search", "gps", ask200(1, r, (*asker).gpSearch)},
		{"fund search", "funds", ask200(2, r, (*asker).fundSearch)},
		{"autocomplete", "autocomplete", ask200(3, r, (*asker).autocomplete)},
		{"unified search", "unified", ask200(4, r, (*asker).unified)},
	}
}

// ask200 makes an operation's questions of records.
func ask200(seed uint64, r records, one func(g *asker) question) []question {
	g := &asker{Rand: rand.New(rand.NewPCG(seed, 16)), records: r}
	list := make([]question, questionsEach)
	for i := range list {
		list[i] = one(g)
	}
	return list
}

// digest differs between two runs that asked different questions. Questions are made from the catalog's records.
func digest(list []operation) string {
	h := sha256.New()
	for _, op := range list {
		for i := range op.questions {
			_, _ = fmt.Fprintln(h, op.questions[i].url())
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

type asker struct {
	*rand.Rand
	records
}

func oneOf[T any](g *asker, list ...T) T { return list[g.IntN(len(list))] }

// typed is a name as somebody types it: a part of it from the beginning of a word, one in five with a typing error.
func (g *asker) typed(name string, most int) string {
	words := strings.Fields(name)
	from := g.IntN(min(2, len(words)))
	letters := []rune(strings.ToLower(strings.Join(words[from:], " ")))
	letters = letters[:min(len(letters), 3+g.IntN(most-2))]
	if g.IntN(5) == 0 && len(letters) >= 5 {
		letters[1+g.IntN(len(letters)-1)] = rune('a' + g.IntN(26))
	}
	return strings.TrimSpace(string(letters))
}

// roundDown is a number as somebody would say it: 1, 2 or 5 with noughts, not above n.
func roundDown(n int64) int64 {
	best := int64(1)
	for step := int64(1); step <= n; step *= 10 {
		for _, m := range []int64{1, 2, 5} {
			if m*step <= n {
				best = m * step
			}
		}
	}
	return best
}

// refine adds 1 to 4 of the filters that can be had, in random order.
func (g *asker) refine(filters []func() bool, most int) {
	want := 1 + g.IntN(most)
	for _, i := range g.Perm(len(filters)) {
		if want == 0 {
			return
		}
		if filters[i]() {
			want--
		}
	}
}

// order asks for a sort and, at times, for a later page.
func (g *asker) order(q *question, sorts ...string) {
	if sort := oneOf(g, sorts...); sort != "" {
		q.set("sort", sort)
		q.set("order", oneOf(g, "asc", "desc"))
	}
	if g.IntN(4) == 0 {
		q.set("page", strconv.Itoa(2+g.IntN(4)))
	}
}

// gpSearch is 1 to 4 filters, sorted; every fourth is text, with a filter or without.
func (g *asker) gpSearch() question {
	r := oneOf(g, g.gps...)
	q := question{path: "/v1/gps", params: url.Values{}}
	if g.IntN(4) == 0 {
		text := g.typed(r.LegalName, 20)
		q.set("q", text)
		q.sql.text(text, searchedGPs, q.sql.adviser)
		g.order(&q, "", "", "aum")
		if g.IntN(2) == 0 {
			g.refine(g.gpFilters(&q, &r), 1)
		}
		return q
	}
	g.order(&q, "name", "aum", "aum", "fund_count", "employees")
	g.refine(g.gpFilters(&q, &r), 4)
	return q
}

func (g *asker) gpFilters(q *question, r *gp) []func() bool {
	equal := func(param, value, sql string) func() bool {
		return func() bool {
			if value == "" {
				return false
			}
			q.set(param, value)
			q.sql.adviser(sql, value)
			return true
		}
	}
	atLeast := func(param string, value int64, add func(sql string, arg any), sql string) func() bool {
		return func() bool {
			if value <= 0 {
				return false
			}
			n := roundDown(value)
			q.set(param, strconv.FormatInt(n, 10))
			add(sql, n)
			return true
		}
	}
	return []func() bool{
		equal("state", r.State, "a.state = %s"),
		equal("city", strings.ToLower(r.City), "lower(a.city) = %s"),
		equal("jurisdiction", r.CountryCode, "a.country_code = %s"),
		equal("strategy", r.Strategy, "a.primary_strategy = %s"),
		equal("registration_status", r.Registration, "a.registration_status = %s"),
		equal("manager_type", r.ManagerType, "a.manager_type = %s"),
		atLeast("min_aum", r.AUM, q.sql.adviser, "a.total_aum >= %s"),
		atLeast("min_employees", r.Employees, q.sql.adviser, "a.employee_count >= %s"),
		atLeast("min_fund_count", r.FundCount, q.sql.adviser, "a.fund_count >= %s"),
		atLeast("fund_size_min", r.GAV, q.sql.fund, "f.gross_asset_value >= %s"),
		func() bool {
			q.set("vintage_min", strconv.FormatInt(r.Vintage, 10))
			q.sql.fund("f.vintage_year >= %s", r.Vintage)
			return true
		},
		func() bool {
			if r.Is3C7 {
				q.set("fund_type", "3c7")
				q.sql.fund("f.is_3c7 = %s", true)
			}
			return r.Is3C7
		},
		func() bool {
			word, _, _ := strings.Cut(r.Auditor, " ")
			if word != "" {
				q.set("auditor_name", word)
				q.sql.fund("array_to_string(f.auditors, ' ') ~* %s", `\m`+word)
			}
			return word != ""
		},
	}
}

// fundSearch is 1 to 4 filters, sorted; every fourth is text, with a filter or without.
func (g *asker) fundSearch() question {
	r := oneOf(g, g.funds...)
	q := question{path: "/v1/funds", params: url.Values{}}
	if g.IntN(4) == 0 {
		text := g.typed(oneOf(g, r.Name, r.Name, r.Adviser), 24)
		q.set("q", text)
		q.sql.text(text, searchedFunds, q.sql.fund)
		g.order(&q, "", "", "gav")
		if g.IntN(2) == 0 {
			g.refine(g.fundFilters(&q, &r), 1)
		}
		return q
	}
	g.order(&q, "name", "gav", "gav", "vintage_year")
	g.refine(g.fundFilters(&q, &r), 4)
	return q
}

func (g *asker) fundFilters(q *question, r *fund) []func() bool {
	set := func(param, value, sql string, arg any) func() bool {
		return func() bool {
			if value != "" {
				q.set(param, value)
				q.sql.fund(sql, arg)
			}
			return value != ""
		}
	}
	gav, place, crd := roundDown(max(r.GAV, 1)), oneOf(g, r.CountryCode, r.State), oneOf(g, "", "", r.AdviserCRD)
	return []func() bool{
		set("strategy", r.Strategy, "f.strategy = %s", r.Strategy),
		set("min_gav", strconv.FormatInt(gav, 10), "f.gross_asset_value >= %s", gav),
		set("min_vintage", strconv.FormatInt(r.Vintage, 10), "f.vintage_year >= %s", r.Vintage),
		set("jurisdiction", place, "%[1]s IN (f.country_code, f.state)", place),
		set("is_3c7", strconv.FormatBool(r.Is3C7), "f.is_3c7 = %s", r.Is3C7),
		set("has_auditor", strconv.FormatBool(r.HasAuditor), "(f.auditors IS NOT NULL) = %s", r.HasAuditor),
		set("gp_crd", crd, "f.adviser_crd = %s", crd),
	}
}

// autocomplete is the beginning of a name, three to twelve letters of it.
func (g *asker) autocomplete() question {
	text := g.typed(oneOf(g, oneOf(g, g.gps...).LegalName, oneOf(g, g.funds...).Name), 12)
	return question{path: "/v1/search/autocomplete", params: url.Values{"q": {text}}}
}

func (g *asker) unified() question {
	text := g.typed(oneOf(g, oneOf(g, g.gps...).LegalName, oneOf(g, g.funds...).Name), 20)
	return question{path: "/v1/search", params: url.Values{"q": {text}}}
}
