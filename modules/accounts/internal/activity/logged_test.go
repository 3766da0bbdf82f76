package activity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/activity"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/changes"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

const everyType = "types=new_filing,new_fund,aum_change,fund_close,personnel_change"

// walk reads on until nothing is left for now. Within a walk the newest known event comes first.
func (b *bench) walk(t *testing.T, as *auth.Principal, query string, limit int) (lines []string, next string) {
	t.Helper()
	var before activity.Event
	for {
		var a answer
		got := b.host.Do(t, httpapitest.Scenario{Path: fmt.Sprintf("/v1/me/activity?limit=%d&%s", limit, query), As: as})
		require.NoError(t, json.Unmarshal([]byte(got.Body), &a))
		for _, e := range a.Data {
			require.False(t, before.CRD != "" && e.KnownAt.After(before.KnownAt), "%v after %v", e, before)
			before = e
			require.Equal(t, names[e.CRD], e.GPName)
			changed := ""
			if e.Details.Changed != nil {
				raw, err := json.Marshal(e.Details.Changed)
				require.NoError(t, err)
				changed = string(raw)
			}
			lines = append(lines, string(e.Type)+" "+e.CRD+" "+e.Details.AccessionNumber+e.Details.FundID+" "+changed)
		}
		query = "cursor=" + a.Meta.NextCursor
		if !a.Meta.HasMore {
			return lines, a.Meta.NextCursor
		}
	}
}

// happen loads a random filing, or appends an event of a person to the log.
func (b *bench) happen(t *testing.T, random *rand.Rand, n int) {
	t.Helper()
	crd := []string{"900001", "900002", "900003"}[random.IntN(3)]
	if random.IntN(3) == 0 {
		require.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
			return changes.Append(ctx, b.DB, []changes.Event{{Kind: catalogapi.ChangePersonnel, CRD: crd, Subject: fmt.Sprintf("per_%016d", n), Said: json.RawMessage(
				`{"reason": "filing", "changed": [{"field": "current", "before": false, "after": true}]}`)}})
		}))
		return
	}
	f := filing(strconv.Itoa(8000+n), crd, fmt.Sprintf("2027-%02d-%02d 10:00", 1+n/28, 1+n%28))
	f.RAUM = new(int64(1+random.IntN(3)) * 1_000_000_000)
	f.RAUMDiscretionary, f.RAUMNonDiscretionary = f.RAUM, new(int64(0))
	var funds []*catalogapi.FundRow
	for i := range 4 {
		if random.IntN(2) == 0 {
			funds = append(funds, fund(f, crd[5:]+strconv.Itoa(1+i), "Fund "+crd[5:]+strconv.Itoa(1+i)))
		}
	}
	b.runs++
	_, err := b.loader.LoadDocument(t.Context(), catalogapi.Document{
		Name: "random-" + strconv.Itoa(n) + ".zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(f), Funds: itertest.Rows(funds...),
	}, catalogapi.LoadOptions{RunID: b.runs})
	require.NoError(t, err)
}

// Guarantee: whoever follows the cursor gets what the log of changes has of the watched GPs, each event once, whatever is loaded meanwhile, and however
// large the pages are.
func TestActivityAgreesWithTheLog(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	random := rand.New(rand.NewPCG(29, 10))
	head, err := changes.HeadOf(t.Context(), b.DB)
	require.NoError(t, err)
	readers := map[*auth.Principal][]string{b.ada: {"900001", "900002"}, b.grace: {"900002"}, b.mary: {}}
	got, cursors := map[*auth.Principal][]string{}, map[*auth.Principal]string{}
	for as := range readers {
		_, cursors[as] = b.walk(t, as, "since=2000-01-01&"+everyType, 100)
	}
	for n := range 30 {
		b.happen(t, random, n)
		for as := range readers {
			if n < 29 && random.IntN(3) > 0 {
				continue
			}
			var lines []string
			lines, cursors[as] = b.walk(t, as, "cursor="+cursors[as], 1+random.IntN(4))
			got[as] = append(got[as], lines...)
		}
	}
	kinds := map[string]int{}
	for as, crds := range readers {
		p, err := changes.After(t.Context(), b.DB, head.Newest, 1000, changes.Filter{CRDs: crds, Kinds: []string{
			catalogapi.ChangeNewFiling, catalogapi.ChangeNewFund, catalogapi.ChangeAUM, catalogapi.ChangeFundClose, catalogapi.ChangePersonnel,
		}})
		require.NoError(t, err)
		var want []string
		for _, e := range p.Events {
			kinds[e.Kind]++
			var said struct{ Changed []activity.Change }
			require.NoError(t, json.Unmarshal(e.Said, &said))
			changed := ""
			if e.Kind == catalogapi.ChangeAUM || e.Kind == catalogapi.ChangePersonnel {
				raw, err := json.Marshal(said.Changed)
				require.NoError(t, err)
				changed = string(raw)
			}
			if e.Kind == catalogapi.ChangePersonnel {
				e.Subject = "" // who it is is sold
			}
			want = append(want, e.Kind+" "+e.CRD+" "+e.Subject+" "+changed)
		}
		require.ElementsMatch(t, want, got[as])
		again, _ := b.walk(t, as, "known_since="+head.NewestAt.Format("2006-01-02T15:04:05.000000")+"&"+everyType, 7)
		require.Subset(t, again, want, "known_since")
	}
	require.Len(t, kinds, 5, "%v", kinds)
}

// The types of the log are served on request, and not what was removed of a person.
func TestLoggedTypes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	_, meta := b.get(t, b.ada, "")
	require.Equal(t, []activity.Type{activity.NewFiling, activity.NewFund}, meta.TypesIncluded)
	require.NoError(t, b.DB.InTx(t.Context(), func(ctx context.Context) error {
		return changes.Append(ctx, b.DB, []changes.Event{
			{Kind: catalogapi.ChangePersonnel, CRD: "900001", Subject: "per_aaaaaaaaaaaaaaaa", Said: json.RawMessage(`{"changed": [{"field": "role", "before": "vp", "after": "md"}]}`)},
			{Kind: catalogapi.ChangePersonnel, CRD: "900001", Subject: "per_bbbbbbbbbbbbbbbb", Said: json.RawMessage(`{"changed": [{"field": "current", "before": true, "after": false}]}`)},
		})
	}))
	lines, _ := b.walk(t, b.ada, "types=personnel_change", 1)
	require.Len(t, lines, 2)
	require.NoError(t, changes.Forget(t.Context(), b.DB, catalogapi.ChangePersonnel, "SELECT 'per_aaaaaaaaaaaaaaaa' AS subject, '' AS crd", database.Args{}))
	lines, _ = b.walk(t, b.ada, "types=personnel_change", 1)
	require.Equal(t, []string{`personnel_change 900001  [{"field":"current","before":true,"after":false}]`}, lines)
	b.host.Do(t, httpapitest.Scenario{Path: "/v1/me/activity?types=personnel_change", As: b.ada, Contains: []string{
		`"details":{"changed":[{"field":"current","before":true,"after":false}]}`,
	}})
}
