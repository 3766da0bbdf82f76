package index_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/text"
)

func small(t *testing.T) (gps []index.GP, funds []index.Fund, s *index.Snapshot) {
	t.Helper()
	g := newGenerator(11, 120, true)
	gps = g.gps(150)
	funds = g.funds(900, gps)
	return gps, funds, index.Build(slices.Clone(gps), slices.Clone(funds), index.Freshness{})
}

func TestFundsOf(t *testing.T) {
	t.Parallel()
	gps, funds, s := small(t)
	filters := []index.FundFilter{{}, {Type: "all"}, {Type: "3c1"}, {Type: "3c7", MinGAV: new(int64(1_000_000))}}
	for _, status := range []string{"active", "liquidating", "closed"} {
		filters = append(filters, index.FundFilter{Status: status}, index.FundFilter{Status: status, MinGAV: new(int64(0))})
	}
	for i := range gps {
		id, ok := s.FindGP(gps[i].CRD)
		require.True(t, ok)
		for _, f := range filters {
			want, gav := expectedFunds(funds, gps[i].CRD, f)
			f.Limit, f.Offset = 1000, 0
			got := s.FundsOf(id, f)
			require.Equal(t, want, fundIDs(s, got.IDs))
			require.Equal(t, len(want), got.Total)
			require.Equal(t, slices.ContainsFunc(funds, func(f index.Fund) bool { return f.AdviserCRD == gps[i].CRD }) || gps[i].FundCount == 0, got.Listed)
			if !got.Listed {
				gav = index.Unknown
			}
			require.Equal(t, gav, got.TotalGAV)
			f.Limit, f.Offset = 2, 1
			page := s.FundsOf(id, f)
			require.Equal(t, want[min(1, len(want)):min(3, len(want))], fundIDs(s, page.IDs))
			require.Equal(t, len(want), page.Total)
		}
	}
}

func fundIDs(s *index.Snapshot, ids []uint32) []int64 {
	out := []int64{}
	for _, id := range ids {
		out = append(out, s.Fund(id).ID)
	}
	return out
}

