package sample

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// noticeWriter turns notices into rows of all tables.
type noticeWriter struct {
	plan    *plan
	quarter period
	isoSale bool // SALE_DATE as 2023-09-28, else as 28-SEP-2023: both shapes occur
	rows    [noticeTables]*noticeRow
	spools  []*spool
	posts   []post
	err     error // the first that occurred
}

// dataSet writes one quarter.
func (p *plan) dataSet(ctx context.Context, dir string, quarter period, list []notice) (Archive, error) {
	from := quarter.from.time()
	number := (int(from.Month()) + 2) / 3
	name := strconv.Itoa(from.Year()) + "Q" + strconv.Itoa(number) + "_d"
	w := &noticeWriter{plan: p, quarter: quarter, isoSale: number%2 == 1}
	defer func() {
		for _, s := range w.spools {
			_ = s.remove() // temporary files: nothing is lost with them
		}
	}()
	names, err := w.open(dir, name)
	if err != nil {
		return Archive{}, err
	}
	for n, at := range list {
		if n%256 == 0 && ctx.Err() != nil {
			return Archive{}, ctx.Err()
		}
		if w.write(at); w.err != nil {
			return Archive{}, w.err
		}
	}
	path := filepath.Join(dir, strings.ToLower(name)+".zip")
	size, err := zipTogether(path, names, w.spools, quarter.published())
	done := Archive{Path: path, Kind: KindFormD, Bytes: size, Filings: len(list)}
	for t, l := range noticeLayouts {
		done.Tables = append(done.Tables, Table{l.name, w.spools[t].rows})
	}
	return done, err
}

// open begins the tables, and puts the two files about them beside them.
func (w *noticeWriter) open(dir, folder string) (names []string, err error) {
	for t, l := range noticeLayouts {
		w.rows[t] = newNoticeRow(l.header)
		s, err := w.plan.newTable(dir, t, strings.Join(l.header, "\t")+"\n")
		if err != nil {
			return nil, err
		}
		w.spools = append(w.spools, s)
		names = append(names, folder+"/"+l.name+".tsv")
	}
	about := []struct{ name, text string }{
		{"FormD_metadata.json", `{"@context": "http://www.w3.org/ns/csvw", "dialect": {"delimiter": "\t", "header": true, "encoding": "utf-8"}}` + "\n"},
		{"FormD_readme.htm", "<html><body><p>Invented notices in the shape of the Form D data sets.</p></body></html>\n"},
	}
	for n, a := range about {
		s, err := w.plan.newTable(dir, len(noticeLayouts)+n, a.text)
		if err != nil {
			return nil, err
		}
		w.spools = append(w.spools, s)
		names = append(names, folder+"/"+a.name)
	}
	return names, nil
}

func (w *noticeWriter) put(t noticeTable) {
	if err := w.spools[t].row(w.rows[t].bytes()); err != nil && w.err == nil {
		w.err = err
	}
}

// issuer is who makes an offering.
type issuer struct {
	key         uint64
	cik         int
	name        string
	fileNumber  string
	place       officeSince
	law         lawOf
	begun       day
	firstSale   day
	people      []post
	entity      string // that stands among the persons; may be empty
	fund        *fund  // nil for a company
	industry    string
	marketer    int // -1 = none
	offered     int64
	sold        int64
	investors   int64
	minimum     int64
	indefinite  bool
	chainBefore bool // it is an amendment
	previous    string
}

// accession is a filing's number at EDGAR: filed by the issuer itself, in a year, the n-th of its own.
func accession(cik int, on day, nth int) string {
	return zeros(cik, 10) + "-" + on.time().Format("06") + "-" + zeros(nth+1, 6)
}

func (w *noticeWriter) write(n notice) {
	it := w.issuerOf(n)
	number := accession(it.cik, n.on, int(n.nth))
	w.submission(it, number, n)
	w.issuer(it, number)
	w.offering(it, number, n)
	if it.marketer >= 0 {
		w.recipient(it, number)
	}
	w.persons(it, number)
	w.signature(it, number, n)
}

