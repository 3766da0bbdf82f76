package sample

import (
	"strconv"
	"strings"
)

// vehicles appends one unit's funds: the main one and what is formed beside it.
func (a *adviser) vehicles(r random, stem string, u unit) {
	t := traitsOf[u.strategy]
	main := fund{
		strategy: u.strategy, kind: t.fundType, opened: u.opened, closed: u.closed, master: -1,
		peak:    min(scale(r.logNormal(t.medianGAV, 2*one), a.factor), 38e9) + int64(r.IntN(100_000)),
		wobble:  r.Uint64(),
		owners:  min(max(r.logNormal(t.medianOwners, one), 1), 2_400),
		minimum: t.minimums[r.IntN(len(t.minimums))],
		ofFunds: u.strategy == fundOfFunds || u.strategy == secondaries || r.chance(3),
		audited: r.chance(t.audited), auditor: a.auditor,
	}
	main.begun = a.begun(r, u.opened)
	if u.strategy == credit {
		main.kind = []string{"Private Equity Fund", "Hedge Fund", "Other Private Fund"}[r.weighted([]int{60, 22, 18})]
	}
	if r.chance(9) {
		main.auditor = r.weighted(auditorWeights)
	}
	a.exclude(&main)
	main.law = a.law(r, t.abroad)
	if u.strategy == hedge {
		a.hedgeVehicles(r, stem, u, main)
		return
	}
	a.closedVehicles(r, stem, u, main)
}

// begun is a day before the filing that first lists the fund.
func (a *adviser) begun(r random, opened int) day {
	on := a.filings[opened].on
	if opened == 0 {
		return on - day(r.IntN(900))
	}
	return max(on-day(r.IntN(330)), a.filings[opened-1].on+1)
}

// exclude answers 7.B.(1) question 3: 3(c)(1) holds at most 100 owners, 3(c)(7) any number of rich ones.
func (a *adviser) exclude(f *fund) {
	switch {
	case f.strategy == securitized, f.owners > 100, f.peak > 400e6:
		f.is3c7 = true
	case noise(f.wobble, 3, 0, 99) < 24:
		f.is3c7 = true
	case f.strategy == realEstate && noise(f.wobble, 4, 0, 99) < 10:
		f.is3c1, f.is3c7 = true, true
	default:
		f.is3c1 = true
	}
}

// law draws the place of organization: a manager abroad prefers its own country or an offshore centre.
func (a *adviser) law(r random, abroad int) lawOf {
	if a.home && !r.chance(abroad) || !a.home && r.chance(24) {
		return homeLaws[r.weighted(homeLawWeights)]
	}
	if own := a.orgCountry; !a.home && r.chance(45) {
		return lawOf{country: own}
	}
	return lawOf{country: abroadLaws[r.weighted(abroadLawWeight)]}
}

// closing is the end of a fund's name under a law.
func (l lawOf) closing(r random) string {
	switch l.country {
	case "United States":
		return []string{", L.P.", ", LP", ", LLC", " L.P."}[r.weighted([]int{60, 20, 12, 8})]
	case "Luxembourg":
		return []string{" SCSp", " SICAV-RAIF", " S.C.A."}[r.weighted([]int{70, 20, 10})]
	case "Ireland":
		return []string{" ICAV", " plc"}[r.weighted([]int{70, 30})]
	case "Singapore":
		return []string{" VCC", " LP"}[r.weighted([]int{60, 40})]
	case "Brazil":
		return " FIP Multiestratégia"
	default:
		return []string{", L.P.", ", Ltd.", " LP"}[r.weighted([]int{64, 24, 12})]
	}
}

// family is the common part of a unit's names.
func (u unit) family(stem string) string {
	name := stem
	if region := regions[u.region]; region != "" {
		name += " " + region
	}
	return name + " " + lines[u.strategy][u.line]
}

