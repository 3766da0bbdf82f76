package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/httpapi"
)

// namedSQL are names of natural persons in the sample, wherever a document has them.
const namedSQL = `SELECT full_name AS name FROM people.posts
	UNION SELECT name FROM catalog.pub_owner WHERE coalesce(entity_type, 'I') = 'I'
	UNION SELECT split_part(name, ',', 2) || ' ' || split_part(name, ',', 1) FROM catalog.pub_owner WHERE coalesce(entity_type, 'I') = 'I' AND name LIKE '%,%'
	UNION SELECT concat_ws(' ', first_name, last_name) FROM catalog.pub_offering_person WHERE NOT entity
	UNION SELECT concat_ws(' ', last_name, first_name) FROM catalog.pub_offering_person WHERE NOT entity
	UNION SELECT name FROM catalog.disclosure_affiliates WHERE kind = 'Individual'`

// firmsSQL are names of firms and funds, which are free, also those after a person.
const firmsSQL = `SELECT concat_ws(' ', legal_name, business_name) FROM catalog.pub_gp UNION SELECT name FROM catalog.funds`

// personalSQL are managers whose documents have persons in each place that free operations read: owners who are trusts or persons, related
// persons, providers of funds, persons of notices, affiliates of disclosures.
const personalSQL = `(SELECT crd FROM catalog.owners WHERE coalesce(entity_type, 'I') = 'I' GROUP BY crd ORDER BY count(*) DESC, crd LIMIT 4)
	UNION (SELECT crd FROM catalog.owners WHERE name ILIKE '%trust%' GROUP BY crd ORDER BY count(*) DESC, crd LIMIT 4)
	UNION (SELECT crd FROM catalog.affiliates WHERE affiliate_crd IS NULL GROUP BY crd ORDER BY count(*) DESC, crd LIMIT 4)
	UNION (SELECT crd FROM catalog.disclosure_affiliates WHERE kind = 'Individual' GROUP BY crd ORDER BY count(*) DESC, crd LIMIT 4)
	UNION (SELECT f.adviser_crd FROM catalog.fund_providers p JOIN catalog.funds f USING (fund_id) WHERE p.role IN ('marketer', 'general_partner')
		GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 4)
	UNION (SELECT adviser_crd FROM catalog.pub_offering JOIN catalog.pub_offering_person USING (accession) WHERE adviser_crd IS NOT NULL
		GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 4)`

// ownersSQL is what the newest schedules of each manager list: rows, those of individuals, and the entities with what is free about them.
const ownersSQL = `SELECT e.crd, count(o.seq) AS rows, count(o.seq) FILTER (WHERE coalesce(o.entity_type, 'I') = 'I') AS persons,
	coalesce(string_agg(concat_ws(' ', o.name, o.owner_id, o.acquired_year || '-' || lpad(o.acquired_month::text, 2, '0'), o.ownership_code), '|' ORDER BY o.seq)
		FILTER (WHERE o.entity_type <> 'I'), '') AS entities
FROM (
	SELECT DISTINCT ON (f.crd) f.crd, f.accession FROM catalog.filings f JOIN catalog.adviser_versions v USING (crd, accession)
	WHERE f.source = 'adv_archive' AND NOT coalesce('table:owners' = ANY (v.silent), false)
	ORDER BY f.crd, f.filing_date DESC, f.submitted_at DESC, f.filing_id DESC
) e LEFT JOIN catalog.owners o USING (accession)
GROUP BY e.crd ORDER BY e.crd`

