package provider_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/database"
)

// servedSQL are the roles of a fund that the loader knows, as bits, and who has them.
const servedSQL = `SELECT s.stated, coalesce((SELECT string_agg((x & @mask) || ' ' || n.name, '|') FROM unnest(s.services) x JOIN catalog.provider_names n ON n.id = x >> @bits), '') AS served
FROM catalog.fund_services s WHERE s.fund_id = @fund`

// The list of a fund's providers, which asks for the newest edition with a role's table (edition.sql), and the loader, which goes through the filings
// (derive_services.go), find the same filing for each role: the searches agree with the lists.
func TestListsAgreeWithSearches(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rng := rand.New(rand.NewPCG(28, 11))
	firms := []string{"Halfmoon Fund Services LLC", "Reedmere Bank N.A.", "Gannet Admin LLC", "Birch Audit LLP"}
	for n := range 15 {
		manager := rng.IntN(3)
		f := filing{
			id: strconv.Itoa(5001 + n), crd: strconv.Itoa(910001 + manager), on: fmt.Sprintf("2026-08-%02d", 1+rng.IntN(20)), gav: 100,
			providers: []*catalogapi.ProviderRow{}, auditors: map[string]string{},
		}
		for _, role := range catalogapi.ServiceRoles[1:] {
			if rng.IntN(5) > 0 {
				f.silent = append(f.silent, role)
			}
		}
		for nth := range 3 {
			if rng.IntN(4) == 0 {
				continue
			}
			fund := fmt.Sprintf("%010d", 100*manager+nth+1)
			f.funds = append(f.funds, fund)
			if rng.IntN(2) == 0 {
				f.auditors[fund] = firms[3]
			}
			for _, role := range catalogapi.ServiceRoles[1:] {
				if rng.IntN(2) == 0 && !slices.Contains(f.silent, role) {
					f.providers = append(f.providers, serves(fund, role, firms[rng.IntN(3)]))
				}
			}
		}
		b.file(f)
	}
	funds, err := database.Values[string](t.Context(), b.DB, "read", "SELECT fund_id FROM catalog.funds WHERE adviser_crd IN ('910001', '910002', '910003') AND status <> 'closed'", nil)
	require.NoError(t, err)
	require.Greater(t, len(funds), 4)
	unknown, known := 0, 0
	for _, fund := range funds {
		kept, err := database.Select[struct {
			Stated int
			Served string
		}](t.Context(), b.DB, "read", servedSQL, database.Args{"fund": fund, "bits": catalogapi.ServiceRoleBits, "mask": 1<<catalogapi.ServiceRoleBits - 1})
		require.NoError(t, err)
		require.Len(t, kept, 1, fund)
		var want, roles []string
		for at, role := range catalogapi.ServiceRoles {
			if kept[0].Stated>>at&1 == 1 {
				roles = append(roles, role)
			}
		}
		for served := range strings.SplitSeq(kept[0].Served, "|") {
			if role, name, found := strings.Cut(served, " "); found {
				at, err := strconv.Atoi(role)
				require.NoError(t, err)
				want = append(want, catalogapi.ServiceRoles[at]+": "+name)
			}
		}
		slices.Sort(roles)
		got := b.get("funds/" + fund + "/providers?limit=100")
		require.Equal(t, strings.Join(roles, " "), got.stated(), fund)
		var listed []string
		for _, row := range got.Data {
			listed = append(listed, named(row))
		}
		require.ElementsMatch(t, want, listed, fund)
		known, unknown = known+len(roles), unknown+len(catalogapi.ServiceRoles)-len(roles)
	}
	require.Positive(t, known)
	require.Positive(t, unknown)
}
