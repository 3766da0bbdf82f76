package lp_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
)

// joined is what the funds of a list are in the filings: who manages them, and which fund and strategy that is. It was written by
// hand, from the names and types below.
var joined = map[string]struct{ crd, fundID, strategy string }{
	"Quill Ventures I":        {"900101", "805-9001010000", "venture"},
	"Quill Ventures II":       {"900101", "805-9001010001", "venture"},
	"Quill Property III":      {"900101", "805-9001010002", "real-estate"},
	"Quill Ventures IX":       {"900101", "", ""}, // a series: no one fund
	"Fernley Master Fund":     {"900102", "805-9001020000", "hedge"},
	"Fernley Receivables":     {"900102", "805-9001020001", "securitized"},
	"Nothing Anywhere Fund I": {},
}

func joinable() []gp {
	return []gp{
		{
			crd: "900101", name: "Quill Capital LLC", funds: []string{"Quill Ventures I LP", "Quill Ventures II LP", "Quill Property III LP"},
			kinds: []string{"Venture Capital Fund", "Venture Capital Fund", "Real Estate Fund"},
		},
		{
			crd: "900102", name: "Fernley Advisers LLC", funds: []string{"Fernley Master Fund LP", "Fernley Receivables LP"},
			kinds: []string{"Hedge Fund", "Securitized Asset Fund"},
		},
		{crd: "900103", name: "Lone Alder LLC", funds: []string{"Lone Alder Fund LP"}},
	}
}

// listed is a row of an answer about commitments.
type listed struct {
	ID int
	LP struct {
		ID    int
		Name  string
		State *string
	}
	FundName        string  `json:"fund_name"`
	FundID          *string `json:"fund_id"`
	GPCRD           *string `json:"gp_crd"`
	VintageYear     *int16  `json:"vintage_year"`
	FundVintageYear *int    `json:"fund_vintage_year"`
	Strategy        *string
	StrategyBasis   *string `json:"strategy_basis"`
	Committed       *int64
	NetIRRPercent   *float64 `json:"net_irr_percent"`
	AsOf            string   `json:"as_of"`
}

type sum struct {
	Sum   *int64
	Known int
}

type commitmentPage struct {
	Data []listed
	Meta struct {
		Total     int
		Unmatched *int
		Committed sum
	}
}

type holderPage struct {
	Data []struct {
		LP          struct{ ID int }
		Committed   sum
		Commitments []struct{ ID int }
	}
	Meta struct {
		Total, Commitments int
		Committed          sum
	}
}

// raw is a row of the lists at its latest date.
type raw struct {
	id, lp             int
	kind, state, fund  string
	vintage            *int16
	committed          *int64
	irr                *float64
	crd, fundID, leads string
}

// drawn loads lists of two dates, and returns their rows at the latest date.
func (b *bench) drawn(t *testing.T, draw *rand.Rand) (rows []*raw, lps map[int]string) {
	t.Helper()
	b.file(t, joinable()...)
	lps = map[int]string{}
	kinds, states, funds := peopleapi.EntityTypes(), []string{"MA", "NY", "TX", ""}, []string{}
	for name := range joined {
		funds = append(funds, name)
	}
	slices.Sort(funds)
	for i := range 24 {
		name := fmt.Sprintf("Investor %02d", i)
		lps[i+1] = name
		kind, state := kinds[draw.IntN(len(kinds))], states[draw.IntN(len(states))]
		var list, later []*peopleapi.Commitment
		for _, fund := range funds {
			if draw.IntN(2) == 0 && fund != funds[i%len(funds)] {
				continue
			}
			r := &raw{lp: i + 1, kind: kind, state: state, fund: fund, crd: joined[fund].crd, fundID: joined[fund].fundID, leads: joined[fund].strategy}
			for n := range 1 + draw.IntN(2) {
				c := commitment(name, state, fund, []string{"2025-06-30", "2026-06-30"}[n], int64(draw.IntN(9)))
				c.EntityType, c.Vintage, c.IRR = kind, new(int16(2018+draw.IntN(5))), new(float64(draw.IntN(40))/4)
				switch draw.IntN(6) {
				case 0:
					c.Committed = nil
				case 1:
					c.Vintage, c.IRR = nil, nil
				}
				r.vintage, r.committed, r.irr = c.Vintage, c.Committed, c.IRR
				if n == 0 {
					list = append(list, c)
				} else {
					later = append(later, c)
				}
			}
			rows = append(rows, r)
			r.id = len(rows) // IDs follow the names of LPs and funds, as sorted here
		}
		b.load(t, list...)
		if len(later) > 0 {
			b.load(t, later...)
		}
	}
	b.match(t)
	return rows, lps
}

