package main

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/charge"
)

// vain is a request of a fee with no result, or for something that is not there: what is put in place of the usual path and added
// to the usual query. A new operation with a price per request needs a row.
var vain = map[string]struct{ path, query string }{
	"list-gp-regulatory-events": {query: "after_date=2026-11-01"},
	"get-gp-metrics":            {query: "", path: "/v1/gps/{bare}/metrics"},
	"get-gp-related":            {path: "/v1/gps/{bare}/related"},
	"list-gp-amendments":        {path: "/v1/gps/{bare}/amendments"},
	"list-fund-amendments":      {query: "limit=1"}, // it is never empty: a fund is reported by a filing
	"list-gp-changes":           {path: "/v1/gps/{bare}/changes"},
	"get-gp-diff":               {query: "from=2026-06-29&to=2026-06-30"},
	"search-aggregate":          {query: "min_vintage=1901&max_vintage=1902"},
	"search-growth":             {query: "crd=999999999"},
	"list-disclosures":          {query: "min_amount=9000000000000000"},
	"list-providers":            {query: "min_gav=9000000000000000"},
	"list-provider-changes":     {query: "crd=999999999"},
	"list-gp-hiring":            {path: "/v1/gps/{bare}/hiring"},
	"list-commitments":          {query: "vintage_min=2200"},
	"list-lps":                  {query: "q=nothing+has+this+name"},
	"list-fund-lps":             {path: "/v1/funds/{lonely}/lps"},
	"list-gp-lps":               {path: "/v1/gps/{bare}/lps"},
	"get-lp":                    {path: "/v1/lps/999999999"},
	"list-lp-investments":       {path: "/v1/lps/999999999/investments"},
	"search-people":             {query: "q=nobody+hasthisname"},
	"get-person":                {path: "/v1/people/per_aaaaaaaaaaaaaaaa"},
	"get-person-history":        {path: "/v1/people/per_aaaaaaaaaaaaaaaa/history"},
}

// choosing is the parameters and fields of operations sold per person that choose people: one value that finds some, one that finds
// none; or why the choice may be seen for free. A new one needs a row.
var choosing = map[string]struct{ found, none, free string }{
	"list-gp-team role":             {free: "the preview counts people by role"},
	"list-gp-alumni departed_after": {found: "1990-01-01", none: "2100-01-01"},
	"list-gp-alumni current_role":   {found: "partner", none: "associate"},
	"list-gp-team function":         {free: "the preview counts people by function"},
	"list-gp-team joined_after":     {found: "1990-01-01", none: "2100-01-01"},
	"list-gp-team joined_before":    {found: "2100-01-01", none: "1990-01-01"},
	"list-gp-alumni function":       {found: "partner,director", none: "cto"},
	"list-gp-owner-persons control": {free: "the list of owners shows who controls, without names"},

	"list-gp-owner-persons min_percent": {free: "the list of owners shows shares, without names: TestFreeAnswersOfOwnersFollowFromTheList"},

	"unlock-people crds":           {free: "the preview counts people"},
	"unlock-people tier":           {free: "the preview counts people by role"},
	"unlock-people functions":      {free: "the preview counts people by function"},
	"unlock-people max_per_firm":   {free: "the preview counts people"},
	"unlock-gp-team functions":     {free: "the preview counts people by function"},
	"unlock-gp-team tier":          {free: "the preview counts people by role"},
	"unlock-gp-team count":         {free: "the preview counts people"},
	"unlock-gp-careers person_ids": {free: "all who are not bought are refused alike: TestUnlockAll"},
}

// notChoosing are those that choose by number, order or price.
var notChoosing = []string{"limit", "offset", "sort", "max_charge", "quote", "confirm"}

