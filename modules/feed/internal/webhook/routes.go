package webhook

import (
	"context"
	"net/http"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
)

type (
	noBody       = struct{}
	listBody     = httpapi.DataMeta[[]Endpoint, ListMeta]
	oneBody      = httpapi.Data[Endpoint]
	createdBody  = httpapi.Data[Created]
	rolledBody   = httpapi.Data[Rolled]
	testedBody   = httpapi.Data[Tested]
	messagesBody = httpapi.DataMeta[[]Message, page.Meta]
	fullBody     = httpapi.Data[Full]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Webhooks: webhooks(), Exporters: []module.Exporter{{Name: "webhooks", For: s.ExportFor}}, Purged: []module.AccountListener{s.AccountPurged},
		Jobs:      []jobs.Handler{{Type: SweepJob, Queue: jobs.Low, Retries: 3, Run: jobs.Plain(s.Sweep)}},
		Schedules: []jobs.Schedule{{Type: SweepJob, Cron: "10 4 * * *", Bucket: jobs.Daily, AtStart: true}},
	}
}

// Routes are the operations on one's own endpoints.
func Routes(s *Service) []httpapi.Route {
	const one = "/v1/me/webhooks/{endpoint_id}"
	usual := httpapi.Errors(unauthorized, unavailable)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/webhooks", "list-webhooks", s.list, httpapi.Summary("List webhook endpoints"), httpapi.Describe(listText), usual),
		httpapi.Post("/v1/me/webhooks", "create-webhook", s.create, httpapi.Success(http.StatusCreated), httpapi.Confirmed(),
			httpapi.Sends("Location", "The path of the new endpoint.", "/v1/me/webhooks/0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"),
			httpapi.Summary("Create a webhook endpoint"), httpapi.Describe(createText), usual, httpapi.Refuses(errTooMany("free", EndpointsMost["free"]))),
		httpapi.Get(one, "get-webhook", s.get, httpapi.Summary("Get a webhook endpoint"), httpapi.Describe(getText), usual, httpapi.Errors(missing)),
		httpapi.Patch(one, "update-webhook", s.patch, httpapi.Summary("Update a webhook endpoint"), httpapi.Describe(patchText), usual, httpapi.Errors(missing),
			httpapi.Refuses(errTooMany("free", EndpointsMost["free"]))),
		httpapi.Delete(one, "delete-webhook", s.remove, httpapi.Success(http.StatusNoContent), httpapi.Summary("Delete a webhook endpoint"), httpapi.Describe(deleteText),
			usual, httpapi.Errors(missing)),
		httpapi.Post(one+"/roll-secret", "roll-webhook-secret", s.roll, httpapi.Summary("Replace the secret of a webhook endpoint"), httpapi.Describe(rollText),
			usual, httpapi.Errors(missing), httpapi.Refuses(errSecrets)),
		httpapi.Post(one+"/test", "test-webhook", s.test, httpapi.Confirmed(), httpapi.NotIdempotent(), httpapi.Summary("Send a test message"), httpapi.Describe(testText),
			usual, httpapi.Errors(missing)),
		httpapi.Post(one+"/recover", "recover-webhook", s.recover, httpapi.Summary("Send events again"), httpapi.Describe(recoverText), usual, httpapi.Errors(missing),
			httpapi.Refuses(errExpired)),
		httpapi.Get(one+"/messages", "list-webhook-messages", s.messages, httpapi.Paged(), httpapi.Summary("List webhook messages"), httpapi.Describe(messagesText),
			usual, httpapi.Errors(missing)),
		httpapi.Get(one+"/messages/{message_id}", "get-webhook-message", s.message, httpapi.Summary("Get a webhook message"), httpapi.Describe(messageText),
			usual, httpapi.Errors(missing)),
		httpapi.Post(one+"/messages/{message_id}/resend", "resend-webhook-message", s.resend, httpapi.Summary("Send a webhook message again"),
			httpapi.Describe(resendText), usual, httpapi.Errors(missing), httpapi.Refuses(errInactive)),
	}, httpapi.Tag("Webhooks"), httpapi.Grant(httpapi.Login), httpapi.KeyToo(), httpapi.Volatile())
}

const listText = `Returns all webhook endpoints of the account, the oldest first.`

