package index_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/clock"
	"gpatlas/platform/testkit/dbtest"
)

// identifiedFirms are the firms of a catalog whose identifiers are made of their places: the fifth is a former one, the seventh
// has the CRD number of the last in its name, and those from the hundredth on share a domain.
func identifiedFirms(t *testing.T) (s *index.Snapshot, gps []index.GP, funds []index.Fund) {
	t.Helper()
	g := newGenerator(20261129, 160, false)
	gps = g.gps(2_000)
	for i := range gps {
		gps[i].SECNumber, gps[i].Website = fmt.Sprintf("80%d-%d", 1+i%2, 50_000+i), fmt.Sprintf("https://www.firm%d.example", i)
	}
	gps[7].LegalName = gps[namesake].CRD + " Global Partners"
	gps[5].WithdrawnOn = gps[5].LatestFiledOn
	funds = g.funds(3_000, gps)
	db := dbtest.New(t)
	seed(t, db, gps, funds)
	require.NoError(t, db.Conn(t.Context(), func(c *pgx.Conn) error {
		for i := range gps {
			domain := domainAt(i)
			if i >= sharing {
				domain = "sharing.example"
			}
			if _, err := c.Exec(t.Context(), "UPDATE catalog.advisers SET lei = $2, phone = $3, website_domain = $4 WHERE crd = $1",
				gps[i].CRD, leiAt(i), fmt.Sprintf("(617) 55%d-%04d", i/1000, i%1000), domain); err != nil {
				return err
			}
			if _, err := c.Exec(t.Context(), "INSERT INTO catalog.identifiers (accession, seq, crd, kind, value) VALUES ($1, 1, $2, 'cik', $3)",
				"ADV-"+gps[i].CRD+"-1", gps[i].CRD, fmt.Sprintf("%010d", 9_000_000+i)); err != nil {
				return err
			}
		}
		_, err := c.Exec(t.Context(), "UPDATE catalog.funds SET form_d_file_numbers = ARRAY['021-' || (300000 + id)]")
		return err
	}))
	s, err := index.Load(t.Context(), db, clock.System{})
	require.NoError(t, err)
	return s, gps, funds
}

const sharing, namesake = 1_900, 1_999

func leiAt(i int) string { return fmt.Sprintf("5493001KJTIIGC%04d00", i) } // its checksum is wrong

func domainAt(i int) string { return fmt.Sprintf("firm%d.example", i) }

// V1: each identifier of 2,000 firms finds its firm first, in every spelling, and its funds. V2: a number that is a CRD number
// and a word of names finds both, the firm first. V3: former managers are counted; bare prefixes and what nothing has are words, as
// before.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	s, gps, funds := identifiedFirms(t)
	ask := func(q string) index.Result {
		return s.SearchGPs(&index.GPQuery{Text: q, Order: index.ByRelevance, Limit: 100})
	}
	for i := range gps {
		lei, phone := leiAt(i), fmt.Sprintf("61755%d%04d", i/1000, i%1000)
		for scheme, spellings := range map[string][]string{
			"sec_number": {gps[i].SECNumber, " " + gps[i].SECNumber + " ", strings.Replace(gps[i].SECNumber, "-", "-0", 1)},
			"lei":        {lei, strings.ToLower(lei)},
			"domain":     {domainAt(i), "www." + domainAt(i), "https://" + domainAt(i) + "/team"},
			"phone":      {phone[:3] + "-" + phone[3:6] + "-" + phone[6:], "+1" + phone, "+1 (" + phone[:3] + ") " + phone[3:6] + "." + phone[6:]},
			"cik":        {fmt.Sprintf("%010d", 9_000_000+i), strconv.Itoa(9_000_000 + i)},
			"crd":        {gps[i].CRD},
		} {
			for _, q := range spellings {
				if scheme == "crd" && len(q) < 4 || scheme == "domain" && i >= sharing {
					continue
				}
				r := ask(q)
				require.NotNil(t, r.Identified, "%s %q", scheme, q)
				require.Equal(t, scheme, r.Identified.Scheme, q)
				if i == 5 {
					require.Equal(t, 0, r.Identified.Matches, q)
					require.Equal(t, 1, r.Identified.Former, q)
					continue
				}
				require.Equal(t, 1, r.Identified.Matches, "%s %q", scheme, q)
				require.Equal(t, gps[i].CRD, s.GP(r.IDs[0]).CRD, "%s %q", scheme, q)
				require.Equal(t, ask(q).Total, s.SearchGPs(&index.GPQuery{Text: q, Limit: 1}).Total)
			}
		}
		if i%20 == 0 && i != 5 {
			r := s.SearchFunds(&index.FundQuery{Text: gps[i].SECNumber, Order: index.ByRelevance, Limit: 100})
			require.Equal(t, s.SearchFunds(&index.FundQuery{AdviserCRD: gps[i].CRD}).Total, r.Total)
			for _, id := range r.IDs {
				require.Equal(t, gps[i].CRD, s.Fund(id).AdviserCRD)
			}
		}
	}
	for i := range funds[:500] {
		f := &funds[i]
		for scheme, q := range map[string]string{"fund_id": f.FundID, "form_d": fmt.Sprintf("021-%d", 300_000+f.ID)} {
			if r := ask(q); f.AdviserCRD != gps[5].CRD {
				require.Equal(t, scheme, r.Identified.Scheme)
				require.Equal(t, f.AdviserCRD, s.GP(r.IDs[0]).CRD, q)
				if f.Status != catalogapi.FundClosed {
					found := s.SearchFunds(&index.FundQuery{Text: q, Order: index.ByRelevance, Limit: 1})
					require.Equal(t, f.FundID, s.Fund(found.IDs[0]).FundID)
				}
			}
		}
	}

	shared := ask("sharing.example")
	require.Equal(t, &index.Identified{Scheme: "domain", Value: "sharing.example", Matches: 50}, shared.Identified)
	require.Equal(t, 50, shared.Total)
	require.True(t, slices.IsSorted(shared.IDs), "the largest come first")

	crd := gps[namesake].CRD
	r := ask(crd)
	require.Equal(t, &index.Identified{Scheme: "crd", Value: crd, Matches: 1}, r.Identified)
	require.Equal(t, crd, s.GP(r.IDs[0]).CRD)
	require.Equal(t, crd+" Global Partners", s.GP(r.IDs[1]).LegalName)
	next := s.SearchGPs(&index.GPQuery{Text: crd, Order: index.ByRelevance, Limit: 1, Offset: 1})
	require.Equal(t, r.IDs[1:2], next.IDs)
	require.Equal(t, crd, s.GP(s.Autocomplete(crd, index.KindGP, 5)[0].ID).CRD)
	require.Equal(t, crd, s.GP(s.Unified(crd, index.KindAll, 5).GPs[0]).CRD)
	filtered := s.SearchGPs(&index.GPQuery{Text: crd, Order: index.ByRelevance, Limit: 5, CRDs: index.Asked{None: []string{crd}}})
	require.Equal(t, r.IDs[1:2], filtered.IDs, "filters hold")

	for _, q := range []string{leiAt(len(gps)), leiAt(1)[1:], "801-", "021-", "805-12", "harbor", "firm1.example partners", "12", "+1617", "999-12345"} {
		require.Nil(t, ask(q).Identified, q)
	}
}
