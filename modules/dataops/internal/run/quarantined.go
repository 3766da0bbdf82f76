package run

import (
	"context"
	"strings"
	"time"
	"unicode"

	"gpatlas/platform/database"
)

// Quarantined is one row that could not be used.
type Quarantined struct {
	Extraction *int64  `json:"extraction_run_id" doc:"Extraction that ingested the document; null for a document that was named by hand." example:"12"`
	Source     *string `json:"source" doc:"Configured source of the document; null for a document that was named by hand." example:"adv-monthly"`
	RunID      int64   `json:"document_id" doc:"ID of the ingestion, as in runs." example:"41"`
	Document   string  `json:"document" doc:"Name of the document." example:"ADV_Filing_Data_20261001_20261031.zip"`
	File       string  `json:"file" doc:"File in the document." example:"IA_Schedule_D_7B1_20261001_20261031.csv"`
	Line       int64   `json:"line" doc:"Line on which the row begins; 0 if it is not known." example:"118"`
	Reason     string  `json:"reason" doc:"Why it cannot be used." example:"Fund ID is blank"`
	Raw        string  `json:"raw" doc:"Beginning of the row, at most 200 characters. Control characters are replaced by spaces; an ellipsis ends a row that was cut." example:"2107670,\"ALDER FUND, L.P.\",,518607"`
}

// SchemaName is its name in the OpenAPI document.
func (Quarantined) SchemaName() string { return "QuarantinedRow" }

// Reason is a reason for which rows could not be used.
type Reason struct {
	Reason    string    `json:"reason" doc:"The reason without figures (#) and without what is quoted." example:"Fund ID is blank"`
	Rows      int64     `json:"rows" doc:"Rows with it." example:"3"`
	Documents int64     `json:"documents" doc:"Documents with such rows." example:"1"`
	Latest    time.Time `json:"latest" doc:"When the newest of them was ingested (UTC)." example:"2026-11-22T08:15:02.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Reason) SchemaName() string { return "QuarantineReason" }

// Which selects quarantined rows; 0 = of any.
type Which struct {
	Extraction, Run int64
	Since           time.Time // of documents ingested from then on; zero = of any
	Reason          string    // as FoldedReason writes it; empty = any
	Limit           int
}

// rawChars is how much of a quarantined row is shown.
const rawChars = 200

// FoldedReason is the reason of dataops.quarantine q without figures and without what is quoted, so that rows with the same fault have the same.
const FoldedReason = `left(regexp_replace(regexp_replace(q.reason, '"[^"]*"', '"…"', 'g'), '[0-9]+', '#', 'g'), 120)`

const quarantinedSQL = `SELECT r.extraction_id AS extraction, r.source_name AS source, q.run_id, r.document, q.file, q.line, q.reason, left(q.raw, @chars::int + 1) AS raw
FROM dataops.quarantine q JOIN dataops.ingestion_runs r ON r.id = q.run_id
WHERE (@extraction::bigint = 0 OR r.extraction_id = @extraction) AND (@run::bigint = 0 OR q.run_id = @run)
	AND r.started_at >= @since AND (@reason = '' OR ` + FoldedReason + ` = @reason)
ORDER BY q.run_id DESC, q.id LIMIT @limit`

const reasonsSQL = `SELECT ` + FoldedReason + ` AS reason, count(*) AS rows, count(DISTINCT q.run_id) AS documents, max(r.started_at) AS latest
FROM dataops.quarantine q JOIN dataops.ingestion_runs r ON r.id = q.run_id
WHERE r.started_at >= @since GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT @limit`

// Reasons lists why rows of the documents since an instant could not be used, the most frequent reason first.
func (s *Store) Reasons(ctx context.Context, since time.Time, limit int) ([]Reason, error) {
	list, err := database.Select[Reason](ctx, s.db, "list reasons of quarantined rows", reasonsSQL, database.Args{"since": since, "limit": limit})
	for i := range list {
		list[i].Latest = list[i].Latest.UTC()
	}
	return list, err
}

// Quarantined lists rows that could not be used, those of the newest document first, in their order. Their text is safe to print.
func (s *Store) Quarantined(ctx context.Context, w Which) ([]Quarantined, error) {
	args := database.Args{"extraction": w.Extraction, "run": w.Run, "limit": w.Limit, "chars": rawChars, "since": w.Since, "reason": w.Reason}
	list, err := database.Select[Quarantined](ctx, s.db, "list quarantined rows", quarantinedSQL, args)
	for i := range list {
		q := &list[i]
		q.Document, q.File, q.Reason, q.Raw = printable(q.Document), printable(q.File), printable(q.Reason), printable(q.Raw)
		if runes := []rune(q.Raw); len(runes) > rawChars {
			q.Raw = string(runes[:rawChars]) + "…"
		}
	}
	return list, err
}

// printable replaces what would change the terminal or the line: the text is from a file.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}
