package provider

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
)

const (
	// changesMicros is the price of a page of changes in micro-dollars.
	changesMicros = 250_000
	// longest is the most days from the first to the last.
	longest = 400
)

// ChangesInput is the parameters of the list of changes.
type ChangesInput struct {
	From     httpapi.Opt[httpapi.Date] `query:"from" required:"true" example:"2026-01-01" doc:"First day of the filings."`
	To       httpapi.Opt[httpapi.Date] `query:"to" example:"2026-12-31" doc:"Last day of the filings, at most 400 days after from. Default: today, or 400 days after from if that is earlier."`
	Role     httpapi.Opt[string]       `query:"role" example:"auditor,administrator" doc:"Roles: auditor, prime_broker, custodian, administrator, marketer. Separate several with commas."`
	Provider httpapi.Opt[string]       `query:"provider" example:"fund" doc:"The change names a firm with this ID (prv_…) or with these words, each of which must begin a word of the name. Separate several with semicolons; a match of any of them is enough."`
	State    httpapi.Opt[string]       `query:"state" example:"NY,CA" doc:"US states of the managers' main offices, by code or name. Separate several with commas."`
	Strategy httpapi.Opt[string]       `query:"strategy" example:"hedge" doc:"Strategies of the funds that changed, or an alias; one fund is enough. Separate several with commas."`
	CRD      httpapi.Opt[string]       `query:"crd" doc:"CRD numbers of the managers. Separate several with commas, up to 50."`
	Cursor   httpapi.Opt[string]       `query:"cursor" doc:"next_cursor of the page before, with the same filters."`
	Limit    httpapi.Opt[int]          `query:"limit" minimum:"1" maximum:"100" example:"25" doc:"Rows to return, 1 to 100 (default 25)."`
}

