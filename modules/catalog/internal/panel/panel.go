package panel

import (
	"context"
	"net/http"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
	"gpatlas/platform/page"
)

// Input is the parameters of a list of one manager.
type Input struct {
	catalogapi.GPPath
	moment.Input
	Paging
}

// Paging is the part of Input that selects a page.
type Paging = page.Input

// Basis is the filing that a list comes from.
type Basis = catalogapi.ListBasis

// Meta is the remarks on a list.
type Meta struct {
	page.Meta
	CRD   string `json:"crd" doc:"CRD number of the manager." example:"900001"`
	Basis Basis  `json:"basis" doc:"Filing that the list comes from."`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "PanelMeta" }

// WithheldMeta is the remarks on a list that may name persons.
type WithheldMeta struct {
	Meta
	Withheld int `json:"withheld" doc:"Rows left out because they name or may name a person. They are not in total." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (WithheldMeta) SchemaName() string { return "PanelWithheldMeta" }

// Edition is an edition of a filing.
type Edition struct {
	Accession  string
	FormType   string
	FilingDate time.Time
}

// Source is the edition as the source of a row.
func (e *Edition) Source() *fold.FilingSource {
	return &fold.FilingSource{AccessionNumber: e.Accession, FilingType: e.FormType, FilingDate: e.FilingDate.Format(time.DateOnly)}
}

// Basis is the edition as answers show it; nil is none.
func (e *Edition) Basis() Basis {
	if e == nil {
		return Basis{}
	}
	return Basis{
		Stated: true, AccessionNumber: &e.Accession, FilingType: &e.FormType, FilingDate: new(e.FilingDate.Format(time.DateOnly)),
		Source: new(string(catalogapi.SourceADVArchive)),
	}
}

// Cut is the requested page of a list.
func Cut[T any](rows []T, in page.Input) []T {
	limit, offset, _ := in.Window()
	from := min(offset, len(rows))
	return append([]T{}, rows[from:min(from+limit, len(rows))]...)
}

// Route declares the list of one manager.
func Route[I, B any](path, id, summary, text string, list func(ctx context.Context, in *I) (*httpapi.Reply[B], error)) []httpapi.Route {
	return []httpapi.Route{httpapi.Get(path, id, list, httpapi.Summary(summary), httpapi.Describe(text), httpapi.Paged(),
		httpapi.Errors(http.StatusNotFound, http.StatusServiceUnavailable), httpapi.Tag("Fund managers"))}
}

// Text explains the basis and the moments in descriptions.
const Text = "The list is that of the newest filing whose document has its table; `meta.basis` names it. If `stated` is false, no loaded filing states the list, and it is unknown. If it is true and `data` is empty, there are no rows. With `as_of` or `known_at`, the filings up to that time count, names are those of that time, and a manager without a filing by then is not found."
