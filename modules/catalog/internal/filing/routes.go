package filing

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/internal/listing"
	"gpatlas/platform/httpapi"
)

type listBody = httpapi.DataMeta[[]Filing, FilingsMeta]

// Routes are the operations on filings.
func Routes(s *Store) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/gps/{crd}/filings", "list-gp-filings", s.handleList,
			httpapi.Summary("The filings of a fund manager"), httpapi.Describe(listText), httpapi.Paged(),
			httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Fund managers"))
}

const listText = `The newest first. A monthly roster, the daily feed of firms and a list of funds are evidence of a filing: they are listed with their own key, marked in ` + "`source`" + `. Form D names no adviser: a notice (D) and its amendments (D/A) are listed where they are joined to one of the manager's funds, by the file number that a filing of the fund gives or by a name that only this fund has.`

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
	meta := FilingsMeta{SearchMeta: listing.NewMeta(in.Meta(int(total)), &c.Applied), CRD: in.CRD}
	return &httpapi.Reply[listBody]{Body: listBody{Data: filings, Meta: meta}, Page: in.Links(int(total))}, nil
}
