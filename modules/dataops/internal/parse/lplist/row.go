package lplist

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
	"gpatlas/modules/people/peopleapi"
)

// nameMax bounds the names of LPs, funds and managers, in characters.
const nameMax = 300

// commitment reads one row. LP, fund, day and every figure that is there must be good.
func (l *list) commitment(row *table.Row) *peopleapi.Commitment {
	c := &peopleapi.Commitment{
		LP: l.name(row, colLP), State: strings.ToUpper(row.Word(colState)), City: row.Word(colCity), Country: row.Word(colCountry),
		Fund: l.name(row, colFund), Manager: row.Word(colManager), AsOf: l.day,
		Vintage:     l.vintage(row),
		Committed:   l.amount(row, colCommitted),
		Contributed: l.amount(row, colContributed),
		Distributed: l.amount(row, colDistributed),
		NAV:         l.amount(row, colNAV),
	}
	sum := true
	switch {
	case isSum(c.Fund):
		l.fail(row, colFund, "is the name of a sum, not of a fund")
	case isClass(c.Fund, c.Manager, row.Text(colVintage)):
		l.fail(row, colFund, "is the name of a class of funds, not of a fund")
	case isSumOfLPs(c.LP, l.lps):
		l.fail(row, colLP, "is the name of a sum, not of an LP")
	default:
		sum = false
	}
	if sum {
		l.named++
	}
	if utf8.RuneCountInString(c.Manager) > nameMax {
		l.fail(row, colManager, "is too long")
	}
	c.IRR = figure(l, row, colIRR, func(text string) (*float64, error) { return rate(text, l.percent) })
	c.Multiple = figure(l, row, colMultiple, multiple)
	switch {
	case c.Committed == nil:
	case *c.Committed < 0:
		l.fail(row, colCommitted, "is negative")
	case *c.Committed > committedMax:
		l.fail(row, colCommitted, "is more than $100 billion; the unit may be wrong")
	}
	if l.found[colAsOf] != nil {
		day, err := value.EDGARDate(row.Cell(colAsOf))
		switch c.AsOf = day; {
		case err != nil:
			l.fail(row, colAsOf, err.Error())
		case day.IsZero():
			l.fail(row, colAsOf, "is blank")
		case day.Year() < firstYear:
			l.fail(row, colAsOf, "is before 1970")
		case !l.opts.NotAfter.IsZero() && day.After(l.opts.NotAfter):
			l.fail(row, colAsOf, "is in the future")
		}
	}
	l.kind(row, c)
	return c
}

// The limits of a plausible row: no investor has committed so much to one fund, and there were no private funds with institutional investors before.
const (
	committedMax = 100_000_000_000 // US dollars
	firstYear    = 1970
)

// fail makes a row unusable. The reason names the column as written in the file.
func (l *list) fail(row *table.Row, column int, why string) {
	reason := l.found[column].text + " " + why
	if text := row.Text(column); text != "" {
		if runes := []rune(text); len(runes) > shownMax {
			text = string(runes[:shownMax]) + "…"
		}
		reason += fmt.Sprintf(": %q", text)
	}
	row.Fail(reason)
}

// shownMax cuts a cell's text in a reason.
const shownMax = 40

func (l *list) name(row *table.Row, column int) string {
	text := norm.NFC.String(row.Text(column)) // names are compared
	switch {
	case text == "":
		l.fail(row, column, "is blank")
	case utf8.RuneCountInString(text) > nameMax:
		l.fail(row, column, "is too long")
	}
	return text
}

func figure[T any](l *list, row *table.Row, column int, read func(text string) (*T, error)) *T {
	if !row.Has(column) {
		return nil
	}
	v, err := read(row.Text(column))
	if err != nil {
		l.fail(row, column, err.Error())
	}
	return v
}

func (l *list) amount(row *table.Row, column int) *int64 {
	return figure(l, row, column, func(text string) (*int64, error) { return amount(text, l.found[column].power) })
}

// The years in which a fund can begin.
const (
	vintageMin = 1900
	vintageMax = 2100
)

// vintage reads a year: 2007, 2007.0.
func (l *list) vintage(row *table.Row) *int16 {
	return figure(l, row, colVintage, func(text string) (*int16, error) {
		if isAbsent(text) {
			return nil, nil //nolint:nilnil // a year that is not stated is no error
		}
		year, err := strconv.ParseInt(strings.TrimSuffix(text, ".0"), 10, 16)
		if err != nil || year < vintageMin || year > vintageMax {
			return nil, errors.New("is not a year")
		}
		return new(int16(year)), nil
	})
}

// kinds are what lists call the kinds of LPs, folded.
var kinds = map[string]string{
	"pensionfund": "pension", "publicpension": "pension", "publicpensionfund": "pension", "corporatepension": "pension", "retirementsystem": "pension",
	"universityendowment": "endowment", "familyoffice": "family_office", "singlefamilyoffice": "family_office", "multifamilyoffice": "family_office",
	"fundoffunds": "fund_of_funds", "insurancecompany": "insurance", "insurer": "insurance", "sovereignwealth": "sovereign_wealth",
	"sovereignwealthfund": "sovereign_wealth", "corporation": "corporate", "company": "corporate",
}

// kind reads what an LP is: what its row states, and whether the column of names calls all LPs pensions.
//
// Spec: of entity_type only the values are given, not where they come from. Without a word of any list it is null.
func (l *list) kind(row *table.Row, c *peopleapi.Commitment) {
	said := strings.ToLower(row.Word(colType))
	folded := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '_' {
			return -1
		}
		return r
	}, said)
	switch known, ok := kinds[folded]; {
	case said == "":
		c.Pension = strings.HasPrefix(strings.ToLower(l.found[colLP].text), "pension")
	case ok:
		c.EntityType = known
	case peopleapi.IsEntityType(folded):
		c.EntityType = folded
	default:
		l.fail(row, colType, "is none of "+strings.Join(peopleapi.EntityTypes(), ", "))
	}
}
