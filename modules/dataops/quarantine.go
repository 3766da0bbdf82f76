package dataops

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"gpatlas/modules/dataops/internal/run"
	"gpatlas/platform/database"
)

// QuarantineOptions select the quarantined rows to write.
type QuarantineOptions struct {
	Run   int64 // of this ingestion; 0 = of all, those of the newest first
	Limit int
	JSON  bool // one object a line
}

// WriteQuarantine lists rows that could not be used.
func WriteQuarantine(ctx context.Context, out io.Writer, db *database.DB, o QuarantineOptions) error {
	list, err := run.NewStore(db).Quarantined(ctx, run.Which{Run: o.Run, Limit: o.Limit})
	if err != nil {
		return err
	}
	if o.JSON {
		e := json.NewEncoder(out)
		for _, q := range list {
			if err := e.Encode(q); err != nil {
				return err
			}
		}
		return nil
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "no quarantined rows")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "RUN\tFILE\tLINE\tREASON\tROW")
	for _, q := range list {
		_, _ = fmt.Fprintf(w, "%d\t%s\t%d\t%s\t%s\n", q.RunID, q.File, q.Line, q.Reason, q.Raw)
	}
	return w.Flush()
}
