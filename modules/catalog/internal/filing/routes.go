package filing

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type listBody = httpapi.DataMeta[[]Filing, FilingsMeta]

// Part is what the slice offers.
func (s *Store) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on filings.
func Routes(s *Store) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/filings", "list-gp-filings", s.handleList,
			httpapi.Summary("List the filings of a fund manager"), httpapi.Describe(listText), httpapi.Paged(),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Fund managers"))
}

const listText = `Newest first. A monthly roster, the daily feed of firms and a list of funds are evidence of a filing. They are listed with a key of their own and identified in ` + "`source`" + `, but only if no better source covers that day. So each filing is listed once. Form D names no adviser. A notice (D) and its amendments (D/A) are listed if they match one of the manager's funds, by a file number in a filing of the fund or by a name that only this fund has.`

func (s *Store) handleList(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	var c listing.Check
	f := filter{crd: in.CRD, formType: c.Choice("form_type", in.FormType), year: int(c.Number("year", in.Year))}
	known, err := s.knows(ctx, in.CRD)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, listing.NoGP(in.CRD)
	}
	limit, offset, _ := in.Window()
	rows, total, err := s.list(ctx, f, limit, offset)
	if err != nil {
		return nil, err
	}
	filings := make([]Filing, len(rows))
	for i, r := range rows {
		filings[i] = rowToFiling(r)
	}
	meta := FilingsMeta{ListMeta: listing.NewMeta(in.Meta(int(total)), &c.Applied), CRD: in.CRD}
	return &httpapi.Reply[listBody]{Body: listBody{Data: filings, Meta: meta}, Page: in.Links(int(total))}, nil
}
