package sample

import (
	"strconv"
	"strings"
)

// provider is a firm that serves funds; all are invented. Those with a number have it from blocks in which no adviser's lies.
type provider struct {
	name, city, state, country string
	number                     int // CRD, and "8-…" at the SEC; 0 = none
}

func parseProviders(table string, number int) []provider {
	var list []provider
	for entry := range strings.SplitSeq(strings.ReplaceAll(table, "\n", ";"), ";") {
		f := strings.Split(strings.TrimSpace(entry), "|")
		v := provider{name: f[0], city: f[1], state: f[2], country: f[3]}
		if v.country == "" {
			v.country = "United States"
		}
		if number > 0 {
			v.number = number + len(list)
		}
		list = append(list, v)
	}
	return list
}

var (
	brokers = parseProviders(`Grandholt Securities LLC|New York|New York|;Ostervane Prime Services LLC|New York|New York|
		Marlowick & Co. LLC|New York|New York|;Pendrastel Prime Brokerage Inc.|Jersey City|New Jersey|;Quorndale Securities (USA) LLC|New York|New York|
		Brackmere International|London||United Kingdom;Tolvane Clearing Corp.|Chicago|Illinois|;Wexhollow Interactive LLC|Greenwich|Connecticut|`, 690_101)
	custodians = parseProviders(`First Harrowgate Bank, N.A.|New York|New York|;Ostervane Bank & Trust|Boston|Massachusetts|
		Silverfell Bank|Santa Clara|California|;Larkmoor Private Bank|San Francisco|California|;Grandholt Bank, N.A.|New York|New York|
		Bank of Tarnwick|Chicago|Illinois|;Northmere Trust Company|Chicago|Illinois|;Cendrake Custody S.A.|Luxembourg||Luxembourg
		Marlowick Bank (Cayman) Ltd.|George Town||Cayman Islands;Stellingrad Bank AG|Zürich||Switzerland;Kestervale Bank plc|London||United Kingdom
		Eastholm Bank, N.A.|Dallas|Texas|`, 0)
	administrators = parseProviders(`Halfmoon Fund Services LLC|New York|New York|;Corvantis Fund Administration|Boston|Massachusetts|
		Dunmere Administration (US) LLC|Chicago|Illinois|;Ambergate Fund Solutions, Inc.|San Francisco|California|;Estrelmont Fund Services|George Town||Cayman Islands
		Grenlake Administration LLC|Jersey City|New Jersey|;Islewater Services (Ireland) Limited|Dublin||Ireland;Peltrane Financial Technologies LLC|Dallas|Texas|
		Quaymont Fund Partners S.A.|Luxembourg||Luxembourg;Ravelin Back Office LLC|Denver|Colorado|;Seacombe Fund Accounting, LLC|Salt Lake City|Utah|
		Thornleigh Administration Pte. Ltd.|Singapore||Singapore;Umberlane Fund Services LLC|Charlotte|North Carolina|;Vexmoor Administration Corp.|Toronto||Canada`, 0)
	marketers = parseProviders(`Ashgrave Placement Partners LLC|New York|New York|;Bellcombe Securities LLC|Chicago|Illinois|
		Crestwane Capital Advisory LLC|Greenwich|Connecticut|;Dellmarsh Securities Inc.|San Francisco|California|;Evenrood Partners LLP|London||United Kingdom
		Fallowick Private Capital LLC|New York|New York|;Gorselund Distribution LLC|Dallas|Texas|;Harwell Strand Securities, LLC|Boston|Massachusetts|`, 690_201)
)

// served says which firms serve a fund in one filing; -1 = none of the kind.
type served struct{ broker, second, custodian, custodian2, administrator, marketer int }

// pick draws from a list whose first entries have most of the market.
func pick(list []provider, key, n uint64) int {
	return int(noise(key, n, 0, int64(len(list))-1) * noise(key, n+1, 0, 99) / 99)
}

// servedBy is the same in all of the fund's filings, but that one in ten changes its administrator.
func (p *plan) servedBy(f *fund, filing int) served {
	s, rate, key := served{-1, -1, -1, -1, -1, -1}, int64(p.scale.providers), f.wobble
	if f.strategy == hedge && noise(key, 30, 0, 9_999) < 62*rate {
		s.broker = pick(brokers, key, 31)
		if two := pick(brokers, key, 34); two != s.broker && noise(key, 33, 0, 2) == 0 {
			s.second = two
		}
	}
	if noise(key, 36, 0, 9_999) < 37*rate {
		s.custodian = pick(custodians, key, 37)
		if two := pick(custodians, key, 40); two != s.custodian && noise(key, 39, 0, 9) == 0 {
			s.custodian2 = two
		}
	}
	if noise(key, 42, 0, 9_999) < 32*rate {
		s.administrator = pick(administrators, key, 43)
		if noise(key, 45, 0, 9) == 0 && filing > f.opened+2 {
			s.administrator = pick(administrators, key, 46)
		}
	}
	if noise(key, 48, 0, 9_999) < 6*rate {
		s.marketer = pick(marketers, key, 49)
	}
	return s
}

