package lplist

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/people/peopleapi"
)

const (
	colLP = iota
	colState
	colCity
	colCountry
	colType
	colFund
	colManager
	colVintage
	colCommitted
	colContributed
	colDistributed
	colNAV
	colIRR
	colMultiple
	colAsOf
)

// columns of a list, by their names in the normalized form of such lists. Amounts need not be in millions: see heading.
var columns = []table.Column{
	colLP:          {Name: "pension_fund_name", Required: true},
	colState:       {Name: "pension_fund_state"},
	colCity:        {Name: "city"},
	colCountry:     {Name: "country"},
	colType:        {Name: "entity_type"},
	colFund:        {Name: "fund_name", Required: true},
	colManager:     {Name: "general_partner"},
	colVintage:     {Name: "vintage_year"},
	colCommitted:   {Name: "commitment_mm", Required: true},
	colContributed: {Name: "capital_called_mm"},
	colDistributed: {Name: "capital_distributed_mm"},
	colNAV:         {Name: "remaining_value_mm"},
	colIRR:         {Name: "net_irr"},
	colMultiple:    {Name: "net_multiple"},
	colAsOf:        {Name: "as_of_date"},
}

// spellings are the headers of each column, folded: lower case, without units, blanks and signs.
var spellings = [][]string{
	colLP:          {"pensionfundname", "pensionfund", "pensionname", "pension", "lpname", "lp", "limitedpartner", "limitedpartnername", "investorname", "investor", "planname", "plan"},
	colState:       {"pensionfundstate", "lpstate", "investorstate", "planstate", "state"},
	colCity:        {"lpcity", "investorcity", "city"},
	colCountry:     {"lpcountry", "investorcountry", "country"},
	colType:        {"entitytype", "lptype", "investortype"},
	colFund:        {"fundname", "fund", "partnership", "partnershipname", "investmentname", "investment", "description", "securitydescription"},
	colManager:     {"generalpartner", "generalpartnername", "gp", "gpname", "manager", "managername", "fundmanager", "sponsor"},
	colVintage:     {"vintageyear", "vintage", "vy"},
	colCommitted:   {"commitment", "commitments", "committed", "capitalcommitted", "capitalcommitment", "committedcapital", "commitmentamount", "totalcommitment"},
	colContributed: {"capitalcalled", "called", "contributed", "contributions", "capitalcontributed", "totalcapitalcontributed", "capitalpaidin", "paidincapital", "paidin", "cashin"},
	colDistributed: {"capitaldistributed", "distributed", "distributions", "totalcapitaldistributed", "totaldistributions", "cumulativedistributions", "cashout"},
	colNAV:         {"remainingvalue", "nav", "netassetvalue", "fairvalue", "fairmarketvalue", "marketvalue", "currentmarketvalue"},
	colIRR:         {"netirr", "irr"},
	colMultiple:    {"netmultiple", "multiple", "tvpi", "nettvpi", "totalvaluemultiple", "investmentmultiple", "moic", "netmoic"},
	colAsOf:        {"asofdate", "asof", "asat", "reportdate", "reportingdate", "valuationdate"},
}

var bySpelling = func() map[string]int {
	m := make(map[string]int)
	for column, list := range spellings {
		for _, s := range list {
			m[s] = column
		}
	}
	return m
}()

// heading is what a column's header says.
type heading struct {
	text    string // as written in the file
	column  int    // -1: none that is read
	power   int    // amounts are in units of ten to this power: 6 for millions
	unitful bool   // the header says in which unit
	percent bool   // numbers are percentages
	odd     string // a word in place of the unit that is none
}

var (
	token       = regexp.MustCompile(`[a-z]+|[0-9]+s?|[$€£¥%]`)
	parentheses = regexp.MustCompile(`\(([^()]*)\)`)
)

