package alert

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

type (
	noBody   = struct{}
	oneBody  = httpapi.Data[Alert]
	newsBody = httpapi.DataMeta[[]News, Meta]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Exporters: []module.Exporter{{Name: "search_alerts", For: s.ExportFor}}, Purged: []module.AccountListener{s.AccountPurged},
		Jobs: []jobs.Handler{
			{Type: LookJob, Timeout: time.Hour, Retries: 3, Run: jobs.Plain(s.Look)},
			{Type: MailJob, Queue: jobs.Low, Timeout: time.Hour, Retries: 5, Run: jobs.InBucket(s.Mail)},
		},
		Schedules: []jobs.Schedule{
			{Type: LookJob, Cron: "* * * * *", Bucket: jobs.Minutely},
			{Type: MailJob, Cron: "CRON_TZ=America/New_York 15 6 * * *", Bucket: jobs.DailyEastern},
		},
	}
}

// Routes are the operations on alerts of one's own saved searches.
func Routes(s *Service) []httpapi.Route {
	const path = "/v1/me/searches/{search_id}/alert"
	usual := httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusServiceUnavailable)
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(path, "get-search-alert", s.get, httpapi.Summary("Get the alert of a saved search"), httpapi.Describe(getText), usual),
		httpapi.Put(path, "set-search-alert", s.put, httpapi.Summary("Set the alert of a saved search"), httpapi.Describe(putText), usual,
			httpapi.Refuses(errTooMany("free", AlertsMost["free"]), errWide(20417), errUnwatched("Invalid auditor_name: cannot be watched by an alert, because it depends on the filings of other managers"))),
		httpapi.Delete(path, "delete-search-alert", s.remove, httpapi.Success(http.StatusNoContent), httpapi.Summary("Delete the alert of a saved search"), httpapi.Describe(deleteText), usual),
		httpapi.Get("/v1/me/searches/{search_id}/news", "list-search-news", s.news, httpapi.Summary("List the news of a saved search"), httpapi.Describe(newsText), usual,
			httpapi.Refuses(errPaused)),
	}, httpapi.Tag("Saved searches"), httpapi.Grant(httpapi.Login), httpapi.Volatile())
}

const getText = `A saved search without an alert returns 404, like one of another account.`

const putText = `After each load of filings, GP Atlas compares which GPs the search finds before and after. Entered, left and changed are news from then on: in ` + "`GET /v1/me/searches/{search_id}/news`" + `, by email and to webhooks.

The search can find at most 5,000 GPs when the alert is set; otherwise 409. Time alone is no news: a GP that ` + "`launched_within_months`" + ` finds no more only because the months are over has not left. The filters provider and auditor_name cannot be watched. If the filters of the search change, the alert begins anew. Active alerts of an account: free 3, starter 10, pro 100, enterprise 500; a request for another returns 409.`

const deleteText = `Deletes the alert and not the search. Deleting the search deletes its alert too.`

const newsText = `The oldest first. News are kept for 90 days. Only what the alert is about is listed. A load that changes more than 1,000 GPs of the search lists 1,000 of them.`

func (s *Service) get(ctx context.Context, in *Path) (*httpapi.Reply[oneBody], error) {
	return reply(s.Get(ctx, auth.From(ctx).UserID, in.SearchID))
}

func (s *Service) put(ctx context.Context, in *PutInput) (*httpapi.Reply[oneBody], error) {
	return reply(s.Put(ctx, auth.From(ctx).UserID, in))
}

func reply(a *Alert, err error) (*httpapi.Reply[oneBody], error) {
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[oneBody]{Body: oneBody{Data: *a}}, nil
}

func (s *Service) remove(ctx context.Context, in *Path) (*httpapi.Reply[noBody], error) {
	if err := s.Delete(ctx, auth.From(ctx).UserID, in.SearchID); err != nil {
		return nil, err
	}
	return &httpapi.Reply[noBody]{}, nil
}

func (s *Service) news(ctx context.Context, in *NewsInput) (*httpapi.Reply[newsBody], error) {
	list, meta, err := s.News(ctx, auth.From(ctx).UserID, in)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[newsBody]{Body: newsBody{Data: list, Meta: meta}}, nil
}
