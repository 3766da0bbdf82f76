package purchase

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
	"gpatlas/platform/page"
	"gpatlas/platform/plaintext"
)

type body = httpapi.DataMeta[[]Purchase, Meta]

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations on one's own purchases.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/purchases", "list-purchases", s.list,
			httpapi.Summary("List purchases"), httpapi.Describe(listText)),
		httpapi.Get("/v1/me/purchases/gp/{crd}", "list-gp-purchases", s.listGP,
			httpapi.Summary("List purchases about a GP"), httpapi.Describe(listGPText)),
	}, httpapi.Tag("Billing"), httpapi.Grant(httpapi.Login), httpapi.Volatile(), httpapi.Paged(), httpapi.Produces("application/json", csvType),
		httpapi.MaySend("Content-Disposition", "The suggested file name of a CSV.", disposition), httpapi.Examples(nil, exampleCSV),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable))
}

const listText = `Returns the charges of the account, newest first: fees, purchases of units such as persons, and corrections. Each is one successful response, and its amount is the one that the response showed in ` + "`X-Charge`" + `. Requests with a test key have ` + "`mode: test`" + ` and the amount 0. ` + "`meta.amount`" + ` is the sum of all charges, or of those of the ` + "`month`" + ` if one is given, not only of those in this response.

` + "`operation`, `key`, `from` and `to`" + ` choose charges; days are those of UTC, and both ends belong to them. ` + "`group_by`" + ` adds sums to ` + "`meta.groups`" + `, which together are exactly ` + "`meta.total` and `meta.amount`" + `. ` + "`format=csv`" + ` returns the same as a file, complete and unpaged, in the form of ` + "`POST /v1/export/csv`" + `: a text that begins like a formula has an apostrophe before it.

Charges are never changed or removed. A correction is a row of its own with the operation ` + "`adjustment`" + `.`

const listGPText = `Returns the charges about one GP, newest first. ` + "`meta.amount`" + ` is their sum. If nothing was charged, the list is empty, whether the catalog lists the GP or not.`

// Meta describes a list of purchases.
type Meta struct {
	page.Meta

	Amount httpapi.Dollars `json:"amount" doc:"USD charged for all rows of the complete list." example:"12.75"`
	Groups []Sum           `json:"groups,omitzero" doc:"Sums of the complete list by group_by. Together they are total and amount. Absent without group_by."`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "PurchaseListMeta" }

// Input pages through purchases.
type Input struct {
	page.Input

	Month     string                    `query:"month" pattern:"^20[0-9]{2}-(0[1-9]|1[0-2])$" patternDescription:"a month such as 2026-11" doc:"Only what counts for this month (UTC). meta.amount is then the bill of the month." example:"2026-11"`
	From      httpapi.Opt[httpapi.Date] `query:"from" doc:"Only what was charged on this day (UTC) or later." example:"2026-11-01"`
	To        httpapi.Opt[httpapi.Date] `query:"to" doc:"Only what was charged on this day (UTC) or earlier." example:"2026-11-30"`
	Operation string                    `query:"operation" pattern:"^[a-z][a-z0-9-]{0,63}$" patternDescription:"the ID of an operation, such as get-gp-metrics" doc:"Only charges of this operation. adjustment: only corrections." example:"get-gp-metrics"`
	Key       string                    `query:"key" pattern:"^(none|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$" patternDescription:"the ID of an API key, or none" doc:"Only what this API key has paid. none: what sessions have paid, and corrections." example:"1f0e8a65-90b1-4d5c-9b53-5f7b1b0c9d21"`
	GroupBy   string                    `query:"group_by" enum:"operation,key,day" doc:"Adds sums to meta.groups: by operation or key, the largest first, or by day, the newest first." example:"day"`
	Format    string                    `query:"format" enum:"json,csv" doc:"csv returns a file with all rows that the filters match, or with the sums if group_by is sent. It does not page." example:"json"`
}

// Faults are the faults that no tag of a field can express.
func (in *Input) Faults() (faults []apperr.FieldError) {
	if from, ok := in.From.Get(); ok && in.To.Set && in.To.Value.Before(from.Time) {
		faults = append(faults, apperr.FieldError{Field: "to", Message: "must not be before from"})
	}
	if in.Format != formatCSV {
		return faults
	}
	for i, set := range []bool{in.Limit.Set, in.Offset.Set, in.Page.Set, in.PerPage.Set} {
		if set {
			name := []string{"limit", "offset", "page", "per_page"}[i]
			faults = append(faults, apperr.FieldError{Field: name, Message: "cannot be combined with format=csv, which returns all rows"})
		}
	}
	return faults
}

func (in *Input) filter(userID int64, crd *string) Filter {
	f := Filter{UserID: userID, CRD: crd, Operation: plaintext.Optional(in.Operation), Key: plaintext.Optional(in.Key)}
	if month, err := time.Parse("2006-01", in.Month); err == nil {
		f.Month = &month
	}
	if from, ok := in.From.Get(); ok {
		f.From = &from.Time
	}
	if to, ok := in.To.Get(); ok {
		until := to.AddDate(0, 0, 1)
		f.Until = &until
	}
	return f
}

// GPInput names a GP.
type GPInput struct {
	Input

	CRD string `path:"crd" pattern:"^[1-9][0-9]{0,9}$" patternDescription:"a CRD number: 1 to 10 digits without leading zeros" doc:"CRD number of the GP." example:"900001"`
}

func (s *Service) list(ctx context.Context, in *Input) (*httpapi.Reply[body], error) {
	return s.reply(ctx, in, nil)
}

func (s *Service) listGP(ctx context.Context, in *GPInput) (*httpapi.Reply[body], error) {
	return s.reply(ctx, &in.Input, &in.CRD)
}

func (s *Service) reply(ctx context.Context, in *Input, crd *string) (*httpapi.Reply[body], error) {
	if faults := in.Faults(); faults != nil {
		return nil, apperr.Invalid(faults...)
	}
	filter := in.filter(auth.From(ctx).UserID, crd)
	if in.Format == formatCSV {
		return s.file(ctx, filter, in.GroupBy)
	}
	limit, offset, _ := in.Window()
	list, sums, totals, err := s.List(ctx, filter, in.GroupBy, limit, offset)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[body]{
		Body: body{Data: list, Meta: Meta{Meta: in.Meta(totals.Total), Amount: totals.Amount, Groups: sums}}, Page: in.Links(totals.Total),
	}, nil
}

// file answers with CSV.
func (s *Service) file(ctx context.Context, filter Filter, by string) (*httpapi.Reply[body], error) {
	reply := &httpapi.Reply[body]{ContentType: csvType, Header: map[string]string{"Content-Disposition": disposition}}
	if by == "" {
		lines, err := s.lines(ctx, filter)
		reply.Stream = lines
		return reply, err
	}
	sums, err := s.store.groups(ctx, &filter, by)
	reply.Stream = writeSums(sums)
	return reply, err
}
