package collection

import (
	"context"
	"net/http"

	"gpatlas/modules/accounts/internal/manygps"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type (
	noBody   = struct{}
	listBody = httpapi.DataMeta[[]Collection, ListMeta]
	oneBody  = httpapi.Data[Collection]
	fullBody = httpapi.DataMeta[Full, ItemsMeta]
	itemBody = httpapi.Data[Item]
	manyBody = httpapi.Data[manygps.Outcome]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{row{}, itemRow{}},
		Exporters: []module.Exporter{{Name: "collections", For: s.ExportFor}},
	}
}

// Routes are the operations on one's own collections.
func Routes(s *Service) []httpapi.Route {
	const unauthorized, forbidden, missing, conflict, unavailable = http.StatusUnauthorized, http.StatusForbidden,
		http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/collections", "list-collections", s.list,
			httpapi.Summary("List collections"), httpapi.Describe(listText), httpapi.Errors(unauthorized, forbidden, unavailable)),
		httpapi.Post("/v1/me/collections", "create-collection", s.create, httpapi.Success(http.StatusCreated),
			httpapi.Sends("Location", "The path of the new collection.", "/v1/me/collections/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"),
			httpapi.Summary("Create a collection"), httpapi.Describe(createText), httpapi.Errors(unauthorized, forbidden, conflict, unavailable)),
		httpapi.Get("/v1/me/collections/{collection_id}", "get-collection", s.get, httpapi.Paged(),
			httpapi.Summary("Get a collection"), httpapi.Describe(getText), httpapi.Errors(unauthorized, forbidden, missing, unavailable)),
		httpapi.Patch("/v1/me/collections/{collection_id}", "update-collection", s.patch,
			httpapi.Summary("Update a collection"), httpapi.Describe(patchText), httpapi.Errors(unauthorized, forbidden, missing, conflict, unavailable)),
		httpapi.Delete("/v1/me/collections/{collection_id}", "delete-collection", s.delete, httpapi.Success(http.StatusNoContent),
			httpapi.Summary("Delete a collection"), httpapi.Describe(deleteText), httpapi.Errors(unauthorized, forbidden, missing, unavailable)),
		httpapi.Post("/v1/me/collections/{collection_id}/items", "add-collection-item", s.addItem, httpapi.Success(http.StatusCreated),
			httpapi.Summary("Add a GP to a collection"), httpapi.Describe(addText), httpapi.Errors(unauthorized, forbidden, missing, conflict, unavailable)),
		httpapi.Post("/v1/me/collections/{collection_id}/items/batch", "add-collection-items", s.addMany,
			httpapi.Summary("Add many GPs to a collection"), httpapi.Describe(manyText), httpapi.Errors(unauthorized, forbidden, missing, unavailable),
			httpapi.Refuses(errTooManyItems)),
		httpapi.Delete("/v1/me/collections/{collection_id}/items/{crd}", "remove-collection-item", s.removeItem, httpapi.Success(http.StatusNoContent),
			httpapi.Summary("Remove a GP from a collection"), httpapi.Describe(removeText), httpapi.Errors(unauthorized, forbidden, missing, unavailable)),
	}, httpapi.Tag("Collections"), httpapi.Grant(httpapi.Login), httpapi.Volatile())
}

const listText = `Returns all collections of the account, newest first.`

const createText = `Names are unique in an account, regardless of case. A name in use returns 409. An account can have at most 20 collections; a request for another returns 409.`

const getText = `Returns the collection and its GPs, last added first. A collection of another account returns the same 404 as one that does not exist.`

const patchText = `Changes the name, the description or both. A field that is not sent keeps its value. An empty description removes it. Names are unique in an account, regardless of case. A name in use returns 409.`

const deleteText = `Deletes the collection and its list of GPs.`

const addText = `A GP that the catalog does not list returns 404. A GP that is already in the collection returns 409. A collection can have at most 500 GPs; a request for another returns 409.`

const manyText = `Adds up to 200 GPs at once. GPs that are already in the collection are not changed. If the collection would have more than 500 GPs, the response is 409 and nothing is added.`

const removeText = `A GP that is not in the collection returns 404.`

// ListMeta describes a list of collections.
type ListMeta struct {
	Total          int `json:"total" doc:"Collections of the account." example:"1"`
	CollectionsMax int `json:"collections_max" doc:"Maximum number of collections of an account." example:"20"`
}

// SchemaName is its name in the OpenAPI document.
func (ListMeta) SchemaName() string { return "CollectionListMeta" }

func (s *Service) list(ctx context.Context, _ *struct{}) (*httpapi.Reply[listBody], error) {
	list, err := s.List(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: list, Meta: ListMeta{Total: len(list), CollectionsMax: PerUser}}}, nil
}

// CreateInput is the body of a creation.
type CreateInput struct {
	Body struct {
		Name        string `json:"name" minLength:"1" maxLength:"100" doc:"Name, 1 to 100 characters." example:"Boston buyout"`
		Description string `json:"description,omitempty" maxLength:"1000" doc:"Description, up to 1,000 characters." example:"Managers to meet in spring"`
	}
}

func (s *Service) create(ctx context.Context, in *CreateInput) (*httpapi.Reply[oneBody], error) {
	c, err := s.Create(ctx, auth.From(ctx).UserID, in.Body.Name, in.Body.Description)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *c}, Header: map[string]string{"Location": "/v1/me/collections/" + c.ID}}, nil
}

// Path names one collection. Malformed IDs return 400, like every malformed value.
type Path struct {
	CollectionID string `path:"collection_id" pattern:"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" patternDescription:"a UUID in lower case" doc:"ID of the collection." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
}

// PatchInput is the body of a change.
type PatchInput struct {
	Path
	Body struct {
		Name        *string `json:"name,omitempty" minLength:"1" maxLength:"100" doc:"Name, 1 to 100 characters." example:"Boston buyout"`
		Description *string `json:"description,omitempty" maxLength:"1000" doc:"Description, up to 1,000 characters. An empty string removes it." example:"Managers to meet in spring"`
	}
}

func (s *Service) patch(ctx context.Context, in *PatchInput) (*httpapi.Reply[oneBody], error) {
	c, err := s.Update(ctx, auth.From(ctx).UserID, in.CollectionID, Patch{Name: in.Body.Name, Description: in.Body.Description})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *c}}, nil
}

func (s *Service) delete(ctx context.Context, in *Path) (*httpapi.Reply[noBody], error) {
	return done(s.Delete(ctx, auth.From(ctx).UserID, in.CollectionID))
}

func done(err error) (*httpapi.Reply[noBody], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[noBody]{}, nil
}