// issuerOf gathers what the notice says.
func (w *noticeWriter) issuerOf(n notice) issuer {
	if n.kind == ofCompany {
		return w.company(n)
	}
	a := &w.plan.advisers[n.adviser]
	f := &a.funds[n.fund]
	key := w.plan.noticeKey(f)
	at := max(0, a.filingOn(n.on))
	w.posts = w.plan.posts(w.posts[:0], a, at)
	it := issuer{
		key: key, cik: 3_000_000 + int(f.number), name: f.name, fileNumber: f.noticeNumber(), place: a.officeAt(at), law: f.law, // #nosec G115 -- below ten million
		begun: f.begun, firstSale: w.plan.firstSale(f), people: w.posts, fund: f, industry: "Pooled Investment Fund",
		marketer: w.plan.servedBy(f, at).marketer, offered: roundUp(f.peak), investors: max(1, f.owners*noise(key, 31, 20, 100)/100), minimum: f.minimum,
	}
	if noise(key, 32, 0, 2) > 0 {
		it.name = titledName(f.name)
	}
	if name := w.plan.partner(a, f); name != "" && noise(key, 33, 0, 9) < 6 {
		it.entity = titledName(name)
	}
	it.sold = min(f.valueAt(n.on), it.offered)
	it.indefinite = f.strategy == hedge && noise(key, 34, 0, 9) < 6 || noise(key, 34, 0, 99) == 10
	if noise(key, 35, 0, 1999) == 0 {
		it.offered = 1_000_000_000_000 // a placeholder, as filers type it
	}
	if n.nth > 0 {
		it.chainBefore = true
		it.previous = accession(it.cik, n.before, int(n.nth)-1)
	}
	if n.kind == ofStrange {
		it.strange(w.plan, n)
	}
	return it
}

// strange makes the issuer another one of the same name: elsewhere, with other people and another file number.
func (it *issuer) strange(p *plan, n notice) {
	r := newRandom(p.seed, forNotices, 1<<41|it.key>>24)
	a := &p.advisers[n.adviser]
	it.fileNumber = "021-" + strconv.Itoa(2_000_000+it.cik) // above all those of the catalog's funds
	it.cik += 10_000_000
	it.firstSale = n.on - 5
	it.place = a.office(r, &homeCities[r.weighted(homeWeights)], 0)
	it.people = []post{{who: p.personAt(len(p.advisers)+int(n.adviser), 0)}}
	it.entity, it.marketer, it.offered, it.sold = "", -1, 3_000_000, int64(r.between(1, 29))*100_000
}

// company is an issuer that is no fund. One in thirty is called like a fund of the catalog all the same.
func (w *noticeWriter) company(n notice) issuer {
	p := w.plan
	r := newRandom(p.seed, forNotices, 1<<42|uint64(n.adviser)) // #nosec G115 -- an index
	a := &p.advisers[r.IntN(len(p.advisers))]
	key := r.Uint64()
	it := issuer{
		key: key, cik: 17_000_000 + int(n.adviser), fileNumber: "021-" + strconv.Itoa(9_000_000+int(n.adviser)),
		name:  stemOf(p.organizations+int(n.adviser)*7, false) + " " + []string{"Technologies", "Therapeutics", "Foods", "Robotics", "Energy"}[r.IntN(5)] + ", Inc.",
		place: a.office(r, &homeCities[r.weighted(homeWeights)], 0), law: homeLaws[r.weighted(homeLawWeights)],
		begun: n.on - day(r.IntN(2_000)), firstSale: n.on - day(r.IntN(15)), marketer: -1,
		people:   []post{{who: p.personAt(2*len(p.advisers)+int(n.adviser), 0)}, {who: p.personAt(2*len(p.advisers)+int(n.adviser), 1)}},
		industry: []string{"Other Technology", "Biotechnology", "Restaurants", "Other Health Care", "Oil and Gas", "Commercial"}[r.IntN(6)],
		offered:  int64(r.between(1, 300)) * 100_000, investors: int64(r.between(1, 60)),
	}
	it.sold = it.offered * int64(r.between(0, 100)) / 100
	if n.adviser%30 == 3 && len(a.funds) > 0 {
		it.name = titledName(a.funds[r.IntN(len(a.funds))].name)
	}
	return it
}

// capitals are the words of a fund's name that stay as they are.
var capitals = strings.Fields("LLC L.P LP SPV II III IV VI VII VIII IX XI XII CLO SCSP SICAV-RAIF VCC ICAV")

// titledName is a name of capitals in small letters, but for what is written in capitals always.
func titledName(s string) string {
	words := strings.Fields(s)
	for i, word := range words {
		if !slices.Contains(capitals, strings.Trim(word, ",.()")) {
			words[i] = titled(word)
		}
	}
	return strings.Join(words, " ")
}

// roundUp gives an offering's size: three digits, upwards.
func roundUp(v int64) int64 {
	unit := int64(1)
	for v/unit > 100 {
		unit *= 10
	}
	return (v/unit + 1) * unit
}

// upperDate is 29-MAR-2022.
func upperDate(on day) string { return strings.ToUpper(on.time().Format("02-Jan-2006")) }

// schemaVersion is the edition of the electronic form in force.
func schemaVersion(on day) string {
	if on >= dayOf(2024, time.July, 1) {
		return "X0708"
	}
	return "X0707"
}