// closedVehicles forms a closed-end family: the main fund, a parallel fund, an offshore feeder, a co-investment.
func (a *adviser) closedVehicles(r random, stem string, u unit, main fund) {
	sign, family := " "+roman(u.number), u.family(stem)
	if u.number == 1 && r.chance(55) {
		sign = ""
	}
	switch {
	case r.IntN(1000) < 5:
		family = stem + ` "` + strings.TrimPrefix(family, stem+" ") + `" Fund` // filers use quotes inside names
	case r.chance(70):
		family += " Fund"
	}
	if u.strategy == venture && !a.registered && r.chance(30) {
		// Deal by deal: vehicles of one company each.
		family, sign = stem+" "+regions[u.region]+" "+lines[venture][u.line]+" SPV", " "+strconv.Itoa(u.number)
		if u.region == 0 {
			family = stem + " " + lines[venture][u.line] + " SPV"
		}
		main.peak = min(main.peak/6+90_000, 60e6)
		main.ofFunds = false
		a.exclude(&main)
	}
	main.name = family + sign + main.law.closing(r)
	at := a.add(r, main)
	for k := 1; k < u.size; k++ {
		f := main
		f.wobble = mix(main.wobble, uint64(k)) // #nosec G115 -- 1 to 3
		f.owners = max(1, main.owners*int64(r.between(10, 60))/100)
		switch k {
		case 1:
			f.peak = main.peak / 100 * int64(r.between(8, 60))
			f.name = family + sign + "-A" + f.law.closing(r)
			a.exclude(&f)
		case 2:
			f.law = lawOf{country: abroadLaws[r.weighted(abroadLawWeight)]}
			f.name = family + " Offshore Feeder" + sign + f.law.closing(r)
			f.peak = main.peak / 100 * int64(r.between(10, 45))
			f.wobble, f.master = main.wobble, at
			a.exclude(&f)
			a.funds[at].isMaster = true
		default:
			f.peak = main.peak / 100 * int64(r.between(3, 30))
			f.name = family + sign + " Co-Invest" + f.law.closing(r)
			f.ofFunds = false
			a.exclude(&f)
		}
		a.add(r, f)
	}
}

// hedgeVehicles forms an open-ended family: one fund, or a master with feeders onshore and offshore.
func (a *adviser) hedgeVehicles(r random, stem string, u unit, main fund) {
	family := u.family(stem)
	sign := ""
	if u.number > 1 {
		sign = " " + roman(u.number)
	}
	if u.size == 1 {
		main.name = family + " Fund" + sign + main.law.closing(r)
		a.add(r, main)
		return
	}
	offshore := lawOf{country: "Cayman Islands"}
	master := main
	master.isMaster, master.law, master.minimum = true, offshore, 0
	master.owners = int64(u.size - 1)
	master.name = family + " Master Fund" + sign + ", Ltd."
	at := a.add(r, master)
	for k := 1; k < u.size; k++ {
		f := main
		f.master = at
		part := int64(r.between(15, 96/(u.size-1)))
		f.peak = main.peak / 100 * part
		f.owners = max(1, main.owners*part/100)
		switch k {
		case 1:
			f.law = homeLaws[0]
			f.name = family + " Fund" + sign + ", L.P."
		case 2:
			f.law = offshore
			f.name = family + " Offshore Fund" + sign + ", Ltd."
		default:
			f.law = offshore
			f.name = family + " Intermediate Fund" + sign + ", L.P."
		}
		a.exclude(&f)
		a.add(r, f)
	}
}

// add appends a fund, lettered as the adviser writes, and says whether it is being wound up.
func (a *adviser) add(r random, f fund) int {
	last := len(a.filings) - 1
	if age, _ := ageOf(f.begun, a.filings[last].on); age >= 9 && last > f.opened && f.strategy != hedge && r.chance(14) {
		f.liquidated = last
	}
	f.name = a.lettered(f.name)
	a.funds = append(a.funds, f)
	return len(a.funds) - 1
}

// nameIn is the fund's name in a filing.
func (a *adviser) nameIn(f *fund, filing int) string {
	if f.liquidated > 0 && filing >= f.liquidated {
		return f.name + a.lettered(" (In Liquidation)")
	}
	return f.name
}
