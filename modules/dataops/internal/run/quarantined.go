package run

import (
	"context"
	"strings"
	"unicode"

	"gpatlas/platform/database"
)

// Quarantined is one row that could not be used.
type Quarantined struct {
	RunID    int64  `json:"document_id" doc:"ID of the ingestion, as in runs." example:"41"`
	Document string `json:"document" doc:"Name of the document." example:"ADV_Filing_Data_20261001_20261031.zip"`
	File     string `json:"file" doc:"File in the document." example:"IA_Schedule_D_7B1_20261001_20261031.csv"`
	Line     int64  `json:"line" doc:"Line on which the row begins; 0 if it is not known." example:"118"`
	Reason   string `json:"reason" doc:"Why it cannot be used." example:"Fund ID is blank"`
	Raw      string `json:"raw" doc:"Beginning of the row, at most 200 characters. Control characters are replaced by spaces; an ellipsis ends a row that was cut." example:"2107670,\"ALDER FUND, L.P.\",,518607"`
}

// SchemaName is its name in the OpenAPI document.
func (Quarantined) SchemaName() string { return "QuarantinedRow" }

// Which selects quarantined rows; 0 = of any.
type Which struct {
	Extraction, Run int64
	Limit           int
}

// rawChars is how much of a quarantined row is shown.
const rawChars = 200

const quarantinedSQL = `SELECT q.run_id, r.document, q.file, q.line, q.reason, left(q.raw, @chars::int + 1) AS raw
FROM dataops.quarantine q JOIN dataops.ingestion_runs r ON r.id = q.run_id
WHERE (@extraction::bigint = 0 OR r.extraction_id = @extraction) AND (@run::bigint = 0 OR q.run_id = @run)
ORDER BY q.run_id DESC, q.id LIMIT @limit`

// Quarantined lists rows that could not be used, those of the newest document first, in their order. Their text is safe to print.
func (s *Store) Quarantined(ctx context.Context, w Which) ([]Quarantined, error) {
	args := database.Args{"extraction": w.Extraction, "run": w.Run, "limit": w.Limit, "chars": rawChars}
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