const createText = `GP Atlas posts the events of ` + "`GET /v1/changes`" + ` to the URL, from now on. Messages are signed as the Standard Webhooks specification says; the response has the secret, this one time. Delivery is at least once: recognize repetitions by the header ` + "`webhook-id`" + `. The order is not promised: ` + "`data.id`" + ` sorts.

The URL must be https and name a public host. Redirects are not followed. Only a status 2xx within 15 seconds counts as delivered; others are repeated for 28 hours.

If one publication has more than 1,000 events for the endpoint, one message ` + "`changes.available`" + ` with two cursors is sent instead. Active endpoints of an account: free 1, starter 3, pro 10, enterprise 50; a request for another returns 409.`

const getText = `An endpoint of another account returns the same 404 as one that does not exist.`

const patchText = `A field that is not sent keeps its value. With state paused nothing is sent; active continues with the first event that was not sent, also after GP Atlas has disabled the endpoint.`

const deleteText = `Deletes the endpoint, its secrets and its messages.`

const rollText = `Returns a new secret, this one time. Until ` + "`previous_expires_at`" + ` messages have signatures of both. With expires_in 0 only the new one signs.`

const testText = `Posts a message ` + "`webhook.test`" + ` at once and returns what came back. It is not repeated, and is not in the list of messages. It works for paused and disabled endpoints too.`

const recoverText = `Sets the endpoint back: all events since then that it selects are sent again, those that were delivered too. They have the same IDs as before.`

const messagesText = `The newest first. Messages are kept for 30 days.`

const messageText = `Returns the message and its attempts: status, time, and the beginning of the response.`

const resendText = `Makes the message due at once, whatever its state. It has the same ID as before.`

// ListMeta describes a list of endpoints.
type ListMeta struct {
	Total int `json:"total" doc:"Endpoints of the account." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (ListMeta) SchemaName() string { return "WebhookListMeta" }

// reply wraps a result.
func reply[T any](data *T, err error) (*httpapi.Reply[httpapi.Data[T]], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[T]]{Body: httpapi.Data[T]{Data: *data}}, nil
}

func (s *Service) list(ctx context.Context, _ *struct{}) (*httpapi.Reply[listBody], error) {
	list, err := s.List(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[listBody]{Body: listBody{Data: list, Meta: ListMeta{len(list)}}}, nil
}

func (s *Service) create(ctx context.Context, in *CreateInput) (*httpapi.Reply[createdBody], error) {
	r, err := reply(s.Create(ctx, auth.From(ctx).UserID, in))
	if err == nil {
		r.Header = map[string]string{"Location": "/v1/me/webhooks/" + r.Body.Data.ID}
	}
	return r, err
}

func (s *Service) get(ctx context.Context, in *Path) (*httpapi.Reply[oneBody], error) {
	return reply(s.Get(ctx, auth.From(ctx).UserID, in.EndpointID))
}

func (s *Service) patch(ctx context.Context, in *PatchInput) (*httpapi.Reply[oneBody], error) {
	return reply(s.Update(ctx, auth.From(ctx).UserID, in))
}

func (s *Service) remove(ctx context.Context, in *Path) (*httpapi.Reply[noBody], error) {
	if err := s.Delete(ctx, auth.From(ctx).UserID, in.EndpointID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[noBody]{}, nil
}

func (s *Service) roll(ctx context.Context, in *RollInput) (*httpapi.Reply[rolledBody], error) {
	return reply(s.Roll(ctx, auth.From(ctx).UserID, in))
}

func (s *Service) test(ctx context.Context, in *Path) (*httpapi.Reply[testedBody], error) {
	return reply(s.Test(ctx, auth.From(ctx).UserID, in.EndpointID))
}

func (s *Service) recover(ctx context.Context, in *RecoverInput) (*httpapi.Reply[oneBody], error) {
	return reply(s.Recover(ctx, auth.From(ctx).UserID, in))
}

// MessagesPage is MessagesInput with the page.
type MessagesPage struct {
	MessagesInput
	page.Input
}

func (s *Service) messages(ctx context.Context, in *MessagesPage) (*httpapi.Reply[messagesBody], error) {
	limit, offset, _ := in.Window()
	list, total, err := s.Messages(ctx, auth.From(ctx).UserID, &in.MessagesInput, limit, offset)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[messagesBody]{Body: messagesBody{Data: list, Meta: in.Meta(total)}, Page: in.Links(total)}, nil
}

func (s *Service) message(ctx context.Context, in *MessagePath) (*httpapi.Reply[fullBody], error) {
	return reply(s.Message(ctx, auth.From(ctx).UserID, in.EndpointID, in.MessageID))
}

func (s *Service) resend(ctx context.Context, in *MessagePath) (*httpapi.Reply[fullBody], error) {
	return reply(s.Resend(ctx, auth.From(ctx).UserID, in.EndpointID, in.MessageID))
}
