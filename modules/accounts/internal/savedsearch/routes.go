package savedsearch

import (
	"context"
	"encoding/json"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

type (
	noBody   = struct{}
	listBody = httpapi.DataMeta[[]Search, page.Meta]
	oneBody  = httpapi.Data[Search]
	runBody  = httpapi.DataMeta[[]json.RawMessage, RunMeta]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s), Models: []any{row{}}, Exporters: []module.Exporter{{Name: "saved_searches", For: s.ExportFor}}}
}

// Routes are the operations on one's own saved searches.
func Routes(s *Service) []httpapi.Route {
	const unauthorized, forbidden, missing, unavailable = http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/searches", "list-saved-searches", s.list, httpapi.Paged(),
			httpapi.Summary("List saved searches"), httpapi.Describe(listText), httpapi.Errors(unauthorized, forbidden, unavailable)),
		httpapi.Post("/v1/me/searches", "create-saved-search", s.create, httpapi.Success(http.StatusCreated),
			httpapi.Sends("Location", "The path of the new saved search.", "/v1/me/searches/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"),
			httpapi.Summary("Create a saved search"), httpapi.Describe(createText),
			httpapi.Errors(unauthorized, forbidden, unavailable), httpapi.Refuses(errFull)),
		httpapi.Get("/v1/me/searches/{search_id}", "get-saved-search", s.get,
			httpapi.Summary("Get a saved search"), httpapi.Describe(getText), httpapi.Errors(unauthorized, forbidden, missing, unavailable)),
		httpapi.Put("/v1/me/searches/{search_id}", "replace-saved-search", s.put,
			httpapi.Summary("Replace a saved search"), httpapi.Describe(putText), httpapi.Errors(unauthorized, forbidden, missing, unavailable)),
		httpapi.Delete("/v1/me/searches/{search_id}", "delete-saved-search", s.remove, httpapi.Success(http.StatusNoContent),
			httpapi.Summary("Delete a saved search"), httpapi.Describe(getText), httpapi.Errors(unauthorized, forbidden, missing, unavailable)),
		httpapi.Get("/v1/me/searches/{search_id}/run", "run-saved-search", s.run, httpapi.Paged(), httpapi.RowsOf("GPItem"),
			httpapi.Summary("Run a saved search"), httpapi.Describe(runText), httpapi.Errors(unauthorized, forbidden, missing, unavailable)),
	}, httpapi.Tag("Saved searches"), httpapi.Grant(httpapi.Login), httpapi.Volatile())
}

const listText = `The newest first.`

const createText = "Filters are the query parameters of `GET /v1/gps` by name, including `sort` and `order`, as JSON strings, whole numbers, `true` and `false`. They are validated like the parameters of that operation. A filter at fault is named `filters.<name>`. Paging parameters are not filters; send them with each run. An account can have at most 500 saved searches; a request for another returns 409."

const getText = `A saved search of another account returns the same 404 as one that does not exist.`

const putText = "Replaces the name and the filters. If the filters change, `last_run_at` and `last_match_count` become null."

const runText = "Returns the result of `GET /v1/gps` with the stored filters, and the saved search in `meta`. Updates `last_run_at` and `last_match_count`. Filters that are no longer valid return 400."

// SearchBody is a saved search as it is sent.
type SearchBody struct {
	Name    string         `json:"name" maxLength:"100" doc:"Name, 1 to 100 characters." example:"Large buyout firms in Boston"`
	Filters map[string]any `json:"filters" doc:"Query parameters of GET /v1/gps by name, with JSON types. Paging parameters are not allowed." example:"{\"city\":\"Boston\",\"min_aum\":1000000000,\"strategy\":\"PE\"}"`
}

// SchemaName is its name in the OpenAPI document.
func (SearchBody) SchemaName() string { return "SavedSearchRequest" }

// CreateInput is the body of a creation.
type CreateInput struct {
	Body SearchBody
}

// SearchPath names one saved search. Malformed IDs return 400, like every malformed value.
type SearchPath struct {
	SearchID string `path:"search_id" pattern:"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" patternDescription:"a UUID in lower case" doc:"ID of the saved search." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
}

// PutInput is the body of a change.
type PutInput struct {
	SearchPath
	Body SearchBody
}

// RunInput selects the page of results.
type RunInput struct {
	SearchPath
	page.Input
}

// RunMeta describes a page of a search, and which search it is.
type RunMeta struct {
	page.Meta
	FiltersApplied  map[string]any `json:"filters_applied" doc:"The filters as applied, with their JSON types. Aliases are expanded and names are replaced by codes."`
	SavedSearchID   string         `json:"saved_search_id" format:"uuid" doc:"ID of the saved search." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	SavedSearchName string         `json:"saved_search_name" doc:"Name of the saved search." example:"Large buyout firms in Boston"`
}

// SchemaName is its name in the OpenAPI document.
func (RunMeta) SchemaName() string { return "SavedSearchRunMeta" }

func (s *Service) list(ctx context.Context, in *page.Input) (*httpapi.Reply[listBody], error) {
	limit, offset, _ := in.Window()
	searches, total, err := s.List(ctx, auth.From(ctx).UserID, limit, offset)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: searches, Meta: in.Meta(total)}, Page: in.Links(total)}, nil
}

func (s *Service) create(ctx context.Context, in *CreateInput) (*httpapi.Reply[oneBody], error) {
	search, err := s.Create(ctx, auth.From(ctx).UserID, in.Body.Name, in.Body.Filters)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *search}, Header: map[string]string{"Location": "/v1/me/searches/" + search.ID}}, nil
}

func (s *Service) get(ctx context.Context, in *SearchPath) (*httpapi.Reply[oneBody], error) {
	return one(s.Get(ctx, auth.From(ctx).UserID, in.SearchID))
}

func (s *Service) put(ctx context.Context, in *PutInput) (*httpapi.Reply[oneBody], error) {
	return one(s.Replace(ctx, auth.From(ctx).UserID, in.SearchID, in.Body.Name, in.Body.Filters))
}

func (s *Service) remove(ctx context.Context, in *SearchPath) (*httpapi.Reply[noBody], error) {
	if err := s.Delete(ctx, auth.From(ctx).UserID, in.SearchID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[noBody]{}, nil
}

func (s *Service) run(ctx context.Context, in *RunInput) (*httpapi.Reply[runBody], error) {
	limit, offset, _ := in.Window()
	search, matches, err := s.Run(ctx, auth.From(ctx).UserID, in.SearchID, limit, offset)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[runBody]{
		Body: runBody{Data: matches.Rows, Meta: RunMeta{
			Meta: in.Meta(matches.Total), FiltersApplied: matches.FiltersApplied, SavedSearchID: search.ID, SavedSearchName: search.Name,
		}},
		Page: in.Links(matches.Total),
	}, nil
}

func one(search *Search, err error) (*httpapi.Reply[oneBody], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *search}}, nil
}
