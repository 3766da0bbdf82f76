package index_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/vocab"
)

// generator makes catalogs of invented advisers and funds. The small ones are odd on purpose: many unknown values,
// ties, names that differ in case and signs alone; the large ones are realistic in their distributions.
type generator struct {
	*rand.Rand
	words  []string
	cities []string
	odd    bool
}

func newGenerator(seed uint64, vocabulary int, odd bool) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7)), odd: odd}
	for len(g.words) < vocabulary {
		g.words = append(g.words, g.word())
	}
	for range max(12, vocabulary/8) {
		g.cities = append(g.cities, g.word()+pick(g, "", "", " City", " Falls", "ville"))
	}
	return g
}

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func (g *generator) word() string {
	var b strings.Builder
	for range 2 + g.IntN(2) {
		b.WriteString(pick(g, "b", "br", "c", "d", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v", "w"))
		b.WriteString(pick(g, "a", "e", "i", "o", "u", "ai", "ea", "oo"))
		b.WriteString(pick(g, "", "", "l", "n", "r", "s", "x", "ck", "nd"))
	}
	s := b.String()
	if g.odd && g.IntN(12) == 0 {
		s = strings.NewReplacer("a", "á", "o", "ö", "e", "ê").Replace(s)
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// zipf draws an index below n, small ones far more often.
func (g *generator) zipf(n int) int {
	return int(float64(n) * math.Pow(g.Float64(), 3))
}

func (g *generator) name(kinds ...string) string {
	parts := []string{g.words[g.zipf(len(g.words))]}
	if g.IntN(3) > 0 {
		parts = append(parts, g.words[g.zipf(len(g.words))])
	}
	parts = append(parts, kinds...)
	s := strings.Join(parts, " ")
	if !g.odd {
		return s
	}
	switch g.IntN(14) {
	case 0:
		s = strings.ToUpper(s)
	case 1:
		s = strings.ReplaceAll(s, " ", " & ")
	case 2:
		s = "O'" + s
	case 3:
		s = strings.ReplaceAll(s, " ", "-")
	case 4:
		s = "“" + s + "” (" + pick(g, "Ω", "北京", "№ 7", "ﬁrst") + ")"
	case 5: // few, for each word that the oracle classes costs
		s = pick(g, "Harbor.vc", "Oak.Pine.Labs", "Team8 Labs", "Point 72 Growth", "K 2 Growth", "A16z Growth") + " " + s + pick(g, "", " Pte.Ltd.", " pteltd", " 1st")
	}
	return s
}

func (g *generator) amount(limit float64) int64 {
	switch {
	case g.odd && g.IntN(4) == 0:
		return index.Unknown
	case !g.odd && g.IntN(12) == 0:
		return index.Unknown
	case g.odd && g.IntN(3) == 0:
		return pick[int64](g, 0, 100_000_000, 500_000_000, 1_000_000_000, 10_000_000_000)
	}
	return int64(math.Exp(g.Float64() * math.Log(limit)))
}

func (g *generator) count(limit int) int64 {
	if g.IntN(5) == 0 {
		return index.Unknown
	}
	return int64(g.zipf(limit))
}

func (g *generator) date(from, to int) time.Time {
	if g.odd && g.IntN(5) == 0 {
		return time.Time{}
	}
	return time.Date(from+g.IntN(to-from), time.Month(1+g.IntN(12)), 1+g.IntN(28), 0, 0, 0, 0, time.UTC)
}

func (g *generator) maybe(s string) string {
	if g.IntN(6) == 0 {
		return ""
	}
	return s
}

func (g *generator) gps(n int) []index.GP {
	states := slices.Sorted(maps.Keys(catalogapi.USStates))
	slices.Sort(states)
	crds := g.Perm(n * 7)
	gps := make([]index.GP, n)
	for i := range gps {
		gp := index.GP{
			CRD: strconv.Itoa(crds[i] + 1), LegalName: g.name(pick(g, "Capital", "Partners", "Advisors"), pick(g, "LLC", "L.P.", "Management")),
			RegistrationStatus: g.maybe(pick(g, "registered", "exempt_reporting")), RegisteredOn: g.date(1995, 2026),
			PrimaryStrategy: g.maybe(pick(g, vocab.Strategies()...)), OrgState: g.maybe(pick(g, "DE", "Delaware", "NY", "New York", "Ontario", "CA")),
			SECNumber: g.maybe("801-" + strconv.Itoa(10_000+i)), Website: g.maybe("https://" + strconv.Itoa(i) + ".example"), TotalAUM: g.amount(1e11), Employees: g.count(400),
			FundCount: g.count(60), TotalGAV: g.amount(1e11), NetGAV: g.amount(1e11), Investors: g.count(900), FoundedYear: 1960 + g.count(66),
			LatestFiledOn: time.Date(2026, time.Month(1+g.IntN(9)), 3, 0, 0, 0, 0, time.UTC),
		}
		if gp.FoundedYear < 0 {
			gp.FoundedYear = index.Unknown
		} else {
			gp.FoundedYearBasis = pick(g, "registration", "first_filing")
		}
		gp.ManagerType = vocab.ManagerType(gp.PrimaryStrategy)
		if g.IntN(3) == 0 {
			gp.BusinessName = g.name()
		}
		if g.odd && i > 0 && g.IntN(8) == 0 { // the same name, or one that differs in its signs alone
			gp.LegalName = pick(g, gps[i-1].LegalName, strings.ToUpper(gps[i-1].LegalName), gps[i-1].LegalName+".")
		}
		g.place(&gp, states)
		g.growth(&gp)
		gp.CanonicalID = crdNumber(gp.CRD)
		if i > 0 && g.IntN(5) == 0 {
			gp.CanonicalID = gps[g.IntN(i)].CanonicalID
		}
		gps[i] = gp
	}
	return gps
}

func (g *generator) place(gp *index.GP, states []string) {
	gp.City = g.maybe(g.cities[g.zipf(len(g.cities))])
	if g.IntN(5) > 0 {
		gp.State, gp.Country, gp.CountryCode = states[g.zipf(len(states))], g.maybe("United States"), "US"
		return
	}
	gp.Country = g.maybe(pick(g, "United Kingdom", "Cayman Islands", "Hong Kong", "Singapore", "Atlantis"))
	gp.CountryCode, _ = vocab.CountryCode(gp.Country)
	if g.odd && g.IntN(4) == 0 {
		gp.State = pick(g, "ON", "ca", "Bayern")
	}
}

// growth gives the horizons a growth, or none and a reason.
func (g *generator) growth(gp *index.GP) {
	gp.LatestAUM = g.amount(1e11)
	for i, to := range [][2]*int64{{&gp.Growth1, &gp.Before1}, {&gp.Growth2, &gp.Before2}, {&gp.Growth3, &gp.Before3}, {&gp.Growth5, &gp.Before5}} {
		if before := g.amount(1e11); before != index.Unknown && gp.LatestAUM != index.Unknown && g.IntN(4) > 0 {
			*to[0], *to[1] = pick(g, int64(g.IntN(40_000)-10_000), -10_000, 0, 954, 1<<53), before
			continue
		}
		*to[0], *to[1] = index.Unknown, index.Unknown
		gp.GrowthReasons |= int64(1+g.IntN(len(catalogapi.GrowthReasons))) << (i * catalogapi.GrowthReasonBits)
	}
}

func crdNumber(crd string) int64 {
	n, err := strconv.ParseInt(crd, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func (g *generator) funds(n int, gps []index.GP) []index.Fund {
	auditors := make([]string, 0, 40)
	for len(auditors) < cap(auditors) { // those whose names may be persons' are not searched for
		if name := g.name(pick(g, "LLP", "& Co.", "Audit Group")); derive.ShowsFirm(name, nil) {
			auditors = append(auditors, name)
		}
	}
	ids := g.Perm(n)
	funds := make([]index.Fund, n)
	for i := range funds {
		funds[i] = g.fund(ids[i], gps[g.zipf(len(gps))].CRD, auditors)
		if g.odd && i > 0 && g.IntN(8) == 0 {
			funds[i].Name = pick(g, funds[i-1].Name, strings.ToUpper(funds[i-1].Name), funds[i-1].Name+",")
		}
	}
	return funds
}

func (g *generator) fund(i int, crd string, auditors []string) index.Fund {
	answer := func() index.Tri { return pick(g, index.Any, index.Yes, index.No, index.No) }
	f := index.Fund{
		ID: int64(i + 1), FundID: fmt.Sprintf("805-%010d", 1_000_000_007*int64(i+1)%10_000_000_000), AdviserCRD: crd,
		Name:     g.name(pick(g, "Fund", "Ventures", "Credit Opportunities", "Real Estate"), pick(g, "I", "II", "III", "IV"), pick(g, "L.P.", "LP", "Ltd", "(Offshore)")),
		Strategy: pick(g, vocab.Strategies()...), VintageYear: int64(1998 + g.zipf(28)), GAV: g.amount(5e9), Minimum: g.amount(1e7), Owners: g.count(300),
		Is3C1: answer(), Is3C7: answer(), IsMaster: answer(), IsFeeder: answer(),
		Quality: pick(g, "form_d", "first_filing", "first_filing", "list"),
		Status:  pick(g, "active", "active", "active", "active", "liquidating", "closed"), FirstFiledOn: time.Date(2010+g.IntN(16), time.Month(1+g.IntN(12)), 1+g.IntN(28), 0, 0, 0, 0, time.UTC),
	}
	f.LatestFiledOn = f.FirstFiledOn.AddDate(0, g.IntN(6), 0)
	if f.Status == "closed" && g.IntN(8) > 0 {
		f.ClosedOn = f.LatestFiledOn.AddDate(0, g.IntN(18), g.IntN(20))
	}
	if g.IntN(4) > 0 {
		f.OfferedOn = time.Date(2024+g.IntN(3), time.Month(1+g.IntN(12)), 1+g.IntN(28), 0, 0, 0, 0, time.UTC)
	}
	switch g.IntN(6) {
	case 0, 1, 2:
		f.State, f.Country, f.CountryCode = pick(g, "Delaware", "Delaware", "New York", "Georgia", "Ohio"), "United States", "US"
	case 3:
		f.State = pick(g, "Delaware", "TX", "Ontario")
	case 4:
		f.Country = pick(g, "Cayman Islands", "Luxembourg", "Georgia", "Atlantis", "Bahamas, The")
		f.CountryCode, _ = vocab.CountryCode(f.Country)
	case 5:
		f.CountryCode = pick(g, "", "KY", "LU", "DE", "UK")
	}
	for range pick(g, 0, 1, 1, 1, 2) {
		f.Auditors = append(f.Auditors, auditors[g.zipf(len(auditors))])
	}
	slices.Sort(f.Auditors)
	f.Audited = pick(g, index.Any, index.No)
	if len(f.Auditors) > 0 {
		f.Audited = index.Yes
	}
	switch g.IntN(5) {
	case 0:
		f.Exemptions = []string{"506b"}
	case 1:
		f.Exemptions = []string{"506c"}
	case 2:
		f.Exemptions = []string{"506b", "506c"}
	}
	return f
}
