package extraction

import (
	"context"

	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/httpapi"
)

type quarantineBody = httpapi.DataMeta[[]run.Quarantined, QuarantineMeta]

// QuarantineMeta counts the rows by reason.
type QuarantineMeta struct {
	Days    int          `json:"days" doc:"Number of days." example:"30"`
	Limit   int          `json:"limit" doc:"Maximum number of rows in this response." example:"50"`
	Reasons []run.Reason `json:"reasons" doc:"Reasons of all rows of these days, whatever reason was asked for."`
}

// SchemaName is its name in the OpenAPI document.
func (QuarantineMeta) SchemaName() string { return "QuarantineMeta" }

// QuarantineInput selects rows.
type QuarantineInput struct {
	Reason httpapi.Opt[string] `query:"reason" maxLength:"120" example:"Fund ID is blank" doc:"Only rows with this reason, as meta.reasons has it."`
	Days   httpapi.Opt[int]    `query:"days" minimum:"1" maximum:"365" example:"30" doc:"Documents of how many days, today included, 1 to 365 (default 30)."`
	Limit  httpapi.Opt[int]    `query:"limit" minimum:"1" maximum:"200" example:"50" doc:"Rows to return, 1 to 200 (default 50)."`
}

const (
	defaultDays   = 30
	defaultRows   = 50
	reasonsAtMost = 50
)

func (s *Service) quarantined(ctx context.Context, in *QuarantineInput) (*httpapi.Reply[quarantineBody], error) {
	meta := QuarantineMeta{Days: in.Days.Or(defaultDays), Limit: in.Limit.Or(defaultRows)}
	since := s.clock.Now().AddDate(0, 0, -meta.Days)
	reasons, err := s.runs.Reasons(ctx, since, reasonsAtMost)
	if err != nil {
		return nil, err
	}
	meta.Reasons = reasons
	rows, err := s.runs.Quarantined(ctx, run.Which{Since: since, Reason: in.Reason.Or(""), Limit: meta.Limit})
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[quarantineBody]{Body: quarantineBody{Data: rows, Meta: meta}}, nil
}
