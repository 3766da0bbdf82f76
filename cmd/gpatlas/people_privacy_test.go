package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/modules/dataops"
	"gpatlas/modules/people"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// suppress is `gpatlas people suppress`, next to a running service, and returns how an administrator takes it back.
func (p *peopleHouse) suppress(t *testing.T, uid string) (undo func()) {
	t.Helper()
	cmd := people.Command(
		func(_ context.Context, _ string, work func(db *database.DB) error) error { return work(p.db) }, dataops.CreateOverride, clock.System{},
		func(check cobra.PositionalArgs) cobra.PositionalArgs { return check },
	)
	cmd.SetArgs([]string{"suppress", uid, "objected"})
	var out bytes.Buffer
	cmd.SetOut(&out)
	require.NoError(t, cmd.ExecuteContext(t.Context()))
	var id int64
	_, err := fmt.Sscanf(out.String(), uid+" is suppressed (override %d)", &id)
	require.NoError(t, err, out.String())
	_, err = accounts.Grant(t.Context(), p.db, clock.System{}, p.ada.email)
	require.NoError(t, err)
	const path = "/v1/admin/dataops/overrides"
	again := p.ada.call("POST", path, `{"override_type":"person_suppress","entity_id":"`+uid+`","value":true,"reason":"again"}`)
	require.Equal(t, http.StatusConflict, again.status, again.body)
	return func() {
		require.Equal(t, http.StatusNoContent, p.ada.call("DELETE", path+"/"+strconv.FormatInt(id, 10), "").status)
	}
}

type soldPerson struct{ uid, name string }

// bought buys the team of a manager, and gives one of it.
func (p *peopleHouse) bought(t *testing.T, crd string) (one soldPerson) {
	t.Helper()
	require.Equal(t, http.StatusOK, p.next(p.live).call("GET", "/v1/gps/"+crd+"/team?limit=100", "").status)
	const statement = "SELECT person_uid, full_name FROM people.posts WHERE crd = $1 AND standing = 'team' ORDER BY full_name LIMIT 1"
	require.NoError(t, p.db.Pool().QueryRow(t.Context(), statement, crd).Scan(&one.uid, &one.name))
	return one
}

// Guarantee: whoever was suppressed is in no answer, also none that was kept for an Idempotency-Key. What was paid for stays paid, and
// is shown again once the override is deleted.
func TestASuppressionReachesKeptAnswers(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	p.enrichAll(t)
	crd := p.busiest(t)
	spent := func() (micros int64) {
		require.NoError(t, p.db.Pool().QueryRow(t.Context(), "SELECT sum(amount_micros) FROM billing.charges").Scan(&micros))
		return micros
	}
	who := p.bought(t, crd)
	requests := [][3]string{
		{"GET", "/v1/gps/" + crd + "/team?limit=100"},
		{"POST", "/v1/gps/" + crd + "/team/unlock", `{"tier":"complete","confirm":true}`},
		{"POST", "/v1/gps/" + crd + "/careers/unlock-all", `{"confirm":true}`},
		{"GET", "/v1/people/" + who.uid},
		{"GET", "/v1/people/" + who.uid + "/history"},
		{"GET", "/v1/people/search?q=" + url.QueryEscape(who.name)},
	}
	call := func(r [3]string) answer { return p.next(p.live).callKeyed(r[0], r[1], r[2], "kept-"+r[0]+r[1]) }
	for _, r := range requests {
		require.Contains(t, call(r).body, who.uid, r[1])
		again := call(r)
		require.Equal(t, "true", again.header.Get("Idempotent-Replayed"), r[1])
		require.Contains(t, again.body, who.uid, r[1])
	}
	before := spent()
	undo := p.suppress(t, who.uid)
	for _, r := range requests {
		got := call(r)
		require.Empty(t, got.header.Get("Idempotent-Replayed"), r[1])
		shown, _, _ := strings.Cut(got.body, `"filters_applied"`) // which repeats what was searched for
		require.NotContains(t, spelled(shown), spelled(who.name), r[1])
		require.NotContains(t, got.body, `"person_uid":"`+who.uid, r[1])
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, got.status, got.body)
	}
	require.Equal(t, before, spent())
	undo()
	for _, r := range requests[:len(requests)-1] { // each search is charged
		require.Contains(t, p.next(p.live).call(r[0], r[1], r[2]).body, who.uid, r[1])
	}
	require.Equal(t, before, spent(), "what was bought stays bought")
	require.Contains(t, p.next(p.live).call("GET", requests[5][1], "").body, who.uid)
}

