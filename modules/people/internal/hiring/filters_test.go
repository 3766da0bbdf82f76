package hiring_test

import (
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// plain is a posting as the test made it: what it is is known before any title is read.
type plain struct {
	id, role, department string
	posted               time.Time
}

// TestFilters compares the operation with a plain walk over random postings of two boards, for all filters.
func TestFilters(t *testing.T) {
	t.Parallel()
	titles := map[string]string{"Partner": "partner", "Managing Director": "md", "Vice President": "vp", "Senior Associate": "associate", "Summer Analyst": "analyst", "Engineer": ""}
	departments := map[string]string{"Private Equity": "investment", "Technology": "operations", "Investor Relations": "ir", "Compliance": "legal", "Tax": "finance", "Boston": ""}
	random := rand.New(rand.NewPCG(7, 8))
	pick := func(m map[string]string) (key, value string) {
		keys := make([]string, 0, len(m))
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		key = keys[random.IntN(len(keys))]
		return key, m[key]
	}
	w := setup(t)
	var all []plain
	for n, token := range []string{"one", "two"} {
		jobs := []map[string]any{}
		for i := range 90 {
			title, role := pick(titles)
			department, word := pick(departments)
			if role == "" && word == "" {
				word = "operations" // the engineer's
			}
			// Within 40 days, in random zones, often near midnight.
			posted := w.Clock.Now().Add(-time.Duration(random.IntN(40*24)) * time.Hour).Truncate(24 * time.Hour).Add(time.Duration(random.IntN(3)-1) * time.Second)
			zone := time.FixedZone("", (random.IntN(27)-12)*3600)
			id := strconv.Itoa(n*1000 + i)
			job := map[string]any{"id": json.Number(id), "title": title, "departments": []map[string]any{{"name": department}}}
			if random.IntN(4) > 0 {
				job["first_published"] = posted.In(zone).Format(time.RFC3339)
			} else {
				posted = w.Clock.Now()
			}
			jobs = append(jobs, job)
			all = append(all, plain{"greenhouse:" + token + ":" + id, role, word, posted})
		}
		text, err := json.Marshal(map[string]any{"jobs": jobs})
		require.NoError(t, err)
		b := w.configure(t, "900101", "greenhouse", token)
		w.answers(respondsWith(string(text)))
		_, err = w.service.FetchNow(t.Context(), b)
		require.NoError(t, err)
	}
	slices.SortFunc(all, func(a, b plain) int { return cmp.Or(b.posted.Compare(a.posted), cmp.Compare(a.id, b.id)) })
	asked := 0
	for _, role := range []string{"", "partner", "md", "vp", "associate", "analyst"} {
		for _, department := range []string{"", "investment", "operations", "ir", "legal", "finance"} {
			for _, after := range []string{"", "2026-10-20", "2026-11-15", "2026-11-22"} {
				limit := []int{0, 1, 7, 50, 100}[random.IntN(5)]
				asks := url.Values{}
				for name, value := range map[string]string{"role": role, "department": department, "posted_after": after} {
					if value != "" {
						asks.Set(name, value)
					}
				}
				if limit > 0 {
					asks.Set("limit", strconv.Itoa(limit))
				} else {
					limit = 50
				}
				query := "?" + asks.Encode()
				want, total := []string{}, 0
				for _, p := range all {
					if role != "" && p.role != role || department != "" && p.department != department || after != "" && p.posted.Format(time.DateOnly) < after {
						continue
					}
					if total++; total <= limit {
						want = append(want, p.id)
					}
				}
				a := w.get(t, query)
				got := []string{}
				for _, p := range a.Data {
					got = append(got, p.ID)
				}
				require.Equal(t, want, got, query)
				require.Equal(t, total, a.Meta.Total, query)
				require.Equal(t, len(want), a.Meta.Returned)
				require.Equal(t, 180, a.Meta.Velocity.Open, "whatever the filters")
				asked++
			}
		}
	}
	require.Equal(t, 144, asked)
}
