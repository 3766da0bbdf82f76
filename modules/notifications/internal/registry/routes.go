package registry

import (
	"context"
	"net/http"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type (
	noBody     = struct{}
	oneBody    = httpapi.Data[Notification]
	listBody   = httpapi.DataMeta[[]Notification, ListMeta]
	statsBody  = httpapi.DataMeta[[]KindFigures, ListMeta]
	importBody = httpapi.Data[Imported]
	testBody   = httpapi.Data[Tested]
)

// ListMeta describes a list.
type ListMeta struct {
	Total int `json:"total" doc:"Notifications in the registry." example:"6"`
}

// SchemaName is its name in the OpenAPI document.
func (ListMeta) SchemaName() string { return "NotificationListMeta" }

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{row{}},
		Exporters: []module.Exporter{{Name: "notification_registry", For: s.ExportFor}}, Purged: []module.AccountListener{s.store.forget},
	}
}

const (
	root       = "/v1/admin/notifications/"
	one        = root + "{notification_id}"
	attachment = `attachment; filename="notifications.json"`
	// importMax is the largest document that is imported.
	importMax = 1 << 20
)

// Routes are the operations of administrators on the registry.
func Routes(s *Service) []httpapi.Route {
	const notFound = http.StatusNotFound
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(root, "list-notifications", s.list,
			httpapi.Summary("List notifications"), httpapi.Describe(listText)),
		httpapi.Post(root, "create-notification", s.create, httpapi.Success(http.StatusCreated),
			httpapi.Summary("Create a notification"), httpapi.Describe(createText), httpapi.Refuses(errTaken("maintenance_notice"))),
		httpapi.Get(root+"stats", "list-notification-stats", s.listStats,
			httpapi.Summary("Get delivery statistics of all notifications"), httpapi.Describe(statsText)),
		httpapi.Get(root+"summary", "get-notification-summary", s.summary,
			httpapi.Summary("Summarize the registry"), httpapi.Describe(summaryText)),
		httpapi.Get(root+"table", "get-notification-table", s.table, httpapi.Produces("text/plain; charset=utf-8"), httpapi.Examples(tableExample()),
			httpapi.Summary("Get the registry as a text table"), httpapi.Describe(tableText)),
		httpapi.Get(root+"analytics/overview", "get-notification-overview", s.overview,
			httpapi.Summary("Get delivery statistics by category and day"), httpapi.Describe(overviewText)),
		httpapi.Get(root+"export", "export-notifications", s.export,
			httpapi.Summary("Export the registry"), httpapi.Describe(exportText),
			httpapi.Sends("Content-Disposition", "Name of the file.", attachment)),
		httpapi.Post(root+"import", "import-notifications", s.importAll, httpapi.MaxBody(importMax),
			httpapi.Summary("Import a registry"), httpapi.Describe(importText), httpapi.Errors(http.StatusRequestEntityTooLarge), httpapi.Refuses(errTooMany)),
		httpapi.Post(root+"test", "test-notification", s.test,
			httpapi.Summary("Send a test email of a notification"), httpapi.Describe(testText), httpapi.Errors(notFound)),
		httpapi.Get(one, "get-notification", s.get,
			httpapi.Summary("Get a notification"), httpapi.Describe("A notification that is switched off is shown too."), httpapi.Errors(notFound)),
		httpapi.Put(one, "update-notification", s.put,
			httpapi.Summary("Change a notification"), httpapi.Describe(putText), httpapi.Errors(notFound), httpapi.Refuses(errAlwaysOn(kind.TrialEnding))),
		httpapi.Delete(one, "delete-notification", s.remove, httpapi.Success(http.StatusNoContent),
			httpapi.Summary("Delete a notification"), httpapi.Describe(deleteText), httpapi.Errors(notFound), httpapi.Refuses(errBuiltIn(kind.Digest))),
		httpapi.Post(one+"/enable", "enable-notification", s.enable,
			httpapi.Summary("Enable a notification"), httpapi.Describe(enableText), httpapi.Errors(notFound)),
		httpapi.Post(one+"/disable", "disable-notification", s.disable,
			httpapi.Summary("Disable a notification"), httpapi.Describe(disableText), httpapi.Errors(notFound), httpapi.Refuses(errAlwaysOn(kind.TrialEnding))),
		httpapi.Get(one+"/stats", "get-notification-stats", s.stat,
			httpapi.Summary("Get delivery statistics of a notification"), httpapi.Describe(kindStatsText), httpapi.Errors(notFound)),
	}, httpapi.Tag("Administration"), httpapi.Grant(httpapi.Admin), httpapi.Volatile(),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}