// partner is the fund's general partner or manager (question 3), empty where the filing names none.
func (p *plan) partner(a *adviser, f *fund) string {
	if noise(f.wobble, 51, 0, 9_999) >= 18*int64(p.scale.providers) {
		return ""
	}
	sign := ""
	if n := noise(f.wobble, 52, 1, 4); n > 1 {
		sign = " " + roman(int(n))
	}
	return a.lettered(a.stem + " GP" + sign + []string{", LLC", ", L.P.", " Ltd."}[noise(f.wobble, 53, 0, 2)])
}

// serve writes a fund's children in Schedule D 7.B.(1) but for auditors and Form D.
func (w *writer) serve(a *adviser, f *fund, s served, i int, id, reference int64, registered bool) {
	l := &w.line
	begin := func() {
		l.begin(id)
		l.number(reference)
	}
	if name := w.plan.partner(a, f); name != "" {
		begin()
		l.text(name)
		w.put(iaPartners.of(registered))
	}
	if f.isMaster {
		w.feeders(a, f, i, id, reference, registered)
	}
	for _, n := range []int{s.broker, s.second} {
		if n < 0 {
			continue
		}
		b := brokers[n]
		begin()
		l.text(strings.ToUpper(b.name))
		l.text("8-" + strconv.Itoa(b.number))
		l.bare(strconv.Itoa(b.number))
		w.place(b)
		l.yes(noise(f.wobble, 54, 0, 2) > 0)
		w.put(iaPrimeBrokers.of(registered))
	}
	for _, n := range []int{s.custodian, s.custodian2} {
		if n < 0 {
			continue
		}
		c := custodians[n]
		begin()
		l.text(strings.ToUpper(c.name))
		l.text(strings.ToUpper(strings.TrimSuffix(c.name, ", N.A.")))
		w.place(c)
		l.yes(false)
		l.text("")
		if n%2 == 0 {
			l.text(leiOf(n + 1))
		} else {
			l.text("")
		}
		w.put(iaCustodians.of(registered))
	}
	if s.administrator >= 0 {
		begin()
		l.text(strings.ToUpper(administrators[s.administrator].name))
		w.place(administrators[s.administrator])
		l.yes(false)
		l.text([]string{"ALL", "SOME", "NONE"}[noise(f.wobble, 55, 0, 4)/2])
		l.text("")
		w.put(iaAdministrators.of(registered))
	}
	if s.marketer >= 0 {
		w.market(f, marketers[s.marketer], id, reference, registered)
	}
}

func (w *writer) place(v provider) {
	w.line.text(strings.ToUpper(v.city))
	w.line.text(v.state)
	w.line.text(v.country)
}

// market writes a marketer and its sites.
func (w *writer) market(f *fund, m provider, id, reference int64, registered bool) {
	l := &w.line
	begin := func() {
		l.begin(id)
		l.number(reference)
		l.number(reference*10 + 1)
	}
	sites := noise(f.wobble, 56, 0, 5) / 2
	begin()
	l.yes(false)
	l.text(strings.ToUpper(m.name))
	l.text("8-" + strconv.Itoa(m.number))
	l.bare(strconv.Itoa(m.number))
	w.place(m)
	l.yes(sites > 0)
	w.put(iaMarketers.of(registered))
	word, _, _ := strings.Cut(m.name, " ")
	for n := range sites {
		begin()
		l.text([]string{"HTTPS://WWW.", "HTTPS://FUNDS."}[n] + strings.ToUpper(word) + ".EXAMPLE")
		w.put(iaMarketerSites.of(registered))
	}
}

// feeders writes questions 6.(b) and 7 of a master fund. A few have a feeder that is reported with its master alone.
func (w *writer) feeders(a *adviser, master *fund, i int, id, reference int64, registered bool) {
	l, sub := &w.line, reference*10
	for k := range a.funds {
		f := &a.funds[k]
		if f.master < 0 || &a.funds[f.master] != master || !f.listedIn(i) {
			continue
		}
		l.begin(id)
		l.number(reference)
		l.text(a.nameIn(f, i))
		l.bare(f.id)
		w.put(iaFeeders.of(registered))
	}
	if noise(master.wobble, 57, 0, 19) > 0 {
		return
	}
	l.begin(id)
	l.number(reference)
	l.number(sub + 2)
	l.text(a.lettered(strings.TrimSuffix(master.name, ", Ltd.") + " Access Feeder, L.P."))
	l.bare(fundID(20_000_000 + master.number)) // no fund that has a row of its own
	l.text("Delaware")
	l.text("United States")
	l.yes(true)
	l.yes(false)
	w.put(iaFeederDetails.of(registered))
}
