package sample

// People rise: over the filings that name somebody, the title may change, and with it the month in which it was acquired.
//
// Schedule A asks for executive officers, directors, partners and owners of 5 percent or more. So most people are named as
// partners, directors or officers from the beginning; few are named while they are vice presidents, and almost nobody as
// an associate. The ladders below keep to that.

// ladder is a sequence of titles, and how often somebody starts on its first rung.
type ladder struct {
	weight int
	titles []string
}

var ladders = []ladder{
	{26, []string{"PRINCIPAL", "PARTNER", "MANAGING PARTNER"}},
	{24, []string{"DIRECTOR", "MANAGING DIRECTOR", "SENIOR MANAGING DIRECTOR"}},
	{16, []string{"PARTNER", "SENIOR PARTNER"}},
	{14, []string{"MANAGING DIRECTOR", "PARTNER"}},
	{10, []string{"VICE PRESIDENT", "PRINCIPAL", "PARTNER"}},
	{8, []string{"VICE PRESIDENT, FINANCE", "CHIEF FINANCIAL OFFICER", "CHIEF FINANCIAL OFFICER AND PARTNER"}},
	{2, []string{"ASSOCIATE", "VICE PRESIDENT", "PRINCIPAL", "PARTNER"}},
}

// seniorLadders are how many of them those who come from another adviser start on: nobody leaves it for less.
const seniorLadders = 4

// climberFrom is the first slot whose person may rise. Those before it are the heads of the firm, who have one title.
const climberFrom = 3

// years in days, as careers count them.
const year day = 365

// career is the title that a filing states for a post, and since when.
func (p *plan) career(a *adviser, at post, filing int) (title string, since day) {
	title, since = at.title(a), at.since
	if at.slot < climberFrom || at.many {
		return title, since
	}
	r := newRandom(p.seed, forCareers, uint64(a.index)<<8|uint64(at.slot)) // #nosec G115 -- an index and a small number
	if !r.chance(45) {
		return title, since
	}
	weights := make([]int, 0, len(ladders))
	for _, l := range ladders {
		weights = append(weights, l.weight)
	}
	if at.who.key != p.personAt(a.index, at.slot).key {
		weights = weights[:seniorLadders]
	}
	titles := ladders[r.weighted(weights)].titles
	title = titles[0]
	for i, rung := at.from+1, 1; i <= filing && rung < len(titles); i++ {
		// A promotion takes two to five years, and is filed with the next filing.
		on := a.filings[i].on
		if due := since + 2*year + day(r.IntN(int(3*year))); on < due {
			continue
		}
		title, since = titles[rung], max(on-day(r.IntN(120)), a.filings[i-1].on+1)
		rung++
	}
	return title, since
}