func tableExample() string {
	opened, clicked := 41.2, 8.7
	return tableOf([]Notification{
		{ID: kind.Digest, Category: kind.ActivityDigest, Enabled: true, MaxPerDay: 1, Name: "Activity digest"},
		{ID: "maintenance_notice", Category: kind.Product, MaxPerDay: 2, Name: "Maintenance notice"},
	}, []KindFigures{{ID: kind.Digest, Figures: Figures{Sent: 310, OpenRate: &opened, ClickRate: &clicked}}})
}

const (
	listText = `Returns all notifications by ID: the built-in ones, which the service sends by itself, and those that administrators have added.`

	// Spec: not shown what a notification that an administrator creates is for. It has its own subject and text, so that it can
	// be tested, and sent by operators.
	createText = `Creates a notification with its own subject and text. Its emails have the same layout as all others, with greeting and footer. Nothing is sent until an operator does so; use ` + "`POST /v1/admin/notifications/test`" + ` to see it.

The IDs ` + "`analytics`, `export`, `import`, `stats`, `summary`, `table` and `test`" + ` are reserved (400). An ID in use returns 409. The category cannot be ` + "`account`" + ` (400).`

	statsText = `Counts all emails since the beginning, by notification. Opens and clicks by machines (link scanners, mail proxies) are counted separately and are not part of the rates.`

	summaryText = `Counts the notifications of the registry by category.`

	tableText = `Returns the registry as a table for terminals, with the emails of the last 7 days (UTC, today included).`

	overviewText = `Counts the emails that were queued in the last days (UTC, today included), in total and by category, notification and day. Rates count people only.`

	exportText = `Returns the registry as a document that ` + "`POST /v1/admin/notifications/import`" + ` accepts. Importing it changes nothing.`

	importText = `Imports all of the document or, if anything in it is invalid, nothing: the response then lists each fault with its entry and field, such as ` + "`notifications[2].category`" + `. The document may have 1 MiB at most (413).

By default it replaces the registry: notifications that it does not contain are deleted. Built-in notifications are never deleted; those that it does not contain are reset to their defaults. With ` + "`merge=true`" + `, notifications that it does not contain stay as they are.`

	testText = `Sends an email of the notification to you at once: a built-in one with invented data, another one with its text. It bypasses preferences, limits and whether the notification is enabled. It is not tracked and not counted. If the mail server does not accept the email, the response is 503.`

	putText = `A field that is not sent keeps its value. The category and the text of a built-in notification cannot be changed (400). Disabling a notification of category ` + "`account`" + ` returns 409. The change applies to the next email that is sent, including those that wait in the queue.`

	deleteText = `Emails that wait in the queue are not sent. Built-in notifications cannot be deleted (409); disable them instead.`

	enableText = `A notification that is enabled already stays so.`

	disableText = `Emails that wait in the queue are not sent. A notification that is disabled already stays so. Notifications of category ` + "`account`" + ` cannot be disabled (409).`

	kindStatsText = `Counts the emails of the notification that were queued in the last days (UTC, today included). Rates count people only.`
)

// Path names one notification.
type Path struct {
	ID string `path:"notification_id" pattern:"^[a-z][a-z0-9]*(_[a-z0-9]+)*$" patternDescription:"snake_case: lower-case letters and digits in words joined by single underscores, beginning with a letter" maxLength:"50" doc:"ID of the notification." example:"activity_digest"`
}

// Days is a number of days until today.
type Days struct {
	Days int `query:"days" minimum:"1" maximum:"90" default:"7" doc:"Number of days, today (UTC) included." example:"7"`
}

