package sample

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// headerLPs is the header of a list of commitments as it is put together from what public pensions publish, and three columns
// that say what kind of LP it is and where.
var headerLPs = columns("pension_fund_name,pension_fund_state,fund_name,general_partner,asset_class,sub_strategy,vintage_year,commitment_mm",
	"capital_called_mm,capital_distributed_mm,remaining_value_mm,net_irr,net_multiple,dpi,as_of_date,source_url,source_document",
	"extraction_method,extraction_confidence,entity_type,city,country")

// lpDates are the days of the lists, a year apart.
var lpDates = []day{dayOf(2025, time.March, 31), dayOf(2026, time.March, 31)}

// lpKind is a kind of LP, and what its kind is called.
type lpKind struct {
	entity string
	names  []string // after the stem
	deals  int      // usual number of funds
}

var lpKinds = []lpKind{
	{"pension", []string{" Teachers Retirement System", " Public Employees Retirement Fund", " State Investment Board"}, 40},
	{"endowment", []string{" University Endowment", " College Endowment Fund"}, 16},
	{"family_office", []string{" Family Office", " Family Holdings"}, 6},
	{"fund_of_funds", []string{" Fund of Funds Program", " Private Markets Fund of Funds"}, 20},
	{"insurance", []string{" Life Insurance Company", " Mutual Insurance Company"}, 14},
	{"sovereign_wealth", []string{" Sovereign Wealth Fund", " National Reserve Fund"}, 30},
	{"corporate", []string{" Industries Treasury", " Motors Corporate Ventures"}, 5},
	{"other", []string{" Community Foundation", " Hospital Trust"}, 7},
}

// lp is an investor in private funds.
type lp struct {
	index        int
	name, entity string
	city         *city
	deals        []deal
}

// deal is a fund that an LP has committed to. Its figures follow from the key and the day.
type deal struct {
	fund, manager, class, strategy string
	vintage                        int
	committed                      int64 // dollars
	key                            uint64
}

// lps are the investors: one of each kind at least, and more in a larger catalog.
func (p *plan) lps() []lp {
	list := make([]lp, min(max(len(p.advisers)/20, len(lpKinds)), 400))
	for i := range list {
		r := newRandom(p.seed, forLPs, uint64(i)) // #nosec G115 -- an index
		kind := lpKinds[i%len(lpKinds)]
		x := lp{index: i, entity: kind.entity, city: &homeCities[r.weighted(homeWeights)]}
		if kind.entity == "sovereign_wealth" {
			x.city = &foreignCities[r.weighted(foreignWeights)]
		}
		// Stems far from those of the advisers.
		x.name = stemOf(400_000+i, x.city.country != "United States") + kind.names[r.IntN(len(kind.names))]
		seen := map[string]bool{}
		for range kind.deals/2 + r.IntN(kind.deals) {
			if d := p.deal(r); !seen[d.fund] {
				seen[d.fund] = true
				x.deals = append(x.deals, d)
			}
		}
		list[i] = x
	}
	return list
}

// deal draws a commitment: most often to a fund of the catalog, else to one that is in no filing.
func (p *plan) deal(r random) deal {
	d := deal{committed: int64(r.between(10, 400)) * 500_000, key: r.Uint64()}
	for unknown, try := r.chance(18), 0; !unknown && try < 8; try++ {
		a := &p.advisers[r.IntN(len(p.advisers))]
		if len(a.funds) == 0 {
			continue
		}
		f := &a.funds[r.IntN(len(a.funds))]
		if f.master >= 0 || f.begun > lpDates[0]-30 {
			continue
		}
		d.fund, d.manager, d.vintage = listedName(r, f.name), a.stem, f.begun.year()
		d.class, d.strategy = classOf(f.kind)
		return d
	}
	d.manager = stemOf(420_000+r.IntN(900), false)
	d.fund = d.manager + " " + []string{"Capital Partners", "Growth Fund", "Credit Opportunities", "Buyout Fund"}[r.IntN(4)] + " " + roman(r.between(1, 9))
	d.class, d.strategy, d.vintage = "Private Equity", "", r.between(2009, 2024)
	return d
}

