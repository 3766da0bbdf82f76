package filing

import (
	"slices"
	"strconv"
	"time"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

// MarketInput is the parameters of the list of all filings.
type MarketInput struct {
	FormType       httpapi.Opt[string]          `query:"form_type" enum:"ADV,ADV/A,ADV-W" example:"ADV/A" doc:"Only filings of this form. Form D is not in this list."`
	AmendmentType  httpapi.Opt[string]          `query:"amendment_type" enum:"initial,annual,material,withdrawal" example:"annual" doc:"Only filings of this kind."`
	State          httpapi.Opt[string]          `query:"state" example:"TX" doc:"US states of the managers' main offices at present, by code or name. Separate several with commas."`
	Strategy       httpapi.Opt[string]          `query:"strategy" example:"venture" doc:"Primary strategies of the managers at present, or an alias. Separate several with commas."`
	CRD            httpapi.Opt[string]          `query:"crd" example:"998243" doc:"CRD numbers of managers, at most 50. Separate several with commas."`
	From           httpapi.Opt[httpapi.Date]    `query:"from" example:"2026-01-01" doc:"Only filings from this day on."`
	To             httpapi.Opt[httpapi.Date]    `query:"to" example:"2026-06-30" doc:"Only filings up to this day."`
	AsOf           httpapi.Opt[httpapi.Date]    `query:"as_of" example:"2026-06-30" doc:"As to; not in the future."`
	ProcessedAfter httpapi.Opt[httpapi.Instant] `query:"processed_after" example:"2026-06-30T00:00:00Z" doc:"Only filings that were loaded or changed after this time (RFC 3339)."`
	Cursor         httpapi.Opt[string]          `query:"cursor" doc:"next_cursor of the page before, with the same filters."`
	Limit          httpapi.Opt[int]             `query:"limit" minimum:"1" maximum:"100" example:"25" doc:"Rows to return, 1 to 100 (default 25)."`
}

// MarketFiling is one filing with its manager.
type MarketFiling struct {
	CRD    string `json:"crd" doc:"CRD number of the manager." example:"900001"`
	GPName string `json:"gp_name" doc:"Present legal name of the manager." example:"Harbor Ridge Capital Partners LLC"`
	Filing
}

// MarketMeta is the remarks on a page.
type MarketMeta struct {
	listing.CursorMeta
}

// SchemaName is its name in the OpenAPI document.
func (MarketMeta) SchemaName() string { return "FilingsPage" }

// marketQuery is what a page of all filings asks for.
type marketQuery struct {
	form, amendment string
	crds            []string // of these managers alone; nil = all
	from, to        time.Time
	processed       time.Time
	limit           int
	before          place // of the last row of the page before
}

// place is the position of a row in the list: newest day first, then by accession number.
type place struct {
	day       time.Time
	accession string
}

// read checks the parameters. Places and strategies are those of the managers in the index.
func (in *MarketInput) read(snapshot *index.Snapshot, clk clock.Clock) (m marketQuery, applied *listing.Applied, err error) {
	var c listing.Check
	m = marketQuery{form: c.Choice("form_type", in.FormType), amendment: c.Choice("amendment_type", in.AmendmentType), limit: in.Limit.Or(25)}
	c.Days("from", in.From, "to", in.To)
	m.from, m.to = in.From.Value.Time, in.To.Value.Time
	if day, ok := in.AsOf.Get(); ok {
		for _, fault := range moment.Future("as_of", day.Time, clk.Now()) {
			c.Fault(fault.Field, "%s", fault.Message)
		}
		if m.to.IsZero() || day.Before(m.to) {
			m.to = day.Time
		}
	}
	m.processed = in.ProcessedAfter.Value.Time
	// The order of the numbering costs nothing.
	q := index.GPQuery{Strategies: c.Strategies("strategy", in.Strategy, "", httpapi.Opt[string]{}), Order: index.ByAUM, Desc: true, Limit: everyone}
	q.Words[index.GPState].Any = c.States("state", in.State)
	crds := c.CRDs(listing.MaxValues)("crd", in.CRD)
	c.Cursor(in.Cursor, in.moments(), func(parts []string) bool {
		m.before, err = readPlace(parts)
		return err == nil
	})
	if err := c.Err(); err != nil {
		return m, nil, err
	}
	if in.State.Set || in.Strategy.Set {
		m.crds = []string{}
		for _, of := range []*index.Snapshot{snapshot, snapshot.Of(true)} {
			for _, id := range of.SearchGPs(&q).IDs {
				if crd := of.GP(id).CRD; crds == nil || slices.Contains(crds, crd) {
					m.crds = append(m.crds, crd)
				}
			}
		}
		return m, &c.Applied, nil
	}
	m.crds = crds
	return m, &c.Applied, nil
}

// everyone is a page that has all managers.
const everyone = 1 << 30

// moments are the parameters that choose filings and are not among the filters applied.
func (in *MarketInput) moments() string {
	return in.AsOf.Value.String() + " " + in.ProcessedAfter.Value.Time.UTC().String()
}

func (p place) parts() []string { return []string{p.day.Format(time.DateOnly), p.accession} }

func readPlace(parts []string) (p place, err error) {
	if len(parts) != len(p.parts()) {
		return p, strconv.ErrSyntax
	}
	p.accession = parts[1]
	p.day, err = time.Parse(time.DateOnly, parts[0])
	return p, err
}
