package pages

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
)

// statement is what the page of one filing shows.
type statement struct {
	CRD      string
	Record   map[string]any // the manager as of the day of the filing
	Filing   map[string]any
	Original string         // the adviser's Forms ADV at the SEC; "" for Form D
	Values   []console.Pair // the values of the manager that come from this filing
	Before   string         // accession number of the Form ADV before, if this is one too
	Funds    *console.Answer
}

// filing shows what one filing of a manager says. The values are those of the manager on that day which come from this filing.
func filing(ctx context.Context, r *console.Request) (console.View, error) {
	crd, number := r.Parameters["crd"], r.Parameters["accession"]
	s, list, err := find(ctx, r, crd, number)
	if err != nil {
		return console.View{}, err
	}
	day := console.Plain(s.Filing["filing_date"])
	form := console.Plain(s.Filing["filing_type"])
	if strings.HasPrefix(form, "ADV") {
		s.Original = "https://adviserinfo.sec.gov/firm/summary/" + url.PathEscape(crd)
	}
	detail, err := r.API.Get(ctx, "get-gp", parameters("crd", crd, "include", "provenance", "as_of", day))
	switch {
	case err == nil:
		s.Record = detail.Record()
		s.Values = said(s.Record, number)
	case apperr.From(err).Kind != apperr.KindNotFound: // a withdrawal or a notice may be older than the first Form ADV
		return console.View{}, err
	}
	if s.Filing["funds_listed"] == true {
		if s.Funds, err = r.API.Get(ctx, "search-funds", parameters("gp_crd", crd, "as_of", day, "per_page", "100")); err != nil {
			return console.View{}, err
		}
	}
	return console.View{Title: form + " of " + console.Day(day), Section: filingsPath, Body: filingBody, Data: s, Wide: true, Answer: list}, nil
}

var errNoFiling = apperr.NotFound("There is no such filing of this manager.")

// mostPages of 100 filings are searched: more than any manager has of Form ADV.
const mostPages = 10

// find looks for the filing among those of the manager.
func find(ctx context.Context, r *console.Request, crd, number string) (*statement, *console.Answer, error) {
	s := &statement{CRD: crd}
	var list *console.Answer
	for page := 1; page <= mostPages; page++ {
		a, err := r.API.Get(ctx, "list-gp-filings", parameters("crd", crd, "per_page", "100", "page", strconv.Itoa(page)))
		if err != nil {
			return nil, nil, err
		}
		for _, each := range a.Rows() {
			row, _ := each.(map[string]any)
			switch {
			case s.Filing == nil && row["accession_number"] == number:
				s.Filing, list = row, a
			case s.Filing != nil && !strings.HasPrefix(console.Plain(s.Filing["filing_type"]), "ADV"):
				return s, list, nil
			case s.Filing != nil && strings.HasPrefix(console.Plain(row["filing_type"]), "ADV"):
				s.Before = console.Plain(row["accession_number"])
				return s, list, nil
			}
		}
		if int64(page*100) >= console.Whole(a.Meta["total"]) {
			break
		}
	}
	if s.Filing == nil {
		return nil, nil, errNoFiling
	}
	return s, list, nil
}

// said are the values that come from the filing, by name.
func said(record map[string]any, number string) (list []console.Pair) {
	provenance, _ := record["provenance"].(map[string]any)
	for name, each := range provenance {
		if of, ok := each.(map[string]any); ok && of["accession_number"] == number {
			list = append(list, console.Pair{Name: console.Word(name), Value: console.Said(name, record[name])})
		}
	}
	slices.SortFunc(list, func(a, b console.Pair) int { return strings.Compare(a.Name, b.Name) })
	return list
}
