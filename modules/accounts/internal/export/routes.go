package export

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// Routes are the operations of the export.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/account/export", "export-account", s.export,
			httpapi.Grant(httpapi.Login), httpapi.Volatile(), httpapi.Summary("Everything kept about the person"), httpapi.Describe(text),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const text = `One JSON document: the account, its sessions (also those that have ended), the times of its tokens, its survey answers, and what the other parts of the service keep. Passwords, tokens and keys are not in it, nor are their hashes.

The holder is told by mail of each export. There are ten within 24 hours; beyond that the answer is 429 with ` + "`Retry-After`" + `.`

// Meta says what the document is.
type Meta struct {
	ExportedAt time.Time `json:"exported_at" doc:"When the document was made (UTC)." example:"2026-11-20T09:30:00Z"`
	Format     int       `json:"format" doc:"Version of the document's form." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "AccountExportMeta" }

const format = 1

func (s *Service) export(ctx context.Context, _ *struct{}) (*httpapi.Reply[httpapi.DataMeta[Document, Meta]], error) {
	d, err := s.Export(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now().UTC()
	return &httpapi.Reply[httpapi.DataMeta[Document, Meta]]{
		Body:   httpapi.DataMeta[Document, Meta]{Data: d, Meta: Meta{ExportedAt: now, Format: format}},
		Header: map[string]string{"Content-Disposition": `attachment; filename="gpatlas-export-` + now.Format(time.DateOnly) + `.json"`},
	}, nil
}
