package export

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

const (
	csvType    = "text/csv; charset=utf-8; header=present"
	ndjsonType = "application/x-ndjson; charset=utf-8"
)

// Part is what the slice offers.
func (s *Service) Part() module.Part {
	return module.Part{
		Routes: Routes(s), Models: []any{row{}},
		Exporters: []module.Exporter{{Name: "exports", For: s.ExportFor}}, Purged: []module.AccountListener{s.store.forget},
	}
}

// Routes are the operations of exports.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/export/csv", "export-csv", s.export,
			httpapi.Summary("Export a search as a file"), httpapi.Describe(exportText), httpapi.Produces(csvType, ndjsonType),
			httpapi.Examples("crd,legal_name,total_aum\r\n900001,Harbor Ridge Capital Partners LLC,2500000000\r\n",
				`{"crd":"900001","legal_name":"Harbor Ridge Capital Partners LLC","total_aum":2500000000}`+"\n"),
			httpapi.Volatile(), httpapi.NotIdempotent(), httpapi.MaxBody(64<<10),
			httpapi.Sends("Content-Disposition", "The suggested file name.", `attachment; filename="gpatlas-gps-2026-11-20.csv"`),
			httpapi.Sends("X-Total-Count", "Rows that the filters match.", "1482"),
			httpapi.Sends("X-Truncated", "true if the file has fewer rows than the filters match, because the plan allows no more.", "false"),
			httpapi.Sends("X-Snapshot", "Number of the catalog's publication that all rows are from.", "42"),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
		httpapi.Get("/v1/export/fields", "list-export-fields", s.fields,
			httpapi.Summary("List the fields that can be exported"),
			httpapi.Describe("Lists the columns by type, and how many rows the plan of the account allows."),
			httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden, http.StatusServiceUnavailable)),
	}, httpapi.Tag("Export"), httpapi.Grant(httpapi.Login))
}

const exportText = `Returns the rows that ` + "`GET /v1/gps` or `GET /v1/funds`" + ` would list, as a file. ` + "`filters`" + ` are the query parameters of that operation, validated in the same way; a filter at fault is named ` + "`filters.<name>`" + `. The order is that of the search.

An export has at most 1,000 rows on the plan pro (and in a trial) and 10,000 on the plan enterprise; other plans have no exports. A copy of the service that sells no plans allows 10,000. ` + "`X-Total-Count`" + ` says how many rows match, and ` + "`X-Truncated`" + ` whether the file has fewer. All rows are from one state of the catalog. Columns that are not default (see ` + "`GET /v1/export/fields`" + `) are the fields of details; if the catalog changes while they are read, the response is 503: try again after some seconds.

CSV follows RFC 4180: UTF-8 without a byte order mark, CRLF, a header line. Unknown values are empty. A text that begins with ` + "`=`, `+`, `-`, `@`, `＝`, `＋`, `－`, `＠`" + `, a tab or a line break, also behind spaces and invisible characters, has an apostrophe before it, so that no spreadsheet runs it as a formula; numbers are never changed. Use ` + "`format: ndjson`" + ` for the exact texts. A file whose connection ends without the final chunk is incomplete.`

type exportInput struct {
	Body Request
}

func (s *Service) export(ctx context.Context, in *exportInput) (*httpapi.Reply[string], error) {
	file, err := s.Export(ctx, auth.From(ctx), &in.Body)
	if err != nil {
		return nil, err
	}
	contentType := csvType
	if file.Format == formatNDJSON {
		contentType = ndjsonType
	}
	name := "gpatlas-" + file.Type + "-" + s.clock.Now().UTC().Format(time.DateOnly) + "." + file.Format
	return &httpapi.Reply[string]{
		ContentType: contentType, Stream: file.Write,
		Header: map[string]string{
			"Content-Disposition": `attachment; filename="` + name + `"`,
			"X-Total-Count":       strconv.Itoa(file.Total),
			"X-Truncated":         strconv.FormatBool(file.Rows() < file.Total),
			"X-Snapshot":          strconv.FormatInt(file.Snapshot, 10),
		},
	}, nil
}

// Fields are the columns by type.
type Fields struct {
	GPs   []Field `json:"gps" doc:"Columns of exports of fund managers."`
	Funds []Field `json:"funds" doc:"Columns of exports of funds."`
}

// SchemaName is its name in the OpenAPI document.
func (Fields) SchemaName() string { return "ExportFields" }

// FieldsMeta is what an export may be.
type FieldsMeta struct {
	Formats []string `json:"formats" doc:"Values of format." example:"[\"csv\",\"ndjson\"]"`
	MaxRows int      `json:"max_rows" doc:"Most rows of one export on the account's plan; 0 if the plan has no exports." example:"10000"`
}

// SchemaName is its name in the OpenAPI document.
func (FieldsMeta) SchemaName() string { return "ExportFieldsMeta" }

type fieldsBody = httpapi.DataMeta[Fields, FieldsMeta]

func (s *Service) fields(ctx context.Context, _ *struct{}) (*httpapi.Reply[fieldsBody], error) {
	list := func(of string) []Field {
		out := make([]Field, len(columnsOf[of]))
		for i, c := range columnsOf[of] {
			out[i] = c.Field
		}
		return out
	}
	return &httpapi.Reply[fieldsBody]{Body: fieldsBody{
		Data: Fields{GPs: list(gps), Funds: list(funds)},
		Meta: FieldsMeta{Formats: []string{formatCSV, formatNDJSON}, MaxRows: rowsFor(auth.From(ctx).Plan, s.sold)},
	}}, nil
}
