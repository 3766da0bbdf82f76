package lp_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/testkit/httpapitest"
)

func (b *bench) get(t *testing.T, path string, into any) {
	t.Helper()
	got := b.host.Do(t, httpapitest.Scenario{Path: path, As: ada})
	require.NoError(t, json.Unmarshal([]byte(got.Body), into))
}

// shown is an investment in an answer.
type shown struct {
	ID        int64
	FundName  string `json:"fund_name"`
	Committed *int64
	AsOf      string  `json:"as_of"`
	GPCRD     *string `json:"gp_crd"`
	FundID    *string `json:"fund_id"`
	Match     *struct {
		Method     string
		Confidence float64
	}
}

func (b *bench) investments(t *testing.T, id int) (list []shown) {
	t.Helper()
	var answer struct{ Data []shown }
	b.get(t, fmt.Sprintf("/v1/lps/%d/investments?per_page=100", id), &answer)
	return answer.Data
}

// Guarantee: loading a list again changes nothing, a newer day is added and shown, an older one is added and not shown, a day
// that is stated again replaces the earlier figures. IDs stay.
func TestLoadAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := []*peopleapi.Commitment{
		commitment("Mossgate Pension", "OR", "Quill II", "2025-06-30", 20), commitment("Larkspur Teachers", "MA", "Quill I", "2025-06-30", 10),
		commitment("Larkspur Teachers", "TX", "Quill I", "2025-06-30", 5),
	}
	require.Equal(t, peopleapi.ListResult{New: 3}, b.load(t, list...))
	before := b.dump(t)
	slices.Reverse(list)
	require.Equal(t, peopleapi.ListResult{Unchanged: 3}, b.load(t, list...))
	require.Equal(t, before, b.dump(t))

	require.Equal(t, peopleapi.ListResult{New: 1, Changed: 1, Unchanged: 1, Replaced: []int64{1}}, b.load(t,
		commitment("Larkspur Teachers", "MA", "Quill I", "2025-06-30", 11), commitment("Larkspur Teachers", "MA", "QUILL I", "2025-12-31", 12),
		commitment("Mossgate Pension", "OR", "Quill II", "2025-06-30", 20)))
	require.Equal(t, peopleapi.ListResult{New: 2}, b.load(t,
		commitment("Larkspur Teachers", "MA", "Quill I", "2024-12-31", 9), commitment("Larkspur Teachers", "MA", "Quill III", "2024-12-31", 7)))
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/lps/1", As: ada, WantJSON: `{"data":{"id":1,"name":"Larkspur Teachers","entity_type":"pension","city":null,
		"state":"MA","country":"United States","investment_count":2,"total_committed":19000000,"committed_known":2,"as_of":"2025-12-31"}}`})
	list1 := b.investments(t, 1)
	require.Len(t, list1, 2)
	require.Equal(t, shown{ID: 1, FundName: "QUILL I", Committed: new(int64(12_000_000)), AsOf: "2025-12-31"}, list1[0])
	require.Equal(t, shown{ID: 4, FundName: "Quill III", Committed: new(int64(7_000_000)), AsOf: "2024-12-31"}, list1[1])
}

// Guarantee: a list that breaks off, or is refused, leaves nothing.
func TestLoadIsOneTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	row := commitment("Larkspur Teachers", "MA", "Quill I", "2025-06-30", 10)
	_, err := b.service.Load(t.Context(), peopleapi.List{RunID: 1, Rows: torn(row)})
	require.ErrorIs(t, err, errTorn)
	_, err = b.service.Load(t.Context(), peopleapi.List{RunID: 1, Rows: func(yield func(*peopleapi.Commitment, error) bool) { yield(row, nil) }, Accept: refuse})
	require.ErrorIs(t, err, errTorn)
	require.Empty(t, b.dump(t))
}

// Guarantee: each filter, order and page gives what plain loops over the list give.
func TestSearchAgainstAnOracle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.file(t, gp{crd: "900101", name: "Quill Capital LLC", funds: []string{"Quill Growth I LP"}})
	draw := rand.New(rand.NewPCG(1, 2))
	type investor struct {
		name, kind string
		count      int
		quill      bool
		id         int
	}
	words, kinds := []string{"Larkspur", "Mossgate", "Teachers", "Pension", "Fund_%", "Ärzte"}, peopleapi.EntityTypes()
	var all []investor
	for i := range 60 {
		b.clock.Move(time.Minute)
		v := investor{name: fmt.Sprintf("%s %s %02d", words[draw.IntN(len(words))], words[draw.IntN(len(words))], i), kind: kinds[draw.IntN(len(kinds))], id: i + 1}
		var rows []*peopleapi.Commitment
		for n := range 1 + draw.IntN(4) {
			fund := fmt.Sprintf("Somebody's Fund %d", n)
			if draw.IntN(5) == 0 {
				fund = "Quill Growth I"
			}
			if !slices.ContainsFunc(rows, func(c *peopleapi.Commitment) bool { return c.Fund == fund }) {
				c := commitment(v.name, "", fund, "2025-06-30", 1)
				c.EntityType = v.kind
				rows = append(rows, c)
				v.quill = v.quill || fund == "Quill Growth I"
			}
		}
		v.count = len(rows)
		b.load(t, rows...)
		all = append(all, v)
	}
	b.match(t)
	for range 150 {
		query := url.Values{}
		var q, kind, order string
		least, quill, by, page, size := 0, false, "name", 1, 25
		if draw.IntN(2) == 0 {
			q = []string{"larkspur", "TEACHERS pen", "fund_%", "ärzte", "_", "0", " 1 ", "nobody"}[draw.IntN(8)]
			query.Set("q", q)
		}
		if draw.IntN(3) == 0 {
			kind = kinds[draw.IntN(len(kinds))]
			query.Set("entity_type", kind)
		}
		if draw.IntN(3) == 0 {
			least = draw.IntN(5)
			query.Set("min_investments", strconv.Itoa(least))
		}
		if draw.IntN(3) == 0 {
			quill = true
			query.Set("invested_with_crd", "900101")
		}
		if draw.IntN(2) == 0 {
			by = []string{"name", "investment_count", "created_at"}[draw.IntN(3)]
			query.Set("sort", by)
		}
		if draw.IntN(2) == 0 {
			order = []string{"asc", "desc"}[draw.IntN(2)]
			query.Set("order", order)
		}
		if draw.IntN(2) == 0 {
			page, size = 1+draw.IntN(4), 1+draw.IntN(20)
			query.Set("page", strconv.Itoa(page))
			query.Set("per_page", strconv.Itoa(size))
		}
		var want []investor
		for _, v := range all {
			fits := (kind == "" || v.kind == kind) && v.count >= least && (!quill || v.quill)
			for word := range strings.FieldsSeq(strings.ToLower(q)) {
				fits = fits && strings.Contains(strings.ToLower(v.name), word)
			}
			if fits {
				want = append(want, v)
			}
		}
		slices.SortFunc(want, func(x, y investor) int {
			c := map[string]int{
				"name": strings.Compare(strings.ToLower(x.name), strings.ToLower(y.name)), "investment_count": x.count - y.count, "created_at": x.id - y.id,
			}[by]
			if c == 0 {
				c = x.id - y.id
			}
			if order == "desc" {
				return -c
			}
			return c
		})
		var ids, got []int
		for i := (page - 1) * size; i < min(page*size, len(want)); i++ {
			ids = append(ids, want[i].id)
		}
		var answer struct {
			Data []struct{ ID int }
			Meta struct {
				Total, Page int
				PerPage     int `json:"per_page"`
			}
		}
		b.get(t, "/v1/lps?"+query.Encode(), &answer)
		for _, v := range answer.Data {
			got = append(got, v.ID)
		}
		require.Equal(t, ids, got, query.Encode())
		require.Equal(t, []int{len(want), page, size}, []int{answer.Meta.Total, answer.Meta.Page, answer.Meta.PerPage}, query.Encode())
	}
}

// Guarantee: a request costs 10 cents; an empty answer, an unknown LP and a bad parameter are free; and unpaid requests are
// refused.
func TestPrices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.load(t, commitment("Larkspur Teachers", "MA", "Quill I", "2025-06-30", 10))
	const paid, free = "0.10", "0.00"
	b.host.Run(t, []httpapitest.Scenario{
		{Path: "/v1/lps", As: ada, WantHeader: map[string]string{"X-Charge": paid}},
		{Path: "/v1/lps?q=nobody", As: ada, WantHeader: map[string]string{"X-Charge": free}},
		{Path: "/v1/lps?page=2", As: ada, WantHeader: map[string]string{"X-Charge": paid}},
		{Path: "/v1/lps/1", As: ada, WantHeader: map[string]string{"X-Charge": paid}},
		{Path: "/v1/lps/2", As: ada, Status: 404, WantJSON: `{"detail":"LP 2 not found"}`, WantHeader: map[string]string{"X-Charge": free}},
		{Path: "/v1/lps/1/investments", As: ada, WantHeader: map[string]string{"X-Charge": paid}},
		{Path: "/v1/lps/1/investments?page=2", As: ada, WantHeader: map[string]string{"X-Charge": paid}},
		{Path: "/v1/lps/2/investments", As: ada, Status: 404},
		{Path: "/v1/lps", Status: 401},
		{Path: "/v1/lps/x", As: ada, Status: 400, Contains: []string{"lp_id"}},
		{Path: "/v1/lps/0", As: ada, Status: 400, Contains: []string{"lp_id"}},
		{Path: "/v1/lps?entity_type=bank", As: ada, Status: 400, Contains: []string{"entity_type", "sovereign_wealth"}},
		{Path: "/v1/lps?sort=size", As: ada, Status: 400, Contains: []string{"sort", "investment_count"}},
		{Path: "/v1/lps?order=up", As: ada, Status: 400, Contains: []string{"order"}},
		{Path: "/v1/lps?per_page=101", As: ada, Status: 400, Contains: []string{"per_page"}},
		{Path: "/v1/lps?page=0", As: ada, Status: 400, Contains: []string{"page"}},
		{Path: "/v1/lps?min_investments=-1", As: ada, Status: 400, Contains: []string{"min_investments"}},
		{Path: "/v1/lps?invested_with_crd=0x1", As: ada, Status: 400, Contains: []string{"invested_with_crd"}},
	})
}

// Guarantee: markup and wildcards in names are text.
func TestMarkupIsText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	name := `<script>alert("1")</script> & Söhne % _`
	b.load(t, commitment(name, "", `'); DROP TABLE people.lps; --`, "2025-06-30", 1))
	var list struct {
		Data []struct {
			Name  string
			State *string
		}
	}
	for _, q := range []string{"<script>", "&", "%", "_", "SÖHNE"} {
		list.Data = nil
		b.get(t, "/v1/lps?q="+url.QueryEscape(q), &list)
		require.Len(t, list.Data, 1, q)
		require.Equal(t, name, list.Data[0].Name)
		require.Nil(t, list.Data[0].State)
	}
	var meta struct{ Meta map[string]any }
	b.get(t, "/v1/lps?q=%20SÖHNE&min_investments=1&limit=10&offset=0", &meta)
	require.Equal(t, map[string]any{
		"total": 1.0, "limit": 10.0, "offset": 0.0, "page": 1.0, "per_page": 10.0,
		"filters_applied": map[string]any{"q": "söhne", "min_investments": 1.0},
	}, meta.Meta, "as every search has it")
	b.get(t, "/v1/lps?q=__", &list)
	require.Empty(t, list.Data)
	require.Equal(t, `'); DROP TABLE people.lps; --`, b.investments(t, 1)[0].FundName)
}
