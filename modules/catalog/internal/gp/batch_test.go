package gp_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
)

// V53: each record of a batch has the same bytes as the response for its manager alone, at every moment.
func TestBatchIsTheSingleAnswers(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for query, more := range map[string]string{
		"":                    "",
		"?include=provenance": `,"include":"provenance"`,
		"?as_of=2026-11-01":   `,"as_of":"2026-11-01"`,
	} {
		var crds, want []string
		for _, n := range []int{3, 1, 8, 2, 7, 6, 5, 4} {
			crd := strconv.Itoa(900000 + n)
			crds = append(crds, `"`+crd+`"`)
			got := host.Do(t, httpapitest.Scenario{Path: "/v1/gps/" + crd + query}).Body
			want = append(want, strings.TrimSuffix(strings.TrimPrefix(got, `{"data":`), "}"))
		}
		body := `{"crds":["4",` + strings.Join(crds, ",") + `,"900003"]` + more + `}`
		got := host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/batch", Body: body}).Body
		require.Equal(t, `{"data":[`+strings.Join(want, ",")+`],"meta":{"unknown":["4"]}}`, got, query)
	}
}

// V54: ten batches of 200 at the same time return the same bytes.
func TestBatchesInParallel(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	crds := []string{`"900001"`, `"900002"`}
	for n := len(crds); n < 200; n++ {
		crds = append(crds, fmt.Sprintf(`"%d"`, 400000+n))
	}
	ask := func() string {
		return host.Do(t, httpapitest.Scenario{Method: "POST", Path: "/v1/gps/batch", Body: `{"crds":[` + strings.Join(crds, ",") + `]}`}).Body
	}
	want := ask()
	require.Contains(t, want, `"unknown":["400002","400003",`)
	got := make([]string, 10)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i] = ask() })
	}
	all.Wait()
	for i := range got {
		require.Equal(t, want, got[i])
	}
}

// Chosen members, managers that have no filing yet, and bad input.
func TestBatch(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	many := `"1"` + strings.Repeat(`,"1"`, 200)
	post := func(name, body string, status int, contains ...string) httpapitest.Scenario {
		return httpapitest.Scenario{Name: name, Method: "POST", Path: "/v1/gps/batch", Body: body, Status: status, Contains: contains}
	}
	host.Run(t, []httpapitest.Scenario{
		post("members", `{"crds":["900002"],"fields":["total_aum","crd"]}`, http.StatusOK, `{"data":[{"crd":"900002","total_aum":80000000}],"meta":{"unknown":[]}}`),
		post("not yet", `{"crds":["900002"],"as_of":"1999-01-01"}`, http.StatusOK, `{"data":[],"meta":{"unknown":["900002"]}}`),
		post("201", `{"crds":[`+many+`]}`, http.StatusBadRequest, "crds"),
		post("none", `{"crds":[]}`, http.StatusBadRequest, "crds"),
		post("malformed", `{"crds":["900001","012"]}`, http.StatusBadRequest, "crds[1]"),
		post("unknown member", `{"crds":["900001"],"fields":["aum"]}`, http.StatusBadRequest, "fields[0]"),
		post("unknown field", `{"crds":["900001"],"limit":5}`, http.StatusBadRequest, "limit"),
		post("the future", `{"crds":["900001"],"as_of":"2999-01-01"}`, http.StatusBadRequest, "as_of"),
		post("a part that there is not", `{"crds":["900001"],"include":"funds"}`, http.StatusBadRequest, "include"),
	})
}

// A batch counts as one request for each ten managers or part of ten.
func TestBatchesAreHeavy(t *testing.T) {
	t.Parallel()
	host, _ := newHost(t)
	for managers, weight := range map[int]string{1: "", 10: "", 11: "2", 200: "20"} {
		crds := make([]string, managers)
		for i := range crds {
			crds[i] = fmt.Sprintf(`"%d"`, 900001+i)
		}
		host.Do(t, httpapitest.Scenario{
			Method: "POST", Path: "/v1/gps/batch", Body: `{"crds":[` + strings.Join(crds, ",") + `],"fields":["crd"]}`, WantHeader: map[string]string{httpapitest.WeightHeader: weight},
		})
	}
}
