package apikey

import (
	"context"
	"net/http"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type (
	noBody   = struct{}
	listBody = httpapi.DataMeta[[]Key, ListMeta]
	oneBody  = httpapi.Data[Key]
)

// Part is what the slice provides.
func (s *Service) Part(url accountsapi.PublicURL) module.Part {
	return module.Part{
		Routes: Routes(s), Pages: Pages(s, url), Models: []any{row{}}, Exporters: []module.Exporter{{Name: "api_keys", For: s.ExportFor}},
		Deleted: []module.AccountListener{s.AccountDeleted}, Purged: []module.AccountListener{s.AccountPurged}, Background: []module.Background{s.verifier},
	}
}

// Routes are the operations on keys.
func Routes(s *Service) []httpapi.Route {
	const unauthorized, forbidden, unavailable = http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/api-keys", "create-api-key", s.create, httpapi.Success(http.StatusCreated),
			httpapi.Sends("Location", "The path of the new key.", "/v1/api-keys/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"),
			httpapi.Summary("Create an API key"), httpapi.Describe(createText), httpapi.Errors(unauthorized, forbidden, http.StatusConflict, unavailable)),
		httpapi.Get("/v1/api-keys", "list-api-keys", s.listKeys,
			httpapi.Summary("List API keys"), httpapi.Describe(listText), httpapi.Errors(unauthorized, forbidden, unavailable)),
		httpapi.Get("/v1/api-keys/{key_id}", "get-api-key", s.get,
			httpapi.Summary("Get an API key"), httpapi.Describe(getText), httpapi.Errors(unauthorized, forbidden, http.StatusNotFound, unavailable)),
		httpapi.Patch("/v1/api-keys/{key_id}", "rename-api-key", s.patch,
			httpapi.Summary("Rename an API key"), httpapi.Describe(patchText), httpapi.Errors(unauthorized, forbidden, http.StatusNotFound, unavailable), httpapi.Refuses(errRevoked)),
		httpapi.Delete("/v1/api-keys/{key_id}", "revoke-api-key", s.revoke, httpapi.Success(http.StatusNoContent),
			httpapi.Summary("Revoke an API key"), httpapi.Describe(revokeText), httpapi.Errors(unauthorized, forbidden, http.StatusNotFound, unavailable)),
	}, httpapi.Tag("API keys"), httpapi.Grant(httpapi.Login), httpapi.Volatile())
}

const createText = `Returns the secret of the key, this one time. Only its SHA-256 is stored. The response is 403 for a key of a tier above the account's ` + "`api_tier`" + `, and for a live key if the email address of the account is not verified. An account can have at most 10 active keys; a request for another returns 409. It can create 20 keys in a day (UTC), revoked ones included; a request for another returns 429 with ` + "`Retry-After`" + `. A live key continues the limit windows of a revoked one of the same tier.`

const listText = `Returns active keys first, then revoked keys, each newest first. The list has at most 1,000 keys; older revoked keys are left out. Secrets are never shown: ` + "`hint`" + ` has the prefix and the last four characters.`

const getText = `Also returns revoked keys, which are kept for audit. A key of another account returns the same 404 as one that does not exist.`

const patchText = `Only the name can change. For another tier, create a new key and revoke the old one. The record of a revoked key is kept for audit: renaming it returns 409.`

const revokeText = `The key stops working from the next request. Other processes of the service follow within moments. Revoking a revoked key changes nothing.`

// CreateKeyInput is the body of a creation.
type CreateKeyInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100" doc:"Name, 1 to 100 characters." example:"Nightly import"`
		Tier string `json:"tier" enum:"starter,growth,scale" doc:"Tier of the key, which sets its limits. At most the api_tier of the account." example:"starter"`
		// Spec: the contract's body has name and tier and mentions two modes; mode chooses one.
		Mode string `json:"mode,omitempty" enum:"live,test" default:"live" doc:"live or test. A test key is never charged. It returns the same data, but invented people." example:"live"`
	}
}

// ListKeysInput is the parameters of the list.
type ListKeysInput struct {
	IncludeRevoked bool `query:"include_revoked" default:"false" doc:"Whether to list revoked keys too." example:"false"`
}

// KeyPath names one key. Malformed IDs return 400, like every malformed value.
type KeyPath struct {
	KeyID string `path:"key_id" pattern:"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$" patternDescription:"a UUID in lower case" doc:"ID of the key." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
}

// PatchKeyInput is the body of a change.
type PatchKeyInput struct {
	KeyPath
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100" doc:"Name, 1 to 100 characters." example:"Weekly import"`
	}
}

func (s *Service) create(ctx context.Context, in *CreateKeyInput) (*httpapi.Reply[Created], error) {
	k, err := s.Create(ctx, CreateInput{UserID: auth.From(ctx).UserID, Name: in.Body.Name, Tier: in.Body.Tier, Mode: in.Body.Mode})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[Created]{Body: *k, Header: map[string]string{"Location": "/v1/api-keys/" + k.ID}}, nil
}

func (s *Service) listKeys(ctx context.Context, in *ListKeysInput) (*httpapi.Reply[listBody], error) {
	keys, meta, err := s.List(ctx, auth.From(ctx).UserID, in.IncludeRevoked)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: keys, Meta: meta}}, nil
}

func (s *Service) get(ctx context.Context, in *KeyPath) (*httpapi.Reply[oneBody], error) {
	return one(s.Get(ctx, auth.From(ctx).UserID, in.KeyID))
}

func (s *Service) patch(ctx context.Context, in *PatchKeyInput) (*httpapi.Reply[oneBody], error) {
	return one(s.Rename(ctx, auth.From(ctx).UserID, in.KeyID, in.Body.Name))
}

func (s *Service) revoke(ctx context.Context, in *KeyPath) (*httpapi.Reply[noBody], error) {
	if err := s.Revoke(ctx, auth.From(ctx).UserID, in.KeyID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[noBody]{}, nil
}

func one(k *Key, err error) (*httpapi.Reply[oneBody], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *k}}, nil
}
