package export

import (
	"context"
	"net/http"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part {
	return module.Part{Routes: Routes(s)}
}

// Routes are the operations of the export.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/me/account/export", "export-account", s.export,
			httpapi.Grant(httpapi.Login), httpapi.Volatile(), httpapi.Summary("Export the data of the account"), httpapi.Describe(text),
			httpapi.Sends("Content-Disposition", "The suggested file name.", `attachment; filename="gpatlas-export-2026-11-20.json"`),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Accounts"))
}

const text = `Returns one JSON document: the account, its sessions (including ended ones), the times of its tokens, its survey answers, and the data kept by the other parts of the service. It contains no passwords, tokens or keys, and no hashes of them.

The session must have been opened with the password within the last ten minutes; else the response is 403. Sign in again, then export.

Each export sends a notice by email to the owner of the account. An account can export ten times within 24 hours. A further request returns 429 with ` + "`Retry-After`" + `.`

// Meta describes the document.
type Meta struct {
	ExportedAt time.Time `json:"exported_at" doc:"When the document was created (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	Format     int       `json:"format" doc:"Version of the document format." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (Meta) SchemaName() string { return "AccountExportMeta" }

const format = 1

func (s *Service) export(ctx context.Context, _ *struct{}) (*httpapi.Reply[httpapi.DataMeta[Document, Meta]], error) {
	caller := auth.From(ctx)
	d, err := s.Export(ctx, caller.UserID, caller.SessionID)
	if err != nil {
		return nil, err
	}
	now := s.clock.Now().UTC()
	return &httpapi.Reply[httpapi.DataMeta[Document, Meta]]{
		Body:   httpapi.DataMeta[Document, Meta]{Data: d, Meta: Meta{ExportedAt: now, Format: format}},
		Header: map[string]string{"Content-Disposition": `attachment; filename="gpatlas-export-` + now.Format(time.DateOnly) + `.json"`},
	}, nil
}
