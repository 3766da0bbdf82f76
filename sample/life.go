package sample

import (
	"strconv"
	"strings"
	"time"
)

// live fills in everything about an adviser but its funds. Its regime, office country, focus, rank and stem are given.
func (a *adviser) live(p *plan, r random, stem, qualifier string) {
	a.crd, a.stem = crdOf(a.index), stem
	a.fiscalEnd = []time.Month{time.December, time.March, time.June, time.September}[r.weighted([]int{88, 4, 5, 3})]
	a.shouting = r.chance(86)
	a.uncalled = int64(r.between(0, 28))
	a.staffing = int64(r.between(25, 130))
	a.auditor = r.weighted(auditorWeights)
	a.domain = domainOf(stem)
	if r.chance(15) {
		a.social = "HTTPS://WWW.LINKEDIN.COM/COMPANY/" + strings.ToUpper(strings.TrimSuffix(a.domain, ".example"))
	}
	if r.chance(12) {
		a.lei = leiOf(a.crd)
	}
	a.size(r)
	a.schedule(p, r)
	a.drawOffices(r)
	a.name(p, r, stem, qualifier)
}

// size draws how large the adviser is for its rank.
func (a *adviser) size(r random) {
	a.factor = exp2(r.normal() * 9 / 10)
	switch {
	case a.listed > 200:
		a.factor = max(a.factor, one/2)
	case a.rank < 2:
		a.factor = max(a.factor, one) * 14 // the giants of a small catalog
	case a.listed > 20:
		a.factor = max(a.factor, one/2) * 2
	}
	switch {
	case a.focus == wealth:
		a.accounts = min(r.logNormal(320e6, 2*one), 400e9)
	case r.chance(45):
		a.accounts = r.logNormal(60e6, 17*one/10) * a.factor / one
	}
	if !a.registered {
		a.accounts = 0
	}
}

// schedule draws when the adviser files.
func (a *adviser) schedule(p *plan, r random) {
	newcomer := r.IntN(1000) < p.newcomers
	switch {
	case newcomer:
		a.founded = p.detailFrom + day(r.IntN(int(lastDay-p.detailFrom)-20))
	case r.chance(22):
		a.founded = firstDay + day(r.IntN(89)) // the rush of early 2012, when private fund advisers had to register
	default:
		a.founded = firstDay + 90 + day(r.IntN(int(p.detailFrom-firstDay)-120))
	}
	a.founded = max(a.founded.workday(), firstDay)
	a.gone = never
	if r.IntN(1000) < p.leavers {
		a.gone = max(p.detailFrom, a.founded) + 30 + day(r.IntN(int(lastDay-p.detailFrom)))
	}

	a.file(r, a.founded, initial)
	var before []day
	for year := a.founded.year(); year <= lastDay.year(); year++ {
		end := fiscalEnd(year, a.fiscalEnd)
		on := (end + 90 - annualLead(r)).workday()
		if r.chance(1) {
			on += 12 // late
		}
		switch {
		case end <= a.founded || on > lastDay:
		case on < p.detailFrom:
			before = append(before, on)
		default:
			a.fileBefore(r, before, p.filingsBefore)
			before = nil
			a.amend(r, on)
			a.file(r, on, annual)
		}
	}
	a.fileBefore(r, before, p.filingsBefore)
	a.amend(r, lastDay)
	a.correct()
	if !a.registered && r.chance(7) {
		a.register(p, r)
	}
}

// annualLead is how many days before the deadline the annual amendment is filed: most wait for the last fortnight.
func annualLead(r random) day {
	switch r.weighted([]int{62, 28, 10}) {
	case 0:
		return day(r.between(0, 8))
	case 1:
		return day(r.between(9, 40))
	default:
		return day(r.between(41, 80))
	}
}

// fileBefore keeps some of the annual amendments of the years that are not told in full: the last one, and others
// drawn at random, so that the years in which funds first appear differ from adviser to adviser.
func (a *adviser) fileBefore(r random, on []day, keep int) {
	for i, d := range on {
		left := len(on) - 1 - i
		if left == 0 || r.IntN(left) < keep-1 {
			a.file(r, d, annual)
			keep--
		}
	}
}

// amend adds an other-than-annual amendment before a day, in about a fourth of the years.
func (a *adviser) amend(r random, before day) {
	last := a.filings[len(a.filings)-1].on
	if r.chance(27) && before-last > 40 {
		a.file(r, (last + 10 + day(r.IntN(int(before-last)-20))).workday(), amendment)
	}
}

func (a *adviser) file(r random, on day, kind kindOf) {
	second := (8*60+r.IntN(11*60))*60 + r.IntN(60)
	if n := len(a.filings); (n > 0 && a.filings[n-1].on >= on) || on >= a.gone || on > lastDay {
		return
	}
	a.filings = append(a.filings, filing{on: on, second: second, kind: kind})
}

// correct adds a second amendment of the same day to a registered adviser's last one, where that is of the last month.
func (a *adviser) correct() {
	last := &a.filings[len(a.filings)-1]
	if !a.registered || last.kind != amendment || last.on < lastDay-30 {
		return
	}
	last.slip = true
	a.filings = append(a.filings, filing{on: last.on, second: last.second + 45*60, kind: amendment})
}

