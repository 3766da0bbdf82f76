package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// boardDates are the days on which the boards were recorded: often enough to count as observed all the time, and for long
// enough that a velocity can be told.
var boardDates = []day{
	dayOf(2026, time.September, 20), dayOf(2026, time.October, 4), dayOf(2026, time.October, 18), dayOf(2026, time.October, 31),
}

// vacancy is a posting on a board.
type vacancy struct {
	number             int64
	title, department  string
	location           string
	opened, closed     day // closed: the first day without it
	withoutPublication bool
}

// board is the job board of an adviser.
type board struct {
	crd           int
	vendor, token string
	vacancies     []vacancy
}

var vacancyKinds = []struct {
	weight     int
	department string
	titles     []string
}{
	{46, "Investment Team", []string{"Investment Analyst", "Associate, Private Equity", "Senior Associate", "Vice President, Investments", "Principal", "Managing Director, Credit"}},
	{20, "Operations", []string{"Fund Operations Associate", "Vice President, Operations", "Data Engineer", "Executive Assistant"}},
	{14, "Investor Relations", []string{"Investor Relations Associate", "Vice President, Investor Relations", "Head of Investor Relations"}},
	{9, "Legal & Compliance", []string{"Associate General Counsel", "Compliance Analyst"}},
	{11, "Finance", []string{"Fund Accountant", "Senior Associate, Fund Accounting", "Vice President, Finance"}},
}

// boards are those of one in twelve of the advisers that have more than a few funds.
func (p *plan) boards() []board {
	var list []board
	for i := range p.advisers {
		a := &p.advisers[i]
		r := newRandom(p.seed, forBoards, uint64(i)) // #nosec G115 -- an index
		if a.listed < 4 || a.gone != never || !r.chance(12) || len(list) == 60 {
			continue
		}
		b := board{crd: a.crd, vendor: []string{"greenhouse", "lever", "ashby"}[len(list)%3], token: tokenOf(a)}
		weights := make([]int, len(vacancyKinds))
		for k := range vacancyKinds {
			weights[k] = vacancyKinds[k].weight
		}
		for k := range 2 + r.IntN(9) {
			kind := vacancyKinds[r.weighted(weights)]
			v := vacancy{
				number: int64(a.crd)*100 + int64(k), title: kind.titles[r.IntN(len(kind.titles))], department: kind.department,
				location: a.offices[0].city.name, opened: lastDay - day(r.IntN(120)), closed: never, withoutPublication: r.chance(15),
			}
			if r.chance(45) {
				v.closed = v.opened + 20 + day(r.IntN(60))
			}
			b.vacancies = append(b.vacancies, v)
		}
		list = append(list, b)
	}
	return list
}

// tokenOf is the board's name at the vendor.
func tokenOf(a *adviser) string { return strings.TrimSuffix(a.domain, ".example") }

// writeBoards writes what the boards listed on each day, a file for each: CRD.VENDOR.TOKEN.DATE.json.
func (p *plan) writeBoards(dir string) (paths []string, err error) {
	boards := p.boards()
	if len(boards) == 0 {
		return nil, nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	for _, b := range boards {
		for _, on := range boardDates {
			text, err := json.MarshalIndent(b.listing(on), "", " ")
			if err != nil {
				return nil, err
			}
			path := filepath.Join(dir, fmt.Sprintf("%d.%s.%s.%s.json", b.crd, b.vendor, b.token, on.time().Format(time.DateOnly)))
			if err := os.WriteFile(path+".part", append(text, '\n'), 0o600); err != nil {
				return nil, errors.Join(err, os.Remove(path+".part"))
			}
			if err := os.Rename(path+".part", path); err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// listing is what the vendor answers on a day, in its own format.
func (b board) listing(on day) any {
	var open []vacancy
	for _, v := range b.vacancies {
		if v.opened <= on && on < v.closed {
			open = append(open, v)
		}
	}
	switch b.vendor {
	case "greenhouse":
		return b.greenhouse(open)
	case "lever":
		return b.lever(open)
	default:
		return b.ashby(open)
	}
}

type object = map[string]any

// greenhouse is the format of Greenhouse. Some postings lack the day of publication, as those of older boards do.
func (b board) greenhouse(open []vacancy) any {
	jobs := []object{}
	for _, v := range open {
		at := v.opened.time().Add(14 * time.Hour).Format("2006-01-02T15:04:05-07:00")
		job := object{
			"id": v.number, "internal_job_id": v.number + 1, "title": v.title, "updated_at": at, "requisition_id": "R-" + strconv.FormatInt(v.number, 10),
			"location":     object{"name": v.location},
			"absolute_url": "https://boards.greenhouse.io/" + b.token + "/jobs/" + strconv.FormatInt(v.number, 10), "language": "en", "metadata": nil,
			"content": "&lt;p&gt;An invented posting.&lt;/p&gt;", "offices": []object{},
			"departments": []object{{"id": v.number%7 + 1, "name": v.department, "parent_id": nil, "child_ids": []int{}}},
		}
		if !v.withoutPublication {
			job["first_published"] = at
		}
		jobs = append(jobs, job)
	}
	return object{"jobs": jobs, "meta": object{"total": len(jobs)}}
}

// uuid has the form of the IDs of Lever and Ashby.
func (v vacancy) uuid() string {
	key := mix(uint64(v.number), 1) // #nosec G115 -- positive
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", key>>32, key>>16&0xffff, key&0xfff, key>>4&0xfff, mix(key, 2)>>16)
}

func (b board) lever(open []vacancy) any {
	postings := []object{}
	for _, v := range open {
		link := "https://jobs.lever.co/" + b.token + "/" + v.uuid()
		postings = append(postings, object{
			"id": v.uuid(), "text": v.title, "country": nil, "createdAt": v.opened.time().Add(15 * time.Hour).UnixMilli(),
			"categories":       object{"location": v.location, "commitment": "Full-time", "team": v.department, "department": v.department, "allLocations": []string{v.location}},
			"descriptionPlain": "An invented posting.", "hostedUrl": link, "applyUrl": link + "/apply", "workplaceType": "on-site", "lists": []object{},
		})
	}
	return postings
}

// ashby is the format of Ashby. Postings that are not listed are not meant for the public.
func (b board) ashby(open []vacancy) any {
	jobs := []object{}
	for _, v := range open {
		link := "https://jobs.ashbyhq.com/" + b.token + "/" + v.uuid()
		jobs = append(jobs, object{
			"id": v.uuid(), "title": v.title, "location": v.location, "secondaryLocations": []object{}, "department": v.department, "team": v.department,
			"isListed": v.number%9 != 5, "isRemote": false, "workplaceType": "OnSite", "descriptionPlain": "An invented posting.",
			"publishedAt":    v.opened.time().Add(16 * time.Hour).Format("2006-01-02T15:04:05.000-07:00"),
			"employmentType": "FullTime", "jobUrl": link, "applyUrl": link + "/application",
		})
	}
	return object{"apiVersion": "1", "jobs": jobs}
}