// Guarantee: unpaid responses about people do not depend on what the filters find. Unpaid are quotes, HEAD, requests with a max_charge
// below the price of one person, and requests of an account at its cap.
func TestUnpaidFiltersRevealNothing(t *testing.T) {
	t.Parallel()
	s := newSurvey(t)
	app, err := describe()
	require.NoError(t, err)
	var crd string // a manager with alumni
	require.NoError(t, s.db.From(t.Context()).Raw(`SELECT crd FROM people.posts WHERE standing = 'alumni' GROUP BY crd ORDER BY count(*) DESC, crd LIMIT 1`).Scan(&crd).Error)
	compared := 0
	for _, r := range s.routes {
		if r.ChargeMicros == 0 || r.Per != charge.PerPerson {
			continue
		}
		id, payer := r.Operation.OperationID, s.payer(r)
		names := []string{}
		for _, p := range r.Operation.Parameters {
			if p.In == "query" {
				names = append(names, p.Name)
			}
		}
		if body := r.Operation.RequestBody; body != nil {
			schema := body.Content["application/json"].Schema
			if schema.Ref != "" {
				schema = app.API.OpenAPI().Components.Schemas.SchemaFromRef(schema.Ref)
			}
			require.NotEmpty(t, schema.Properties, id)
			names = slices.AppendSeq(names, maps.Keys(schema.Properties))
		}
		for _, name := range names {
			if slices.Contains(notChoosing, name) {
				continue
			}
			row, listed := choosing[id+" "+name]
			require.True(t, listed, "%s: say in choosing what finds people by %s, or why that may be seen for free", id, name)
			if row.free != "" {
				continue
			}
			shown := func(value, terms string, change func(*asked)) answer {
				q := asked{route: r, as: payer, path: inPathOf(r.Operation.Path, func(string) string { return crd }) + "?" + name + "=" + value + terms}
				if change != nil {
					change(&q)
				}
				s.lift()
				got, err := s.send(q)
				require.NoError(t, err)
				for _, h := range ofEachRequest {
					got.header.Del(h)
				}
				return got
			}
			head := func(q *asked) { q.method = http.MethodHead }
			quote := shown(row.found, "&quote=true", nil)
			require.Contains(t, quote.body, `"at_most":true`, id)
			require.NotContains(t, quote.body, `"amount":0,`, id)
			require.Equal(t, quote, shown(row.none, "&quote=true", nil), "%s by %s, a quote", id, name)
			require.Equal(t, shown(row.found, "", head), shown(row.none, "", head), "%s by %s, HEAD", id, name)
			poor := shown(row.found, "&max_charge=0", nil)
			require.Equal(t, http.StatusPaymentRequired, poor.status, poor.body)
			require.Equal(t, poor, shown(row.none, "&max_charge=0", nil), "%s by %s, max_charge", id, name)
			s.exec("UPDATE billing.accounts SET cap_micros = spent_micros")
			s.exec("INSERT INTO billing.accounts (user_id, period, cap_micros) SELECT id, date_trunc('month', now()), 0 FROM accounts.users ON CONFLICT DO NOTHING")
			capped := shown(row.found, "", nil)
			require.Equal(t, http.StatusPaymentRequired, capped.status, capped.body)
			require.Equal(t, capped, shown(row.none, "", nil), "%s by %s, at the cap", id, name)
			s.exec("UPDATE billing.accounts SET cap_micros = NULL")
			compared++
		}
	}
	require.GreaterOrEqual(t, compared, 2)
}

// ofEachRequest are headers that differ from request to request.
var ofEachRequest = []string{"X-Request-Id", "Date", "Server-Timing", "RateLimit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Traceparent"}

// Guarantee: what is asked of a fee without paying is answered the same whether something is found or not: by a quote, by HEAD, and
// with a max_charge below the fee.
func TestUnpaidRequestsRevealNothing(t *testing.T) {
	t.Parallel()
	s := newSurvey(t)
	var bare string // a manager without funds and with one filing
	require.NoError(t, s.db.From(t.Context()).Raw(`SELECT crd FROM catalog.filings f JOIN catalog.advisers USING (crd)
		WHERE NOT EXISTS (SELECT FROM catalog.funds WHERE adviser_crd = f.crd) GROUP BY crd ORDER BY count(*), crd LIMIT 1`).Scan(&bare).Error)
	var lonely string // a fund without known LPs
	require.NoError(t, s.db.From(t.Context()).Raw(`SELECT fund_id FROM catalog.funds f
		WHERE NOT EXISTS (SELECT FROM people.lp_investments WHERE match_fund_id = f.fund_id) ORDER BY fund_id LIMIT 1`).Scan(&lonely).Error)
	empty := 0
	for _, r := range s.routes {
		id, payer := r.Operation.OperationID, s.payer(r)
		if r.ChargeMicros == 0 || r.Per != charge.PerRequest {
			continue
		}
		row, listed := vain[id]
		require.True(t, listed, "%s: say in vain how to ask for nothing", id)
		found := s.valid(r, payer)
		nothing := found
		if row.path != "" {
			nothing.path = strings.NewReplacer("{bare}", bare, "{lonely}", lonely).Replace(row.path)
		}
		for part := range strings.SplitSeq(row.query, "&") {
			if part != "" {
				name, _, _ := strings.Cut(part, "=")
				path, query, _ := strings.Cut(nothing.path, "?")
				kept := []string{}
				for old := range strings.SplitSeq(query, "&") {
					if old != "" && !strings.HasPrefix(old, name+"=") {
						kept = append(kept, old)
					}
				}
				nothing.path = path + "?" + strings.Join(append(kept, part), "&")
			}
		}
		for name, header := range map[string]string{"plain": "", "with a tag": `"x"`, "with a star": "*"} {
			shown := func(q asked) answer {
				if header != "" {
					q.header = http.Header{"If-None-Match": {header}}
				}
				s.lift()
				got, err := s.send(q)
				require.NoError(t, err)
				for _, h := range ofEachRequest {
					got.header.Del(h)
				}
				return got
			}
			head := func(q asked) asked { q.method = http.MethodHead; return q }
			require.Equal(t, shown(found.with("quote=true")), shown(nothing.with("quote=true")), "%s, a quote %s", id, name)
			require.Equal(t, shown(head(found)), shown(head(nothing)), "%s, HEAD %s", id, name)
			poor := shown(found.with("max_charge=0"))
			require.Equal(t, http.StatusPaymentRequired, poor.status, id)
			require.Equal(t, poor, shown(nothing.with("max_charge=0")), "%s, max_charge %s", id, name)
		}
		if got := s.ask(nothing); got.header.Get("X-Charge") == "0.00" || got.status == http.StatusNotFound {
			empty++
		} else {
			t.Logf("%s: %s is not empty", id, nothing.path)
		}
	}
	require.GreaterOrEqual(t, empty, 10)
}
