package collection

import (
	"context"

	"gpatlas/modules/accounts/internal/manygps"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// GetInput asks for a collection and a page of its items.
//
// Spec: per_page has the default 100, unlike other lists; its maximum is not shown and is that of every list.
type GetInput struct {
	Path
	Page    int `query:"page" minimum:"1" maximum:"10000000" default:"1" example:"1" doc:"Page number, from 1."`
	PerPage int `query:"per_page" minimum:"1" maximum:"100" default:"100" example:"100" doc:"GPs per page, 1 to 100."`
}

// ItemsMeta describes a page of items.
type ItemsMeta struct {
	Total    int `json:"total" doc:"GPs in the collection." example:"1"`
	Page     int `json:"page" doc:"Page number, from 1." example:"1"`
	PerPage  int `json:"per_page" doc:"Maximum number of GPs in this response." example:"100"`
	ItemsMax int `json:"items_max" doc:"Maximum number of GPs in a collection." example:"500"`
}

// SchemaName is its name in the OpenAPI document.
func (ItemsMeta) SchemaName() string { return "CollectionItemsMeta" }

func (s *Service) get(ctx context.Context, in *GetInput) (*httpapi.Reply[fullBody], error) {
	offset := (in.Page - 1) * in.PerPage
	c, err := s.Get(ctx, auth.From(ctx).UserID, in.CollectionID, in.PerPage, offset)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[fullBody]{
		Body: fullBody{Data: *c, Meta: ItemsMeta{Total: c.ItemCount, Page: in.Page, PerPage: in.PerPage, ItemsMax: ItemsMax}},
		Page: &httpapi.Page{Total: c.ItemCount, Limit: in.PerPage, Offset: offset, ByPage: true},
	}, nil
}

// AddItemInput is the body of an addition.
type AddItemInput struct {
	Path
	Body struct {
		// Spec: the body is not shown; the GP is named as in the path of its removal.
		CRD string `json:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"CRD number of the GP." example:"900001"`
	}
}

// ManyInput is the body of many additions.
type ManyInput struct {
	Path
	Body manygps.Body
}

func (s *Service) addMany(ctx context.Context, in *ManyInput) (*httpapi.Reply[manyBody], error) {
	outcome, err := s.AddMany(ctx, auth.From(ctx).UserID, in.CollectionID, &in.Body)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[manyBody]{Body: manyBody{Data: *outcome}}, nil
}

func (s *Service) addItem(ctx context.Context, in *AddItemInput) (*httpapi.Reply[itemBody], error) {
	item, err := s.AddItem(ctx, auth.From(ctx).UserID, in.CollectionID, in.Body.CRD)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[itemBody]{Body: itemBody{Data: *item}}, nil
}

// ItemPath names a GP in a collection.
type ItemPath struct {
	catalogapi.GPPath
	Path
}

func (s *Service) removeItem(ctx context.Context, in *ItemPath) (*httpapi.Reply[noBody], error) {
	return done(s.RemoveItem(ctx, auth.From(ctx).UserID, in.CollectionID, in.CRD))
}
