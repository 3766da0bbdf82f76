// Package page is the one rule of paging: explicit limit/offset win over page/per_page.
package page

import "gpatlas/platform/httpapi"

// Bounds and defaults of every paged list.
const (
	DefaultLimit = 25
	MaxLimit     = 100
)

// Input is embedded in a handler's input and adds both paging styles to it. The maxima keep page*per_page far from overflowing,
// and lists have fewer rows.
type Input struct {
	Limit   httpapi.Opt[int] `query:"limit" minimum:"1" maximum:"100" example:"25" doc:"Rows to return, 1 to 100 (default 25). When limit or offset is sent, page and per_page are ignored."`
	Offset  httpapi.Opt[int] `query:"offset" minimum:"0" maximum:"1000000000" example:"0" doc:"Rows to skip (default 0)."`
	Page    httpapi.Opt[int] `query:"page" minimum:"1" maximum:"10000000" example:"1" doc:"Page number, from 1 (default 1). Ignored when limit or offset is sent."`
	PerPage httpapi.Opt[int] `query:"per_page" minimum:"1" maximum:"100" example:"25" doc:"Rows per page, 1 to 100 (default 25). Ignored when limit or offset is sent."`
}

// Counted is Input for a list that can also be asked for its counts alone, with no rows.
type Counted struct {
	Limit   httpapi.Opt[int] `query:"limit" minimum:"0" maximum:"100" example:"25" doc:"Rows to return, 1 to 100 (default 25); 0 only with facets. When limit or offset is sent, page and per_page are ignored."`
	Offset  httpapi.Opt[int] `query:"offset" minimum:"0" maximum:"1000000000" example:"0" doc:"Rows to skip (default 0)."`
	Page    httpapi.Opt[int] `query:"page" minimum:"1" maximum:"10000000" example:"1" doc:"Page number, from 1 (default 1). Ignored when limit or offset is sent."`
	PerPage httpapi.Opt[int] `query:"per_page" minimum:"1" maximum:"100" example:"25" doc:"Rows per page, 1 to 100 (default 25). Ignored when limit or offset is sent."`
}

// Window is Input's.
func (in Counted) Window() (limit, offset int, byPage bool) { return Input(in).Window() }

// Meta is Input's.
func (in Counted) Meta(total int) Meta { return Input(in).Meta(total) }

// Links is Input's. Without rows there are no pages.
func (in Counted) Links(total int) *httpapi.Page { return Input(in).Links(total) }

// Window is the requested part of the list, and whether it was requested by page number.
func (in Input) Window() (limit, offset int, byPage bool) {
	if in.Limit.Set || in.Offset.Set {
		return in.Limit.Or(DefaultLimit), in.Offset.Or(0), false
	}
	limit = in.PerPage.Or(DefaultLimit)
	return limit, (in.Page.Or(1) - 1) * limit, true
}

// Meta is the position of a page, in both styles.
type Meta struct {
	Total   int `json:"total" doc:"Rows in the complete list." example:"1"`
	Limit   int `json:"limit" doc:"Maximum number of rows in this response." example:"25"`
	Offset  int `json:"offset" doc:"Rows skipped." example:"0"`
	Page    int `json:"page" doc:"Page number, from 1." example:"1"`
	PerPage int `json:"per_page" doc:"Same as limit." example:"25"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "PageMeta" }

// Meta describes the window of a list of total rows.
func (in Input) Meta(total int) Meta {
	limit, offset, _ := in.Window()
	return Meta{Total: total, Limit: limit, Offset: offset, Page: offset/max(limit, 1) + 1, PerPage: limit}
}

// Links returns the position of a page in a list of total rows, for httpapi's Link headers.
func (in Input) Links(total int) *httpapi.Page {
	limit, offset, byPage := in.Window()
	return &httpapi.Page{Total: total, Limit: limit, Offset: offset, ByPage: byPage}
}