// Guarantee: nobody learns for free whether a name is found: neither by a quote, nor by HEAD, nor by a request that may not be paid.
func TestAPriceSpellsOutNoName(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	p.enrichAll(t)
	known := "/v1/people/search?q=" + url.QueryEscape(p.bought(t, p.busiest(t)).name)
	const unknown = "/v1/people/search?q=zzyzxqw+vvkkwq"
	require.NotContains(t, p.next(p.live).call("GET", known, "").body, `"returned":0`)
	require.Contains(t, p.next(p.live).call("GET", unknown, "").body, `"returned":0`)
	same := func(what string, ask func(address string) answer) {
		t.Helper()
		one, two := ask(known), ask(unknown)
		require.Equal(t, one.status, two.status, what)
		for _, header := range []string{"Content-Length", "X-Charge", "X-Charge-Estimate", "Etag"} {
			require.Equal(t, one.header.Get(header), two.header.Get(header), "%s: %s", what, header)
		}
		require.Equal(t, one.body, two.body, what)
	}
	same("a quote", func(at string) answer { return p.next(p.live).call("GET", at+"&quote=true", "") })
	same("a quote of a test key", func(at string) answer { return p.next(p.test).call("GET", at+"&quote=true", "") })
	same("HEAD", func(at string) answer { return p.next(p.live).call("HEAD", at, "") })
	same("HEAD that knows a tag", func(at string) answer { return p.tagged(t, "HEAD", at) })
	same("a fee above max_charge", func(at string) answer { return p.next(p.live).call("GET", at+"&max_charge=0", "") })
	same("a fee above max_charge, with a tag", func(at string) answer { return p.tagged(t, "GET", at+"&max_charge=0") })
	for range 2 {
		same("a fee above max_charge, with a key", func(at string) answer {
			return p.next(p.live).callKeyed("GET", at+"&max_charge=0", "", "name-"+strings.ReplaceAll(at[22:], "+", "-"))
		})
	}
	quote := p.next(p.live).call("GET", unknown+"&quote=true", "")
	require.Contains(t, quote.body, `"quantity":1`)
	require.Contains(t, quote.body, `"amount":0.5`)
	require.Equal(t, "0.50", p.next(p.live).call("HEAD", unknown, "").header.Get("X-Charge-Estimate"))
	require.Equal(t, http.StatusBadRequest, p.next(p.live).call("GET", "/v1/people/search?q=..&quote=true", "").status)
}

// tagged asks as if an answer were at hand.
func (p *peopleHouse) tagged(t *testing.T, method, path string) answer {
	t.Helper()
	c := p.next(p.live)
	req, err := http.NewRequestWithContext(t.Context(), method, p.base+path, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("If-None-Match", `"x"`)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	var body bytes.Buffer
	_, err = body.ReadFrom(res.Body)
	require.NoError(t, err)
	return answer{res.StatusCode, res.Header, body.String()}
}

// Guarantee: HEAD does not tell how long an answer is that must be paid for.
func TestHEADHasNoLengthOfPaidAnswers(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	crd := p.busiest(t)
	for _, path := range []string{"/v1/gps/" + crd + "/team", "/v1/gps/" + crd + "/alumni", "/v1/gps/" + crd + "/metrics"} {
		head := p.next(p.live).call("HEAD", path, "")
		require.Equal(t, http.StatusOK, head.status, path)
		require.Contains(t, []string{"", "0"}, head.header.Get("Content-Length"), path)
		require.NotEmpty(t, head.header.Get("X-Charge-Estimate"), path)
	}
}

// Guarantee: the log does not hold what people are searched for, whatever became of the request.
func TestTheLogHoldsNoNameThatIsSearched(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	at := "/v1/people/search?q=quillfeather&company=stonewharf"
	for _, ask := range []struct {
		c    caller
		path string
	}{
		{p.next(p.live), at},
		{p.next(p.live), at + "&max_charge=0"},
		{p.next(p.live), at + "&limit=x"},
		{p.next(p.live), at + "&quote=true"},
		{caller{t: t, base: p.base}, at},
		{caller{t, p.base, "gpa_live_wrong"}, at},
		{p.next(p.live), strings.Replace(at, "search", "search/", 1)},
		{p.next(p.live), strings.Replace(at, "search", "Search", 1)},
		{p.next(p.live), "/v1/people/search?quillfeather+stonewharf"},
	} {
		ask.c.call("GET", ask.path, "")
	}
	p.next(p.live).call("GET", "/v1/gps?search=larkspurfern", "")
	require.Eventually(t, func() bool { return strings.Contains(p.out.String(), "larkspurfern") }, patience, glance, "other queries are logged")
	require.Contains(t, p.out.String(), "/v1/people/search")
	for _, name := range []string{"quillfeather", "stonewharf"} {
		require.NotContains(t, p.out.String(), name)
	}
}