// register turns one of the exempt adviser's later filings into its application for registration.
func (a *adviser) register(p *plan, r random) {
	for i := 1; i < len(a.filings); i++ {
		if a.filings[i].on >= p.detailFrom && (i == len(a.filings)-1 || r.chance(50)) {
			a.filings[i].kind = application
			a.applied = i
			return
		}
	}
}

// drawOffices draws the offices: most advisers stay where they are.
func (a *adviser) drawOffices(r random) {
	pick := func() *city {
		if a.home {
			return &homeCities[r.weighted(homeWeights)]
		}
		return &foreignCities[r.weighted(foreignWeights)]
	}
	first := a.office(r, pick(), 0)
	first.private = r.IntN(1000) < 18
	a.offices = append(a.offices, first)
	if len(a.filings) > 2 && r.chance(11) {
		to := pick()
		for to.country != first.city.country {
			to = pick()
		}
		a.offices = append(a.offices, a.office(r, to, r.between(1, len(a.filings)-1)))
	}
	a.orgCountry, a.orgState = first.city.country, first.city.state
	if a.home && r.chance(66) {
		a.orgState = "DE"
	}
}

func (a *adviser) office(r random, c *city, since int) officeSince {
	o := officeSince{filing: since, city: c, street1: strconv.Itoa(r.between(1, 990)) + " " + streets[r.IntN(len(streets))]}
	switch {
	case r.chance(40):
		o.street2 = "Suite " + strconv.Itoa(r.between(1, 48)*100)
	case r.chance(25):
		o.street2 = strconv.Itoa(r.between(2, 47)) + "th Floor"
	case r.IntN(1000) < 20:
		o.street1 += "\r\nBuilding " + strconv.Itoa(r.between(1, 9)) // a line break inside the quotes, as filers type it
	}
	o.postal = c.postal
	if c.country == "United States" {
		o.postal += zeros(r.IntN(100), 2)
		o.phone = c.phone + "-555-01" + zeros(r.IntN(100), 2)
		return o
	}
	if o.postal != "" {
		o.postal += zeros(r.IntN(1000), 3)
	}
	o.phone = "+" + c.phone + " 555 01" + zeros(r.IntN(100), 2)
	return o
}

// name draws the legal and the business name, and now and then a new one.
func (a *adviser) name(p *plan, r random, stem, qualifier string) {
	forms := legalForms[a.offices[0].city.country]
	words := businessWords[a.focus]
	form, word := forms[r.IntN(len(forms))], words[r.IntN(len(words))]
	if qualifier != "" {
		word = strings.TrimSpace(qualifier + " " + word)
	}
	legal := stem + " " + word
	n := nameSince{legal: joinForm(legal, form), business: joinForm(legal, form)}
	switch {
	case r.chance(12):
		n.business = legal
	case r.chance(7):
		n.business = stem
	case r.chance(4):
		// Another name altogether.
		n.business = stemOf(p.organizations+a.index, false) + " " + words[r.IntN(len(words))]
	}
	if r.IntN(1000) < 15 {
		n.business = `"` + stem + `" ` + word
		n.legal = joinForm(stem+` "`+regions[r.between(1, len(regions)-1)]+`" `+word, form)
	}
	a.names = append(a.names, a.cased(n))
	a.orgForm = orgFormOf(form)
	if len(a.filings) > 2 && r.IntN(1000) < 45 {
		to := stem + " " + words[r.IntN(len(words))]
		if r.chance(40) || to == legal {
			to = stemOf(p.organizations+p.scale.advisers+a.index, false) + " " + word
		}
		n = nameSince{r.between(1, len(a.filings)-1), joinForm(to, form), joinForm(to, form)}
		a.names = append(a.names, a.cased(n))
	}
}

func (a *adviser) cased(n nameSince) nameSince {
	n.legal, n.business = a.lettered(n.legal), a.lettered(n.business)
	return n
}

// joinForm puts a comma before the forms that mostly have one. A word that ends the name and begins the form is said once.
func joinForm(name, form string) string {
	if strings.HasPrefix(form, "Management") {
		name = strings.TrimSuffix(name, " Management")
	}
	switch form {
	case "LLC", "L.P.", "Inc.", "LP":
		return name + ", " + form
	default:
		return name + " " + form
	}
}

func orgFormOf(form string) string {
	switch {
	case strings.HasSuffix(form, "LLP"):
		return "Limited Liability Partnership"
	case strings.HasSuffix(form, "LLC"), strings.HasSuffix(form, "L.L.C."):
		return "Limited Liability Company"
	case strings.HasSuffix(form, "LP"), strings.HasSuffix(form, "L.P."):
		return "Limited Partnership"
	case strings.HasSuffix(form, "Inc."), strings.HasSuffix(form, "S.A."), strings.HasSuffix(form, "AG"):
		return "Corporation"
	default:
		return "Other (specify)"
	}
}

// leiOf has the form of a legal entity identifier with its two check digits (ISO 17442), under a prefix that is not
// given out.
func leiOf(crd int) string {
	base := "0000" + "00SAMPLE" + zeros(crd, 6)
	if len(base) > 18 {
		base = "0000" + "SAMPLE" + zeros(crd, 8)
	}
	rest := 0
	for _, c := range base + "00" {
		v := int(c - '0')
		if c >= 'A' {
			v = int(c-'A') + 10
			rest *= 10
		}
		rest = (rest*10 + v) % 97
	}
	return base + zeros(98-rest, 2)
}

// zeros writes a number with leading zeros.
func zeros(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(s))) + s
}
