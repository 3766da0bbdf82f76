package sample

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// firstWithdrawalID is where the numbers of withdrawals begin: far above those of the forms.
const firstWithdrawalID int64 = 50_000_001

// withdrawal is one Form ADV-W.
type withdrawal struct {
	adviser int
	on      day
	full    bool
	ceased  bool
	reason  string
}

var headerWithdrawals = columns("CRD Number,SEC File Number,Full Legal Name,Primary Business Name,Filing ID,Form Type,Filing Type,Filing Date",
	"Office Street 1,Office Street 2,Office City,Office State,Office Country,Office Postal Code,Business Ceased,Date Ceased,Reasons for Withdrawal")

// headerRecordKeepers is the schedule of those who keep the books after a withdrawal.
var headerRecordKeepers = columns("Filing ID,Name,Street 1,Street 2,City,State,Country,Postal Code")

// withdrawals lists all Forms ADV-W by day: everyone who stops filing withdraws in full, a few withdraw in part only, and
// fewer still withdraw in full and come back: their later filings count.
func (p *plan) withdrawals() []withdrawal {
	var list []withdrawal
	for i := range p.advisers {
		a := &p.advisers[i]
		r := newRandom(p.seed, forWithdrawal, uint64(i)) // #nosec G115 -- an index
		reason := []string{
			"NO LONGER IN BUSINESS", "ASSETS UNDER MANAGEMENT FELL BELOW THE THRESHOLD", "MERGED WITH ANOTHER ADVISER",
			`RELIES ON THE "FAMILY OFFICE" EXCLUSION`, "SWITCHING TO STATE REGISTRATION",
		}[r.IntN(5)]
		on := a.gone.nextWorkday()
		switch {
		case !a.active() && on <= lastDay:
			list = append(list, withdrawal{i, on, true, r.chance(70), reason})
		case !a.active():
		case a.registered && r.IntN(1000) < 12:
			on := p.detailFrom + day(r.IntN(int(lastDay-p.detailFrom)))
			if on = on.workday(); on > a.filings[0].on {
				list = append(list, withdrawal{i, on, false, false, "NO LONGER REQUIRED TO BE REGISTERED IN ONE STATE"})
			}
		case r.IntN(1000) < 8:
			if last := len(a.filings) - 1; last > 0 && a.filings[last-1].on+60 < a.filings[last].on && a.filings[last].on-30 >= p.detailFrom {
				list = append(list, withdrawal{i, (a.filings[last].on - 30).workday(), true, false, "FILED IN ERROR"})
			}
		}
	}
	slices.SortStableFunc(list, func(x, y withdrawal) int { return cmp.Compare(x.on, y.on) })
	return list
}

// withdrawalJobs is one archive for each year in which anybody withdrew.
func (p *plan) withdrawalJobs(dir string) []job {
	var jobs []job
	id, rest := firstWithdrawalID, p.withdrawals()
	for _, year := range years(p.detailFrom) {
		n := 0
		for n < len(rest) && rest[n].on <= year.to {
			n++
		}
		list, first := rest[:n], id
		rest, id = rest[n:], id+int64(n)
		if n > 0 {
			jobs = append(jobs, func(context.Context) (Archive, error) { return p.withdraw(dir, year, list, first) })
		}
	}
	return jobs
}

// withdraw writes one year's archive: the forms, and who keeps the records.
func (p *plan) withdraw(dir string, year period, list []withdrawal, id int64) (done Archive, err error) {
	span := year.from.compact() + "_" + year.to.compact()
	forms, err := p.newTable(dir, 0, strings.Join(headerWithdrawals, ",")+"\r\n")
	if err != nil {
		return done, err
	}
	defer func() { _ = forms.remove() }() // a temporary file: nothing is lost with it
	keepers, err := p.newTable(dir, 1, strings.Join(headerRecordKeepers, ",")+"\r\n")
	if err != nil {
		return done, err
	}
	defer func() { _ = keepers.remove() }()
	l := &line{}
	shape := "2006-01-02"
	if year.from < dayOf(2025, time.January, 1) {
		shape, l.dialect.windows1252 = "01/02/2006", true
	}
	for _, w := range list {
		a := &p.advisers[w.adviser]
		if err := forms.row(l.withdrawal(a, w, id, shape)); err != nil {
			return done, err
		}
		if w.ceased {
			if err := keepers.row(l.keeper(a, id)); err != nil {
				return done, err
			}
		}
		id++
	}
	path := filepath.Join(dir, "ADVW_"+span+".zip")
	names := []string{"ADVW_" + span + ".csv", "ADVW_W1_" + span + ".csv"}
	size, err := zipTogether(path, names, []*spool{forms, keepers}, year.published())
	if err != nil {
		return done, fmt.Errorf("withdrawals of %d: %w", year.from.year(), err)
	}
	return Archive{
		Path: path, Kind: KindADVW, Bytes: size, Filings: len(list),
		Tables: []Table{{"ADVW", forms.rows}, {"ADVW_W1", keepers.rows}},
	}, nil
}

func (l *line) withdrawal(a *adviser, w withdrawal, id int64, shape string) []byte {
	i := max(0, a.filingOn(w.on))
	n, o := a.nameAt(i), a.officeAt(i)
	l.begin(int64(a.crd))
	l.text(a.secNumberAt(i))
	l.text(n.legal)
	l.text(n.business)
	l.number(id)
	l.text("ADV-W")
	if w.full {
		l.text("FULL")
	} else {
		l.text("PARTIAL")
	}
	l.text(w.on.time().Format(shape))
	l.office(o)
	l.yes(w.ceased)
	if w.ceased {
		l.text((w.on - 14).time().Format(shape))
	} else {
		l.text("")
	}
	l.text(w.reason)
	return l.end()
}

func (l *line) keeper(a *adviser, id int64) []byte {
	l.begin(id)
	l.text(strings.ToUpper(a.stem) + " RECORDS " + strconv.Itoa(a.crd))
	l.office(a.offices[0])
	return l.end()
}

// office writes an address, or the blanks that a private residence leaves.
func (l *line) office(o officeSince) {
	if o.private {
		l.blanks(6)
		return
	}
	l.text(strings.ToUpper(o.street1))
	l.text(strings.ToUpper(o.street2))
	l.text(strings.ToUpper(o.city.name))
	l.text(o.city.state)
	l.text(o.city.country)
	l.text(o.postal)
}
