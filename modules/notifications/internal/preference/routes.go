package preference

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type body = httpapi.Data[Preferences]

const path = "/v1/me/notifications/preferences"

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{row{}},
		Exporters: []module.Exporter{module.Export("notification_preferences", s.Get)}, Purged: []module.AccountListener{s.store.remove},
	}
}

// Routes are the operations on the caller's own preferences.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(path, "get-notification-preferences", s.get,
			httpapi.Summary("Get preferences of notifications"), httpapi.Describe(getText)),
		httpapi.Put(path, "update-notification-preferences", s.put,
			httpapi.Summary("Update preferences of notifications"), httpapi.Describe(putText)),
	}, httpapi.Tag("Notifications"), httpapi.Grant(httpapi.Login), httpapi.Volatile(),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}

const getText = `Returns which emails the account wants, by category. An account that has changed nothing wants all of them, but ` + "`product`" + ` only if it was registered with ` + "`marketing_consent`" + `.`

const putText = `A field that is not sent keeps its value. If a field is invalid, nothing is changed. ` + "`account`" + ` cannot be changed. The next email follows the new preferences, also if it is already in the queue.`

// PutInput is the body of a change.
type PutInput struct{ Body Change }

func (s *Service) get(ctx context.Context, _ *struct{}) (*httpapi.Reply[body], error) {
	return reply(s.Get(ctx, auth.From(ctx).UserID))
}

func (s *Service) put(ctx context.Context, in *PutInput) (*httpapi.Reply[body], error) {
	return reply(s.Update(ctx, auth.From(ctx).UserID, in.Body))
}

func reply(p Preferences, err error) (*httpapi.Reply[body], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{Body: body{Data: p}}, nil
}
