package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// roll is an answer on people.
type roll struct {
	Data []struct {
		ID         string `json:"id"`
		PersonUID  string `json:"person_uid"`
		PaidBefore bool   `json:"paid_before"`
	}
	Meta struct {
		Returned, Unlocked int
	}
}

func rollOf(t *testing.T, a answer) (r roll, uids []string) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	require.NoError(t, json.Unmarshal([]byte(a.body), &r))
	uids = []string{}
	for _, one := range r.Data {
		uids = append(uids, one.ID+one.PersonUID)
	}
	return r, uids
}

// Guarantee: a request whose kept answer was dropped delivers, when it is sent again, nobody whom the account has not bought, charges
// nothing, and says so. What it would deliver now costs the same as before.
func TestADroppedAnswerDeliversNobodyUnpaid(t *testing.T) {
	t.Parallel()
	p := openPeople(t)
	p.enrichAll(t)
	var crd string
	const roster = `SELECT crd FROM people.posts GROUP BY crd
		HAVING count(*) FILTER (WHERE standing = 'team') >= 4 AND count(*) FILTER (WHERE standing = 'alumni') >= 2 ORDER BY crd LIMIT 1`
	require.NoError(t, p.db.Pool().QueryRow(t.Context(), roster).Scan(&crd))
	strangers := func(n int) (uid string) {
		const statement = "SELECT DISTINCT person_uid FROM people.posts p WHERE NOT EXISTS (SELECT FROM people.posts o WHERE o.person_uid = p.person_uid AND o.crd = $1) ORDER BY 1 OFFSET $2 LIMIT 1"
		require.NoError(t, p.db.Pool().QueryRow(t.Context(), statement, crd, n).Scan(&uid))
		return uid
	}
	spent := func() (micros int64) {
		require.NoError(t, p.db.Pool().QueryRow(t.Context(), "SELECT coalesce(sum(amount_micros), 0) FROM billing.charges").Scan(&micros))
		return micros
	}
	at := "/v1/gps/" + crd
	requests := map[string][3]string{
		"careers of nobody": {"POST", at + "/careers/unlock-all", `{"confirm":true}`},
		"page":              {"GET", at + "/team?limit=2", ""},
		"custom":            {"POST", at + "/team/unlock", `{"tier":"custom","count":2}`},
		"alumni":            {"GET", at + "/alumni?limit=1", ""},
		"careers":           {"POST", at + "/careers/unlock-all", `{"confirm":true}`},
		"everybody":         {"POST", at + "/team/unlock", `{"tier":"complete","confirm":true}`},
		"all alumni":        {"POST", at + "/alumni/unlock", `{"confirm":true}`},
	}
	call := func(name string) answer {
		r := requests[name]
		return p.next(p.live).callKeyed(r[0], r[1], r[2], strings.ReplaceAll(name, " ", "-"))
	}
	first := map[string][]string{}
	ask := func(name string, most int) {
		t.Helper()
		_, first[name] = rollOf(t, call(name))
		require.LessOrEqual(t, len(first[name]), most, name)
	}
	again := func(name string, want []string) {
		t.Helper()
		before := spent()
		got := call(name)
		r, uids := rollOf(t, got)
		require.Empty(t, got.header.Get("Idempotent-Replayed"), name)
		require.Equal(t, "0.00", got.header.Get("X-Charge"), name)
		require.ElementsMatch(t, want, uids, name)
		require.Equal(t, len(want), r.Meta.Returned, name)
		require.Zero(t, r.Meta.Unlocked, name)
		for _, one := range r.Data {
			require.True(t, one.PaidBefore, name)
		}
		require.Equal(t, before, spent(), name)
		var kept answer
		require.Eventually(t, func() bool { // a job drops kept answers once more after the suppression
			kept = call(name)
			return kept.header.Get("Idempotent-Replayed") == "true"
		}, patience, glance, "%s: it is kept as ever", name)
		require.Equal(t, got.body, kept.body, name)
	}
	ask("careers of nobody", 0)
	ask("page", 2)
	ask("custom", 2)
	require.Equal(t, first["page"], first["custom"])
	ask("alumni", 1)

	// The next in the list does not move up into the place of somebody who was suppressed.
	p.suppress(t, first["page"][0])
	again("page", first["page"][1:])
	again("custom", first["page"][1:])
	again("alumni", first["alumni"])
	again("careers of nobody", []string{})

	ask("careers", 2)
	named := [3]string{"POST", at + "/careers/unlock-all", `{"person_ids":["` + first["careers"][0] + `","` + first["careers"][1] + `"]}`}
	requests["named"] = named
	ask("named", 2)
	ask("everybody", 100)
	ask("all alumni", 100)
	quote := func() string { return p.next(p.live).call("POST", at+"/careers/unlock-all?quote=true", "{}").body }
	due := quote()
	require.Contains(t, due, `"owned":2`)
	p.suppress(t, strangers(0))
	again("careers", first["careers"])
	again("careers of nobody", first["careers"]) // bought by another request
	again("everybody", first["everybody"])
	again("all alumni", first["all alumni"])
	require.Equal(t, due, quote())

	p.suppress(t, first["careers"][0])
	again("everybody", remove(first["everybody"], first["careers"][0]))
	again("all alumni", remove(first["all alumni"], first["careers"][0]))
	again("careers", first["careers"][1:])
	again("named", first["careers"][1:])
	require.NotContains(t, p.out.String(), "the meter charged more")
}

func remove(list []string, one string) (rest []string) {
	for _, s := range list {
		if s != one {
			rest = append(rest, s)
		}
	}
	return rest
}
