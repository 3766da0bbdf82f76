package override

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/overrides"
)

type (
	listBody = httpapi.DataMeta[[]Entry, Meta]
	oneBody  = httpapi.Data[Entry]
	noBody   = struct{}
)

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s), Models: []any{&row{}}} }

// Routes are the operations on overrides.
func Routes(s *Service) []httpapi.Route {
	const path = "/v1/admin/dataops/overrides"
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(path, "list-overrides", s.list, httpapi.Summary("List overrides"), httpapi.Describe("The newest first."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
		httpapi.Post(path, "create-override", s.create, httpapi.Success(http.StatusCreated), httpapi.Summary("Correct what a filer got wrong"),
			httpapi.Describe("The value holds from `valid_from` on, and survives every ingestion. Answers about a day before `valid_from` (`as_of`), or about what was "+
				"known before the override was created (`known_at`), show what the filings say. The data have `source: override` in their provenance. One override of a field can be "+
				"active: a second returns 409 with the ID of the first."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable)),
		httpapi.Delete(path+"/{override_id}", "delete-override", s.remove, httpapi.Success(http.StatusNoContent), httpapi.Summary("Delete an override"),
			httpapi.Describe("From now on the data show what the filings say. The override stays in the list of those that are not active. A second call by "+
				"the same person changes nothing; an override that another person has deleted returns 409."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Data operations"), httpapi.Grant(httpapi.Admin), httpapi.Volatile())
}

// ListInput selects overrides.
type ListInput struct {
	ActiveOnly httpapi.Opt[bool]   `query:"active_only" example:"true" doc:"Leave out deleted overrides (default true)."`
	Type       httpapi.Opt[string] `query:"override_type" enum:"gp_field,canonical_group,fund_status,person_merge,person_split,person_suppress,lp_match" example:"gp_field" doc:"Only overrides of this type."`
}

// Path names an override.
type Path struct {
	OverrideID int64 `path:"override_id" minimum:"1" doc:"ID of the override." example:"4"`
}

// CreateInput is the body of an override.
type CreateInput struct {
	// Spec: not shown; an operator sees the value before and after before it is saved.
	Preview httpapi.Opt[bool] `query:"preview" example:"false" doc:"Check the override and return it, with the value that it would replace, but do not create it (default false)."`

	Body struct {
		// Spec: the body is not shown.
		Type     string          `json:"override_type" enum:"gp_field,canonical_group,fund_status,person_merge,person_split,person_suppress,lp_match" doc:"What is corrected." example:"gp_field"`
		EntityID string          `json:"entity_id" minLength:"1" maxLength:"40" doc:"CRD number, fund ID, person ID or ID of an LP's investment." example:"998243"`
		Field    string          `json:"field,omitempty" maxLength:"40" doc:"Field of the entity. Left out for a type without fields." example:"website"`
		Value    json.RawMessage `json:"value" doc:"The right value, 4,096 bytes at most." example:"\"https://www.aldergate.example\""`
		Reason   string          `json:"reason" minLength:"1" maxLength:"1000" doc:"Why it is corrected. One line without control or invisible characters." example:"The firm moved to another domain"`
		// Spec: not shown; the default is today, and a day to come is refused: nothing would happen on it by itself.
		ValidFrom *string `json:"valid_from,omitempty" format:"date" doc:"First day on which the value holds (default today)." example:"2026-11-22"`
	}
}

func (s *Service) list(ctx context.Context, in *ListInput) (*httpapi.Reply[listBody], error) {
	list, err := s.store.list(ctx, which{kind: in.Type.Or(""), active: in.ActiveOnly.Or(true)})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: list, Meta: Meta{len(list)}}}, nil
}

func (s *Service) create(ctx context.Context, in *CreateInput) (*httpapi.Reply[oneBody], error) {
	b := in.Body
	o := &overrides.Override{
		Type: b.Type, EntityID: b.EntityID, Field: b.Field, Value: b.Value, Reason: b.Reason, CreatedBy: auth.From(ctx).UserID,
	}
	if b.ValidFrom != nil {
		day, err := time.Parse(time.DateOnly, *b.ValidFrom)
		if err != nil {
			return nil, apperr.Invalid(apperr.FieldError{Field: "valid_from", Message: "must be a day, as 2026-11-22"})
		}
		o.ValidFrom = day
	}
	made, err := s.Create(ctx, o, in.Preview.Or(false))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *made}}, nil
}

func (s *Service) remove(ctx context.Context, in *Path) (*httpapi.Reply[noBody], error) {
	if err := s.Remove(ctx, in.OverrideID, auth.From(ctx).UserID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[noBody]{}, nil
}