type (
	createInput   struct{ Body Entry }
	overviewInput struct{ Days }
	putInput      struct {
		Path
		Body Change
	}
	statInput struct {
		Path
		Days
	}
	testInput struct {
		Body struct {
			ID string `json:"notification_id" pattern:"^[a-z][a-z0-9]*(_[a-z0-9]+)*$" patternDescription:"snake_case: lower-case letters and digits in words joined by single underscores, beginning with a letter" maxLength:"50" doc:"ID of the notification." example:"activity_digest"`
		}
	}
)

// importInput is a document and what to do with the rest.
type importInput struct {
	Merge bool `query:"merge" default:"false" doc:"Whether notifications that the document does not contain stay as they are. By default the document replaces the registry." example:"false"`
	Body  Document
}

func reply[B any](body B, err error) (*httpapi.Reply[B], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[B]{Body: body}, nil
}

// data is the response with one value.
func data[T any](found *T, err error) (*httpapi.Reply[httpapi.Data[T]], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[T]]{Body: httpapi.Data[T]{Data: *found}}, nil
}

func (s *Service) list(ctx context.Context, _ *noBody) (*httpapi.Reply[listBody], error) {
	list, err := s.List(ctx)
	return reply(listBody{Data: list, Meta: ListMeta{len(list)}}, err)
}

func (s *Service) create(ctx context.Context, in *createInput) (*httpapi.Reply[oneBody], error) {
	return data(s.Create(ctx, auth.From(ctx).UserID, in.Body))
}

func (s *Service) get(ctx context.Context, in *Path) (*httpapi.Reply[oneBody], error) {
	return data(s.Get(ctx, in.ID))
}

func (s *Service) put(ctx context.Context, in *putInput) (*httpapi.Reply[oneBody], error) {
	return data(s.Update(ctx, auth.From(ctx).UserID, in.ID, in.Body))
}

func (s *Service) remove(ctx context.Context, in *Path) (*httpapi.Reply[noBody], error) {
	return reply(noBody{}, s.Delete(ctx, in.ID))
}

func (s *Service) enable(ctx context.Context, in *Path) (*httpapi.Reply[oneBody], error) {
	return s.turn(ctx, in.ID, true)
}

func (s *Service) disable(ctx context.Context, in *Path) (*httpapi.Reply[oneBody], error) {
	return s.turn(ctx, in.ID, false)
}

func (s *Service) turn(ctx context.Context, id string, on bool) (*httpapi.Reply[oneBody], error) {
	return data(s.Update(ctx, auth.From(ctx).UserID, id, Change{Enabled: httpapi.Some(on)}))
}

func (s *Service) listStats(ctx context.Context, _ *noBody) (*httpapi.Reply[statsBody], error) {
	list, err := s.Stats(ctx)
	return reply(statsBody{Data: list, Meta: ListMeta{len(list)}}, err)
}

func (s *Service) summary(ctx context.Context, _ *noBody) (*httpapi.Reply[httpapi.Data[Summary]], error) {
	return data(s.Summary(ctx))
}

func (s *Service) overview(ctx context.Context, in *overviewInput) (*httpapi.Reply[httpapi.Data[Overview]], error) {
	return data(s.Overview(ctx, in.Days.Days))
}

func (s *Service) stat(ctx context.Context, in *statInput) (*httpapi.Reply[httpapi.Data[KindStats]], error) {
	return data(s.KindStats(ctx, in.ID, in.Days.Days))
}

func (s *Service) table(ctx context.Context, _ *noBody) (*httpapi.Reply[httpapi.Bytes], error) {
	text, err := s.Table(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Bytes]{Raw: []byte(text)}, nil
}

func (s *Service) export(ctx context.Context, _ *noBody) (*httpapi.Reply[Document], error) {
	d, err := s.Export(ctx)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[Document]{Body: *d, Header: map[string]string{"Content-Disposition": attachment}}, nil
}

func (s *Service) importAll(ctx context.Context, in *importInput) (*httpapi.Reply[importBody], error) {
	done, err := s.Import(ctx, auth.From(ctx).UserID, &in.Body, in.Merge)
	return reply(importBody{Data: done}, err)
}

func (s *Service) test(ctx context.Context, in *testInput) (*httpapi.Reply[testBody], error) {
	return data(s.Test(ctx, auth.From(ctx).UserID, in.Body.ID))
}
