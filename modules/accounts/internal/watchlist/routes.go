package watchlist

import (
	"context"
	"net/http"

	"gpatlas/modules/accounts/internal/manygps"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

type (
	noBody   = struct{}
	listBody = httpapi.DataMeta[[]Item, page.Meta]
	oneBody  = httpapi.Data[Item]
	manyBody = httpapi.Data[manygps.Outcome]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Models: []any{row{}}, Exporters: []module.Exporter{{Name: "watchlist", For: s.ExportFor}}}
}

// Routes are the operations on one's own watchlist.
func Routes(s *Service) []httpapi.Route {
	const unauthorized, forbidden, unavailable = http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/watchlist", "list-watchlist", s.list,
			httpapi.Summary("List the watchlist"), httpapi.Describe(listText), httpapi.Paged(),
			httpapi.Errors(unauthorized, forbidden, unavailable)),
		httpapi.Post("/v1/me/watchlist", "add-watchlist-item", s.add, httpapi.Success(http.StatusCreated),
			httpapi.Summary("Add a GP to the watchlist"), httpapi.Describe(addText),
			httpapi.Errors(unauthorized, forbidden, http.StatusNotFound, http.StatusConflict, unavailable)),
		httpapi.Post("/v1/me/watchlist/batch", "add-watchlist-items", s.addMany,
			httpapi.Summary("Add many GPs to the watchlist"), httpapi.Describe(manyText),
			httpapi.Errors(unauthorized, forbidden, unavailable)),
		httpapi.Delete("/v1/me/watchlist/{item_id}", "remove-watchlist-item", s.remove, httpapi.Success(http.StatusNoContent),
			httpapi.Summary("Remove a GP from the watchlist"), httpapi.Describe(removeText),
			httpapi.Errors(unauthorized, forbidden, http.StatusNotFound, unavailable)),
	}, httpapi.Tag("Watchlist"), httpapi.Grant(httpapi.Login), httpapi.Volatile())
}

const listText = `The newest first.`

const addText = `A GP that the catalog does not list returns 404. A GP that is already on the watchlist returns 409 and is not changed.`

const manyText = `Adds up to 200 GPs at once, with alerts. GPs that are already on the watchlist are not changed.`

const removeText = `Send the ID of the item, not the CRD number. An item of another account returns the same 404 as one that does not exist.`

// AddInput is the body of an addition.
type AddInput struct {
	Body struct {
		// Spec: the body is not shown; the GP is named as the record names it.
		AdviserCRD string `json:"adviser_crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"CRD number of the GP." example:"900001"`
		// A pointer, because otherwise false would be taken for absent and become the default.
		AlertEnabled *bool `json:"alert_enabled,omitempty" default:"true" doc:"Whether to send alerts about the GP." example:"true"`
	}
}

// ManyInput is the body of many additions.
type ManyInput struct{ Body manygps.Body }

func (s *Service) addMany(ctx context.Context, in *ManyInput) (*httpapi.Reply[manyBody], error) {
	outcome, err := s.AddMany(ctx, auth.From(ctx).UserID, &in.Body)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[manyBody]{Body: manyBody{Data: *outcome}}, nil
}

// ItemPath names one item. Malformed IDs return 400, like every malformed value.
type ItemPath struct {
	ItemID string `path:"item_id" pattern:"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" patternDescription:"a UUID in lower case" doc:"ID of the item." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
}

// ListInput is the parameters of the list.
//
// Spec: not shown; one manager can be asked for, to learn whether it is on the list.
type ListInput struct {
	page.Input
	CRD httpapi.Opt[string] `query:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"Only the item of this manager." example:"998243"`
}

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	limit, offset, _ := in.Window()
	items, total, err := s.List(ctx, auth.From(ctx).UserID, in.CRD.Value, limit, offset)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: items, Meta: in.Meta(total)}, Page: in.Links(total)}, nil
}

func (s *Service) add(ctx context.Context, in *AddInput) (*httpapi.Reply[oneBody], error) {
	alert := in.Body.AlertEnabled == nil || *in.Body.AlertEnabled
	item, err := s.Add(ctx, auth.From(ctx).UserID, in.Body.AdviserCRD, alert)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *item}}, nil
}

func (s *Service) remove(ctx context.Context, in *ItemPath) (*httpapi.Reply[noBody], error) {
	if err := s.Remove(ctx, auth.From(ctx).UserID, in.ItemID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[noBody]{}, nil
}
