package dataops

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"gpatlas/modules/dataops/internal/quality"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// QualityOptions select metrics of quality.
type QualityOptions struct {
	Metric    string // empty = all, with their values
	Dimension string // only rows of it
	Limit     int
	SQL       bool // the query instead of its rows
	Measure   bool // measure before
}

// WriteQuality writes the metrics of quality, or the rows that one finds.
func WriteQuality(ctx context.Context, out io.Writer, db *database.DB, c Config, clk clock.Clock, o QualityOptions) error {
	metrics, err := quality.Metrics(c.QualityThresholds)
	if err != nil {
		return err
	}
	service := quality.NewService(db, metrics, clk)
	if o.Measure {
		if err := service.Measure(ctx); err != nil {
			return err
		}
	}
	if o.Metric == "" {
		return writeFigures(ctx, out, service)
	}
	if o.SQL {
		for _, m := range metrics {
			if m.Name == o.Metric {
				_, err := io.WriteString(out, m.SQL())
				return err
			}
		}
	}
	rows, err := service.Rows(ctx, o.Metric, o.Dimension, o.Limit)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if _, err := fmt.Fprintf(out, "%s\t%s\t%s\n", r.Dimension, r.CRD, r.Detail); err != nil {
			return err
		}
	}
	return nil
}

func writeFigures(ctx context.Context, out io.Writer, service *quality.Service) error {
	list, _, err := service.Latest(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "METRIC\tDAY\tVALUE\tFOUND\tOF\tTHRESHOLD\tSTATE\tWHAT IT MEASURES")
	for _, f := range list {
		name, threshold := f.Metric, "-"
		if f.Dimension != nil {
			name += " " + *f.Dimension
		}
		if f.Threshold != nil {
			threshold = fmt.Sprintf("%.4g", *f.Threshold)
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%.4g\t%d\t%d\t%s\t%s\t%s\n", name, f.Day, f.Value, f.Affected, f.Total, threshold, strings.ToUpper(f.State), f.Title)
	}
	return w.Flush()
}
