package index_test

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/database"
)

// served is what a fund's filings say of its providers.
type served struct {
	stated int
	by     [][2]int // provider and role
}

// Invented providers have the CRD numbers from firstProvider on. Each has two spellings. The last one is named like a person.
const (
	firstProvider = 8_000_001
	providers     = 9
)

// providerKey is the ID of an invented provider, by the rule of the documentation: made of the CRD number.
func providerKey(n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "crd %d", firstProvider+n))
	return "prv_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// services invents the providers of the funds that are not closed.
func services(funds []index.Fund) (of map[string]served) {
	rng := rand.New(rand.NewPCG(19, uint64(len(funds))))
	of = map[string]served{}
	for i := range funds {
		if funds[i].Status == catalogapi.FundClosed || rng.IntN(6) == 0 {
			continue
		}
		s := served{stated: rng.IntN(1 << len(catalogapi.ServiceRoles))}
		for role := range catalogapi.ServiceRoles {
			for range rng.IntN(3) {
				if s.stated&(1<<role) != 0 {
					s.by = append(s.by, [2]int{rng.IntN(providers), role})
				}
			}
		}
		of[funds[i].FundID] = s
	}
	return of
}

// seedServices adds the invented providers to what seed writes. diff.served has them as the tests read them.
func seedServices(tb testing.TB, db *database.DB, funds []index.Fund) {
	tb.Helper()
	var names, rows, plain [][]any
	for n := range providers {
		for spelling := range 2 {
			name := fmt.Sprintf("Larkspur Services %d LLC", n)
			if n == providers-1 {
				name = "Juno Alderwick"
			}
			if spelling == 1 {
				name = strings.ToUpper(name)
			}
			names = append(names, []any{2*n + spelling + 1, name, strconv.Itoa(firstProvider + n), ""})
		}
	}
	for fund, s := range services(funds) {
		codes := []int32{}
		for i, by := range s.by {
			codes = append(codes, int32(2*by[0]+i%2+1)*8+int32(by[1])) // #nosec G115 -- small
			plain = append(plain, []any{fund, providerKey(by[0]), catalogapi.ServiceRoles[by[1]]})
		}
		rows = append(rows, []any{fund, int16(s.stated), codes}) // #nosec G115 -- five bits
	}
	require.NoError(tb, db.Conn(tb.Context(), func(c *pgx.Conn) error {
		_, err := c.Exec(tb.Context(), "CREATE SCHEMA served; CREATE TABLE served.firms (fund_id text, id text, role text); CREATE INDEX ON served.firms (fund_id)")
		require.NoError(tb, err)
		copyRows(tb, c, pgx.Identifier{"catalog", "provider_names"}, "id name crd lei", names)
		copyRows(tb, c, pgx.Identifier{"catalog", "fund_services"}, "fund_id stated services", rows)
		copyRows(tb, c, pgx.Identifier{"served", "firms"}, "fund_id id role", plain)
		return nil
	}))
}

// serviceFilters are the filters by the firms that serve a fund.
func serviceFilters[Q any](match func(*Q) *index.ServiceMatch) []filter[Q] {
	one := func(s *statement, m *index.ServiceMatch) string {
		var where []string
		if len(m.Providers) > 0 {
			where = append(where, s.render("p.id = ANY (%s) AND p.id <> %s", m.Providers, providerKey(providers-1)))
		}
		if len(m.Roles) > 0 {
			where = append(where, s.render("p.role = ANY (%s)", m.Roles))
		}
		return "EXISTS (SELECT FROM served.firms p WHERE p.fund_id = f.fund_id AND " + strings.Join(where, " AND ") + ")"
	}
	filters := []filter[Q]{
		{
			name: "provider", ofFund: true, ofOpen: true,
			knows: func(s subject) bool { return len(s.served.by) > 0 && s.served.by[0][0] < providers-1 },
			holds: func(a *asker, q *Q, s subject) {
				m, by := match(q), s.served.by[0]
				m.Providers = a.among(providerKey(by[0]), "prv_aaaaaaaaaaaaaaaa")
				if len(m.Roles) > 0 || a.one(2) {
					m.Roles = a.among(catalogapi.ServiceRoles[by[1]], catalogapi.ServiceRoles[0])
				}
			},
			maybe: func(a *asker, q *Q, _ subject) {
				match(q).Providers = a.some(providerKey(a.IntN(providers)), providerKey(a.IntN(providers)), providerKey(providers-1), "prv_aaaaaaaaaaaaaaaa")
			},
			sql: func(s *statement, q *Q) {
				if m := match(q); len(m.Providers) > 0 {
					s.and(one(s, m))
				}
			},
		},
		{
			name: "provider_role", ofFund: true, ofOpen: true, knows: func(s subject) bool { return len(s.served.by) > 0 && s.served.by[0][0] < providers-1 },
			holds: func(a *asker, q *Q, s subject) {
				match(q).Roles = a.among(catalogapi.ServiceRoles[s.served.by[0][1]], catalogapi.ServiceRoles[2])
			},
			maybe: func(a *asker, q *Q, _ subject) { match(q).Roles = a.some(catalogapi.ServiceRoles[:]...) },
			sql: func(s *statement, q *Q) {
				if m := match(q); len(m.Roles) > 0 && len(m.Providers) == 0 { // otherwise they are part of the other filter
					s.and(one(s, m))
				}
			},
		},
	}
	for role, name := range catalogapi.ServiceRoles {
		if role == 0 { // has_auditor is a value of the fund
			continue
		}
		sql := fmt.Sprintf(`(SELECT CASE WHEN k.stated & %d <> 0 THEN EXISTS (SELECT FROM unnest(k.services) s WHERE s & 7 = %d) END
			FROM catalog.fund_services k WHERE k.fund_id = f.fund_id AND f.status <> 'closed')`, 1<<role, role)
		f := answerFilter("has_"+name, sql, func(s subject) index.Tri {
			switch {
			case s.served.stated&(1<<role) == 0:
				return index.Any
			case slices.ContainsFunc(s.served.by, func(by [2]int) bool { return by[1] == role }):
				return index.Yes
			}
			return index.No
		}, func(q *Q) *index.Tri { return &match(q).Has[role] })
		f.ofFund, f.ofOpen = true, true
		filters = append(filters, f)
	}
	return filters
}
