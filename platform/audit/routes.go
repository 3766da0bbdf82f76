package audit

import (
	"context"
	"net/http"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/page"
)

type listBody = httpapi.DataMeta[[]Entry, page.Meta]

// Routes are the operations on the record of changes.
//
// Spec: not shown; the contract has no operation that lists what operators changed.
func (l *Log) Routes() []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/admin/audit", "list-audit", l.list, httpapi.Paged(), httpapi.Summary("List changes by operators"),
			httpapi.Describe("Who changed what, with its state before and after. The newest first.")),
	}, httpapi.Tag("Administration"), httpapi.Grant(httpapi.Admin), httpapi.Volatile(),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}

func (l *Log) list(ctx context.Context, in *page.Input) (*httpapi.Reply[listBody], error) {
	limit, offset, _ := in.Window()
	list, err := l.store.list(ctx, limit, offset)
	if err != nil {
		return nil, err
	}
	total, err := l.store.count(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: list, Meta: in.Meta(total)}, Page: in.Links(total)}, nil
}