// known compares values of which unknown ones come last in both directions.
func known[T cmp.Ordered](a, b *T, desc bool) int {
	switch {
	case a == nil || b == nil:
		return cmp.Compare(map[bool]int{true: 1}[a == nil], map[bool]int{true: 1}[b == nil])
	case desc:
		return cmp.Compare(*b, *a)
	default:
		return cmp.Compare(*a, *b)
	}
}

func total(rows []*raw) (s sum) {
	for _, r := range rows {
		if r.committed != nil {
			s.Known++
			if s.Sum == nil {
				s.Sum = new(int64)
			}
			*s.Sum += *r.committed
		}
	}
	return s
}

// V34: each filter, order and page of the four lists gives what plain loops over the raw rows give, joined to funds by hand.
// Unknown values match no filter and come last.
func TestCommitmentsAgainstAnOracle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draw := rand.New(rand.NewPCG(26, 3))
	all, lps := b.drawn(t, draw)
	asked := map[string]int{}
	for range 300 {
		query, fits := url.Values{}, []func(*raw) bool{}
		with := func(one int, name, value string, keep func(*raw) bool) {
			if draw.IntN(one) == 0 {
				query.Set(name, value)
				fits = append(fits, keep)
				asked[name]++
			}
		}
		least, most, amount := int16(2018+draw.IntN(5)), int16(2020+draw.IntN(3)), int64(draw.IntN(9))*1_000_000
		if least > most {
			least = most
		}
		with(4, "vintage_min", strconv.Itoa(int(least)), func(r *raw) bool { return r.vintage != nil && *r.vintage >= least })
		with(4, "vintage_max", strconv.Itoa(int(most)), func(r *raw) bool { return r.vintage != nil && *r.vintage <= most })
		with(4, "min_committed", strconv.FormatInt(amount, 10), func(r *raw) bool { return r.committed != nil && *r.committed >= amount })
		var wanted []string
		strategy := []string{"venture", "real-estate,hedge", "VC", "credit", "securitized, venture"}[draw.IntN(5)]
		if draw.IntN(3) == 0 {
			query.Set("strategy", strategy)
			asked["strategy"]++
			wanted = strings.Split(strings.ReplaceAll(strings.ReplaceAll(strategy, "VC", "venture"), " ", ""), ",")
		}
		path, lp := "/v1/commitments", 0
		of := draw.IntN(3)
		crd, fundID := "900101", "805-9001010001"
		ofCRD, ofFund := func(r *raw) bool { return r.crd == crd }, func(r *raw) bool { return r.fundID == fundID }
		switch of {
		case 0:
			with(5, "gp_crd", crd, ofCRD)
			with(5, "fund_id", fundID, ofFund)
			with(4, "lp_state", "ma, NY", func(r *raw) bool { return r.state == "MA" || r.state == "NY" })
			with(4, "entity_type", "pension,insurance,other", func(r *raw) bool { return slices.Contains([]string{"pension", "insurance", "other"}, r.kind) })
		case 1:
			lp = 1 + draw.IntN(len(lps))
			path = fmt.Sprintf("/v1/lps/%d/investments", lp)
			fits = append(fits, func(r *raw) bool { return r.lp == lp })
			with(5, "gp_crd", crd, ofCRD)
			with(5, "fund_id", fundID, ofFund)
		default:
			path = "/v1/lps"
			with(5, "invested_with_crd", crd, ofCRD)
			with(5, "invested_in_fund_id", fundID, ofFund)
		}
		var left, unknown []*raw
		for _, r := range all {
			switch {
			case slices.ContainsFunc(fits, func(keep func(*raw) bool) bool { return !keep(r) }):
			case wanted == nil || slices.Contains(wanted, r.leads):
				left = append(left, r)
			case r.leads == "":
				unknown = append(unknown, r)
			}
		}
		if of == 2 { // LPs with a commitment that matches all filters
			state := draw.IntN(3) == 0
			if state {
				query.Set("state", "tx")
			}
			commitments := query.Has("strategy") || len(fits) > 0
			want := []int{}
			for id := range len(lps) {
				has := func(r *raw) bool { return r.lp == id+1 && (!state || r.state == "TX") }
				if among := left; slices.ContainsFunc(among, has) || !commitments && slices.ContainsFunc(all, has) {
					want = append(want, id+1)
				}
			}
			var answer struct {
				Data []struct{ ID int }
				Meta struct{ Total int }
			}
			b.get(t, path+"?per_page=100&"+query.Encode(), &answer)
			got := []int{}
			for _, v := range answer.Data {
				got = append(got, v.ID)
			}
			require.Equal(t, want, got, query.Encode())
			require.Equal(t, len(want), answer.Meta.Total)
			continue
		}
		by, desc := "committed", true
		if of == 1 {
			by, desc = "name", false
		}
		if draw.IntN(2) == 0 {
			by = []string{"committed", "irr", "vintage"}[draw.IntN(3)]
			query.Set("sort", by)
		}
		if draw.IntN(2) == 0 {
			desc = draw.IntN(2) == 0
			query.Set("order", map[bool]string{true: "desc", false: "asc"}[desc])
		}
		slices.SortStableFunc(left, func(x, y *raw) int {
			names := cmp.Or(strings.Compare(strings.ToLower(x.fund), strings.ToLower(y.fund)), x.lp-y.lp)
			switch by {
			case "committed":
				return cmp.Or(known(x.committed, y.committed, desc), names)
			case "irr":
				return cmp.Or(known(x.irr, y.irr, desc), names)
			case "vintage":
				return cmp.Or(known(x.vintage, y.vintage, desc), names)
			case "name":
				if desc {
					return -names
				}
			}
			return names
		})
		size := 1 + draw.IntN(20)
		page := 1 + draw.IntN(3)
		query.Set("per_page", strconv.Itoa(size))
		query.Set("page", strconv.Itoa(page))
		var answer commitmentPage
		b.get(t, path+"?"+query.Encode(), &answer)
		require.Equal(t, len(left), answer.Meta.Total, path+query.Encode())
		require.Equal(t, total(left), answer.Meta.Committed)
		if len(left) == 0 {
			require.Nil(t, answer.Meta.Unmatched, "free")
		} else {
			require.Equal(t, len(unknown), *answer.Meta.Unmatched, query.Encode())
		}
		shown := left[min(len(left), (page-1)*size):min(len(left), page*size)]
		require.Len(t, answer.Data, len(shown))
		for i, got := range answer.Data {
			want := shown[i]
			require.Equal(t, []any{want.fund, want.vintage, want.committed, want.irr}, []any{got.FundName, got.VintageYear, got.Committed, got.NetIRRPercent}, path+query.Encode())
			require.Equal(t, [3]string{want.crd, want.fundID, want.leads}, [3]string{or(got.GPCRD), or(got.FundID), or(got.Strategy)})
			require.Equal(t, want.leads != "", got.StrategyBasis != nil && got.FundVintageYear != nil, "ours beside the list's")
			if of == 0 {
				require.Equal(t, []any{want.lp, lps[want.lp], want.state}, []any{got.LP.ID, got.LP.Name, or(got.LP.State)})
			}
		}
	}
	for _, name := range []string{"strategy", "vintage_min", "vintage_max", "min_committed", "gp_crd", "fund_id", "lp_state", "entity_type", "invested_with_crd", "invested_in_fund_id"} {
		require.Greater(t, asked[name], 3, name)
	}
	for path, of := range map[string]func(*raw) bool{
		"/v1/gps/900101/lps":           func(r *raw) bool { return r.crd == "900101" },
		"/v1/funds/805-9001020000/lps": func(r *raw) bool { return r.fundID == "805-9001020000" },
	} {
		its := slices.DeleteFunc(slices.Clone(all), func(r *raw) bool { return !of(r) })
		var got []int
		seen, rest := map[int]bool{}, 1
		for offset := 0; offset < rest; offset += 5 {
			var answer holderPage
			b.get(t, fmt.Sprintf("%s?limit=5&offset=%d", path, offset), &answer)
			require.Equal(t, len(its), answer.Meta.Commitments)
			require.Equal(t, total(its), answer.Meta.Committed)
			rest = answer.Meta.Total
			for _, h := range answer.Data {
				mine := slices.DeleteFunc(slices.Clone(its), func(r *raw) bool { return r.lp != h.LP.ID })
				require.Len(t, h.Commitments, len(mine))
				require.Equal(t, total(mine), h.Committed)
				got = append(got, h.LP.ID)
				seen[h.LP.ID] = true
			}
		}
		require.Len(t, seen, rest, "each LP once")
		require.True(t, slices.IsSortedFunc(got, func(x, y int) int {
			sumOf := func(lp int) *int64 {
				return total(slices.DeleteFunc(slices.Clone(its), func(r *raw) bool { return r.lp != lp })).Sum
			}
			return cmp.Or(known(sumOf(x), sumOf(y), true), x-y)
		}))
	}
}

