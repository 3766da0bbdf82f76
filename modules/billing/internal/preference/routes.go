package preference

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type body = httpapi.Data[Preferences]

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations on the caller's own preferences.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/preferences", "get-preferences", s.get,
			httpapi.Summary("Get preferences of purchases and emails"), httpapi.Describe(getText)),
		httpapi.Patch("/v1/me/preferences", "update-preferences", s.patch,
			httpapi.Summary("Update preferences of purchases and emails"), httpapi.Describe(patchText)),
	}, httpapi.Tag("Billing"), httpapi.Grant(httpapi.Login), httpapi.Volatile(),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}

const getText = `An account that has changed nothing has the defaults.

An unlock that costs more than ` + "`one_click_threshold`" + `, or any unlock while ` + "`one_click_enabled`" + ` is false, is charged only if its body has ` + "`confirm: true`" + `. Without it, the unlock returns 402 with the code ` + "`confirmation_required`" + ` and the amount, and nothing is charged. Requests that read data (` + "`GET`" + `) are not affected: use ` + "`max_charge`" + ` to limit their price.`

const patchText = `A field that is not sent keeps its value. If a field is invalid, nothing is changed. The next unlock and the next email follow the new preferences.`

// PatchInput is the body of a change.
type PatchInput struct{ Body Change }

func (s *Service) get(ctx context.Context, _ *struct{}) (*httpapi.Reply[body], error) {
	return reply(s.Get(ctx, auth.From(ctx).UserID))
}

func (s *Service) patch(ctx context.Context, in *PatchInput) (*httpapi.Reply[body], error) {
	return reply(s.Update(ctx, auth.From(ctx).UserID, in.Body))
}

func reply(p Preferences, err error) (*httpapi.Reply[body], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Body: body{Data: p}}, nil
}