// listedName is how a list writes a fund's name: mostly without the legal form, and not in capitals.
func listedName(r random, filed string) string {
	if r.chance(20) {
		return filed
	}
	name, _, _ := strings.Cut(filed, ",")
	if name == strings.ToUpper(name) {
		words := strings.Fields(name)
		for i, w := range words {
			if strings.Trim(w, "IVXL") != "" {
				words[i] = titled(w)
			}
		}
		name = strings.Join(words, " ")
	}
	return name
}

func classOf(kind string) (class, strategy string) {
	switch {
	case strings.Contains(kind, "Venture"):
		return "Private Equity", "Venture Capital"
	case strings.Contains(kind, "Real Estate"):
		return "Real Assets", "Real Estate"
	case strings.Contains(kind, "Hedge"):
		return "Absolute Return", ""
	case strings.Contains(kind, "Private Equity"):
		return "Private Equity", "Buyout"
	default:
		return "Private Credit", "Credit"
	}
}

// lpJobs writes the lists, one a day.
func (p *plan) lpJobs(dir string) []job {
	list := make([]job, len(lpDates))
	for i, on := range lpDates {
		list[i] = func(ctx context.Context) (Archive, error) {
			if err := ctx.Err(); err != nil {
				return Archive{}, err
			}
			return p.commitments(dir, on)
		}
	}
	return list
}

// commitments writes the list of one day.
func (p *plan) commitments(dir string, on day) (Archive, error) {
	path := filepath.Join(dir, "lp_commitments_"+on.compact()+".csv")
	rows := [][]string{headerLPs}
	for _, x := range p.lps() {
		for _, d := range x.deals {
			// A fund of the list's last year has its first commitments with the next list.
			if d.vintage <= on.year()-1 {
				rows = append(rows, x.row(d, on))
			}
		}
	}
	size, err := writeCSV(path, rows)
	return Archive{Path: path, Kind: KindLP, Bytes: size, Tables: []Table{{Name: "commitments", Rows: len(rows) - 1}}}, err
}

func writeCSV(path string, rows [][]string) (size int64, err error) {
	part := path + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // #nosec G304 -- the folder is the caller's
	if err != nil {
		return 0, err
	}
	w := csv.NewWriter(f)
	w.UseCRLF = true
	err = w.WriteAll(rows)
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil {
		return 0, errors.Join(err, os.Remove(part))
	}
	return info.Size(), os.Rename(part, path)
}

// row is what the list of a day says of a commitment.
func (x lp) row(d deal, on day) []string {
	age := on.year() - d.vintage
	called := d.committed / 100 * noise(d.key, 1, min(18*int64(age), 90), min(18*int64(age)+14, 108))
	gain := noise(d.key, 2, 70, 260) // percent of what was called, at the end of the fund's life
	value := called / 100 * (100 + (gain-100)*min(int64(age), 10)/10)
	paid := value / 100 * min(max(int64(age)-3, 0)*12, 96)
	multiple, dpi, irr := "", "", ""
	if called > 0 {
		multiple, dpi = decimals(value*10_000/called, 4), decimals(paid*10_000/called, 4)
	}
	if age >= 3 { // before that it is not meaningful
		irr = decimals((gain-100)*noise(d.key, 3, 9, 15), 4)
	}
	state := ""
	if x.city.country == "United States" {
		state = x.city.state
	}
	return []string{
		x.name, state, d.fund, d.manager, d.class, d.strategy, strconv.Itoa(d.vintage), decimals(d.committed, 6),
		decimals(called, 6), decimals(paid, 6), decimals(value-paid, 6), irr, multiple, dpi, on.time().Format(time.DateOnly),
		"https://" + domainOf(strings.Fields(x.name)[0]) + "/investments", "Invented list of commitments", "invented", "1.0", x.entity, x.city.name, x.city.country,
	}
}

// decimals writes a whole number with the point moved to the left: 1_500_000 dollars with 6 are 1.5 millions.
func decimals(n int64, places int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	digits := zeros(int(n), places+1)
	at := len(digits) - places
	return sign + digits[:at] + "." + cmp.Or(strings.TrimRight(digits[at:], "0"), "0")
}