// powers are the words of units.
var powers = map[string]int{
	"$": 0, "usd": 0, "dollar": 0, "dollars": 0,
	"k": 3, "thousand": 3, "thousands": 3, "000": 3, "000s": 3,
	"m": 6, "mm": 6, "mn": 6, "mln": 6, "mil": 6, "million": 6, "millions": 6,
	"b": 9, "bn": 9, "bil": 9, "billion": 9, "billions": 9,
}

// idle words may be beside a unit and are ignored.
var idle = []string{"in", "of", "us", "x", "net", "total", "cumulative", "since", "inception", "to", "date", "a", "u", "s"}

// read recognizes the column that a header names. Units follow the name, in parentheses or not: commitment_mm, Commitment ($M),
// Commitment in millions, Net IRR (%).
func read(text string) heading {
	h := heading{text: strings.TrimSpace(text), column: -1}
	lower := strings.ToLower(text)
	var units []string
	for _, inside := range parentheses.FindAllStringSubmatch(lower, -1) {
		units = append(units, token.FindAllString(inside[1], -1)...)
	}
	base := token.FindAllString(parentheses.ReplaceAllString(lower, " "), -1)
	column, known := bySpelling[strings.Join(base, "")]
	for !known && len(base) > 1 && isUnit(base[len(base)-1]) {
		units = append(units, base[len(base)-1])
		base = base[:len(base)-1]
		column, known = bySpelling[strings.Join(base, "")]
	}
	if !known {
		return h
	}
	h.column = column
	for _, u := range units {
		h.unit(u)
	}
	return h
}

// unit notes one word of a header's unit.
func (h *heading) unit(word string) {
	power, known := powers[word]
	switch {
	case known:
		h.power, h.unitful = max(h.power, power), true
	case word == "%" || word == "pct" || word == "percent":
		h.percent = true
	case !slices.Contains(idle, word):
		h.odd = word
	}
}

func isUnit(word string) bool {
	_, known := powers[word]
	return known || word == "%" || word == "pct" || word == "percent" || slices.Contains(idle, word)
}

// headings are the headings of a file: for each column, the first header that means it.
type headings []*heading

// readHeader reads a file's header. repaired has the names of columns in place of the headers, for Repair of table.File.
func readHeader(header []string) (found headings, repaired []string) {
	found, repaired = make(headings, len(columns)), make([]string, len(header))
	for i, text := range header {
		h := read(text)
		if h.column < 0 || found[h.column] != nil {
			repaired[i] = fmt.Sprintf("unread %d", i)
			continue
		}
		found[h.column], repaired[i] = &h, columns[h.column].Name
	}
	return found, repaired
}

// whole reports whether the file has the columns that identify a list.
func (hs headings) whole() bool {
	return hs[colLP] != nil && hs[colFund] != nil && hs[colCommitted] != nil
}

// names are the columns that are there, by their present names.
func (hs headings) names() []string {
	var list []string
	for _, h := range hs {
		if h != nil {
			list = append(list, table.Fold(columns[h.column].Name))
		}
	}
	return list
}

// fields are the columns that a list may lack, by the field of a commitment that each fills.
var fields = map[int]string{
	colManager: peopleapi.FieldManager, colVintage: peopleapi.FieldVintage, colContributed: peopleapi.FieldContributed,
	colDistributed: peopleapi.FieldDistributed, colNAV: peopleapi.FieldNAV, colIRR: peopleapi.FieldIRR, colMultiple: peopleapi.FieldMultiple,
}

// unlisted are the fields for which there is no column.
func (hs headings) unlisted() (list []string) {
	for column, h := range hs {
		if field := fields[column]; h == nil && field != "" {
			list = append(list, field)
		}
	}
	return list
}

// check refuses amounts in units that are not understood.
func (hs headings) check() error {
	for _, column := range []int{colCommitted, colContributed, colDistributed, colNAV} {
		if h := hs[column]; h != nil && h.odd != "" {
			return fmt.Errorf("column %q: the unit is not understood (%s); amounts are in US dollars, thousands ($K), millions ($M) or billions ($B)", h.text, h.odd)
		}
	}
	return nil
}