func expectedFunds(funds []index.Fund, crd string, f index.FundFilter) (ids []int64, gav int64) {
	var hits []*index.Fund
	for i := range funds {
		x := &funds[i]
		if x.AdviserCRD != crd || f.Status == "" && x.Status == "closed" || f.Status != "" && x.Status != f.Status ||
			f.Type == "3c1" && x.Is3C1 != index.Yes || f.Type == "3c7" && x.Is3C7 != index.Yes ||
			f.MinGAV != nil && (x.GAV == index.Unknown || x.GAV < *f.MinGAV) {
			continue
		}
		if hits = append(hits, x); x.GAV != index.Unknown {
			gav += x.GAV
		}
	}
	slices.SortFunc(hits, func(a, b *index.Fund) int {
		return cmp.Or(strings.Compare(text.Normalize(a.Name), text.Normalize(b.Name)), strings.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	if len(hits) > 0 && !slices.ContainsFunc(hits, func(x *index.Fund) bool { return x.GAV != index.Unknown }) {
		gav = index.Unknown
	}
	ids = []int64{}
	for _, x := range hits {
		ids = append(ids, x.ID)
	}
	return ids, gav
}

func TestGPStats(t *testing.T) {
	t.Parallel()
	gps := []index.GP{
		{CRD: "7", LegalName: "Alder Point", TotalAUM: 5},
		{CRD: "8", LegalName: "Birch Cove", TotalAUM: index.Unknown},
		{CRD: "9", LegalName: "Cedar Gap", TotalAUM: index.Unknown, FundCount: 12},
		{CRD: "10", LegalName: "Dune Row", TotalAUM: index.Unknown, FundCount: index.Unknown},
	}
	fund := func(id, vintage, gav int64, strategy, status string, is3C1, is3C7 index.Tri) index.Fund {
		return index.Fund{ID: id, FundID: "805-000000000" + string(rune('0'+id)), AdviserCRD: "7", Name: "F", VintageYear: vintage, GAV: gav, Strategy: strategy, Status: status, Is3C1: is3C1, Is3C7: is3C7, IsFeeder: index.No}
	}
	s := index.Build(gps, []index.Fund{
		fund(1, 2012, 100, "venture", "active", index.Yes, index.No),
		fund(2, 2004, 51, "buyout", "liquidating", index.No, index.Yes),
		fund(3, 2020, index.Unknown, "venture", "active", index.Any, index.Yes),
		fund(4, 1990, 7000, "hedge", "closed", index.Yes, index.Yes),
	}, index.Freshness{})
	require.Equal(t, index.GPStats{
		Listed: true, TotalFunds: 3, TotalGAV: 151, AvgFundSize: 75, OldestVintage: 2004, NewestVintage: 2020,
		Strategies: []string{"buyout", "venture"}, Fund3C1Count: 1, Fund3C7Count: 2,
	}, s.GPStats(0))
	none := index.GPStats{Listed: true, AvgFundSize: index.Unknown, OldestVintage: index.Unknown, NewestVintage: index.Unknown}
	require.Equal(t, none, s.GPStats(1), "an adviser without funds")
	unknown := none
	unknown.Listed, unknown.TotalFunds, unknown.TotalGAV, unknown.Fund3C1Count, unknown.Fund3C7Count = false, index.Unknown, index.Unknown, index.Unknown, index.Unknown
	require.Equal(t, unknown, s.GPStats(2), "an adviser whose funds are counted, but not listed")
	require.Equal(t, unknown, s.GPStats(3), "an adviser of whose funds nothing is known")
}

func TestReferenceCountsAgreeWithSearches(t *testing.T) {
	t.Parallel()
	gps, funds, s := small(t)
	stats := s.Stats()
	require.Equal(t, len(gps), stats.TotalAdvisers)
	require.Equal(t, s.SearchFunds(&index.FundQuery{}).Total, stats.TotalFunds)
	require.Equal(t, s.SearchGPs(&index.GPQuery{Answers: index.GPAnswers{index.GPHasFunds: index.Yes}}).Total, stats.AdvisersWithFunds)
	require.Less(t, stats.TotalFunds, len(funds))
	canonical := map[int64]bool{}
	for i := range gps {
		canonical[gps[i].CanonicalID] = true
	}
	require.Len(t, canonical, stats.TotalCanonicalGPs)

	require.Len(t, s.Strategies(), stats.UniqueStrategies)
	for _, c := range s.Strategies() {
		require.Equal(t, s.SearchGPs(&index.GPQuery{Strategies: index.One(c.Value)}).Total, c.Count, c.Value)
	}
	states, countries := s.Locations()
	require.Len(t, states, stats.UniqueStates)
	for _, c := range states {
		require.Equal(t, s.SearchGPs(&index.GPQuery{Words: index.GPWords{index.GPState: index.One(c.Value), index.GPJurisdiction: index.One("US")}}).Total, c.Count, c.Value)
	}
	seen := map[string]bool{}
	for _, c := range countries {
		require.False(t, seen[c.Country], "%s stands twice", c.Country)
		seen[c.Country] = true
		if c.Code != "" {
			require.Equal(t, s.SearchGPs(&index.GPQuery{Words: index.GPWords{index.GPCountry: index.One(c.Code)}}).Total, c.Count, c.Country)
		}
	}
	require.True(t, slices.IsSortedFunc(countries, func(a, b index.CountryCount) int { return cmp.Compare(b.Count, a.Count) }))
}

func TestUnified(t *testing.T) {
	t.Parallel()
	gps, _, s := small(t)
	for i := range gps[:40] {
		q := text.Words(gps[i].LegalName)[0]
		gp := s.SearchGPs(&index.GPQuery{Text: q, Order: index.ByRelevance, Limit: 5})
		fund := s.SearchFunds(&index.FundQuery{Text: q, Order: index.ByRelevance, Limit: 5})
		require.Equal(t, index.UnifiedResult{GPs: gp.IDs, GPTotal: gp.Total, Funds: fund.IDs, FundTotal: fund.Total}, s.Unified(q, index.KindAll, 5))
		require.Equal(t, index.UnifiedResult{GPs: gp.IDs, GPTotal: gp.Total}, s.Unified(q, index.KindGP, 5))
		require.Equal(t, index.UnifiedResult{Funds: fund.IDs, FundTotal: fund.Total}, s.Unified(q, index.KindFund, 5))
	}
}

// Among names being typed the exact come first, then those that begin so; a firm in a place of that name comes after
// both; advisers and funds take turns; closed funds are not offered.
func TestAutocomplete(t *testing.T) {
	t.Parallel()
	gp := func(crd, name, state string, aum int64) index.GP {
		return index.GP{CRD: crd, LegalName: name, State: state, CountryCode: "US", TotalAUM: aum}
	}
	fund := func(id int64, name, crd, status string, gav int64) index.Fund {
		return index.Fund{ID: id, FundID: "805-000000000" + string(rune('0'+id)), AdviserCRD: crd, Name: name, Status: status, GAV: gav}
	}
	s := index.Build([]index.GP{
		gp("1", "Redwood Summit", "CA", 900), gp("2", "Cadence Partners", "NY", 50), gp("3", "Calder Partners", "NY", 60), gp("4", "CA", "NY", 1),
	}, []index.Fund{
		fund(1, "Cadmus Fund I", "1", "active", 70), fund(2, "Cairn Fund", "2", "closed", 80), fund(3, "Alto Fund", "4", "active", 90),
	}, index.Freshness{})
	texts := func(kind index.Kind, limit int) (out []string) {
		for _, h := range s.Autocomplete("ca", kind, limit) {
			if h.Kind == index.KindGP {
				out = append(out, s.GP(h.ID).LegalName)
			} else {
				out = append(out, s.Fund(h.ID).Name)
			}
		}
		return out
	}
	require.Equal(t, []string{"CA", "Cadmus Fund I", "Calder Partners", "Cadence Partners", "Alto Fund", "Redwood Summit"}, texts(index.KindAll, 10))
	require.Equal(t, []string{"CA", "Cadmus Fund I"}, texts(index.KindAll, 2))
	require.Equal(t, []string{"CA", "Calder Partners", "Cadence Partners", "Redwood Summit"}, texts(index.KindGP, 10))
	require.Equal(t, []string{"Cadmus Fund I", "Alto Fund"}, texts(index.KindFund, 10))
	require.Empty(t, s.Autocomplete("", index.KindAll, 10))
	require.Empty(t, s.Autocomplete("!!", index.KindAll, 10))
	require.Equal(t, []string{"CA", "Calder Partners", "Cadence Partners"}, s.Suggest("ca", 3))
}

// However initials, numbers, legal forms and abbreviations are written, in the catalog or in the question, the firm, its
// fund and both at once are found first.
func TestNamesAreFoundHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	names := map[string][]string{
		"D. E. HARLOW & CO., L.P.":            {"de harlow", "d.e. harlow", "d e harlow", "d. e. harlow", "deharlow", "d e h", "de harlow and company limited partnership"},
		"JPMERIDIAN Investment Management":    {"jpmeridian", "jp meridian", "j.p. meridian", "j p meridian", "jp meridian investment mgmt"},
		"J.P. Cassidy Associates":             {"jpcassidy", "jp cassidy", "j.p. cassidy", "j p cassidy", "jp cassidy assoc"},
		"Outpost72 Asset Management, L.P.":    {"outpost 72", "outpost72", "outpost 72 asset management lp"},
		"Anchorage 88 Partners LLC":           {"anchorage88", "anchorage 88", "anchorage 88 ptnrs l l c"},
		"H.I.L. Cove":                         {"hil cove", "h.i.l. cove", "h i l cove", "h. i. l. cove"},
		"Vellum Bridge Limited":               {"vellum ltd", "vellum bridge limited"},
		"Tern Rock Corp":                      {"tern corporation", "tern corp"},
		"Saltmarsh International Company Inc": {"saltmarsh intl co", "saltmarsh international incorporated"},
	}
	var gps []index.GP
	var funds []index.Fund
	crd := map[string]string{}
	for _, decoy := range []string{"De Vries Advisers", "JP Harlow Inc", "72 Meridian", "Ltd Edition Partners", "Corporate Cove"} {
		gps = append(gps, index.GP{CRD: strconv.Itoa(100 + len(gps)), LegalName: decoy, TotalAUM: 1 << 40})
	}
	for name := range names {
		crd[name] = strconv.Itoa(100 + len(gps))
		gps = append(gps, index.GP{CRD: crd[name], LegalName: name, TotalAUM: 1})
		funds = append(funds, index.Fund{
			ID: int64(len(gps)), FundID: "805-" + strconv.Itoa(1000000000+len(gps)), AdviserCRD: crd[name], Name: name, Status: "active", GAV: 1,
		}, index.Fund{
			ID: int64(100 + len(gps)), FundID: "805-" + strconv.Itoa(1000000100+len(gps)), AdviserCRD: crd[name], Name: "Evergreen", Status: "active",
		})
	}
	s := index.Build(gps, funds, index.Freshness{})
	for name, queries := range names {
		for _, q := range queries {
			gp := s.SearchGPs(&index.GPQuery{Text: q, Order: index.ByRelevance, Limit: 5})
			require.NotEmpty(t, gp.IDs, q)
			require.Equal(t, name, s.GP(gp.IDs[0]).LegalName, q)
			fund := s.SearchFunds(&index.FundQuery{Text: q, Order: index.ByRelevance, Limit: 5})
			require.GreaterOrEqual(t, len(fund.IDs), 2, "%s: by its name, and the other by its adviser's", q)
			require.Equal(t, name, s.Fund(fund.IDs[0]).Name, q)
			require.Equal(t, crd[name], s.Fund(fund.IDs[1]).AdviserCRD, q)
			both := s.Unified(q, index.KindAll, 5)
			require.Equal(t, gp.IDs, both.GPs, q)
			require.Equal(t, fund.IDs, both.Funds, q)
			offered := s.Autocomplete(q, index.KindGP, 5)
			require.NotEmpty(t, offered, q)
			require.Equal(t, name, s.GP(offered[0].ID).LegalName, q)
			require.Equal(t, name, s.Suggest(q, 5)[0], q)
		}
	}
}

// While a name is typed, those that begin so come before those with a later word that does, whatever their size, and
// whether the word is complete or not.
func TestBeginningsAreOfferedFirst(t *testing.T) {
	t.Parallel()
	var gps []index.GP
	for i, name := range []string{"Alder Black Partners", "Oak Blackwater", "The Blackthorn Group", "Blackfen Capital", "Black Elm"} {
		gps = append(gps, index.GP{CRD: strconv.Itoa(i + 1), LegalName: name, TotalAUM: int64(1000 - i)})
	}
	s := index.Build(gps, []index.Fund{
		{ID: 1, FundID: "805-0000000001", AdviserCRD: "1", Name: "Elm Black Fund", Status: "active", GAV: 9},
		{ID: 2, FundID: "805-0000000002", AdviserCRD: "1", Name: "Blackbird Fund", Status: "active", GAV: 8},
	}, index.Freshness{})
	var offered []string
	for _, h := range s.Autocomplete("black", index.KindAll, 10) {
		if h.Kind == index.KindGP {
			offered = append(offered, s.GP(h.ID).LegalName)
		} else {
			offered = append(offered, s.Fund(h.ID).Name)
		}
	}
	require.Equal(t, []string{
		"The Blackthorn Group", "Blackbird Fund", "Blackfen Capital", "Black Elm", "Elm Black Fund", "Alder Black Partners", "Oak Blackwater",
	}, offered)
	require.Equal(t, []string{"The Blackthorn Group", "Blackfen Capital", "Black Elm", "Alder Black Partners"}, s.Suggest("black", 4))
	require.Equal(t, []string{"Blackfen Capital"}, s.Suggest("black cap", 1))
}

func TestSuggestGivesEachNameOnce(t *testing.T) {
	t.Parallel()
	gps, _, s := small(t)
	for i := range gps[:50] {
		names := s.Suggest(gps[i].LegalName, 5)
		require.NotEmpty(t, names)
		seen := map[string]bool{}
		for _, n := range names {
			require.False(t, seen[text.Normalize(n)], "%s stands twice", n)
			seen[text.Normalize(n)] = true
		}
	}
	require.Empty(t, s.Suggest("capital", 0))
}

// The index leaves a feeder out where fold.InMasters does.
func TestFeedersCountWithTheirMasters(t *testing.T) {
	t.Parallel()
	fund := func(id string, gav int64, status, master string) index.Fund {
		f := index.Fund{ID: int64(id[0]), FundID: id, AdviserCRD: "7", Name: id, GAV: gav, Status: status, MasterFundID: master, IsFeeder: index.No}
		if master != "" {
			f.IsFeeder = index.Yes
		}
		return f
	}
	other := fund("o", 1, "active", "")
	other.AdviserCRD = "8"
	unsaid := fund("n", 100, "active", "")
	unsaid.AdviserCRD, unsaid.IsFeeder = "9", index.Any
	worthless := unsaid
	worthless.ID, worthless.FundID, worthless.AdviserCRD, worthless.GAV = 1, "p", "7", index.Unknown
	s := index.Build([]index.GP{{CRD: "7", TotalAUM: 5}, {CRD: "8", TotalAUM: 4}, {CRD: "9", TotalAUM: 3}}, []index.Fund{
		unsaid, worthless,
		fund("a", 1_000, "active", ""), fund("b", 1, "active", "a"), fund("c", index.Unknown, "liquidating", "a"), fund("d", 2, "active", "b"),
		fund("e", 10, "closed", ""), fund("f", 20, "active", "e"), fund("g", index.Unknown, "active", ""), fund("h", 30, "active", "g"),
		fund("i", 40, "active", "i"), fund("j", 50, "active", "k"), fund("k", 60, "active", "j"), fund("l", 70, "active", "o"), other, fund("m", 80, "active", "?"),
	}, index.Freshness{})
	got := s.GPStats(0)
	const net = 1_000 + 20 + 30 + 40 + 50 + 60 + 70 + 80
	require.Equal(t, []int64{net + 1 + 2, net / 8}, []int64{got.TotalGAV, got.AvgFundSize})
	got = s.GPStats(2)
	require.Equal(t, []int64{100, 100}, []int64{got.TotalGAV, got.AvgFundSize}, "a fund that does not say whether it is a feeder")
}
