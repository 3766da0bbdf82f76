package disclosure

import (
	"context"
	"slices"

	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// priceMicros is the price of a request in micro-dollars: that of the events of one manager.
const priceMicros = 500_000

// Service lists disclosures.
type Service struct {
	index   *index.Holder
	db      *database.DB
	pricing charge.Pricing
}

// NewService lists the events in the index of holder, and reads whose names must not be shown from db.
func NewService(holder *index.Holder, db *database.DB) *Service {
	return &Service{holder, db, charge.NewPricing(priceMicros, charge.PerRequest)}
}

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes is the operation of the slice.
func Routes(s *Service) []httpapi.Route {
	return []httpapi.Route{
		httpapi.Get("/v1/disclosures", "list-disclosures", s.list,
			httpapi.Summary("List the disclosures of all fund managers"), httpapi.Describe(text), httpapi.Tag("History and analytics"),
			httpapi.Charge(priceMicros, charge.PerRequest), httpapi.Refuses(index.ErrLoading)),
	}
}

var text = "Criminal, civil and regulatory events that managers disclosed in Form ADV, item 11, each once, as the newest filing that reports it states it. The events and their keys are those of `GET /v1/gps/{crd}/regulatory`, which has the allegations and the names of all affiliates; events that only the regulator's firm search reports are there alone. Events of former managers are listed too.\n\n" +
	"Events that the manager's newest complete filing does not report any more are left out; `include_past=true` adds them.\n\n" +
	"No text that may name a person is shown: allegations are left out, individuals are counted, and `withheld` names the fields of a row whose text has other words than those of authorities, states, firms and legal terms.\n\n" +
	"`meta.unstated` names the managers among those of `crd` whose newest complete filing does not state the disclosures of all kinds, or that have no such filing: they may have events that are not listed.\n\n" +
	"Follow `next_cursor` until it is null. Each page with rows costs " + charge.Dollars(priceMicros) + ", so send a `limit` of 100. A response without rows is not charged."

// Meta is the remarks on a page.
type Meta struct {
	listing.CursorMeta
	Basis    panel.Basis    `json:"basis" doc:"Whether the disclosures are known: stated is false if they are unknown of all managers that are asked for by crd, or no event is known at all. Each row names its own filing."`
	Unstated []string       `json:"unstated" doc:"Managers asked for by crd whose newest complete filing does not state the disclosures of all kinds, or that have none: there may be others than the events that are listed." example:"[]"`
	Pricing  charge.Pricing `json:"pricing" doc:"What the request costs, as the price list has it. X-Charge shows what this response cost."`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "DisclosuresPage" }

type body = httpapi.DataMeta[[]Row, Meta]

func (s *Service) list(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	q, applied, err := in.read()
	if err != nil {
		return nil, err
	}
	snapshot, err := s.index.Snapshot()
	if err != nil {
		return nil, err
	}
	meta := Meta{CursorMeta: listing.CursorMeta{Limit: q.limit, FiltersApplied: applied.Map()}, Unstated: []string{}, Pricing: s.pricing}
	meta.basis(&q, snapshot)
	found := find(snapshot, &q)
	if len(found) > q.limit {
		found = found[:q.limit]
		last := found[q.limit-1]
		meta.NextCursor = new(applied.Cursor(q.order, q.at(last).Parts()...))
	}
	rows, err := s.rows(ctx, snapshot, found)
	return &httpapi.Reply[body]{Body: body{Data: rows, Meta: meta}, Free: len(rows) == 0}, err
}

// basis notes the managers asked for whose disclosures are unknown, and whether those of any are known.
func (m *Meta) basis(q *query, snapshot *index.Snapshot) {
	for _, crd := range q.crds {
		if !snapshot.StatesDisclosures(crd) {
			m.Unstated = append(m.Unstated, crd)
		}
	}
	m.Basis.Stated = len(m.Unstated) < len(q.crds) || q.crds == nil && len(snapshot.Disclosures()) > 0
}

// find returns the events of a page in their order, and one more if there is another page.
func find(snapshot *index.Snapshot, q *query) []*index.Disclosure {
	var found []*index.Disclosure
	all := snapshot.Disclosures()
	for i := range all {
		e := &all[i]
		if !q.asks(e) || q.after != nil && compare(*q.after, q.at(e)) >= 0 {
			continue
		}
		if q.states != nil || q.strategies != nil {
			if in, id, ok := snapshot.Find(e.CRD); !ok || !q.of(in.GP(id)) {
				continue
			}
		}
		found = append(found, e)
	}
	slices.SortFunc(found, func(a, b *index.Disclosure) int { return compare(q.at(a), q.at(b)) })
	return found[:min(q.limit+1, len(found))]
}

// rows shows the events of a page.
func (s *Service) rows(ctx context.Context, snapshot *index.Snapshot, found []*index.Disclosure) ([]Row, error) {
	var crds []string
	for _, e := range found {
		if !slices.Contains(crds, e.CRD) && (e.InitiatedBy != "" || len(e.Implicated) > 0) {
			crds = append(crds, e.CRD)
		}
	}
	persons, err := history.Persons(ctx, s.db, crds...)
	if err != nil {
		return nil, err
	}
	manager := func(crd string) (string, bool) {
		in, id, ok := snapshot.Find(crd)
		if !ok {
			return "", false
		}
		return in.GP(id).LegalName, true
	}
	rows := make([]Row, len(found))
	for i, e := range found {
		name, _ := manager(e.CRD)
		rows[i] = show(e, name, persons[e.CRD], manager)
	}
	return rows, nil
}