// Guarantee: no free operation names a natural person: every free read of the registry, of managers and funds whose documents name
// persons. Spec: the contract sells names; no operation gives them for free.
func TestFreeOperationsNameNoPerson(t *testing.T) {
	t.Parallel()
	s := newSurvey(t)
	column := func(statement string) (list []string) {
		require.NoError(t, s.db.From(t.Context()).Raw(statement).Scan(&list).Error)
		return list
	}
	firms := spelled(strings.Join(column(firmsSQL), " | "))
	names := map[string]bool{}
	for _, name := range column(namedSQL) {
		if n := spelled(name); strings.Count(strings.TrimSpace(n), " ") > 0 && !strings.Contains(firms, n) {
			names[n] = true
		}
	}
	require.Greater(t, len(names), 1_000)
	crds := column(personalSQL)
	require.GreaterOrEqual(t, len(crds), 10)
	funds := column(`SELECT DISTINCT ON (adviser_crd) fund_id FROM catalog.funds WHERE adviser_crd IN (SELECT crd FROM (` + personalSQL + `) m) ORDER BY adviser_crd, fund_id`)
	require.GreaterOrEqual(t, len(funds), 5)

	found := func(body string) (list []string) {
		words := strings.Fields(spelled(body))
		for i := range words {
			for n := 2; n <= 4 && i+n <= len(words); n++ {
				if name := " " + strings.Join(words[i:i+n], " ") + " "; names[name] {
					list = append(list, name)
				}
			}
		}
		return list
	}
	operations, answers := 0, 0
	ask := func(r httpapi.Route, method, path, body string) {
		t.Helper()
		if query := required(r); len(query) > 0 && method == http.MethodGet {
			path += "?" + query.Encode()
		}
		s.lift()
		got, err := s.send(asked{route: r, method: method, path: path, body: body, as: s.payer(r)})
		require.NoError(t, err)
		if got.status == http.StatusOK {
			answers++
		}
		if n := len(found(got.body)); n > 0 {
			t.Errorf("%s %s names %d persons", method, path, n) // the names themselves stay out of messages
		}
	}
	for _, r := range s.routes {
		op := r.Operation
		if r.ChargeMicros > 0 || r.Access == httpapi.Admin || op.Method != http.MethodGet {
			continue
		}
		operations++
		switch {
		case strings.Contains(op.Path, "{crd}"):
			for _, crd := range crds {
				ask(r, http.MethodGet, inPathOf(op.Path, func(name string) string { return map[bool]string{true: crd, false: noUUID}[name == "crd"] }), "")
			}
		case strings.Contains(op.Path, "{fund_id}"):
			for _, id := range funds {
				ask(r, http.MethodGet, inPathOf(op.Path, func(string) string { return url.PathEscape(id) }), "")
			}
		case !strings.Contains(op.Path, "{") && !strings.HasPrefix(op.Path, "/v1/me/"):
			ask(r, http.MethodGet, op.Path, "")
		}
	}
	owners(t, s, found)
	offerings(t, s, found)
	export := s.byID["export-csv"]
	for _, kind := range []string{"gps", "funds"} {
		ask(export, http.MethodPost, export.Operation.Path, `{"type":"`+kind+`","filters":{}}`)
	}
	require.Greater(t, operations, 30)
	require.Greater(t, answers, 200)
	team := s.byID["list-gp-team"] // the search finds names where they are
	got, err := s.send(asked{route: team, path: inPathOf(team.Operation.Path, func(string) string { return shownGP }), as: s.payer(team)})
	require.NoError(t, err)
	require.NotEmpty(t, found(got.body))
	t.Logf("%d free operations, %d answers, %d names", operations, answers, len(names))
}

// owners asks for the owners of each manager: the rows of the schedules, the entities as filed, and no person.
func owners(t *testing.T, s *survey, found func(body string) []string) {
	t.Helper()
	var expected []struct {
		CRD, Entities string
		Rows, Persons int
	}
	require.NoError(t, s.db.From(t.Context()).Raw(ownersSQL).Scan(&expected).Error)
	require.Greater(t, len(expected), 50)
	r, entities := s.byID["list-gp-owners"], 0
	for _, want := range expected {
		for _, method := range []string{http.MethodHead, http.MethodGet} {
			s.lift()
			got, err := s.send(asked{route: r, method: method, path: inPathOf(r.Operation.Path, func(string) string { return want.CRD }) + "?limit=100", as: s.payer(r)})
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, got.status)
			require.Empty(t, found(got.body), "%s names persons", want.CRD)
			if method == http.MethodHead {
				continue
			}
			var body struct {
				Data []struct {
					Name, CRD, Acquired *string
					Ownership           struct{ Code *string }
				}
				Meta struct{ Total, Persons, Withheld int }
			}
			require.NoError(t, json.Unmarshal([]byte(got.body), &body))
			var names []string
			for _, o := range body.Data {
				if o.Name != nil {
					var words []string
					for _, word := range []*string{o.Name, o.CRD, o.Acquired, o.Ownership.Code} {
						if word != nil {
							words = append(words, *word)
						}
					}
					names = append(names, strings.Join(words, " "))
				}
			}
			require.Equal(t, []int{want.Rows, want.Persons, 0}, []int{body.Meta.Total, body.Meta.Persons, body.Meta.Withheld}, want.CRD)
			require.Equal(t, want.Entities, strings.Join(names, "|"), want.CRD)
			entities += len(names)
		}
	}
	require.Greater(t, entities, 20)
	t.Logf("owners of %d managers, %d entities", len(expected), entities)
}

// offerings walks through the offerings of all funds: none names a person, nor does a search for the name of one find any.
func offerings(t *testing.T, s *survey, found func(body string) []string) {
	t.Helper()
	r, listed, query := s.byID["list-offerings"], 0, url.Values{"limit": {"100"}}
	for {
		s.lift()
		got, err := s.send(asked{route: r, path: r.Operation.Path + "?" + query.Encode(), as: s.payer(r)})
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, got.status)
		require.Empty(t, found(got.body), "offerings name persons")
		var page struct {
			Data []struct{}
			Meta struct {
				NextCursor *string `json:"next_cursor"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(got.body), &page))
		listed += len(page.Data)
		if page.Meta.NextCursor == nil {
			break
		}
		query.Set("cursor", *page.Meta.NextCursor)
	}
	require.Greater(t, listed, 100)
	t.Logf("%d offerings", listed)
}