// Change is what one filing changes in a role of funds that have the same providers before and after.
type Change struct {
	CRD             string  `json:"crd" doc:"CRD number of the manager." example:"900001"`
	GPName          string  `json:"gp_name" doc:"Legal name of the manager." example:"Harbor Ridge Capital Partners LLC"`
	Role            string  `json:"role" enum:"auditor,prime_broker,custodian,administrator,marketer" doc:"Role that changed." example:"auditor"`
	FilingDate      string  `json:"filing_date" format:"date" doc:"Day of the filing that states the new providers." example:"2026-03-28"`
	AccessionNumber string  `json:"accession_number" doc:"Key of that filing." example:"ADV-900001-1912345"`
	FundsChanged    int     `json:"funds_changed" doc:"Funds with this change." example:"3"`
	FundsInFiling   int     `json:"funds_in_filing" doc:"Funds that the filing names." example:"12"`
	Before          []Named `json:"before" doc:"Firms that had the role in the filing before that states it. Empty: none, or all are withheld."`
	After           []Named `json:"after" doc:"Firms that have it in this filing. Empty: none, or all are withheld."`
	Withheld        int     `json:"withheld" doc:"Providers left out of before and after because they are or may be persons." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Change) SchemaName() string { return "ProviderChange" }

// Named is a provider with its name.
type Named struct {
	ProviderID string `json:"provider_id" doc:"ID of the firm." example:"prv_7q2mz5xw4n6tak3v"`
	Name       string `json:"name" doc:"Name of the firm as most funds write it. The legal name if it is a manager." example:"Birch & Sloane LLP"`
}

// SchemaName is its name in the OpenAPI document.
func (Named) SchemaName() string { return "NamedProvider" }

// ChangesMeta is the remarks on a page of changes.
type ChangesMeta struct {
	listing.CursorMeta
	From    string         `json:"from" format:"date" doc:"First day of the filings." example:"2026-01-01"`
	To      string         `json:"to" format:"date" doc:"Last day of the filings." example:"2026-12-31"`
	Pricing charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// SchemaName is its name in the OpenAPI document.
func (ChangesMeta) SchemaName() string { return "ProviderChangesMeta" }

type changesBody = httpapi.DataMeta[[]Change, ChangesMeta]

// changesQuery is what a page asks for.
type changesQuery struct {
	from, to                 time.Time
	roles                    []int
	crds, states, strategies []string
	providers                []uint32 // codes
	names                    []int32  // of catalog.provider_names, of these providers
	snapshot                 *index.Snapshot
}

// changePlace is where a row stands.
type changePlace struct {
	day       time.Time
	accession string
	seq       int
}

// read checks the parameters. Words of names find providers that may be named.
func (in *ChangesInput) read(snapshot *index.Snapshot, today time.Time) (q *changesQuery, after *changePlace, applied *listing.Applied, err error) {
	var c listing.Check
	c.Days("from", in.From, "to", in.To)
	from := in.From.Value.Time
	last := from.AddDate(0, 0, longest)
	to := last
	if to.After(today) {
		to = today
	}
	if in.To.Set {
		if to = in.To.Value.Time; to.After(last) {
			c.Fault("to", "must be at most %d days after from", longest)
		}
	}
	q = &changesQuery{
		from: from, to: to, snapshot: snapshot, states: c.States("state", in.State), crds: c.CRDs(listing.MaxValues)("crd", in.CRD),
		strategies: c.Strategies("strategy", in.Strategy, "", httpapi.Opt[string]{}).Any,
	}
	for _, role := range c.Choices(index.Roles...)("role", in.Role) {
		q.roles = append(q.roles, slices.Index(index.Roles, role))
	}
	if words := c.WordLists("provider", in.Provider); words != nil && snapshot != nil {
		q.providers = []uint32{}
		for _, text := range words {
			if code, ok := snapshot.FindProvider(text); ok {
				q.providers = append(q.providers, code)
			} else {
				q.providers = append(q.providers, snapshot.EveryProvider(text)...)
			}
		}
		q.names = snapshot.NamesOf(q.providers)
	}
	c.Cursor(in.Cursor, "", func(parts []string) bool {
		after, err = readChangePlace(parts)
		return err == nil
	})
	return q, after, &c.Applied, c.Err()
}

// changed answers with a page of changes.
func (s *Service) changed(ctx context.Context, in *ChangesInput) (*httpapi.Reply[changesBody], error) {
	snapshot, away := s.index.Snapshot()
	q, after, applied, err := in.read(snapshot, clock.Today(s.clock))
	if err != nil {
		return nil, err
	}
	if away != nil {
		return nil, away
	}
	limit := in.Limit.Or(25)
	meta := ChangesMeta{
		CursorMeta: listing.CursorMeta{Limit: limit, FiltersApplied: applied.Map()},
		From:       q.from.Format(time.DateOnly), To: q.to.Format(time.DateOnly), Pricing: s.pricing.changes,
	}
	var found []filedChange
	for next := after; ; { // what is another spelling is no change, and is left out
		const batch = 200
		read, err := s.changes(ctx, q, next, batch)
		if err != nil {
			return nil, err
		}
		for i := range read {
			if q.changes(&read[i]) {
				found = append(found, read[i])
			}
		}
		if len(read) < batch || len(found) > limit {
			break
		}
		end := &read[len(read)-1]
		next = &changePlace{end.FilingDate, end.Accession, end.Seq}
	}
	if len(found) > limit {
		found = found[:limit]
		end := &found[limit-1]
		meta.NextCursor = new(applied.Cursor("", changePlace{end.FilingDate, end.Accession, end.Seq}.parts()...))
	}
	rows, err := s.show(ctx, snapshot, q, found)
	return &httpapi.Reply[changesBody]{Body: changesBody{Data: rows, Meta: meta}, Free: len(rows) == 0}, err
}

// codes returns the providers of some names, sorted. Two spellings of one provider are one.
func (q *changesQuery) codes(names []int32) (codes []uint32) {
	for _, name := range names {
		if code, ok := q.snapshot.ProviderNamed(name); ok && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes
}

// changes reports whether the providers differ, and one that is asked for is only before or only after.
func (q *changesQuery) changes(c *filedChange) bool {
	before, after := q.codes(c.Before), q.codes(c.After)
	if slices.Equal(before, after) {
		return false
	}
	return q.providers == nil || slices.ContainsFunc(q.providers, func(p uint32) bool { return slices.Contains(before, p) != slices.Contains(after, p) })
}

// show returns the rows of changes. If a provider that was asked for by words is withheld in a row, the row is left out.
func (s *Service) show(ctx context.Context, snapshot *index.Snapshot, q *changesQuery, found []filedChange) ([]Change, error) {
	crds := make([]string, 0, len(found))
	for i := range found {
		crds = append(crds, found[i].CRD)
	}
	known, err := history.Persons(ctx, s.db, crds...)
	rows := make([]Change, 0, len(found))
	for i := range found {
		c := &found[i]
		row := Change{
			CRD: c.CRD, GPName: c.LegalName, Role: index.Roles[c.Role], FilingDate: c.FilingDate.Format(time.DateOnly), AccessionNumber: c.Accession,
			FundsChanged: c.Changed, FundsInFiling: c.FundsInFiling,
		}
		hit := q.providers == nil
		name := func(ids []int32) []Named {
			list := []Named{}
			for _, code := range q.codes(ids) {
				p := snapshot.Provider(code)
				if !shows(p, known[c.CRD]) {
					row.Withheld++
					continue
				}
				hit = hit || slices.Contains(q.providers, code)
				list = append(list, Named{p.ID, p.Name})
			}
			slices.SortFunc(list, func(a, b Named) int { return strings.Compare(a.Name, b.Name) })
			return list
		}
		row.Before, row.After = name(c.Before), name(c.After)
		if hit {
			rows = append(rows, row)
		}
	}
	return rows, err
}

func (p changePlace) parts() []string {
	return []string{p.day.Format(time.DateOnly), p.accession, strconv.Itoa(p.seq)}
}

func readChangePlace(parts []string) (*changePlace, error) {
	if len(parts) != len(changePlace{}.parts()) {
		return nil, strconv.ErrSyntax
	}
	day, err := time.Parse(time.DateOnly, parts[0])
	if err != nil {
		return nil, err
	}
	seq, err := strconv.Atoi(parts[2])
	return &changePlace{day, parts[1], seq}, err
}
