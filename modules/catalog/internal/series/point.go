package series

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
	"gpatlas/platform/wire"
)

// Input is the parameters of both series.
type Input struct {
	moment.Input
	By   httpapi.Opt[string]       `query:"by" enum:"filing,quarter,year" example:"year" doc:"filing: a row for each filing (default). quarter, year: the last state of each calendar quarter or year that has a filing."`
	From httpapi.Opt[httpapi.Date] `query:"from" example:"2020-01-01" doc:"Only filings from this day on."`
	To   httpapi.Opt[httpapi.Date] `query:"to" example:"2026-06-30" doc:"Only filings up to this day."`
}

// Meta is the remarks on a series.
type Meta struct {
	By     string   `json:"by" enum:"filing,quarter,year" doc:"Rows shown." example:"filing"`
	Fields []string `json:"fields" doc:"Fields shown." example:"[\"total_aum\",\"employee_count\"]"`
	Breaks []Break  `json:"breaks" doc:"Rows whose value cannot be compared with that of the row before. Draw no line there."`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "SeriesMeta" }

// Break is where a series of values is interrupted.
type Break struct {
	Date   string `json:"date" format:"date" doc:"Day of the row." example:"2020-06-29"`
	Field  string `json:"field" doc:"Field of the row." example:"total_aum"`
	Reason string `json:"reason" enum:"registration_changed,basis_changed,not_stated" doc:"registration_changed: total_aum is regulatory assets in one row and gross assets of the funds in the other, because the manager was exempt in one of them. basis_changed: as before, but the registration in one row is unknown. not_stated: the document of the filing has no column for the field, and what was stated before no longer holds." example:"registration_changed"`
}

// SchemaName is its name in the OpenAPI document.
func (Break) SchemaName() string { return "SeriesBreak" }

// point is one row.
type point struct {
	on        time.Time
	accession string
	values    []any // of the fields that are asked for: nil, a string or an *int64
}

// asked is what is asked for.
type asked struct {
	fields   []string
	by       string
	from, to time.Time
}

// read checks the parameters. fields are those to show, of all; the first few are shown unless others are asked for.
func (in *Input) read(fields httpapi.Opt[string], all []string, few int) (a asked, err error) {
	a = asked{all[:few], in.By.Or("filing"), in.From.Value.Time, in.To.Value.Time}
	if fields.Set {
		a.fields = nil
		for field := range strings.SplitSeq(fields.Value, ",") {
			if field = strings.TrimSpace(field); !slices.Contains(all, field) {
				return a, apperr.Invalid(apperr.FieldError{Field: "fields", Message: fmt.Sprintf("%.40q is not a field; the fields are %s%s",
					field, strings.Join(all, ", "), httpapi.DidYouMean(field, all))})
			}
			if !slices.Contains(a.fields, field) {
				a.fields = append(a.fields, field)
			}
		}
	}
	if in.From.Set && in.To.Set && a.from.After(a.to) {
		err = apperr.Invalid(apperr.FieldError{Field: "from", Message: fmt.Sprintf("must not be later than to (%s > %s)", in.From.Value, in.To.Value)})
	}
	return a, err
}

// period returns the key by which rows are grouped. If it is empty, each filing is its own row.
func (a *asked) period(day time.Time) string {
	switch a.by {
	case "year":
		return strconv.Itoa(day.Year())
	case "quarter":
		return fmt.Sprintf("%d-%d", day.Year(), (day.Month()-1)/3)
	}
	return ""
}

// keep are the places of the rows to show, of filings in their order.
func (a *asked) keep(n int, on func(i int) time.Time) (places []int) {
	last := ""
	for i := range n {
		day := on(i)
		if !a.from.IsZero() && day.Before(a.from) || !a.to.IsZero() && day.After(a.to) {
			continue
		}
		if p := a.period(day); p != "" && p == last && len(places) > 0 {
			places[len(places)-1] = i
		} else {
			places, last = append(places, i), p
		}
	}
	return places
}

// appendPoint appends a row.
func (a *asked) appendPoint(dst []byte, p point) []byte {
	dst = append(p.on.AppendFormat(append(dst, `{"date":"`...), time.DateOnly), '"')
	dst = wire.AppendString(append(dst, `,"accession_number":`...), p.accession)
	for i, v := range p.values {
		dst = append(wire.AppendString(append(dst, ','), a.fields[i]), ':')
		switch v := v.(type) {
		case string:
			dst = wire.AppendKnown(dst, v)
		case *int64:
			dst = wire.AppendNumber(dst, v)
		}
	}
	return append(dst, '}')
}

// breaks finds where the values of a manager cannot be compared with those before.
func (a *asked) breaks(states []catalogapi.AdviserState) []Break {
	list := []Break{}
	for i := range states {
		s := &states[i]
		note := func(field, reason string) {
			if slices.Contains(a.fields, field) {
				list = append(list, Break{s.Filing.FiledOn.Format(time.DateOnly), field, reason})
			}
		}
		if i > 0 {
			if reason := catalogapi.AssetsDiffer(&states[i-1], s); reason != "" {
				note("total_aum", reason)
			}
		}
		for _, field := range s.Unstated {
			note(field, "not_stated")
		}
	}
	return list
}