func or(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// V35: a commitment's strategy is that of its fund now: a filing that changes it counts at once, before anything is matched again. An
// operator's match without a manager removes it.
func TestStrategyOfAFundChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.file(t, joinable()...)
	b.load(t, commitment("Larkspur Teachers", "MA", "Quill Ventures I", "2025-06-30", 10))
	b.match(t)
	count := func(query string) int {
		var answer commitmentPage
		b.get(t, "/v1/commitments?"+query, &answer)
		return answer.Meta.Total
	}
	require.Equal(t, []int{1, 0}, []int{count("strategy=venture"), count("strategy=hedge")})
	changed := joinable()[:1]
	changed[0].kinds[0] = "Hedge Fund"
	b.file(t, changed...)
	require.Equal(t, []int{0, 1}, []int{count("strategy=venture"), count("strategy=hedge")})
	_, _, err := b.apply(t.Context(), "1", "gp_crd", `null`)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, []int{count("strategy=hedge"), count("")})
	var answer holderPage
	b.get(t, "/v1/gps/900101/lps", &answer)
	require.Empty(t, answer.Data)
}

// V36: an empty answer is free and does not count what was left out; a page beyond the last one is not free. Pages have no gap. Bad
// input names the field and costs nothing.
func TestCommitmentPricesAndPages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	draw := rand.New(rand.NewPCG(36, 1))
	all, _ := b.drawn(t, draw)
	seen := map[int]bool{}
	for page := 1; page <= len(all)/7+1; page++ {
		var answer commitmentPage
		b.get(t, fmt.Sprintf("/v1/commitments?sort=irr&per_page=7&page=%d", page), &answer)
		for _, row := range answer.Data {
			require.False(t, seen[row.ID])
			seen[row.ID] = true
		}
	}
	require.Len(t, seen, len(all))
	const paid, free = "0.10", "0.00"
	var list []httpapitest.Scenario
	for path, price := range map[string]string{
		"/v1/commitments": paid, "/v1/commitments?page=900": paid, "/v1/commitments?vintage_min=2100": free, "/v1/commitments?strategy=fund-of-funds": free,
		"/v1/gps/900101/lps": paid, "/v1/gps/900101/lps?page=90": paid, "/v1/gps/900103/lps": free, "/v1/funds/805-9001020000/lps": paid,
		"/v1/funds/805-9001030000/lps": free, "/v1/lps?strategy=venture": paid, "/v1/lps?strategy=fund-of-funds": free, "/v1/lps?state=gu,WY": free, "/v1/lps/1/investments?gp_crd=900103": free,
	} {
		list = append(list, httpapitest.Scenario{Path: path, As: ada, WantHeader: map[string]string{"X-Charge": price}})
	}
	for path, field := range map[string]string{
		"/v1/commitments?vintage_min=20": "vintage_min", "/v1/commitments?vintage_max=3000": "vintage_max", "/v1/commitments?vintage_min=2020&vintage_max=2019": "vintage_min",
		"/v1/commitments?strategy=groth": "growth", "/v1/commitments?strategy=venture,": "strategy", "/v1/commitments?gp_crd=012": "gp_crd",
		"/v1/commitments?fund_id=805-1": "fund_id", "/v1/commitments?entity_type=bank": "entity_type", "/v1/commitments?entity_type=pension,": "entity_type",
		"/v1/commitments?lp_state=,": "lp_state", "/v1/commitments?lp_state=" + strings.Repeat("A,", 50) + "B": "lp_state", "/v1/commitments?min_committed=-1": "min_committed",
		"/v1/commitments?sort=name": "sort", "/v1/commitments?limit=101": "limit", "/v1/commitments?lp_city=x": "lp_city", "/v1/commitments?sort=irr&sort=irr": "sort",
		"/v1/lps?state=": "state", "/v1/lps?state=nowhere": "state", "/v1/commitments?lp_state=MA,XQ": "lp_state", "/v1/lps?invested_in_fund_id=x": "invested_in_fund_id", "/v1/lps?vintage_min=2020&vintage_max=2019": "vintage_min",
		"/v1/lps/1/investments?strategy=x": "strategy", "/v1/gps/0/lps": "crd", "/v1/funds/1/lps": "fund_id",
	} {
		list = append(list, httpapitest.Scenario{Path: path, As: ada, Status: 400, Contains: []string{field}, WantHeader: map[string]string{"X-Charge": free}})
	}
	list = append(list,
		httpapitest.Scenario{Path: "/v1/gps/900199/lps", As: ada, Status: 404, WantJSON: `{"detail":"GP with CRD 900199 not found"}`, WantHeader: map[string]string{"X-Charge": free}},
		httpapitest.Scenario{Path: "/v1/funds/805-9009990000/lps", As: ada, Status: 404, WantJSON: `{"detail":"Fund 805-9009990000 not found"}`, WantHeader: map[string]string{"X-Charge": free}},
		httpapitest.Scenario{Path: "/v1/commitments", Status: 401})
	b.host.Run(t, list)
	_, err := database.Run(t.Context(), b.db, "move an LP", "UPDATE people.lps SET state = 'Ontario' WHERE id = 1", database.Args{})
	require.NoError(t, err)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/lps?state=ontario", As: ada, Contains: []string{`"state":"Ontario"`}})
	// The answer shows the filters as they were applied: aliases are expanded.
	got := b.host.Do(t, httpapitest.Scenario{Path: "/v1/commitments?strategy=VC,hedge&lp_state=ma&vintage_min=2018&entity_type=pension", As: ada})
	var answer struct{ Meta map[string]any }
	require.NoError(t, json.Unmarshal([]byte(got.Body), &answer))
	require.Equal(t, map[string]any{"strategy": "venture,hedge", "lp_state": "ma", "vintage_min": 2018.0, "entity_type": "pension"}, answer.Meta["filters_applied"])
}
